"""Matches that are counted, and the rows that counting writes."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from sqlalchemy import select

from bot.db.database import Database
from bot.db.tables import ratings, seats, standings
from bot.identity import ChannelId, Place, ServerId
from bot.matches.model import NewMatch, Series, StoredMatch
from bot.matches.store import MatchStore
from bot.ratings.model import Change
from bot.ratings.rerate import rerate
from core.match import Match
from core.players import Member
from tests.bot.playing import NOW, SERVER, X_WINS, begin
from tests.core.boards import after

FIRST_WIN = (Change(1000, 1078, provisional=True), Change(1000, 922, provisional=True))
_channels = map(ChannelId, count(100))


async def begun(
    store: MatchStore, match: Match, server: ServerId = SERVER, series: Series | None = None
) -> StoredMatch:
    """Store a match in its own channel."""
    names = tuple(f"M{p.id}" if isinstance(p, Member) else None for p in match.players)
    place = Place(server, next(_channels))
    return await store.create(NewMatch(place, match, names, series or Series()), NOW)


async def won(
    store: MatchStore, *players: Member, server: ServerId = SERVER, now: int = NOW
) -> StoredMatch:
    """Return a match that the first of two members has won."""
    stored = await begun(store, begin(*players), server)
    over = await store.save(stored, after(stored.match, X_WINS), now)
    assert await store.load(over.id) == over
    return over


async def written(database: Database) -> list[Sequence[Any]]:
    """Return every row that counting has written, ordered by key."""
    async with database.connect() as connection:
        return [
            (await connection.execute(select(table).order_by(*table.primary_key))).all()
            for table in (ratings, standings, seats)
        ]


async def nothing_changes_when_rated_anew(database: Database, rated: int) -> None:
    """Assert that rerating finds these many rated matches, and the same numbers."""
    before = await written(database)
    async with database.begin() as connection:
        assert await connection.run_sync(rerate) == rated
    assert await written(database) == before
