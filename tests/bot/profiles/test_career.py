"""The sums of a profile equal those of going through all matches, on both engines."""

import time
import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, insert

from bot.db.database import Database
from bot.db.tables import guilds, matches, seats
from bot.identity import Context, MemberId, Place
from bot.pictures.model import Point
from bot.profiles.model import Career, Results, Streak
from bot.profiles.store import HistoryStore
from core.engine.levels import Level
from core.outcome import Result, result_of
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, HERE, NOW, SERVER

_LEVELS = (Level.EASY, Level.HARD)


@dataclass(frozen=True)
class Seated:
    """A seat of a match: a member, or the computer at a level, with the rank."""

    user_id: MemberId | None
    level: Level | None
    rank: int


@dataclass(frozen=True)
class Played:
    """A finished match; `rating` is alice's after it, None if it wasn't rated."""

    id: int
    game: str
    seats: tuple[Seated, ...]
    rating: int | None
    ending: str | None

    @property
    def own(self) -> int:
        """Alice's seat."""
        return next(n for n, seat in enumerate(self.seats) if seat.user_id == ALICE_ID)

    @property
    def result(self) -> Result:
        """Alice's result."""
        return result_of([seat.rank for seat in self.seats], self.own)

    @property
    def others(self) -> list[Seated]:
        """Alice's opponents."""
        return [seat for seat in self.seats if seat.user_id != ALICE_ID]


def some_matches(rng: Random, count: int) -> list[Played]:
    """Return matches of alice with members and computers; only those of members may be rated."""
    return [some_match(rng, number) for number in range(1, count + 1)]


def some_match(rng: Random, number: int) -> Played:
    game, others = rng.choice((("tictactoe", 1), ("nineholes", 1), ("tribolo", 2)))
    people = rng.sample((BOB_ID, CAROL_ID), others)
    alone = rng.random() < 0.4
    opponents = [
        Seated(None, rng.choice(_LEVELS), rng.randint(1, 2))
        if alone or rng.random() < 0.1
        else Seated(person, None, rng.randint(1, 2))
        for person in people
    ]
    seated = [Seated(ALICE_ID, None, rng.randint(1, 2)), *opponents]
    rng.shuffle(seated)
    best = min(seat.rank for seat in seated)
    ranked = tuple(Seated(s.user_id, s.level, s.rank - best + 1) for s in seated)
    rated = all(seat.level is None for seat in seated) and rng.random() < 0.8
    ending = rng.choice((None, None, None, "resignation", "called_off", "abandoned"))
    counts = ending not in ("called_off", "abandoned")
    return Played(
        number, game, ranked, rng.randint(900, 1400) if rated and counts else None, ending
    )


async def store(database: Database, played: Sequence[Played]) -> None:
    fixed = {"guild_id": SERVER, "channel_id": 20, "options": "{}", "start": "", "moves": ""}
    rows = [
        {
            **fixed,
            "id": match.id,
            "game": match.game,
            "computer_due": False,
            "started_at": NOW,
            "ended_at": NOW + match.id,
            "ending": match.ending,
            "rated_as": match.id if match.rating is not None else None,
        }
        for match in played
    ]
    sat = [
        {
            "match_id": match.id,
            "seat": number,
            "user_id": seat.user_id,
            "level": seat.level.value if seat.level else None,
            "rank": seat.rank,
            "rating_after": match.rating,
        }
        for match in played
        for number, seat in enumerate(match.seats)
    ]
    async with database.begin() as connection:
        await connection.execute(insert(guilds).values(id=SERVER))
        for first in range(0, len(rows), 5000):
            await connection.execute(insert(matches), rows[first : first + 5000])
        for first in range(0, len(sat), 5000):
            await connection.execute(insert(seats), sat[first : first + 5000])


def check(career: Career, every: Sequence[Played], rival_id: MemberId) -> None:
    """Assert that a career has the sums of going through all matches."""
    played = [match for match in every if match.ending not in ("called_off", "abandoned")]
    rated = [match for match in played if match.rating is not None]
    games = Counter(match.game for match in played)
    assert (career.favourite, career.played) == (games.most_common(1)[0][0], len(played))
    assert career.rated == Results(match.result for match in rated)
    with_members = [match for match in played if any(seat.user_id for seat in match.others)]
    assert career.with_members == Results(match.result for match in with_members)
    runs = [(result, len(list(of))) for result, of in groupby(match.result for match in rated)]
    assert career.streak == Streak(*runs[-1])
    assert career.longest == max((n for result, n in runs if result is Result.WIN), default=0)
    levels = defaultdict[Level, Results](Results)
    for match in played:
        if all(seat.level for seat in match.others):
            for level in {seat.level for seat in match.others if seat.level}:
                levels[level][match.result] += 1
    assert career.levels == levels
    against = Results()
    for match in played:
        for seat in match.others:
            if seat.user_id == rival_id:
                ahead = seat.rank - match.seats[match.own].rank
                against[(Result.DRAW, Result.WIN, Result.LOSS)[(ahead > 0) - (ahead < 0)]] += 1
    assert career.against == against
    for game, trend in career.trends.items():
        points = [
            Point(number, NOW + m.id, m.rating)
            for number, m in enumerate(rated, start=1)
            if m.game == game and m.rating
        ]
        assert trend.count == len(points)
        assert trend.highest == max(point.rating for point in points)
        assert (trend.points[0], trend.points[-1]) == (points[0], points[-1])
        assert len(trend.points) <= 203 and set(trend.points) <= set(points)
        assert len(points) > 200 or list(trend.points) == points
    assert set(career.trends) == {match.game for match in rated}


@pytest.mark.parametrize(("seed", "count"), [(1, 12), (2, 60), (3, 3000)])
async def test_the_database_adds_up(database: Database, seed: int, count: int) -> None:
    """Results, streak, favourite, levels, the asker's score and the chart, of any matches."""
    every = some_matches(Random(seed), count)
    await store(database, every)
    career = await HistoryStore(database).career(HERE, ALICE_ID, BOB_ID)
    check(career, every, BOB_ID)


async def test_a_streak_from_the_first_match_on(database: Database) -> None:
    """The streak counts from the first match if no other result comes before it."""
    won = Seated(ALICE_ID, None, 1), Seated(BOB_ID, None, 2)
    await store(database, [Played(n, "tictactoe", won, 1000 + n, None) for n in (1, 2, 3)])
    career = await HistoryStore(database).career(HERE, ALICE_ID, None)
    assert (career.streak, career.longest) == (Streak(Result.WIN, 3), 3)


@pytest.mark.parametrize("place", [HERE, Place(None, HERE.channel_id, context=Context.BOT_DM)])
async def test_a_profile_reads_no_matches_of_others(
    sqlite_database: Database, place: Place
) -> None:
    """SQLite finds a member's matches by their seats, however many a server or all chats have."""
    asked = list[tuple[str, Any]]()

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked.append((f"EXPLAIN QUERY PLAN {statement}", values))

    event.listen(sqlite_database.sync_engine, "before_cursor_execute", note)
    await HistoryStore(sqlite_database).career(place, ALICE_ID, BOB_ID)
    event.remove(sqlite_database.sync_engine, "before_cursor_execute", note)
    assert len(asked) == 8
    async with sqlite_database.connect() as connection:
        for explained in asked:
            steps = await connection.exec_driver_sql(*explained)
            found = {step for *_, step in steps if " matches " in step}
            assert found == {"SEARCH matches USING INTEGER PRIMARY KEY (rowid=?)"}


@pytest.mark.slow
@pytest.mark.parametrize("count", [20_000, 200_000])
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_memory_does_not_grow_with_the_number_of_matches(
    database: Database, count: int
) -> None:
    """A profile takes the same memory however much somebody has played."""
    await store(database, some_matches(Random(1), count))
    histories = HistoryStore(database)
    began = time.perf_counter()
    await histories.career(HERE, ALICE_ID, BOB_ID)
    took = time.perf_counter() - began
    tracemalloc.start()
    await histories.career(HERE, ALICE_ID, BOB_ID)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"{count} matches: {took:.2f} s, {peak / 1024:.0f} KiB")
    assert peak < 2 * 1024 * 1024
