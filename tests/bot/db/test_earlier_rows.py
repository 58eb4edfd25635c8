"""What migrations make of the rows of earlier versions, apart from ratings and invitations."""

import time
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import open_database
from bot.identity import ChannelId, InvitationId, MatchId, PuzzleId, ServerId
from bot.invitations.store import InvitationStore
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.settings import ServerSettings
from bot.matches.store import ChannelTakenError, MatchStore, SettingsStore
from bot.puzzles.store import DailyStore
from bot.ratings.model import Unrated
from bot.times import DAY
from core.players import Member
from tests.bot.db.migrating import made_at
from tests.bot.playing import NOW, X_WINS, begin

_START = {"start": begin().initial.notation}


async def _loaded(engine: AsyncEngine, *numbers: int) -> list[StoredMatch]:
    """Return the matches with these numbers; each has to be there."""
    found = [await MatchStore(engine).load(MatchId(number)) for number in numbers]
    assert None not in found
    return [stored for stored in found if stored]


async def _column(engine: AsyncEngine, statement: str) -> list[Any]:
    async with engine.connect() as connection:
        return [*(await connection.execute(text(statement))).scalars()]


# --- 0001 to 0002: hints

_MATCHES_OF_0001 = """
    INSERT INTO matches (guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at)
    VALUES (10, 20, 'tictactoe', '{}', :start, 'b2 a1 b1 a2 b3', false, 1, 2),
           (10, 20, 'tictactoe', '{}', :start, 'b2', false, 3, NULL)
"""
_SEATS_OF_0001 = """
    INSERT INTO seats (match_id, seat, user_id, name)
    VALUES (1, 0, 1, 'Alice'), (1, 1, 2, 'Bob'), (2, 0, 1, 'Alice'), (2, 1, 2, 'Bob')
"""


async def test_matches_from_before_hints(url: str) -> None:
    """They are unchanged and rated, and can be hinted from now on."""
    await made_at(url, "0001", (_MATCHES_OF_0001, _START), _SEATS_OF_0001)
    async with open_database(url) as engine:
        before = await _loaded(engine, 1, 2)
        assert [stored.match.ply for stored in before] == [5, 1]
        assert [stored.hinted for stored in before] == [False, False]
        async with engine.begin() as connection:
            await connection.execute(text("UPDATE matches SET hinted = true WHERE id = 2"))
        over, live = await _loaded(engine, 1, 2)
        assert (over.hinted, live.hinted) == (False, True)
        with pytest.raises(ChannelTakenError):
            await MatchStore(engine).create(NewMatch(live.place, live.match, live.names), 4)


# --- 0003 to 0004: clocks

_MATCHES_OF_0003 = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at, ended_at)
    VALUES (1, 10, 20, 'tictactoe', '{}', :start, 'b2 a1 b1 a2 b3', false, 1, 2),
           (2, 10, 20, 'tictactoe', '{}', :start, 'b2', false, 3, NULL),
           (3, 10, 30, 'tictactoe', '{}', :start, '', false, 3, NULL)
"""
_SEATS_OF_0003 = """
    INSERT INTO seats (match_id, seat, user_id, name, level)
    VALUES (1, 0, 1, 'Alice', NULL), (1, 1, 2, 'Bob', NULL),
           (2, 0, 1, 'Alice', NULL), (2, 1, 2, 'Bob', NULL),
           (3, 0, 1, 'Alice', NULL), (3, 1, NULL, NULL, 'easy')
"""
_CHALLENGE_OF_0003 = """
    INSERT INTO challenges (id, guild_id, channel_id, game, options, challenger_id,
        challenger_name, opponent_id, opponent_name, challenger_first, status, expires_at)
    VALUES (1, 10, 40, 'tictactoe', '{}', 1, 'Alice', 2, 'Bob', true, 'open', 9)
"""


async def test_matches_from_before_clocks(url: str) -> None:
    """Live ones have no clock and keep their channels; a week is left to answer the computer."""
    await made_at(url, "0003", (_MATCHES_OF_0003, _START), _SEATS_OF_0003, _CHALLENGE_OF_0003)
    async with open_database(url) as engine:
        store = MatchStore(engine)
        over, live, alone = await _loaded(engine, 1, 2, 3)
        assert [found.clock for found in (over, live, alone)] == [None] * 3
        assert over.timing.due_at is live.timing.due_at is None
        assert abs((alone.timing.due_at or 0) - time.time() - 7 * DAY) < 60
        assert await store.live(ChannelId(20)) == live and await store.live(ChannelId(30)) == alone
        offered = await InvitationStore(engine).load(InvitationId(1))
        assert offered is not None and offered.clock is None
        assert await SettingsStore(engine).settings(ServerId(10)) == ServerSettings()
        moved = live.match.resign(Member(1))
        assert (await store.save(live, moved, 9)).timing.due_at is None


# --- 0005 to 0006: reasons why matches are unrated

_MATCH_OF_0005 = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, ending, ending_seat,
                         computer_due, started_at, ended_at, hinted, undone, rated_as)
    VALUES (:id, 10, :id, 'tictactoe', '{}', :start, :moves, :ending, :ending_seat,
            false, 1, :ended_at, :hinted, :undone, :rated_as)
"""
_SEATS_OF_0005 = """
    INSERT INTO seats (match_id, seat, user_id, level)
    VALUES (:id, 0, 1, NULL), (:id, 1, :user_id, :level)
"""
_PLAYED = {
    **_START,
    "moves": X_WINS,
    "ending": None,
    "ending_seat": None,
    "ended_at": NOW,
    "hinted": False,
    "undone": False,
    "rated_as": None,
}
_BOB = {"user_id": 2, "level": None}
_RESIGNED = {"ending": "resignation", "ending_seat": 1}
# The columns that differ from a match of alice and bob won by X, and the reason they imply.
_REASONS: dict[str, tuple[dict[str, Any], Unrated | None]] = {
    "rated": ({"rated_as": 1}, None),
    "live": ({"moves": "a1", "ended_at": None}, None),
    "live and hinted": ({"moves": "a1", "ended_at": None, "hinted": True}, None),
    "hinted": ({"hinted": True}, Unrated.HINTED),
    "undone": ({"undone": True}, Unrated.UNDONE),
    "hinted and undone": ({"hinted": True, "undone": True}, Unrated.HINTED),
    "undone and short": ({"undone": True, "moves": "a1", **_RESIGNED}, Unrated.UNDONE),
    "no ply": ({"moves": "", **_RESIGNED}, Unrated.SHORT),
    "three plies": ({"moves": "a1 a3 b1", **_RESIGNED}, Unrated.SHORT),
    "four plies": ({"moves": "a1 a3 b1 b3", **_RESIGNED}, Unrated.ENOUGH),
    "played to the end": ({}, Unrated.ENOUGH),
    "called off": ({"moves": "a1", "ending": "called_off", "hinted": True}, None),
    "the computer": ({"user_id": None, "level": "easy"}, None),
    "the computer, hinted": ({"user_id": None, "level": "easy", "hinted": True}, None),
    "oneself": ({"user_id": 1, "undone": True}, None),
}


async def test_why_a_match_is_unrated_follows_from_its_row(url: str) -> None:
    """A finished match of members gets the reason its row implies, or else the daily limit."""
    rows = [{"id": n, **_PLAYED, **_BOB, **row} for n, (row, _) in enumerate(_REASONS.values(), 1)]
    await made_at(url, "0005", (_MATCH_OF_0005, rows), (_SEATS_OF_0005, rows))
    async with open_database(url) as engine:
        stored = await _loaded(engine, *range(1, len(rows) + 1))
    reasons = dict(zip(_REASONS, [match.entry.unrated for match in stored], strict=True))
    assert reasons == {case: reason for case, (_, reason) in _REASONS.items()}


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
        posts = DailyStore(engine, lambda: 9 * DAY)
        assert await posts.untold(5) == [(ServerId(11), PuzzleId(2), 2)]
