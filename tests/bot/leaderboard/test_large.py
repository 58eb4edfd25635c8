"""The pages of a leaderboard with many players, on SQLite."""

import time
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, insert, text

from bot.db.database import Database
from bot.db.tables import members, standings
from bot.identity import MemberId, ServerId
from bot.leaderboard.model import Period
from bot.leaderboard.service import PAGE_SIZE, LeaderboardService
from bot.leaderboard.store import EverywhereStore
from bot.ratings.model import ALL_GAMES, ALL_TIME, By
from bot.ratings.store import ScoreStore

_SERVER = ServerId(10)
_GAMES = ("tictactoe", ALL_GAMES)
_ROUNDS = 20


async def _filled(database: Database, players: int) -> LeaderboardService:
    """Return the leaderboards of a server with `players` members, all of them present."""
    people = [
        {"guild_id": _SERVER, "user_id": user, "name": f"player {user}", "present": True}
        for user in range(1, players + 1)
    ]
    async with database.begin() as connection:
        await connection.execute(insert(members), people)
        await connection.execute(insert(standings), [*_standings(players)])
        await connection.execute(text("ANALYZE"))

    async def nobody(*_: object) -> set[MemberId]:
        return set()

    scores, everywhere = ScoreStore(database), EverywhereStore(database)
    return LeaderboardService(scores, everywhere, nobody, lambda: 1_700_000_000)


def _standings(players: int) -> Iterator[dict[str, Any]]:
    rng = Random(0)
    for game, user in product(_GAMES, range(1, players + 1)):
        wins, losses = rng.randrange(200), rng.randrange(200)
        yield {
            "guild_id": _SERVER,
            "user_id": user,
            "game": game,
            "period": ALL_TIME,
            "wins": wins,
            "draws": 0,
            "losses": losses,
            "rating": round(rng.gauss(1200, 200)) if game else None,
            "present": True,
            "settled": bool(game) and rng.random() < 0.5,
        }


async def test_only_a_page_is_sorted(sqlite_database: Database) -> None:
    """All other rows are read along an index, for one game or all, and in any order."""
    boards = await _filled(sqlite_database, 500)
    asked: dict[str, Any] = {}

    def note(_c: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked[statement] = values

    event.listen(sqlite_database.sync_engine, "before_cursor_execute", note)
    for by, game in product(By, _GAMES):
        await boards.page(boards.listing(_SERVER, game, Period.ALL, by), 3, MemberId(1))
    event.remove(sqlite_database.sync_engine, "before_cursor_execute", note)
    assert len(asked) > 3
    async with sqlite_database.connect() as connection:
        for statement, values in asked.items():
            explained = f"EXPLAIN QUERY PLAN {statement}"
            steps = [row.detail for row in await connection.exec_driver_sql(explained, values)]
            of_page = "user_id IN (" in statement
            assert of_page or not [step for step in steps if "TEMP B-TREE" in step], statement


@pytest.mark.slow
async def test_a_page_takes_at_most_50_ms(sqlite_database: Database) -> None:
    """It is CPU time, for the first, middle and last page of 100,000 players with the own line."""
    players = 100_000
    boards, last = await _filled(sqlite_database, players), players // PAGE_SIZE
    for by, number in product(By, (0, last // 2, last)):
        listing, seconds = boards.listing(_SERVER, "tictactoe", Period.ALL, by), list[float]()
        for asker in range(1, _ROUNDS + 1):  # their ranks are random
            began = time.process_time()
            page = await boards.page(listing, number, MemberId(asker))
            seconds.append(time.process_time() - began)
            assert page.standings and page.own
        median = sorted(seconds)[_ROUNDS // 2]
        print(f"page {number} by {by}: {1000 * median:.1f} ms of CPU (median)")
        assert median < 0.05
