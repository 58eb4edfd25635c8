"""Erasing a member in a large database."""

import re
from random import Random
from typing import Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.matches.store import MatchStore
from bot.privacy.store import PersonalStore
from tests.bot.playing import ALICE_ID, create

# SQLite's words for reading a whole table, or all matches of a server.
_OF_OTHERS = re.compile(r"SCAN (matches|seats|invitations|invitation_seats)\b|.* matches .*guild")


async def test_an_erasure_reads_no_matches_of_others(sqlite_database: AsyncEngine) -> None:
    """All writers wait for it, so its time doesn't grow with what others have played."""
    await create(MatchStore(sqlite_database))
    made: list[tuple[str, Any]] = []

    def note(*given: Any) -> None:
        _, _, statement, values, _, many = given
        made.append((statement, values[0] if many else values))

    event.listen(sqlite_database.sync_engine, "before_cursor_execute", note)
    await PersonalStore(sqlite_database, Random(1)).forget(ALICE_ID)
    event.remove(sqlite_database.sync_engine, "before_cursor_execute", note)
    async with sqlite_database.connect() as connection:
        plans = [
            await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            for statement, values in made
        ]
    steps = {row[-1] for plan in plans for row in plan}
    assert any("seats" in step for step in steps)
    assert [step for step in steps if _OF_OTHERS.match(step)] == []
