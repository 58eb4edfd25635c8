"""The checks after a soak find what they look for."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import open_database
from core import Match
from core.players import Member

from .aftermath import Aftermath, explained, log_errors, rerated
from .discord_server import LoopbackDiscord
from .ledger import Ledger
from .payloads import Json
from .sweeper import fill
from .test_reading import board_fields

_FAR = 2_000_000_000
_CHANNEL = LoopbackDiscord(1, 1).channel_ids[0]
_INVITATION = (
    "INSERT INTO invitations (guild_id, channel_id, owner_id, owner_name, game, options, status,"
    " expires_at, revision) VALUES (1, 1, 1, '', 'tictactoe', '{}', 'open', 1, 0)"
)


def _board(moves: str, match: int = 1, *, told: bool = True) -> Json:
    """Return the body of the message that shows a match of the members in the database."""
    played = Match.start("tictactoe", players=(Member(1000), Member(1001)))
    for move in moves.split():
        played = played.play(move)
    return board_fields(played, match) | ({} if told else {"allowed_mentions": {}})


def _after(database: AsyncEngine, *boards: Json) -> Aftermath:
    """Return the checks of a server that shows these boards."""
    server, ledger = LoopbackDiscord(1, 1), Ledger()
    server.shown.on_shown.append(ledger.note)
    for fields in boards:
        server.shown.create(_CHANNEL, fields)
    return Aftermath(server, ledger, database, lambda message: False, rests=0)


def _kinds(found: list[str]) -> list[str]:
    return [line.partition(":")[0] for line in found]


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """A database with a match of two members, in which nothing is due."""
    file = tmp_path / "load.db"
    async with open_database(f"sqlite:///{file}") as database:
        fill(file, 1, [_CHANNEL], _FAR)
        yield database


async def _sql(database: AsyncEngine, statement: str) -> None:
    async with database.begin() as connection:
        await connection.execute(text(statement))


@pytest.mark.parametrize(
    ("boards", "wrong"),
    [
        ([_board("")], []),
        ([], ["in the dark"]),
        ([_board(""), _board("")], ["doubled"]),
        ([_board("b2")], ["in the dark", "lost"]),
        ([_board(""), _board("b2", match=2)], ["lost"]),
        ([_board(""), _board("a1 b1 a2 b2 a3")], ["lost"]),
        ([_board("", told=False)], ["not told"]),
    ],
)
async def test_what_is_shown_must_be_stored(
    database: AsyncEngine, boards: list[Json], wrong: list[str]
) -> None:
    """A live match has one board, at its ply, and all that was shown is stored."""
    assert _kinds(await _after(database, *boards).at_rest()) == wrong


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("UPDATE matches SET due_at = 1", ["overdue"]),
        ("UPDATE matches SET computer_due = TRUE", ["owed"]),
        (_INVITATION, ["unseen", "overdue"]),
    ],
)
async def test_what_was_due_must_be_done(
    database: AsyncEngine, statement: str, wrong: list[str]
) -> None:
    """A deadline, a move of the computer, and a challenge that has run out of time."""
    await _sql(database, statement)
    assert _kinds(await _after(database, _board("")).at_rest()) == wrong


async def test_what_looks_live_must_be_so(database: AsyncEngine) -> None:
    """An old board, and one of a match that has ended, are leftovers."""
    after = _after(database, _board(""), _board("b2"))
    (old,) = await after.leftovers()
    assert old.startswith("leftover: an old board of match 1;")
    await _sql(database, "UPDATE matches SET ended_at = 1")
    over = "leftover: a board of match 1, which is over;"
    assert [line.startswith(over) for line in await after.leftovers()] == [True, True]


async def test_ratings_must_follow_from_the_matches(database: AsyncEngine) -> None:
    """A rating that no match explains is found."""
    assert await rerated(database) == []
    await _sql(database, "INSERT INTO ratings VALUES (1, 1, 'tictactoe', 25, 8)")
    assert _kinds(await rerated(database)) == ["ratings"]


def test_injected_failures_are_told_apart() -> None:
    """An exception in the log counts unless a fault can cause it."""
    trace = "ERROR interaction 12345678901234567 failed\nTraceback (most recent call last):\n  x\n"
    injected, own = trace + "discord.errors.NotFound: 404", trace + "ValueError: 3 seats"
    assert log_errors(injected) == ({"discord.errors.NotFound": 1}, [])
    counts, unexplained = log_errors(own)
    assert (counts, len(unexplained)) == ({"ValueError": 1}, 1)
    told = "it is in my log under 12345678901234567"
    assert explained(injected, told)
    assert not explained(own, told)
