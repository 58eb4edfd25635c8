"""Kills and late replies before a question was posted, known, or without its buttons."""

import logging
from contextlib import suppress

import pytest

from tests.discord.calls import ANY_CHANGE, ANY_REMOVAL, CALLBACK, IN_CHANNEL, Call
from tests.discord.conftest import Restart
from tests.discord.failing import unchangeable
from tests.discord.killing import KilledError, Killer
from tests.discord.matches.passing import ROUND
from tests.discord.offers.agreeing import ask
from tests.discord.world import World, button, labels, notified, refused, text

_SETTLED_SECONDS = 30


@pytest.mark.parametrize("command", ["draw", "rematch"])
async def test_an_offer_that_nobody_saw(command: str, world: World, killer: Killer) -> None:
    """It can be made again after the next start, and asks the other member then."""
    if command == "rematch":
        await world.played()
    else:
        await world.played("b2")
    # So that the question is posted in the channel, not as the answer.
    world.env.inject_error(*CALLBACK)
    async with killer.killing(IN_CHANNEL, rest=0):
        await world.alice.slash(world.channel, command)
    await world.alice.slash(world.channel, command)
    assert notified(world.last, world.env) == [world.bob.id]
    assert "already asked" in refused(await world.alice.slash(world.channel, command))
    await world.bob.click(world.last, label="Agree")
    match = (await world.stored()).match
    assert (bool(match.outcome), match.ply) == (command == "draw", int(command == "draw"))


async def test_a_doubled_offer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """An offer whose question is on its way to Discord isn't made again."""
    await world.challenge()
    draw = button(world.last, "draw")
    again = await world.doubled(world.alice, world.last, draw, monkeypatch)
    assert "already asked" in refused(again)
    assert sum("offers a draw" in text(message) for message in world.channel.history()) == 1


@pytest.mark.parametrize(
    ("end", "call", "press"),
    [("move", ANY_CHANGE, True), ("Agree", CALLBACK, False), ("Decline", CALLBACK, True)],
)
async def test_a_question_that_keeps_its_buttons(
    end: str, call: Call, press: bool, world: World, killer: Killer
) -> None:
    """If the bot was killed after the end of an offer, the next start removes the buttons.

    A press removes them at once.
    """
    await world.challenge()
    await world.env.advance_time(ROUND)
    board = world.last
    question = await ask(world, world.alice, "Draw", by_button=False)
    words = "no longer stands" if end == "move" else ""
    async with killer.killing(call, words, rest=0 if press else _SETTLED_SECONDS):
        with suppress(KilledError):
            if end == "move":
                await world.press(world.alice, "b2", board)
            else:
                await world.bob.click(question, label=end)
        assert labels(world.now(question)) == ["Agree", "Decline"]
    if press:
        assert "no longer stands" in refused(await world.bob.click(question, label="Agree"))
    assert "no longer stands" in text(world.now(question)) and not labels(world.now(question))


@pytest.mark.parametrize("press", [True, False])
async def test_a_restart_just_after_a_kill(press: bool, world: World, killer: Killer) -> None:
    """The board before it is removed, although the killed bot hadn't noted it."""
    await world.command(world.alice, "play tictactoe", level="easy")
    await world.env.advance_time(ROUND)
    async with killer.killing(ANY_REMOVAL, rest=0):
        with suppress(KilledError):
            await world.press(world.alice, "b2")
    if press:
        await world.alice.click(world.last, label="Restart")
    else:
        await world.alice.slash(world.channel, "restart")
    await world.env.advance_time(_SETTLED_SECONDS)
    (board,) = world.boards()
    assert "Last move" not in text(board)


async def test_a_question_that_was_not_noted(world: World, killer: Killer) -> None:
    """It loses its buttons with the first press after its end."""
    board = await world.challenge()
    async with killer.killing(CALLBACK, late=True, rest=0):
        await world.alice.slash(world.channel, "draw")
    question = world.last
    await world.press(world.alice, "b2", board)
    assert "no longer stands" in refused(await world.bob.click(question, label="Agree"))
    assert "no longer stands" in text(world.now(question)) and not labels(world.now(question))


async def test_an_offer_that_stands(world: World, restart: Restart) -> None:
    """Its question keeps its buttons at the next start."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    await restart()
    await world.env.advance_time(_SETTLED_SECONDS)
    await world.bob.click(world.now(question), label="Agree")
    assert "A draw" in text(world.last)


async def test_a_doubled_answer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second press leaves the question as the first has changed it."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    decline = button(question, "decline")
    again = world.before_the_reply(world.bob, lambda: (question, decline), monkeypatch)
    await world.bob.click(question, custom_id=decline)
    assert "no longer stands" in refused(again[0])
    assert "**bob** plays on" in text(world.now(question))


@pytest.mark.parametrize("word", ["agree", "decline"])
async def test_an_answer_before_the_question_is_known(
    word: str, world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The question isn't shown again later, even if Discord hadn't told its id by the answer.

    A question that is gone isn't edited in vain.
    """
    caplog.set_level(logging.INFO)
    final = await world.played()
    world.before_the_reply(world.bob, lambda: (world.last, button(world.last, word)), monkeypatch)
    await world.alice.click(final, label="Rematch")
    if word == "agree":
        assert len(world.boards()) == 1 and len(world.channel.history()) == 2
    else:
        assert "**bob** doesn't want a rematch now." in text(world.last)
    assert "Unknown Message" not in caplog.text
    assert await world.sql("SELECT * FROM offers") == []


async def test_a_void_question_beside_a_later_one(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """A void question that couldn't be changed says so later, beside one that notifies anew."""
    caplog.set_level(logging.INFO)
    board = await world.challenge()
    void = await ask(world, world.alice, "Draw", by_button=False)
    with unchangeable(world):
        await world.press(world.alice, "b2", board)
    later = await ask(world, world.alice, "Draw", by_button=False)
    assert notified(later, world.env) == [world.bob.id]
    await world.env.advance_time(_SETTLED_SECONDS + 1)
    assert "no longer stands" in text(world.now(void)) and not labels(world.now(void))
    assert labels(world.now(later)) == ["Agree", "Decline"]
    assert "Unknown Message" not in caplog.text
