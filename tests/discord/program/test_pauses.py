"""Pauses that would hold up every press: a full garbage collection of the program."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.__main__ import spare_the_collector
from bot.app import create_bot
from bot.settings import Settings
from tests.discord.world import World


class Knot:
    """A reference cycle, which only the garbage collector frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def thawed() -> Iterator[None]:
    """Unfreeze the collector before the test, and again for others, which search all objects."""
    gc.unfreeze()
    yield
    gc.unfreeze()


async def test_long_lived_objects_are_frozen(thawed: None) -> None:
    """Objects alive when the bot comes online are not collected until it comes online again."""
    assert gc.get_freeze_count() == 0
    there, kept = Knot(), Knot()
    ended = weakref.ref(there)
    await spare_the_collector()
    spared = gc.get_freeze_count()
    assert spared > 10_000
    del there
    gc.collect()
    assert ended() is not None
    await spare_the_collector()
    assert ended() is None
    assert kept.itself is kept
    assert gc.get_freeze_count() < spared + 1_000, "frozen objects aren't counted twice"


async def test_the_bot_reports_that_it_is_online(
    world: World, settings: Settings, database: AsyncEngine
) -> None:
    """By then it has its servers, so its long-lived objects exist."""
    told: list[int] = []
    bot = create_bot(settings, database)

    async def tell() -> None:
        told.append(len(bot.guilds))

    bot.on_online.append(tell)
    await world.env.restart_bot(bot)
    assert told == [1]
