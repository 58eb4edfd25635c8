"""Members who leave the server lose what they play, as soon as somebody who waits asks."""

import pytest

from tests.discord.three import three
from tests.discord.world import World, mentioned, refused, text


@pytest.mark.parametrize("command", ["board", "draw", "undo"])
async def test_whoever_has_left_has_lost(world: World, command: str) -> None:
    """The board again, or a question to the other: the answer is that the match is won."""
    await world.challenge()
    await world.play("b2 a1")
    world.guild.remove_member(world.bob)
    await world.alice.slash(world.channel, command)
    assert "**alice** wins! ⭕ **bob** has left the server." in text(world.last)
    assert not world.boards()
    assert not mentioned(world.last, world.env)


async def test_whoever_is_there_has_not(world: World) -> None:
    """Asking changes nothing while both are there."""
    await world.challenge()
    await world.alice.slash(world.channel, "board")
    assert len(world.boards()) == 1


async def test_of_three_the_others_play_on(world: World) -> None:
    """The seat is removed, its squares stay, and the match goes on."""
    await three(world)
    world.guild.remove_member(world.carol)
    await world.alice.slash(world.channel, "board")
    assert "💚 **carol** 🏳️ 4" in text(world.last)
    match = (await world.stored()).match
    assert match.outcome is None
    assert match.staying == (0, 1)


async def test_strangers_ask_for_nothing(world: World) -> None:
    """Somebody who doesn't play finds nobody gone by offering a draw."""
    await world.challenge()
    world.guild.remove_member(world.bob)
    assert "don't play" in refused(await world.carol.slash(world.channel, "draw"))
    assert (await world.stored()).match.outcome is None


async def test_a_rematch_is_not_about_leaving(world: World) -> None:
    """A finished match stays as it ended, whoever has left since."""
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    world.guild.remove_member(world.bob)
    await world.alice.slash(world.channel, "rematch")
    assert "would like a rematch" in text(world.last)


async def test_whoever_is_to_be_reminded_may_have_left(world: World) -> None:
    """Instead of a reminder that nobody reads comes the end of the match; the other has won."""
    await world.challenge(clock=300)
    await world.press(world.alice, "b2")
    world.guild.remove_member(world.bob)
    await world.env.advance_time(190)
    assert "**alice** wins! ⭕ **bob** has left the server." in text(world.last)
    assert len(world.channel.history()) == 1


async def test_a_reminder_of_who_is_there_is_sent(world: World) -> None:
    """The question to Discord changes nothing for those who play on."""
    await world.challenge(clock=300)
    await world.press(world.alice, "b2")
    await world.env.advance_time(190)
    assert mentioned(world.last, world.env) == [world.bob.id]
    assert (await world.stored()).match.outcome is None
