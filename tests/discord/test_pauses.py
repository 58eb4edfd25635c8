"""What would stop every press at once: the garbage collector, looking at the whole program."""

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
    """Something that only the garbage collector can end."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def thawed() -> Iterator[None]:
    """Other tests look at all that is there."""
    yield
    gc.unfreeze()


def test_the_collector_is_spared_what_stays(thawed: None) -> None:
    """What is there when the bot comes online is looked at no more, until it does so again."""
    assert gc.get_freeze_count() == 0
    there, kept = Knot(), Knot()
    ended = weakref.ref(there)
    spare_the_collector()
    spared = gc.get_freeze_count()
    assert spared > 10_000
    del there
    gc.collect()
    assert ended() is not None
    spare_the_collector()
    assert ended() is None
    assert kept.itself is kept
    assert gc.get_freeze_count() < spared + 1_000, "what was spared isn't counted twice"


async def test_a_bot_that_is_online_says_so(
    world: World, settings: Settings, database: AsyncEngine
) -> None:
    """By then it has its servers, so whatever stays is there."""
    told: list[int] = []
    bot = create_bot(settings, database)
    bot.on_online.append(lambda: told.append(len(bot.guilds)))
    await world.env.restart_bot(bot)
    assert told == [1]
