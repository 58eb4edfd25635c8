"""Resigning, and its confirmation."""

import pytest

from tests.discord.calls import CALLBACK
from tests.discord.failing import FAULTS, FailingOnce
from tests.discord.world import ALICE_WINS, World, answer_to, refused, text


async def test_resigning_asks_for_confirmation(world: World) -> None:
    """The question is private and names the winner; nothing happens before Yes."""
    board = await world.challenge()
    asked = await world.alice.slash(world.channel, "resign")
    question = refused(asked)
    assert "**bob** wins it then" in question and "`/resign confirm: True`" in question
    assert [m.id for m in world.channel.history(viewer=world.bob)] == [board.id]
    await world.press(world.alice, "b2", board)
    await world.alice.click(answer_to(asked), label="Yes, resign")
    assert "**bob** wins! ❌ **alice** resigned" in text(world.last)
    assert text(answer_to(asked)) == "You have resigned."
    assert not world.boards()


async def test_resigning_confirmed_by_command(world: World) -> None:
    """`confirm` replaces the second press, but gives nobody else the right to resign.

    The board is the only answer.
    """
    board = await world.challenge()
    assert "alice" in refused(await world.carol.slash(world.channel, "resign", confirm=True))
    assert world.last.id == board.id
    resigned = await world.alice.slash(world.channel, "resign", confirm=True)
    (final,) = world.channel.history()
    assert "**bob** wins! ❌ **alice** resigned" in text(final)
    assert answer_to(resigned).id == final.id and not resigned.followups
    assert "over" in refused(await world.bob.slash(world.channel, "resign", confirm=True))


async def test_a_confirmation_that_discord_takes_at_the_second_try(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first try has arrived, so Discord refuses the second; the end is shown at once."""
    await world.challenge()
    asked = answer_to(await world.alice.slash(world.channel, "resign"))
    FailingOnce(monkeypatch, CALLBACK, FAULTS["acknowledged"])
    await world.alice.click(asked, label="Yes, resign")
    (final,) = world.channel.history()
    assert "**bob** wins! ❌ **alice** resigned" in text(final)


async def test_yes_after_the_end(world: World) -> None:
    """If the match ends while the question is open, Yes changes nothing."""
    await world.challenge()
    asked = await world.bob.click(world.last, label="Resign")
    await world.play(ALICE_WINS)
    answer = await world.bob.click(answer_to(asked), label="Yes, resign")
    assert "This match is over" in refused(answer)
