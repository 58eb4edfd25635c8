"""Full garbage collections, whose pauses would hold up every press."""

import gc
import weakref
from collections.abc import Iterator
from functools import partial

import pytest

from bot.__main__ import spare_the_collector
from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import Database
from bot.settings import Settings
from bot.shards import Shards
from tests.discord.world import World


class Knot:
    """A reference cycle, which only the garbage collector frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def thawed() -> Iterator[None]:
    """Unfreeze the collector for the test; afterwards, freeze the earlier objects again."""
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.fixture
def bot(settings: Settings, database: Database) -> Rowbot:
    """Return a bot of two shards that spares the collector."""
    bot = create_bot(settings.model_copy(update={"shards": Shards(0, 1, 2)}), database)
    bot.on_online.append(partial(spare_the_collector, bot))
    return bot


async def test_long_lived_objects_are_frozen(thawed: None, bot: Rowbot) -> None:
    """Objects alive when the bot comes online are not collected until it comes online again."""
    there, kept = Knot(), Knot()
    ended = weakref.ref(there)
    await bot.on_shard_ready(0)
    assert gc.get_freeze_count() == 0, "with many shards a start would have as many pauses"
    await bot.on_shard_ready(1)
    spared = gc.get_freeze_count()
    assert spared > 10_000
    del there
    gc.collect()
    assert ended() is not None
    await bot.on_shard_ready(0)
    assert ended() is None
    assert kept.itself is kept
    assert gc.get_freeze_count() < spared + 1_000, "frozen objects aren't counted twice"


async def test_the_bot_reports_that_it_is_online(
    world: World, settings: Settings, database: Database
) -> None:
    """By then it has its servers, so its long-lived objects exist."""
    told: list[int] = []
    bot = create_bot(settings, database)

    async def tell() -> None:
        told.append(len(bot.guilds))

    bot.on_online.append(tell)
    await world.env.restart_bot(bot)
    assert told == [1]
