"""A challenge or a table that was never posted, because the bot was killed before."""

import pytest

from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, IN_CHANNEL
from tests.discord.invitations.inviting import BUTTONS, offer
from tests.discord.killing import Killer
from tests.discord.world import World, ids, labels, refused


async def test_a_challenge_that_nobody_saw(
    world: World, calendar: Calendar, killer: Killer
) -> None:
    """After some seconds it doesn't keep its challenger from another, which can be accepted."""
    # So that the challenge is posted in the channel, not as the answer.
    world.env.inject_error(*CALLBACK)
    async with killer.killing(IN_CHANNEL, rest=0):
        await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    calendar.ahead += 15
    challenge = await offer(world, world.alice, world.bob)
    assert labels(challenge) == BUTTONS
    again = await world.alice.slash(world.channel, "play tictactoe", against=world.carol)
    assert "open challenge to bob" in refused(again)
    await world.bob.click(challenge, label="Accept")
    assert len(world.boards()) == 1


async def test_a_doubled_challenge(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A challenge that is on its way to Discord isn't made again."""
    question = await world.made_up(f"d:{world.bob.id}:tictactoe")
    (press,) = ids(question)
    again = await world.doubled(world.alice, question, press, monkeypatch)
    assert "open challenge to bob" in refused(again)
    assert sum(labels(message) == BUTTONS for message in world.channel.history()) == 1
