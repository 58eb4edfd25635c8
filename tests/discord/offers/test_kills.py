"""An offer whose question was never posted, because the bot was killed before."""

from contextlib import suppress

import pytest

from tests.discord.conftest import Restart
from tests.discord.killing import MESSAGE, KilledError, Killer
from tests.discord.offers.agreeing import finish
from tests.discord.world import World, ids, notified, refused, text


@pytest.mark.parametrize("command", ["draw", "undo", "rematch"])
async def test_an_offer_that_nobody_saw(
    command: str, world: World, restart: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be made again after the next start, and asks the other member then."""
    if command == "rematch":
        await finish(world)
    else:
        await world.challenge()
        await world.press(world.alice, "b2")
    killer = Killer(world, monkeypatch)
    killer.fatal = (MESSAGE, "", False)
    # Not taken as an answer, the question goes to the channel.
    world.env.inject_error("POST", "/interactions/*/*/callback")
    with suppress(KilledError):
        await world.alice.slash(world.channel, command)
    assert killer.dead
    await restart()
    killer.attend()
    await world.alice.slash(world.channel, command)
    assert notified(world.last, world.env) == [world.bob.id]
    assert "already asked" in refused(await world.alice.slash(world.channel, command))
    await world.bob.click(world.last, label="Agree")
    match = (await world.stored()).match
    assert (bool(match.outcome), match.ply) == (command == "draw", int(command == "draw"))


async def test_a_doubled_offer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """One whose question is on its way to Discord isn't made again."""
    await world.challenge()
    draw = next(custom_id for custom_id in ids(world.last) if custom_id.endswith(":draw"))
    again = await world.doubled(world.alice, world.last, draw, monkeypatch)
    assert "already asked" in refused(again)
    assert sum("offers a draw" in text(message) for message in world.channel.history()) == 1
