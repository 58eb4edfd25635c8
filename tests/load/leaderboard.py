"""The cost of a leaderboard page on a server with many players.

`python -m tests.load.leaderboard --players 100000` fills a database with standings, and prints the
plan of every query of a page and the time that pages take.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import event, insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import open_database
from bot.db.tables import members, standings
from bot.identity import MemberId, ServerId
from bot.leaderboard.model import Period
from bot.leaderboard.service import PAGE_SIZE, LeaderboardService
from bot.leaderboard.store import EverywhereStore
from bot.ratings.model import ALL_GAMES, ALL_TIME, By, Listing
from bot.ratings.store import ScoreStore

SERVER, NOW = ServerId(10), 1_700_000_000
ROUNDS = 20


@dataclass
class Report:
    """The plan of each statement, and the median and worst milliseconds of each page."""

    plans: dict[str, list[str]] = field(default_factory=dict)
    times: dict[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def bad_plans(self) -> list[str]:
        """Plans that scan a whole table or sort."""
        return [
            step
            for plan in self.plans.values()
            for step in plan
            if "TEMP B-TREE" in step or (step.startswith("SCAN") and step != "SCAN page")
        ]


async def fill(database: AsyncEngine, players: int) -> None:
    """Insert all-time standings for that number of players, at one game and over all games."""
    rng = Random(0)
    async with database.begin() as connection:
        names = [
            {"guild_id": SERVER, "user_id": user, "name": f"player {user}", "present": True}
            for user in range(1, players + 1)
        ]
        await connection.execute(insert(members), names)
        for game in ("tictactoe", ALL_GAMES):
            await connection.execute(insert(standings), list(_rows(rng, game, players)))
        await connection.execute(text("ANALYZE"))


def _rows(rng: Random, game: str, players: int) -> Iterator[dict[str, Any]]:
    for user in range(1, players + 1):
        wins, losses = rng.randrange(200), rng.randrange(200)
        yield {
            "guild_id": SERVER,
            "user_id": user,
            "game": game,
            "period": ALL_TIME,
            "wins": wins,
            "draws": 0,
            "losses": losses,
            "rating": round(rng.gauss(1200, 200)) if game else None,
            "ranked": bool(game) and wins + losses >= 5,
            "present": True,
        }


async def measure(database: AsyncEngine, players: int) -> Report:
    """Measure pages; every player is present, so no membership requests are sent."""
    report, boards = (
        Report(),
        LeaderboardService(ScoreStore(database), EverywhereStore(database), _nobody, lambda: NOW),
    )
    report.plans = await _plans(database, boards)
    for by in By:
        listing = boards.listing(SERVER, "tictactoe", Period.ALL, by)
        last = players // PAGE_SIZE
        for name, number in (("first", 0), ("middle", last // 2), ("last", last)):
            report.times[f"{name} page by {by}"] = await _timed(boards, listing, number)
    return report


async def _nobody(*_: object) -> set[MemberId]:
    return set()


async def _timed(boards: LeaderboardService, listing: Listing, number: int) -> tuple[float, float]:
    taken = []
    for asker in range(1, ROUNDS + 1):  # the askers' ranks are random
        begun = time.perf_counter()
        page = await boards.page(listing, number, MemberId(asker))
        taken.append(1000 * (time.perf_counter() - begun))
        assert page.standings
        assert page.own
    return sorted(taken)[ROUNDS // 2], max(taken)


async def _plans(database: AsyncEngine, boards: LeaderboardService) -> dict[str, list[str]]:
    """Return SQLite's plan of each statement of a page in either order, by statement."""
    asked: dict[str, Any] = {}

    def note(_c: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked[statement] = parameters

    event.listen(database.sync_engine, "before_cursor_execute", note)
    for by in By:
        for game in ("tictactoe", ALL_GAMES):
            listing = boards.listing(SERVER, game, Period.ALL, by)
            await boards.page(listing, 3, MemberId(1))
    event.remove(database.sync_engine, "before_cursor_execute", note)
    plans = {}
    async with database.connect() as connection:
        for statement, parameters in asked.items():
            explained = f"EXPLAIN QUERY PLAN {statement}"
            rows = await connection.exec_driver_sql(explained, parameters)
            plans[" ".join(statement.split())] = [row.detail for row in rows]
    return plans


async def report_on(players: int) -> Report:
    """Fill a new database and measure it."""
    with TemporaryDirectory(prefix="rowbot-leaderboard-") as folder:
        async with open_database(f"sqlite:///{Path(folder) / 'rowbot.db'}") as database:
            await fill(database, players)
            return await measure(database, players)


def main() -> None:
    """Print the plans and the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=100_000)
    report = asyncio.run(report_on(parser.parse_args().players))
    for statement, plan in report.plans.items():
        print(statement, *(f"    {step}" for step in plan), sep="\n")
    for name, (median, worst) in report.times.items():
        print(f"{name:24} {median:6.1f} ms (median), {worst:6.1f} ms (worst of {ROUNDS})")


if __name__ == "__main__":
    main()
