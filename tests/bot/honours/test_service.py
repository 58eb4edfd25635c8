"""Looking at ended matches: as many in a round as end on a busy bot meanwhile."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.honours.service import AchievementService
from bot.honours.store import AchievementStore, HonourStore
from bot.matches.store import MatchStore
from bot.workers.search_client import SearchClient
from core.engine.player import Engine
from tests.bot.playing import NOW, begin, create

# A process plays 75 turns a second when it is saturated, and rounds are ten seconds apart.
MATCHES_A_ROUND = 80


async def test_a_round_looks_at_all_that_a_busy_bot_ends(sqlite_database: AsyncEngine) -> None:
    """Otherwise ever more of them would wait, and come too late to be told or searched."""
    store, achieved = MatchStore(sqlite_database), AchievementStore(sqlite_database)
    for channel in range(1, MATCHES_A_ROUND + 1):
        await create(store, begin(), channel)
    async with sqlite_database.begin() as connection:
        await connection.execute(
            text(f"UPDATE matches SET ended_at = {NOW}, ending = 'called_off'")
        )
    honours, searches = HonourStore(sqlite_database), SearchClient(Engine)
    service = AchievementService(achieved, honours, store, searches, lambda: NOW)
    assert await service.due() == []
    assert await achieved.unhonoured(1) == []
