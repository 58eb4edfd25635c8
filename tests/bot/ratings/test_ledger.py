"""Which matches count, and the rows that counting writes."""

from itertools import combinations
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, select

from bot.db.database import Database
from bot.db.tables import matches
from bot.identity import ServerId
from bot.matches.store import MatchStore
from bot.privacy.store import PersonalStore
from bot.ratings.ledger import Ledger
from bot.ratings.model import Entry, Unrated, month_of, week_of
from bot.times import DAY
from core.match import Match
from core.players import Member
from tests.bot.playing import BOB_ID, NOW, ON_SQLITE, SERVER, X_WINS, begin
from tests.bot.ratings.counting import (
    FIRST_WIN,
    begun,
    nothing_changes_when_rated_anew,
    won,
    written,
)
from tests.core.boards import ALICE, BOB, CAROL, ROBOT, after


async def test_the_result_has_each_rating_change(store: MatchStore) -> None:
    """A rated match has each seat's change, also when it is read again."""
    assert (await won(store, ALICE, BOB)).entry.changes == FIRST_WIN
    second = await won(store, BOB, ALICE)
    assert [change.before for change in second.entry.changes] == [922, 1078]
    assert second.entry.changes[0].after > 1000 > second.entry.changes[1].after


async def test_each_server_numbers_its_own_matches(database: Database, store: MatchStore) -> None:
    """The ordinals of rated matches begin with 1 on each server."""
    for server in (SERVER, ServerId(SERVER + 1), SERVER):
        await won(store, ALICE, BOB, server=server)
    async with database.connect() as connection:
        ordinals = await connection.execute(select(matches.c.rated_as).order_by(matches.c.id))
        assert list(ordinals.scalars()) == [1, 1, 2]


async def test_ordinals_follow_the_ends(database: Database, store: MatchStore) -> None:
    """A match that began before another may end after it, and is rated anew in that order."""
    older = await begun(store, begin())
    await won(store, BOB, ALICE)
    await store.save(older, after(older.match, X_WINS), NOW)
    await nothing_changes_when_rated_anew(database, 2)


UNRATED = {
    "the computer": (after(begin(ALICE, ROBOT), X_WINS), None),
    "oneself": (after(begin(ALICE, ALICE), X_WINS), None),
    "one ply": (after(begin(), "a1").resign(BOB), Unrated.SHORT),
    "three plies before a draw": (after(begin(), "a1 a3 b1").agree_draw(), Unrated.SHORT),
}


@pytest.mark.parametrize(("over", "reason"), UNRATED.values(), ids=list(UNRATED))
async def test_of_unrated_matches_only_ranks_are_written(
    database: Database, store: MatchStore, over: Match, reason: Unrated | None
) -> None:
    """Unrated are matches against the computer or oneself, unmoved seats, draws before ply four.

    Without another member there is nothing to rate, and so no reason.
    """
    stored = await begun(store, begin(*over.players))
    saved = await store.save(stored, over, NOW)
    assert saved.entry == Entry(unrated=reason)
    rated, counted, sat = await written(database)
    assert (rated, counted) == ([], [])
    assert over.outcome is not None
    assert tuple(row.rank for row in sat) == over.outcome.ranks
    assert {row.rating_before for row in sat} == {None}


@pytest.mark.parametrize(
    "over",
    [
        after(begin(), "b2 b1").resign(BOB),
        after(begin(), "b2 b1").time_out(),
        after(begin(), "b2 b1").depart(BOB),
        after(begin(), "a1 a3 b1 b3").agree_draw(),
    ],
    ids=["resignation", "timeout", "departure", "agreement"],
)
@ON_SQLITE
async def test_every_ending_counts(store: MatchStore, over: Match) -> None:
    """Once both have moved, leaving a match loses it: nobody takes it out of the rating alone.

    An agreed draw counts from the fourth ply on.
    """
    saved = await store.save(await begun(store, begin()), over, NOW)
    assert len(saved.entry.changes) == 2


async def test_a_match_played_on_unrated(store: MatchStore) -> None:
    """This holds even if the players agreed while the last move was being made.

    The result says so; an agreement after the end is refused and has no effect.
    """
    read = await begun(store, after(begin(), "a1 a3 b1 b3"))
    assert await store.play_on_unrated(read)
    assert read.entry.unrated is None
    over = await store.save(read, after(read.match, "c1"), NOW)
    assert over.entry == Entry(unrated=Unrated.AGREED)
    assert await store.load(over.id) == over
    counted = await won(store, ALICE, BOB)
    assert not await store.play_on_unrated(counted)
    assert (await store.load(counted.id)) == counted
    assert counted.entry.changes == FIRST_WIN


@pytest.mark.parametrize("most", [0, 1, 10])
async def test_the_daily_limit(database: Database, most: int) -> None:
    """A pair has `most` rated matches a day (UTC), in either order; other pairs have theirs.

    The limit is per server and starts anew the next day.
    """
    store = MatchStore(database, Ledger(most))
    midnight = NOW - NOW % DAY
    for number in range(most + 2):
        pair = (ALICE, BOB) if number % 2 else (BOB, ALICE)
        over = await won(store, *pair, now=midnight + number)
        assert bool(over.entry.changes) == (number < most)
    assert not (await won(store, ALICE, BOB, now=midnight + DAY - 1)).entry.changes
    assert bool((await won(store, ALICE, CAROL, now=midnight + 99)).entry.changes) == (most > 0)
    assert bool((await won(store, BOB, CAROL, now=midnight + 99)).entry.changes) == (most > 0)
    elsewhere = await won(store, ALICE, BOB, server=ServerId(SERVER + 1), now=midnight + 99)
    assert bool(elsewhere.entry.changes) == (most > 0)
    assert bool((await won(store, ALICE, BOB, now=midnight + DAY)).entry.changes) == (most > 0)


async def test_an_erasure_gives_no_pair_more_rated_matches(database: Database) -> None:
    """Matches with an erased member count for all who may be that member: newcomers since then."""
    store, personal = MatchStore(database, Ledger(2)), PersonalStore(database, Random(1))
    assert (await won(store, CAROL, Member(4))).entry.changes
    for _ in range(2):
        assert (await won(store, ALICE, BOB)).entry.changes
        await personal.forget(BOB_ID)
    again = await won(store, BOB, ALICE)
    assert again.entry.unrated is Unrated.FORMER
    await personal.forget(BOB_ID)  # also of an unrated match
    assert (await won(store, ALICE, BOB)).entry.unrated is Unrated.FORMER
    assert (await won(store, ALICE, CAROL)).entry.changes
    assert (await won(store, CAROL, BOB)).entry.changes
    assert (await won(store, ALICE, BOB, now=NOW + DAY)).entry.changes


@pytest.mark.parametrize("two", [*combinations((ALICE, BOB, CAROL), 2)])
@ON_SQLITE
async def test_the_daily_limit_of_three(database: Database, two: tuple[Member, Member]) -> None:
    """A match of three isn't rated if any two of them have had theirs that day."""
    store = MatchStore(database, Ledger(1))
    stored = await begun(store, Match.start("tribolo", players=(ALICE, BOB, CAROL)))
    match = stored.match
    while match.ply < match.game.seats:
        match = match.play(match.position.legal_moves()[0])
    await won(store, *two)
    over = await store.save(stored, match.resign(ALICE).resign(CAROL), NOW)
    assert over.entry.unrated is Unrated.ENOUGH


async def test_unrated_matches_do_not_count_against_the_limit(database: Database) -> None:
    """Unrated matches leave the daily limit untouched."""
    store = MatchStore(database, Ledger(1))
    short = await begun(store, begin())
    await store.save(short, short.match.resign(BOB), NOW)
    assert (await won(store, ALICE, BOB)).entry.changes == FIRST_WIN


async def test_an_end_reads_no_ratings_of_others(sqlite_database: Database) -> None:
    """SQLite finds the players' ratings by key, however many the server has.

    That matters since every other writer waits meanwhile.
    """
    asked = list[tuple[str, Any]]()

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if statement.startswith(("SELECT ratings.", "SELECT standings.")):
            asked.append((f"EXPLAIN QUERY PLAN {statement}", values))

    event.listen(sqlite_database.sync_engine, "before_cursor_execute", note)
    await won(MatchStore(sqlite_database), ALICE, BOB)
    event.remove(sqlite_database.sync_engine, "before_cursor_execute", note)
    assert len(asked) == 2
    async with sqlite_database.connect() as connection:
        for explained in asked:
            steps = [step for *_, step in await connection.exec_driver_sql(*explained)]
            assert "(guild_id=? AND user_id=? AND game=?" in steps[0], steps


async def test_past_periods_are_erased(database: Database, store: MatchStore) -> None:
    """A member's next match erases them, so that weeks don't pile up; the last season stays.

    The rows of members who don't play stay. Rating all matches anew gives the same rows.
    """

    async def periods(member: Member) -> set[str]:
        _, counted, _ = await written(database)
        return {row.period for row in counted if row.user_id == member.id}

    later, long_after = NOW + 31 * DAY, NOW + 110 * DAY
    await won(store, ALICE, BOB, now=NOW)
    await won(store, BOB, CAROL, now=NOW)
    before = {"", month_of(NOW), week_of(NOW)}
    assert await periods(BOB) == before
    await won(store, ALICE, BOB, now=later)
    assert await periods(ALICE) == {"", month_of(NOW), month_of(later), week_of(later)}
    await won(store, ALICE, BOB, now=long_after)
    assert await periods(BOB) == {"", month_of(long_after), week_of(long_after)}
    assert await periods(CAROL) == before
    await nothing_changes_when_rated_anew(database, 4)
