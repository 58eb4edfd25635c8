"""What migrations make of the rows of earlier versions."""

from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import open_database
from bot.identity import PuzzleId, ServerId
from bot.puzzles.store import DailyStore
from bot.times import DAY
from tests.bot.db.migrating import made_at


async def _column(engine: AsyncEngine, statement: str) -> list[Any]:
    async with engine.connect() as connection:
        return [*(await connection.execute(text(statement))).scalars()]


# --- 0007 to 0008: the time of the last move

WEEK = 7 * DAY
STARTED, ENDED, DUE = 1000, 2000, 9000 + WEEK
_MATCH_OF_0007 = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at, deadline, due_at)
    VALUES (:id, 10, :id, 'tictactoe', '{}', '', '', false, 1000, :ended_at, :deadline, :due_at)
"""
# The end, the deadline and the next sweep of a match, and the time that they tell.
_TIMES = {
    "over": (ENDED, None, None, ENDED),
    "against the computer": (None, None, DUE, 9000),
    "with a clock": (None, DUE, DUE - 60, STARTED),
    "without a clock": (None, None, None, STARTED),
}


async def test_no_match_counts_as_idle_since_ever(url: str) -> None:
    """One against the computer seems at most as idle as it is, so that nobody loses a channel."""
    rows = [
        {"id": number, "ended_at": ended_at, "deadline": deadline, "due_at": due_at}
        for number, (ended_at, deadline, due_at, _) in enumerate(_TIMES.values())
    ]
    await made_at(url, "0007", (_MATCH_OF_0007, rows))
    async with open_database(url) as engine:
        moved = await _column(engine, "SELECT moved_at FROM matches ORDER BY id")
    assert dict(zip(_TIMES, moved, strict=True)) == {
        case: told[-1] for case, told in _TIMES.items()
    }


# --- 0011 to 0012: no ranks without a result

_MATCHES_OF_0011 = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at, ending)
    VALUES (1, 10, 20, 'tictactoe', '{}', '', '', false, 1, 2, 'called_off'),
           (2, 10, 21, 'tictactoe', '{}', '', '', false, 1, 2, 'abandoned'),
           (3, 10, 22, 'tictactoe', '{}', '', '', false, 1, 2, 'agreement'),
           (4, 10, 23, 'tictactoe', '{}', '', '', false, 1, 2, NULL)
"""
_SEATS_OF_0011 = """
    INSERT INTO seats (match_id, seat, user_id, rank)
    VALUES (1, 0, 7, 1), (2, 0, 7, 1), (3, 0, 7, 1), (4, 0, 7, 1)
"""
_OFFER_OF_0011 = "INSERT INTO offers (match_id, kind, seat, ply) VALUES (4, 'rematch', 0, 0)"


async def test_a_match_without_a_result_loses_its_ranks(url: str) -> None:
    """Those of a draw and of a result on the board stay, and so do offers."""
    await made_at(url, "0011", _MATCHES_OF_0011, _SEATS_OF_0011, _OFFER_OF_0011)
    async with open_database(url) as engine:
        ranks = await _column(engine, "SELECT rank FROM seats ORDER BY match_id")
        assert ranks == [None, None, 1, 1]
        assert await _column(engine, "SELECT COUNT(*) FROM offers") == [1]
        assert await _column(engine, "SELECT COUNT(*) FROM questions") == [0]


# --- 0020 to 0021: a row for each old board

_MATCHES_OF_0020 = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at, ending, old_boards)
    VALUES (1, 10, 20, 'tictactoe', '{}', '', '', false, 1, 2, 'agreement',
            ' 1456074443980800045 46'),
           (2, 10, 21, 'tictactoe', '{}', '', '', false, 1, 2, 'agreement', '47'),
           (3, 10, 22, 'tictactoe', '{}', '', '', false, 1, 2, 'agreement', '')
"""


async def test_old_boards_are_kept(url: str) -> None:
    """Whatever was to be removed still is."""
    await made_at(url, "0020", _MATCHES_OF_0020)
    async with open_database(url) as engine, engine.connect() as connection:
        rows = await connection.execute(text("SELECT message_id, match_id FROM old_boards"))
        assert set(map(tuple, rows)) == {(1456074443980800045, 1), (46, 1), (47, 2)}


# --- 0032 to 0033: the number of changes, and which of them a board shows

# The message 1456074443980800045 was sent at 1767225600.
_MATCHES_OF_0032 = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, board_id, moved_at)
    VALUES (1, 10, 20, 'tictactoe', '{}', '', '', false, 1, 1456074443980800045, 1767225601),
           (2, 10, 21, 'tictactoe', '{}', '', '', false, 1, 1456074443980800045, 1767225600)
"""


async def test_boards_that_a_kill_may_have_left_are_still_known(url: str) -> None:
    """A match that changed after its board was sent has a board that shows an earlier state."""
    await made_at(url, "0032", _MATCHES_OF_0032)
    async with open_database(url) as engine:
        assert await _column(engine, "SELECT id FROM matches WHERE shown < revision") == [1]


# --- 0035 to 0036: the solvers of a puzzle

_PUZZLES_OF_0035 = """
    INSERT INTO puzzles (id, guild_id, game, difficulty, start, line, day, message_id, told)
    VALUES (1, 10, 'tictactoe', 'easy', '', '', 9, 7, 1),
           (2, 11, 'tictactoe', 'easy', '', '', 9, 8, 1)
"""
_TRIES_OF_0035 = """
    INSERT INTO puzzle_tries (puzzle_id, user_id, guild_id, opened_at, solved)
    VALUES (1, 1, 10, 1, true), (1, 2, 10, 1, false), (2, 1, 11, 1, true), (2, 2, 11, 1, true)
"""


async def test_solvers_are_counted(url: str) -> None:
    """A post that told too few of them still does so."""
    await made_at(url, "0035", _PUZZLES_OF_0035, _TRIES_OF_0035)
    async with open_database(url) as engine:
        posts = DailyStore(engine)
        assert await posts.untold(9 * DAY, 5) == [(ServerId(11), PuzzleId(2), 2)]
