"""Old boards where only answers reach the channel: a press is what removes or replaces them."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from tests.bot.engines import WaitingEngine
from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, FOLLOWUP, REMOVAL_BY_TOKEN
from tests.discord.conftest import Restart
from tests.discord.elsewhere import DIRECT, GUEST, Elsewhere, direct, group
from tests.discord.failing import (
    FAULTS,
    LATE_SECONDS,
    PUT_OFF_SECONDS,
    FailingOnce,
    answer_late,
    failing,
    try_again,
)
from tests.discord.matches.passing import MINUTE, pass_time
from tests.discord.matches.taking import TAKE, without_a_game
from tests.discord.world import World, button, labels, refused, text


@direct
async def test_an_old_board_pressed_after_the_tokens_have_ended(
    world: World, elsewhere: Elsewhere
) -> None:
    """A press always reaches the board that was pressed.

    A board that `/move` has replaced stays in the channel. Presses on it are refused, and the first
    of them removes it.
    """
    await world.challenge()
    elsewhere.end_tokens()
    await world.press(world.alice, "b2")
    (board,) = elsewhere.live()
    elsewhere.end_tokens()
    await world.bob.slash(world.channel, "move", where="a1")
    new, old = sorted(elsewhere.live(), key=lambda m: -m.id)
    assert old.id == board.id
    answer = refused(await world.press(world.alice, "c3", old))
    assert f"@me/{world.channel.id}/{new.id}" in answer
    assert [m.id for m in elsewhere.live()] == [new.id]
    await world.press(world.alice, "c3", new)
    (last,) = elsewhere.live()
    assert last.id > new.id


@group
async def test_a_stranger_presses_an_old_board(world: World, elsewhere: Elsewhere) -> None:
    """A stranger's press removes it too, so that it needn't wait for a player's press."""
    old = await world.challenge()
    elsewhere.end_tokens()
    await world.alice.slash(world.channel, "move", where="a1")
    new, _ = sorted(elsewhere.live(), key=lambda m: -m.id)
    answer = refused(await world.press(world.carol, "b2", old))
    assert f"@me/{world.channel.id}/{new.id}" in answer
    assert [m.id for m in elsewhere.live()] == [new.id]
    assert "not in this match" in refused(await world.press(world.carol, "b2", new))


@group
@pytest.mark.parametrize("control", ["c3", "undo", "resign"])
async def test_a_stranger_presses_a_board_that_lags_behind(
    world: World, elsewhere: Elsewhere, control: str
) -> None:
    """It is replaced by the current board, so that it needn't wait for a player's press."""
    lagging = await world.played("b2")
    elsewhere.end_tokens()
    with failing(world):
        world.env.inject_error("POST", "/interactions/*", status=500, times=5)
        await world.bob.slash(world.channel, "move", where="a1")
    assert [m.id for m in elsewhere.live()] == [lagging.id]
    await world.press(world.carol, control, lagging)
    (current,) = elsewhere.live()
    assert "Last move: 🔵 a1" in text(current)
    assert "not in this match" in refused(await world.press(world.carol, control, current))


@group
@pytest.mark.parametrize("who", ["alice", "carol"])
async def test_an_unknown_board_of_a_match_that_was_lost_on_time(
    world: World, elsewhere: Elsewhere, who: str
) -> None:
    """A press shows the end instead: it was sent although its call failed, and kept its squares."""
    board = await world.played("b2")
    here = world.env.backend.messages[world.channel.id]
    here[board.id + 1] = replace(here.pop(board.id), id=board.id + 1)
    elsewhere.end_tokens()
    await world.sql("UPDATE matches SET ended_at = 1, ending = 'timeout', ending_seat = 1")
    (unknown,) = elsewhere.live()
    await world.press(getattr(world, who), "a1", unknown)
    assert elsewhere.live() == []
    assert ["Analyse" in labels(m) for m in world.channel.history()] == [True]


@group
@pytest.mark.parametrize(("who", "control"), [("alice", "restart"), ("carol", "b2")])
async def test_a_press_on_the_board_of_an_archived_match(
    world: World, elsewhere: Elsewhere, calendar: Calendar, control: str, who: str
) -> None:
    """It then says that the match is put away; no token reached it when the match was archived."""
    board = await world.command(world.alice, "play tictactoe")
    elsewhere.end_tokens()
    await pass_time(world, calendar, 31 * MINUTE)
    await world.bob.click(await without_a_game(world, world.bob), label=TAKE)
    assert [m.id for m in elsewhere.live()] == [board.id]
    assert "put away" in refused(await world.press(getattr(world, who), control, board))
    assert elsewhere.live() == []
    assert "put away" in text(world.now(board)) and not labels(world.now(board))


@group
async def test_a_press_on_an_old_board_of_an_archived_match(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """The old board is removed, since the newest board says that the match is put away."""
    old = await world.command(world.alice, "play tictactoe")
    elsewhere.end_tokens()
    await world.alice.slash(world.channel, "move", where="b2")
    await pass_time(world, calendar, 31 * MINUTE)
    await world.bob.click(await without_a_game(world, world.bob), label=TAKE)
    assert old.id in [m.id for m in elsewhere.live()]
    assert "put away" in refused(await world.press(world.alice, "restart", old))
    assert old.id not in [m.id for m in world.channel.history()]


@pytest.mark.parametrize(
    ("elsewhere", "failure"),
    [
        (DIRECT, {"status": 500, "times": 5}),
        (GUEST, {"status": 500, "times": 5}),
        (GUEST, {"status": 403, "code": 50013, "times": 1}),
    ],
    indirect=["elsewhere"],
)
async def test_an_answer_that_fails(
    world: World, elsewhere: Elsewhere, failure: dict[str, Any]
) -> None:
    """The pressed board is edited instead, even if Discord names a missing permission (50013).

    Nobody could give a permission to a bot that isn't on the server. The next press brings a new
    board.
    """
    board = await world.challenge()
    with failing(world):
        world.env.inject_error(*FOLLOWUP, **failure)
        result = await world.press(world.alice, "b2")
    assert [m.id for m in elsewhere.live()] == [board.id] and not world.private()
    assert result.acknowledged and "Last move: ❌ b2" in text(world.now(board))
    await world.press(world.bob, "a1", world.now(board))
    (last,) = elsewhere.live()
    assert last.id > board.id and "Last move: 🔵 a1" in text(last)


@direct
async def test_a_board_whose_reply_comes_late(
    world: World, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot waits for it. If it edited the old board instead, nothing could remove the new."""
    board = await world.challenge()
    answer_late(monkeypatch, FOLLOWUP, LATE_SECONDS)
    world.begin(world.alice, board, button(board, "b2"))
    await world.env.advance_time(2 * LATE_SECONDS)
    (shown,) = elsewhere.live()
    assert shown.id > board.id and "Last move: ❌ b2" in text(shown)


@direct
async def test_a_failed_board_is_not_looked_for(world: World, elsewhere: Elsewhere) -> None:
    """It may have arrived, but the bot can't list the messages here, so it doesn't try."""
    await world.challenge()
    with failing(world):
        for method in ("POST", "PATCH"):
            world.env.inject_error(method, "*", status=500, times=20)
        await world.alice.slash(world.channel, "move", where="b2")
    await world.bob.slash(world.channel, "move", where="a1")
    for _ in range(3):  # elsewhere, the board would be looked for by then
        await world.env.advance_time(PUT_OFF_SECONDS)
    paths = [request.path for request in world.env.http_requests]
    assert not [path for path in paths if path.startswith("/channels/")]
    assert "Last move: 🔵 a1" in text(elsewhere.live()[-1])


@direct
async def test_a_board_that_a_late_press_has_changed(world: World, elsewhere: Elsewhere) -> None:
    """When `/board` brings a new board, that press's token removes it, since its own has ended."""
    board = await world.challenge()
    world.env.backend.advance_clock(16 * MINUTE)
    with failing(world):
        world.env.inject_error("POST", "/interactions/*", status=500, times=2)
        await world.press(world.alice, "b2")
    assert [m.id for m in elsewhere.live()] == [board.id]
    assert "Last move: ❌ b2" in text(world.now(board))
    await world.bob.slash(world.channel, "board")
    (last,) = elsewhere.live()
    assert last.id > board.id and board.id not in [m.id for m in world.channel.history()]


@direct
async def test_a_promise_that_discord_takes_but_fails_to_answer(
    world: World, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The press still brings its board, in place of the pressed one."""
    pressed = await world.challenge()
    tried = try_again(monkeypatch, CALLBACK)
    await world.press(world.alice, "b2")
    assert tried
    (board,) = elsewhere.live()
    assert board.id > pressed.id and "Last move: ❌ b2" in text(board)


@direct
async def test_an_old_board_whose_removal_fails_for_a_moment(
    world: World, elsewhere: Elsewhere
) -> None:
    """Its removal is tried again half a minute later; otherwise only a press would remove it."""
    old = await world.challenge()
    world.env.inject_error(*REMOVAL_BY_TOKEN, status=503, times=2)
    await world.press(world.alice, "b2")
    await world.env.advance_time(20)
    assert old.id in {board.id for board in elsewhere.live()}
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert [board.id for board in elsewhere.live()] == [world.last.id]


@direct
async def test_an_old_board_that_the_press_does_not_reach(
    world: World, elsewhere: Elsewhere
) -> None:
    """Its own token is tried, since a press only reaches a board if it is deferred as an update."""
    await world.challenge()
    world.env.inject_error(*CALLBACK, status=503)
    world.env.inject_error("GET", "/webhooks/*/messages/@original", status=503)
    world.env.inject_error(*REMOVAL_BY_TOKEN, status=503)
    await world.press(world.alice, "b2")
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert [board.id for board in elsewhere.live()] == [world.last.id]


async def lagging(world: World, restart: Restart, level: str) -> discord.Message:
    """Return the board of a match in which a restart has made the move that the computer owed."""
    board = await world.command(world.alice, "play tictactoe", level=level)
    await world.sql("UPDATE matches SET moves = 'b2', computer_due = 1")
    await restart()
    await world.env.advance_time(10)
    return board


@direct
@pytest.mark.parametrize("simcord_bot", [WaitingEngine], indirect=True)
async def test_a_restart_while_the_computer_owes_a_move(
    world: World, elsewhere: Elsewhere, restart: Restart
) -> None:
    """The move is made, and the next press shows it, since the bot can't post."""
    board = await lagging(world, restart, "perfect")
    assert [m.id for m in world.channel.history()] == [board.id]
    await world.press(world.alice, "a1", board)
    (last,) = elsewhere.live()
    assert last.id > board.id and "Last move: 🔵" in text(last)


@direct
async def test_a_hint_on_a_board_that_lags_behind(
    world: World, elsewhere: Elsewhere, restart: Restart
) -> None:
    """The press shows the match as it is, like other presses, since there is no current board."""
    board = await lagging(world, restart, "easy")
    await world.alice.click(board, label="Hint")
    (last,) = elsewhere.live()
    assert last.id > board.id and "Last move: 🔵" in text(last)
    assert "💡" in refused(await world.alice.click(last, label="Hint"))


@direct
async def test_a_lost_reply_to_a_deferral(
    world: World, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A press whose deferral seemed to fail still gets its answer, a board or a refusal."""
    await world.challenge()
    elsewhere.end_tokens()
    old = world.last
    FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    await world.press(world.alice, "b2")
    (board,) = elsewhere.live()
    assert board.id > old.id and "Last move: ❌ b2" in text(board)
    FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    assert "bob" in refused(await world.press(world.alice, "a1", board))
