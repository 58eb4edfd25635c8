"""Rows of matches: their columns; a corrupt one is named."""

from typing import Any

import pytest
from sqlalchemy import insert, true, update

from bot.db.database import Database
from bot.db.errors import CorruptRowError
from bot.db.tables import matches, seats
from bot.matches.model import StoredMatch
from bot.matches.rows import SeatRow, reading
from bot.matches.store import MatchStore
from tests.bot.playing import HERE, ON_SQLITE, X_WINS, begin, create

CORRUPT = {
    "unknown game": {"game": "chess"},
    "moves that are no notation": {"moves": "castle"},
    "moves that the rules refuse": {"moves": "b2 b2"},
    "moves after the end": {"moves": X_WINS + " c3"},
    "moves off the board": {"moves": "z99"},
    "an end without an outcome": {"ended_at": 5},
    "options that are no JSON": {"options": "{"},
    "options that are no object": {"options": "[1, 2]"},
    "an unknown termination": {"ending": "earthquake"},
    "an empty start": {"start": ""},
    "a start with another game's squares": {"start": "free #####"},
    "a start with strange digits": {"start": "classic ³ .../.../..."},
    "a seat that is not there": {"ending": "resignation", "ending_seat": 7},
}


def test_the_fields_of_a_row_are_the_columns() -> None:
    """They are in the same order, since values are taken by their places."""
    assert tuple(reading(true()).selected_columns.keys()) == SeatRow._fields


@pytest.mark.parametrize("values", CORRUPT.values(), ids=list(CORRUPT))
@ON_SQLITE
async def test_corrupt_matches_are_named(
    database: Database, store: MatchStore, values: dict[str, Any]
) -> None:
    """A malformed row raises CorruptRowError with its number, and no other error."""
    stored = await create(store)
    await check_named(database, store, stored, values)
    with pytest.raises(CorruptRowError, match=f"match {stored.id}"):
        await store.latest(HERE.channel_id)


WITHDRAWALS = {
    "a seat that there is none of": {"withdrawals": "7:0:resignation"},
    "one that left twice": {"withdrawals": "0:0:resignation 0:0:resignation"},
    "one that left in the future": {"withdrawals": "0:9:resignation"},
    "an unknown way": {"withdrawals": "0:0:earthquake"},
    "no way at all": {"withdrawals": "0:0"},
    "no number": {"withdrawals": "a:b:timeout"},
}


@pytest.mark.parametrize("values", WITHDRAWALS.values(), ids=list(WITHDRAWALS))
@ON_SQLITE
async def test_corrupt_withdrawals_are_named(
    database: Database, store: MatchStore, values: dict[str, Any]
) -> None:
    """Withdrawals that no match could have raise CorruptRowError with the row's number."""
    await check_named(database, store, await create(store, begin(game="tribolo")), values)


async def check_named(
    database: Database, store: MatchStore, stored: StoredMatch, values: dict[str, Any]
) -> None:
    """Overwrite a match's row; fail unless reading it raises CorruptRowError with its number."""
    async with database.begin() as connection:
        await connection.execute(update(matches).values(values))
    with pytest.raises(CorruptRowError, match=f"match {stored.id}"):
        await store.load(stored.id)


@ON_SQLITE
async def test_corrupt_seats_are_named(database: Database, store: MatchStore) -> None:
    """An unknown level, a seat without a player, or one seat too many raises CorruptRowError."""
    stored = await create(store)
    async with database.begin() as connection:
        await connection.execute(update(seats).where(seats.c.seat == 1).values(level="godlike"))
    with pytest.raises(CorruptRowError):
        await store.load(stored.id)
    async with database.begin() as connection:
        nobody = {"level": None, "user_id": None}
        await connection.execute(update(seats).where(seats.c.seat == 1).values(nobody))
    with pytest.raises(CorruptRowError):
        await store.load(stored.id)
    async with database.begin() as connection:
        await connection.execute(update(seats).values(user_id=5))
        await connection.execute(insert(seats), {"match_id": stored.id, "seat": 2, "user_id": 6})
    with pytest.raises(CorruptRowError):
        await store.load(stored.id)
