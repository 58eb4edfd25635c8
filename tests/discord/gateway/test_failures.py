"""Failures of every Discord call in a turn. None of them harms the match."""

import logging
import re

import aiohttp
import pytest

from tests.discord.calls import (
    CALLBACK,
    CHANGE,
    CHANGE_BY_TOKEN,
    FOLLOWUP,
    IN_CHANNEL,
    REMOVAL,
    REMOVAL_BY_TOKEN,
    on_its_way,
)
from tests.discord.failing import (
    LATE_SECONDS,
    PUT_OFF_SECONDS,
    FailingOnce,
    Fault,
    answer_late,
    lose_the_board,
)
from tests.discord.world import World, button, ids, logged, refused, text


def keep_the_board(world: World, status: int, code: int) -> None:
    """Let the next removal fail with this error, by a token and in the channel."""
    for removal in (REMOVAL, REMOVAL_BY_TOKEN):
        world.env.inject_error(*removal, status=status, code=code)


async def test_a_board_that_could_not_be_posted(world: World) -> None:
    """The move is saved once; a press on the board left behind shows the current one."""
    behind = await world.challenge()
    lose_the_board(world)
    words = refused(await world.press(world.alice, "b2"))
    assert "Accepted moves are saved: `/board`" in words
    assert await plies(world) == "b2"
    assert len(world.boards()) == 1
    await world.press(world.bob, "c3", behind)
    assert "Last move: ❌ b2" in text(world.last)
    assert "bob" in text(world.last)
    await world.press(world.bob, "c3")
    assert "Last move: 🔵 c3" in text(world.last)
    assert len(world.boards()) == 1


async def test_a_command_whose_board_could_not_be_posted(world: World) -> None:
    """The answer names `/board`."""
    await world.challenge()
    lose_the_board(world)
    words = refused(await world.alice.slash(world.channel, "move", where="b2"))
    assert "Accepted moves are saved: `/board`" in words
    assert await plies(world) == "b2"


async def test_a_channel_that_takes_no_message_any_more(world: World) -> None:
    """If the press can't be answered either, the existing board is edited to show the move."""
    board = await world.challenge()
    world.env.inject_error(*CALLBACK, status=404, code=10062)
    world.env.inject_error(*IN_CHANNEL, status=403, code=50013)
    await world.press(world.alice, "b2")
    (left,) = world.boards()
    assert left.id == board.id and "Last move: ❌ b2" in text(left)


@pytest.mark.parametrize("action", ["restart", "resign"])
async def test_controls_of_a_board_that_was_left_behind(world: World, action: str) -> None:
    """Controls on a board left behind show the current board instead of acting."""
    await world.challenge()
    lose_the_board(world)
    await world.press(world.alice, "b2")
    await world.bob.click(world.last, custom_id=f"a:1:0:{action}")
    assert "Last move: ❌ b2" in text(world.last)
    assert len(world.channel.history()) == 1


async def test_a_private_answer_that_was_dismissed(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """If a member dismisses the private message that awaits an answer, nothing more is sent."""
    await world.played()
    world.env.inject_error(*FOLLOWUP, status=404, code=10008)
    analysed = await world.alice.click(world.last, label="Analyse")
    assert analysed.deferred and not analysed.followups
    assert not logged(caplog, logging.ERROR)


async def test_a_command_whose_answer_could_not_be_posted(world: World) -> None:
    """A move by `/move` is saved once; a repeated command is out of turn."""
    await world.challenge()
    lose_the_board(world)
    await world.alice.slash(world.channel, "move", where="b2")
    assert "bob" in refused(await world.alice.slash(world.channel, "move", where="b2"))
    await world.press(world.bob, "c3")
    assert "Last move: ❌ b2" in text(world.last)
    assert await plies(world) == "b2"


async def test_a_turn_against_the_computer_that_could_not_be_posted(world: World) -> None:
    """The move and the answer are saved once, and the next press shows both."""
    await world.alice.slash(world.channel, "play tictactoe")
    lose_the_board(world)
    await world.press(world.alice, "b2")
    saved = await plies(world)
    await world.press(world.alice, "b2")
    assert await plies(world) == saved
    assert len(saved.split()) == 2
    assert f"Last move: 🔵 {saved.split()[1]}" in text(world.last)


@pytest.mark.parametrize(
    ("status", "code", "traced"), [(500, 0, False), (404, 10062, False), (400, 50035, True)]
)
async def test_the_log_of_a_failed_answer(
    world: World, caplog: pytest.LogCaptureFixture, status: int, code: int, traced: bool
) -> None:
    """It has a traceback only if the bot may be at fault; otherwise it is one line."""
    await world.challenge()
    world.env.inject_error(*CALLBACK, status=status, code=code)
    told = refused(await world.alice.slash(world.channel, "moves"))
    (failed,) = logged(caplog, logging.ERROR)
    assert f"failed: {status} " in failed.getMessage() and bool(failed.exc_info) == traced
    assert re.findall("[0-9]{17,}", told) == re.findall("[0-9]{17,}", failed.getMessage())


async def test_a_pick_that_discord_leaves_without_an_answer(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The member isn't told that the database is away, and the log says what happened."""
    await world.challenge(game="nineholes")
    FailingOnce(monkeypatch, CALLBACK, Fault(TimeoutError()))
    pressed = await world.press(world.alice, "a1")
    assert "Something went wrong on my side" in refused(pressed)
    assert "failed: Discord hasn't answered" in caplog.text
    await world.press(world.alice, "a1")
    assert "a1 is picked" in text(world.last)


async def test_a_private_answer_that_discord_leaves_without_an_answer(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The member isn't told that the database is away; no other way leads to a private answer."""
    await world.challenge()
    FailingOnce(monkeypatch, CALLBACK, Fault(TimeoutError()))
    asked = await world.alice.slash(world.channel, "moves")
    assert "Something went wrong on my side" in refused(asked)
    assert "failed: Discord hasn't answered" in caplog.text


async def test_a_pick_whose_reply_comes_late(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """There is no other way to show it, so the bot waits for the reply, and reports no failure."""
    board = await world.challenge(game="nineholes")
    answer_late(monkeypatch, CALLBACK, LATE_SECONDS)
    pressed = world.begin(world.alice, board, button(board, "a1"))
    await world.env.advance_time(2 * LATE_SECONDS)
    assert "a1 is picked" in text(world.last) and not pressed.followups
    assert not logged(caplog, logging.WARNING)


async def test_an_answer_to_a_question_that_was_removed_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If the first way fails and the second finds no question, the member is told how to go on."""
    await world.challenge()
    await world.alice.slash(world.channel, "draw")
    FailingOnce(monkeypatch, CALLBACK, Fault(TimeoutError()))
    for change in (CHANGE, CHANGE_BY_TOKEN):
        world.env.inject_error(*change, status=404, code=10008)
    declined = await world.bob.click(world.last, label="Decline")
    assert "`/board` to post it again" in refused(declined)
    assert "is answered otherwise: Discord hasn't answered within 3.0 s" in caplog.text
    assert not logged(caplog, logging.ERROR)


async def test_a_first_board_that_could_not_be_posted(world: World) -> None:
    """The match against the computer exists: `/board` shows it and `/move` plays it."""
    lose_the_board(world)
    words = refused(await world.alice.slash(world.channel, "play tictactoe"))
    assert "`/board` shows where the match stands" in words
    assert "already" in refused(await world.alice.slash(world.channel, "play tictactoe"))
    await world.alice.slash(world.channel, "board")
    await world.press(world.alice, "b2")
    assert "Last move: 🔵" in text(world.last)


async def test_an_accepted_challenge_whose_board_could_not_be_posted(world: World) -> None:
    """The match starts once; Accept is spent, and `/board` shows the match."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    lose_the_board(world)
    failed = refused(await world.bob.click(world.last, label="Accept"))
    assert "look before you try again" in failed
    assert "`/board` shows where the match stands" in failed
    assert "`/board` shows it" in refused(await world.bob.click(world.last, label="Accept"))
    await world.bob.slash(world.channel, "board")
    await world.press(world.alice, "b2")
    assert "Last move: ❌ b2" in text(world.last)


async def test_the_last_move_is_shown_by_a_press_on_the_board_left_behind(world: World) -> None:
    """A final board that couldn't be posted is shown by the next press."""
    await world.played("a1 b1 a2 b2")
    lose_the_board(world)
    await world.press(world.alice, "a3")
    await world.press(world.bob, "c3")
    assert "alice** wins" in text(world.last)
    assert not world.boards()


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (500, 0)])
async def test_a_board_that_cannot_be_removed_loses_its_buttons(
    world: World, status: int, code: int
) -> None:
    """The member sees no error, and the old message says that the board is out of date."""
    old = await world.challenge()
    keep_the_board(world, status, code)
    result = await world.press(world.alice, "b2")
    assert not result.ephemeral
    assert "out of date" in text(world.now(old))
    assert len(world.boards()) == 1


@pytest.mark.parametrize("broken", [aiohttp.ServerDisconnectedError(), ConnectionResetError()])
async def test_a_connection_that_breaks_at_the_removal(
    world: World, monkeypatch: pytest.MonkeyPatch, broken: Exception
) -> None:
    """Discord fails between the two calls of a turn: the turn counts, without an error."""
    old = await world.challenge()

    def break_off() -> None:
        raise broken

    for by_token in (REMOVAL_BY_TOKEN, CHANGE_BY_TOKEN):
        world.env.inject_error(*by_token)
    with monkeypatch.context() as patch:
        on_its_way(patch, ("*", "/channels/*"), before=break_off)
        result = await world.press(world.alice, "b2")
    assert not result.ephemeral and not result.followups
    assert "out of date" in refused(await world.press(world.bob, "a1", old))
    await world.press(world.bob, "a1")
    assert "Last move: 🔵 a1" in text(world.last)


@pytest.mark.parametrize(("status", "code"), [(500, 0), (404, 10062)])
async def test_a_move_is_made_once_though_every_call_fails(
    world: World, status: int, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    """When every call fails the move is made once and each failure is logged; `/board` shows it."""
    await world.challenge()
    for call in (
        CALLBACK,
        IN_CHANNEL,
        REMOVAL,
        REMOVAL_BY_TOKEN,
        CHANGE,
        CHANGE_BY_TOKEN,
        FOLLOWUP,
    ):
        world.env.inject_error(*call, status=status, code=code, times=None)
    result = await world.press(world.alice, "b2")
    assert not result.acknowledged
    assert "could not be answered" in caplog.text
    await world.press(world.alice, "b2")
    world.env.backend.faults.clear()
    await world.alice.slash(world.channel, "board")
    assert await plies(world) == "b2"
    assert "m:1:1:a1" in ids(world.last)
    assert len(world.boards()) == 1


async def plies(world: World) -> str:
    """Return the moves of the only stored match."""
    (row,) = await world.sql("SELECT moves FROM matches")
    return str(row.moves)


async def test_a_challenge_that_could_not_be_posted(world: World) -> None:
    """The challenger is told of the failure, and may challenge again at once."""
    lose_the_board(world)
    assert refused(await world.alice.slash(world.channel, "play tictactoe", against=world.bob))
    assert world.public() == []
    await world.challenge()
    assert len(world.boards()) == 1


async def test_choices_that_fail(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """The log doesn't name the member; only a fault of the bot's own is logged with a traceback."""
    await world.challenge()
    world.env.inject_error(*CALLBACK, status=404, code=10062)
    await world.alice.autocomplete(world.channel, "move", "where", "b")
    assert not logged(caplog, logging.WARNING)
    await world.sql("UPDATE matches SET moves = 'a1 a1'")
    await world.alice.autocomplete(world.channel, "move", "where", "b")
    (failed,) = logged(caplog, logging.WARNING)
    assert failed.exc_info and "an autocomplete failed: match 1" in failed.getMessage()
    assert str(world.alice.id) not in caplog.text


async def test_an_old_board_that_is_gone_by_now(world: World) -> None:
    """A moderator has removed it, so the bot makes no request of its own to remove it."""
    await world.played("b2")
    world.env.backend.delete_message(world.channel.id, world.last.id)
    await world.bob.slash(world.channel, "move", where="a1")
    await world.env.advance_time(PUT_OFF_SECONDS)
    made = [(m.method, m.path) for m in world.env.backend.http_requests]
    assert [path for method, path in made if method == "DELETE" and "/channels/" in path] == []
