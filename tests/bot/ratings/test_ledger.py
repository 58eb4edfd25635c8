"""Which matches count, and what counting them does, whatever comes in between."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.tables import matches, ratings, seats, standings
from bot.matches.model import Change, Place, Series, StoredMatch
from bot.matches.store import MatchStore
from bot.ratings.ledger import Ledger
from bot.ratings.rerate import rerate
from core.match import Match
from core.players import Member
from tests.bot.playing import NOW, X_WINS, begin
from tests.core.boards import ALICE, BOB, CAROL, ROBOT, after

SERVER, DAY = 10, 86_400
FIRST_WIN = (Change(1000, 1069), Change(1000, 963))
_channels = count(100)


async def begun(store: MatchStore, match: Match, server: int = SERVER) -> StoredMatch:
    """Store a match in a channel of its own."""
    names = tuple(f"M{p.id}" if isinstance(p, Member) else None for p in match.players)
    return await store.create(Place(server, next(_channels)), match, names, Series(), NOW)


async def won(
    store: MatchStore, *players: Member, server: int = SERVER, now: int = NOW
) -> StoredMatch:
    """Let the first of two members win."""
    stored = await begun(store, begin(*players), server)
    over = await store.save(stored, after(stored.match, X_WINS), now)
    assert await store.load(over.id) == over
    return over


async def written(database: AsyncEngine) -> list[Sequence[Any]]:
    """Return all that counting has written, in the order of the keys."""
    async with database.connect() as connection:
        return [
            (await connection.execute(select(table).order_by(*table.primary_key))).all()
            for table in (ratings, standings, seats)
        ]


async def test_the_result_knows_each_change(store: MatchStore) -> None:
    """A match that counts says what it was worth to each seat, also when it is read again."""
    assert (await won(store, ALICE, BOB)).changes == FIRST_WIN
    second = await won(store, BOB, ALICE)
    assert [change.before for change in second.changes] == [963, 1069]
    assert second.changes[0].after > second.changes[1].after > 1000


UNRATED = {
    "the computer": after(begin(ALICE, ROBOT), X_WINS),
    "oneself": after(begin(ALICE, ALICE), X_WINS),
    "three plies": after(begin(), "a1 a3 b1").resign(ALICE),
    "no ply": begin().agree_draw(),
}


@pytest.mark.parametrize("over", UNRATED.values(), ids=list(UNRATED))
async def test_what_is_not_rated(database: AsyncEngine, store: MatchStore, over: Match) -> None:
    """The computer, oneself, fewer than four plies: ranks are written, and nothing else."""
    stored = await begun(store, begin(*over.players))
    saved = await store.save(stored, over, NOW)
    assert saved.changes == ()
    rated, counted, sat = await written(database)
    assert (rated, counted) == ([], [])
    assert over.outcome is not None
    assert tuple(row.rank for row in sat) == over.outcome.ranks
    assert {row.rating_before for row in sat} == {None}


@pytest.mark.parametrize(
    "ending",
    [
        after(begin(), "a1 a3 b1 b3").resign(ALICE),
        after(begin(), "a1 a3 b1 b3").agree_draw(),
        after(begin(), X_WINS),
    ],
    ids=["resignation", "agreement", "play"],
)
async def test_however_it_ends_it_counts(store: MatchStore, ending: Match) -> None:
    """From the fourth ply on, resigning and agreeing count as playing does."""
    saved = await store.save(await begun(store, begin()), ending, NOW)
    assert len(saved.changes) == 2


async def test_a_hint_and_its_end(database: AsyncEngine, store: MatchStore) -> None:
    """A hinted match isn't rated, also where the hint came after the last move was thought of.

    Whoever sees the result is told of the hint; a hint after the end is refused and costs nothing.
    """
    read = await begun(store, after(begin(), "a1 a3 b1 b3"))
    assert await store.note_hint(read.id)
    assert not read.hinted
    over = await store.save(read, after(read.match, "c1"), NOW)
    assert over.changes == ()
    assert over.hinted
    assert await store.load(over.id) == over
    counted = await won(store, ALICE, BOB)
    assert not await store.note_hint(counted.id)
    assert (await store.load(counted.id)) == counted
    assert counted.changes == FIRST_WIN


async def test_a_hint_races_with_the_end(database: AsyncEngine, store: MatchStore) -> None:
    """A hint and the last move at once: the match is hinted or rated, never both."""
    for _ in range(10):
        read = await begun(store, after(begin(), "a1 a3 b1 b3"))
        hinted, _ = await asyncio.gather(
            store.note_hint(read.id), store.save(read, after(read.match, "c1"), NOW)
        )
        over = await store.load(read.id)
        assert over is not None
        assert (over.hinted, bool(over.changes)) == (hinted, not hinted)


async def test_an_undone_match(store: MatchStore) -> None:
    """Once a move was taken back a match isn't rated, however it goes on."""
    stored = await begun(store, after(begin(), "a1 a3 b1 c3"))
    back = await store.save(stored, stored.match.undo(BOB), NOW)
    assert back.undone
    over = await store.save(back, after(back.match, "b3 c1"), NOW)
    assert over.changes == ()
    assert await store.load(over.id) == replace(over, undone=True)


# --- so many a day


@pytest.mark.parametrize("most", [0, 1, 10])
async def test_so_many_a_day(database: AsyncEngine, most: int) -> None:
    """The same two have `most` rated matches a day (UTC), whoever begins; other pairs have theirs.

    Another server has its own, and so has the next day.
    """
    store = MatchStore(database, Ledger(most))
    midnight = NOW - NOW % DAY
    for number in range(most + 2):
        pair = (ALICE, BOB) if number % 2 else (BOB, ALICE)
        over = await won(store, *pair, now=midnight + number)
        assert bool(over.changes) == (number < most)
    assert not (await won(store, ALICE, BOB, now=midnight + DAY - 1)).changes
    assert bool((await won(store, ALICE, CAROL, now=midnight + 99)).changes) == (most > 0)
    assert bool((await won(store, BOB, CAROL, now=midnight + 99)).changes) == (most > 0)
    elsewhere = await won(store, ALICE, BOB, server=SERVER + 1, now=midnight + 99)
    assert bool(elsewhere.changes) == (most > 0)
    assert bool((await won(store, ALICE, BOB, now=midnight + DAY)).changes) == (most > 0)


async def test_unrated_matches_use_up_nothing(database: AsyncEngine) -> None:
    """What isn't rated doesn't count against the day."""
    store = MatchStore(database, Ledger(1))
    short = await begun(store, begin())
    await store.save(short, short.match.resign(BOB), NOW)
    assert (await won(store, ALICE, BOB)).changes == FIRST_WIN


# --- at once


async def test_two_ends_at_once(database: AsyncEngine, store: MatchStore) -> None:
    """Two matches of one member that end together are counted one after the other.

    What comes of it is what counting them in the order of their numbers gives.
    """
    for _ in range(5):
        await asyncio.gather(
            won(store, ALICE, BOB), won(store, CAROL, ALICE), won(store, ALICE, CAROL)
        )
    async with database.connect() as connection:
        numbers = await connection.execute(select(matches.c.rated_as).order_by(matches.c.rated_as))
        assert list(numbers.scalars()) == list(range(1, 16))
    await _nothing_changes_when_rated_anew(database, 15)


async def test_the_last_of_a_day_at_once(database: AsyncEngine) -> None:
    """Of two that end together, one is the last that the day has room for."""
    store = MatchStore(database, Ledger(1))
    both = await asyncio.gather(won(store, ALICE, BOB), won(store, BOB, ALICE))
    assert sorted(len(over.changes) for over in both) == [0, 2]


async def test_rating_anew_races_with_an_end(database: AsyncEngine, store: MatchStore) -> None:
    """A match that ends while all is worked out anew is counted once."""
    for _ in range(3):
        await won(store, ALICE, BOB)

    async def anew() -> None:
        async with database.begin() as connection:
            await connection.run_sync(rerate)

    await asyncio.gather(won(store, BOB, CAROL), anew(), won(store, CAROL, ALICE))
    await _nothing_changes_when_rated_anew(database, 5)


async def _nothing_changes_when_rated_anew(database: AsyncEngine, rated: int) -> None:
    before = await written(database)
    async with database.begin() as connection:
        assert await connection.run_sync(rerate) == rated
    assert await written(database) == before
