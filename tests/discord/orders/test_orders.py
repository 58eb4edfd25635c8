"""Whatever order chance decides, what members do at once leaves the channel as it should be.

A seed repeats its order. `SEEDS` is how many there are, 40 by default, or says the first and last:

    SEEDS=200 .venv/bin/python -m pytest -m slow tests/discord/orders
    SEEDS=17-17 .venv/bin/python -m pytest -m slow tests/discord/orders -k restarts

Each scene has found a defect. Failing requests, and such as take seconds, are up to the fuzzers.
"""

import os
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any, TypeAlias

import discord
import pytest
from simcord.actors import MemberActor

from tests.discord.matches.three import three
from tests.discord.orders.oracle import Oracle
from tests.discord.world import World
from tests.fuzzing.acting import press, slash, told
from tests.fuzzing.orders import (
    answer_when_awaited,
    begin_in_any_order,
    delay_requests,
    wait_for_threads,
)
from tests.fuzzing.timers import simulate_all_time
from tests.load.reading import controls_of

# The bot notes every five seconds which message shows a match.
_NOTED_SECONDS = 6
# What was put off is done in this time; what is owed, after two looks, two minutes apart.
_SETTLED_SECONDS, _OWED_SECONDS = 40, 300

Act: TypeAlias = Callable[[], object]
Scene: TypeAlias = Callable[[World], Awaitable[list[Act]]]


def _seeds() -> range:
    first, _, last = os.environ.get("SEEDS", "40").rpartition("-")
    return range(int(first or 1), int(last) + 1)


def _press(world: World, who: MemberActor, message: discord.Message, end: str) -> Act:
    """Return what presses a button of a message as it is now, whose custom id has this `end`."""
    seen = told(world.env, world.env.backend.get_message(message.channel.id, message.id))
    control = next(one for one in controls_of(seen) if one.custom_id.endswith(end))
    return partial(press, world.env, who, seen, control)


def _give(world: World, who: MemberActor, name: str, **options: Any) -> Act:
    """Return what gives a command."""
    return partial(slash, world.env, who, world.channel, name, options)


async def asked_boards(world: World) -> list[Act]:
    """/board, before and after a move."""
    board = await world.played("a1 b1")
    return [
        _give(world, world.bob, "board"),
        _give(world, world.carol, "board"),
        _press(world, world.alice, board, ":c3"),
    ]


async def restarts(world: World) -> list[Act]:
    """Both want a restart, and a move comes in between."""
    board = await world.played("a1 b1")
    return [
        _give(world, world.alice, "restart"),
        _give(world, world.bob, "restart"),
        _press(world, world.alice, board, ":c3"),
        _give(world, world.bob, "board"),
    ]


async def archived(world: World) -> list[Act]:
    """A match is archived while its player moves, and another one begins."""
    board = await world.command(world.alice, "play tictactoe", level="easy")
    return [
        _press(world, world.alice, board, ":c3"),
        _give(world, world.alice, "board", put_away=True),
        _give(world, world.bob, "play tictactoe", level="easy"),
    ]


async def agreements(world: World) -> list[Act]:
    """One of two agrees to a draw, and its asker withdraws it."""
    await three(world)
    question = await world.command(world.alice, "draw")
    return [
        _press(world, world.bob, question, ":agree"),
        _press(world, world.alice, question, ":decline"),
        _give(world, world.carol, "board"),
    ]


async def seats(world: World) -> list[Act]:
    """Members come and go at a table."""
    table = await world.command(world.alice, "play tribolo", open=True, size="small")
    await world.carol.click(table, label="Join")
    return [
        _press(world, world.carol, table, ":leave"),
        _press(world, world.carol, table, ":join"),
        _press(world, world.alice, table, ":leave"),
    ]


SCENES: list[Scene] = [asked_boards, restarts, archived, agreements, seats]


@pytest.fixture(autouse=True)
def nothing_by_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave nothing to threads and clocks, from before the database is opened."""
    wait_for_threads(monkeypatch)
    answer_when_awaited(monkeypatch)
    simulate_all_time(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", _seeds())
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
async def test_any_order(
    scene: Scene, seed: int, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each match has one board, each member one notice of a turn, and nothing is left behind."""
    await world.tell_commands()
    acts, oracle, rng = await scene(world), Oracle(world), Random(f"{scene.__name__} {seed}")
    await world.env.advance_time(_NOTED_SECONDS)
    delay_requests(monkeypatch, rng)
    await begin_in_any_order(acts, rng)
    await world.env.advance_time(_SETTLED_SECONDS)
    if await oracle.wrong():
        await world.env.advance_time(_OWED_SECONDS)
    assert await oracle.wrong() == []
