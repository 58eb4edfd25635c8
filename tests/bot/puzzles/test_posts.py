"""The posts of the puzzles of the day, on both databases."""

import asyncio

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.tables import puzzles
from bot.identity import ChannelId, MatchId, MessageId
from bot.puzzles.model import DAY, Daily, day_of
from bot.puzzles.store import DailyStore, PuzzleStore, SearchedStore
from bot.puzzles.store.daily import _behind
from core.puzzles import read
from tests.bot.planning import planned
from tests.bot.playing import NOW, SERVER
from tests.bot.puzzles.written import FORK
from tests.bot.serving import Clock


async def test_a_post_is_claimed_once(
    puzzle_store: PuzzleStore, posts: DailyStore, clock: Clock
) -> None:
    """Of many that see it due, one sends it; it is noted when it began, until it has arrived."""
    await posts.change(SERVER, Daily(ChannelId(7), 9, NOW - 5))
    (due,) = await posts.due(clock.now, 10)
    claims = await asyncio.gather(*(posts.claim(due, NOW + 60) for _ in range(5)))
    assert sorted(claims) == [False] * 4 + [True]
    assert await posts.due(clock.now, 10) == []
    given = await puzzle_store.today(SERVER)
    assert given is not None
    assert await posts.begin_posting(given, NOW) == NOW
    assert await posts.begin_posting(given, NOW + 50) == NOW
    await posts.posted(given, ChannelId(7), MessageId(8))
    assert await posts.begin_posting(given, NOW + 50) is None
    await posts.settle(due, NOW + 60, due.after(NOW), 0)
    assert (await posts.settings(SERVER)).due_at == (day_of(NOW) + 1) * DAY + 9 * 3600


async def test_no_earlier_posts_are_looked_at(
    posts: DailyStore, searched: SearchedStore, database: AsyncEngine, puzzle_store: PuzzleStore
) -> None:
    """The latest posts are found by an index, however many there have been."""
    await searched.searched(SERVER, MatchId(1), NOW, [read(FORK)])
    given = await puzzle_store.today(SERVER)
    assert given is not None
    await posts.posted(given, ChannelId(7), MessageId(8))
    steps = await planned(
        database,
        _behind(day_of(NOW)),
        puzzles,
        lambda n: {"id": given.id + n, "day": day_of(NOW) - n},
    )
    assert any("ix_puzzles_posted" in step for step in steps), steps
    assert not any("Seq Scan" in step for step in steps), steps
