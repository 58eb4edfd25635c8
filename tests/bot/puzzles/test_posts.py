"""The posts of the puzzles of the day, on both databases."""

from bot.clocks.store import go_on
from bot.db.database import Database
from bot.db.tables import puzzles
from bot.identity import ChannelId, MessageId
from bot.privacy.store import ServerDataStore
from bot.puzzles.model import Daily, day_of
from bot.puzzles.store import DailyStore, PuzzleStore
from bot.puzzles.store.daily import _UNTOLD
from bot.times import DAY
from tests.bot.planning import planned
from tests.bot.playing import NOW, SERVER
from tests.bot.serving import Clock


async def test_a_post_is_settled_once(
    puzzle_store: PuzzleStore, posts: DailyStore, clock: Clock
) -> None:
    """Of several attempts at a due post the first settles it."""
    await posts.change(SERVER, Daily(ChannelId(7), 9, NOW - 5))
    (due,) = await posts.due(clock.now, 10)
    given = await puzzle_store.give_today(SERVER, clock.now)
    assert given is not None
    await posts.note_posted(given, ChannelId(7), MessageId(8))
    await posts.note_next(due, due.after(NOW), 0)
    await posts.note_next(due, None, 3)
    settled = await posts.settings(SERVER)
    assert settled.due_at == (day_of(NOW) + 1) * DAY + 9 * 3600 and settled.failures == 0


async def test_no_post_is_due_while_the_bot_is_removed(
    posts: DailyStore, database: Database, clock: Clock
) -> None:
    """A server that removes the bot for days has its puzzles again when the bot comes back."""
    await posts.change(SERVER, Daily(ChannelId(7), 9, NOW - 5))
    servers = ServerDataStore(database, go_on)
    await servers.note_left(SERVER, NOW - 10)
    assert await posts.due(clock.now, 10) == []
    await servers.note_present([SERVER], clock.now)
    assert [due.server_id for due in await posts.due(clock.now, 10)] == [SERVER]


async def test_posts_that_tell_their_number_are_not_read(
    puzzle_store: PuzzleStore, posts: DailyStore, database: Database, clock: Clock
) -> None:
    """Every server may have posts of today and yesterday; an index has those that are behind."""
    given = await puzzle_store.give_today(SERVER, clock.now)
    assert given is not None
    await posts.note_posted(given, ChannelId(7), MessageId(8))
    steps = await planned(
        database,
        _UNTOLD.params(since=day_of(clock.now) - 1, most=200),
        puzzles,
        lambda n: {"id": given.id + n, "guild_id": SERVER + n},
    )
    assert any("ix_puzzles_untold" in step for step in steps), steps
    assert not any("puzzle_tries" in step for step in steps), steps
