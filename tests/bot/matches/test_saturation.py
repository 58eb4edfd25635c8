"""More turns at once than SQLite can save."""

import asyncio
from collections import Counter

from bot.db.database import Database
from bot.identity import ChannelId, MatchId
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from tests.bot.playing import O_WINS, ON_SQLITE, create
from tests.bot.serving import play_all

pytestmark = ON_SQLITE


async def test_no_table_is_passed_by(
    store: MatchStore, matches: MatchService, database: Database
) -> None:
    """While every table plays as quickly as it is answered, none falls more than a turn behind.

    Only one of the two connections is used: with both, the machine could favour one of them.
    """
    stored = [await create(store, channel_id=ChannelId(1 + table)) for table in range(20)]
    turns, furthest = Counter[MatchId]({one.id: 0 for one in stored}), 0

    async def play(match_id: MatchId) -> None:
        nonlocal furthest
        for move in O_WINS.split():
            await play_all(matches, await matches.get(match_id), move)
            turns[match_id] += 1
            furthest = max(furthest, max(turns.values()) - min(turns.values()))

    async with database.lent(), asyncio.TaskGroup() as tasks:
        for one in stored:
            tasks.create_task(play(one.id))
    assert furthest <= 1
