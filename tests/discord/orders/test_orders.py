"""Whatever members do at once, in any order, the channel is left as it should be.

A seed repeats its order. `SEEDS` is the number of seeds, 40 by default, or the first and last one:

    SEEDS=200 .venv/bin/python -m pytest -m slow tests/discord/orders
    SEEDS=17-17 .venv/bin/python -m pytest -m slow tests/discord/orders -k restarts

Each scene has found a defect. The fuzzers test failing requests, and requests that take seconds.
"""

from random import Random

import pytest

from tests.discord.matches.three import three
from tests.discord.orders.acts import Act, Scene, give, press_of, run, seeds
from tests.discord.orders.oracle import Oracle
from tests.discord.world import World


async def asked_boards(world: World) -> list[Act]:
    """Members ask for the board, before and after a move."""
    board = await world.played("a1 b1")
    return [
        give(world, world.bob, "board"),
        give(world, world.carol, "board"),
        press_of(world, world.alice, board, ":c3"),
    ]


async def restarts(world: World) -> list[Act]:
    """Both players ask for a restart, and a move comes in between."""
    board = await world.played("a1 b1")
    return [
        give(world, world.alice, "restart"),
        give(world, world.bob, "restart"),
        press_of(world, world.alice, board, ":c3"),
        give(world, world.bob, "board"),
    ]


async def archived(world: World) -> list[Act]:
    """A match is archived while its player moves, and another one begins."""
    board = await world.command(world.alice, "play tictactoe", level="easy")
    return [
        press_of(world, world.alice, board, ":c3"),
        give(world, world.alice, "board", put_away=True),
        give(world, world.bob, "play tictactoe", level="easy"),
    ]


async def agreements(world: World) -> list[Act]:
    """One player agrees to a draw while the other withdraws the offer."""
    await three(world)
    question = await world.command(world.alice, "draw")
    return [
        press_of(world, world.bob, question, ":agree"),
        press_of(world, world.alice, question, ":decline"),
        give(world, world.carol, "board"),
    ]


async def seats(world: World) -> list[Act]:
    """Members come and go at a table."""
    table = await world.command(world.alice, "play tribolo", open=True, size="small")
    await world.carol.click(table, label="Join")
    return [
        press_of(world, world.carol, table, ":leave"),
        press_of(world, world.carol, table, ":join"),
        press_of(world, world.alice, table, ":leave"),
    ]


SCENES: list[Scene] = [asked_boards, restarts, archived, agreements, seats]


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds())
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
async def test_any_order(
    scene: Scene, seed: int, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each match has one board, each member one notice of a turn, and nothing is left behind."""
    await world.tell_commands()
    acts, oracle = await scene(world), Oracle(world)
    await run(world, acts, oracle, Random(f"{scene.__name__} {seed}"), monkeypatch)
