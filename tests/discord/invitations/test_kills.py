"""A challenge or a table that was never posted, because the bot was killed before."""

import pytest
from simcord.actors import MemberActor

from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, IN_CHANNEL
from tests.discord.invitations.inviting import BUTTONS, offer
from tests.discord.killing import Killer
from tests.discord.world import World, answer_to, ids, labels, refused


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


async def test_a_challenge_that_nobody_saw_before_the_lifetime_was_shortened(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """It doesn't keep its challenger from another one until its own, longer lifetime is over."""
    await mod.slash(world.channel, "settings set", challenge_minutes=1440)
    await offer(world, world.alice, world.bob)
    await world.sql("UPDATE invitations SET message_id = NULL")  # as a kill leaves it
    await mod.slash(world.channel, "settings set", challenge_minutes=15)
    calendar.ahead += 15
    again = await world.alice.slash(world.channel, "play tictactoe", against=world.carol)
    assert labels(answer_to(again)) == BUTTONS


async def test_a_challenge_on_its_way_when_the_lifetime_was_extended(
    world: World, mod: MemberActor
) -> None:
    """It isn't void before its message arrives, although another lapses much later."""
    await offer(world, world.alice, world.bob)
    await world.sql("UPDATE invitations SET message_id = NULL")
    await mod.slash(world.channel, "settings set", challenge_minutes=1440)
    again = await world.alice.slash(world.channel, "play tictactoe", against=world.carol)
    assert "open challenge to bob" in refused(again)


async def test_a_doubled_challenge(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A challenge that is on its way to Discord isn't made again."""
    question = await world.made_up(f"d:{world.bob.id}:tictactoe")
    (press,) = ids(question)
    again = await world.doubled(world.alice, question, press, monkeypatch)
    assert "open challenge to bob" in refused(again)
    assert sum(labels(message) == BUTTONS for message in world.channel.history()) == 1
