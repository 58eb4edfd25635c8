"""The ratings of a database from 1.0.0, which had another scale."""

import asyncio
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.db.database import open_database, reach
from bot.db.statements import hold
from bot.failures import ExitCode
from bot.ratings.ledger import COUNTING
from bot.ratings.rerate import rerate_if_due
from tests.bot.db.migrating import made_at
from tests.bot.processes import run_here

# Eight draws and a win, with ratings on the scale of 1.0.0. The second member has left.
_MATCHES = [
    *(
        f"""INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves,
        computer_due, started_at, ended_at, rated_as)
        VALUES ({n}, 10, {n}, 'tictactoe', '{{}}', '', '', false, 1000, 2000, {n})"""
        for n in range(1, 10)
    ),
    *(
        f"""INSERT INTO seats (match_id, seat, user_id, rank, rating_before, rating_after)
        VALUES ({n}, 0, 1, 1, 1000, 1016), ({n}, 1, 2, {1 + n // 9}, 1000, 1016)"""
        for n in range(1, 10)
    ),
    "INSERT INTO ratings (guild_id, user_id, game, mu, sigma) VALUES (10, 1, 'tictactoe', 25, 6)",
]
_STANDING = """INSERT INTO standings (guild_id, user_id, game, period, wins, draws, losses, rating,
present, ranked) VALUES (10, 1, 'tictactoe', '', 1, 8, 0, 1107, true, true),
(10, 2, 'tictactoe', '', 0, 8, 1, 1107, false, true)"""
_STORED = "SELECT user_id, rating, settled, present FROM standings WHERE game != '' AND period = ''"


async def test_ratings_of_1_0_0_are_worked_out_anew(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The first start does so, in the transaction of the migrations; no later one does."""
    caplog.set_level("INFO", "bot")
    await made_at(url, "0006", *_MATCHES, _STANDING)
    for _ in range(2):
        async with (
            open_database(url, finish=rerate_if_due) as database,
            database.connect() as connection,
        ):
            standings = await connection.execute(text(f"{_STORED} ORDER BY user_id"))
            assert [tuple(row) for row in standings] == [
                (1, 1058, True, True),
                (2, 942, True, False),
            ]
            changes = await connection.execute(
                text("SELECT rating_before, rating_after FROM seats ORDER BY match_id, seat")
            )
            assert [tuple(row) for row in changes] == [(1000, 1000)] * 16 + [
                (1000, 1058),
                (1000, 942),
            ]
    told = "all ratings were worked out anew (rated matches: 9)"
    assert caplog.messages.count(told) == 1


async def test_a_new_database_has_no_ratings_to_work_out(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor has one in which no match was rated."""
    caplog.set_level("INFO", "bot")
    async with open_database(url, finish=rerate_if_due):
        assert not [one for one in caplog.messages if "ratings" in one]


async def test_a_failure_leaves_the_work_to_the_next_start(url: str) -> None:
    """No database has the new schema with ratings of the old scale."""
    await made_at(url, "0006", *_MATCHES, _STANDING)

    def fail(_: object) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        async with open_database(url, finish=fail):
            pytest.fail("this was opened")
    async with open_database(url, finish=rerate_if_due) as database, database.connect() as reading:
        assert await reading.scalar(text("SELECT max(rating) FROM standings")) == 1058


async def test_a_match_that_ends_during_the_update(postgres_url: str) -> None:
    """The update waits for a process of an earlier version that is counting a match.

    It held a lock for which that process waited in turn, until PostgreSQL ended one of them.
    """
    await made_at(postgres_url, "0052", *_MATCHES)

    async def update() -> None:
        async with open_database(postgres_url, finish=rerate_if_due):
            pass

    async with reach(postgres_url) as engine, engine.begin() as older:
        await older.run_sync(partial(hold, shared=[COUNTING]))
        updating = asyncio.create_task(update())
        await asyncio.wait({updating}, timeout=1)
        await older.execute(text("UPDATE standings SET rating = 1107"))
    await updating
    async with reach(postgres_url) as engine, engine.connect() as reading:
        assert await reading.scalar(text("SELECT max(rating) FROM standings")) == 1058


@pytest.mark.parametrize("action", ["migrate", "adopt", "rerate"])
def test_every_action_leaves_one_scale(tmp_path: Path, action: str) -> None:
    """Whichever comes first after the update works out the ratings."""
    url = f"sqlite:///{tmp_path / 'rowbot.db'}"
    asyncio.run(made_at(url, "0006", *_MATCHES, _STANDING))
    ended = run_here(tmp_path, action, settings={"DATABASE_URL": url})
    assert ended.code is ExitCode.DONE
    assert ended.complained.count("rated matches: 9") == 1

    async def best() -> object:
        async with open_database(url) as database, database.connect() as reading:
            assert await reading.scalar(text("SELECT count(*) FROM facts")) == 0
            return await reading.scalar(text("SELECT max(rating) FROM standings"))

    assert asyncio.run(best()) == 1058
