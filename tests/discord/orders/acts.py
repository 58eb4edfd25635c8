"""Acts of members, begun in an order that a seed decides and repeats."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any, TypeAlias

import discord
import pytest
from simcord.actors import MemberActor

from bot.client import Rowbot
from tests.discord.orders.oracle import Oracle
from tests.discord.world import World
from tests.fuzzing.acting import press, slash, told
from tests.fuzzing.orders import begin_in_any_order, delay_requests
from tests.load.reading import controls_of

# The bot notes every five seconds which message shows a match.
_NOTED_SECONDS = 6
# Within these times the bot does what it has put off, and posts the boards that it owes: it looks
# for those every 30 seconds, and has to look twice.
_SETTLED_SECONDS, _OWED_SECONDS = 40, 100

Act: TypeAlias = Callable[[], object]
Scene: TypeAlias = Callable[[World], Awaitable[list[Act]]]


def seeds() -> range:
    """Return the seeds that `SEEDS` names, 1 to 40 by default."""
    first, _, last = os.environ.get("SEEDS", "40").rpartition("-")
    return range(int(first or 1), int(last) + 1)


def press_of(world: World, who: MemberActor, message: discord.Message, end: str) -> Act:
    """Return an act that presses the button whose custom id has this `end`, on a message as now."""
    seen = told(world.env, world.env.backend.get_message(message.channel.id, message.id))
    control = next(one for one in controls_of(seen) if one.custom_id.endswith(end))
    return partial(press, world.env, who, seen, control)


def give(world: World, who: MemberActor, name: str, **options: Any) -> Act:
    """Return an act that gives a command."""
    return partial(slash, world.env, who, world.channel, name, options)


def look(world: World, bot: Rowbot, name: str) -> Act:
    """Return an act that lets the loop with this name of a process do its work at once."""
    (loop,) = (one for one in bot.watch._health._loops if one.name == name)  # noqa: SLF001

    def begin() -> object:
        with world.env._bot_scope():  # noqa: SLF001
            return asyncio.ensure_future(loop._work())  # noqa: SLF001

    return begin


async def run(
    world: World, acts: list[Act], oracle: Oracle, rng: Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Begin the acts in an order that `rng` decides, and check the channel when all is quiet."""
    await world.env.advance_time(_NOTED_SECONDS)
    delay_requests(monkeypatch, rng)
    await begin_in_any_order(acts, rng)
    await world.env.advance_time(_SETTLED_SECONDS)
    if await oracle.wrong():
        await world.env.advance_time(_OWED_SECONDS)
    wrong = await oracle.wrong()
    assert not wrong, "; ".join(wrong)
