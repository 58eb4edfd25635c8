"""While two processes overlap in an update, acts that cross leave the channel as it should be.

As in `test_orders`, a seed repeats its order:

    SEEDS=200 .venv/bin/python -m pytest -m slow tests/discord/orders -k two_processes
"""

from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import TypeAlias

import pytest

from bot.client import Rowbot
from tests.conftest import Calendar
from tests.discord.elsewhere import Elsewhere, group
from tests.discord.failing import CALLBACK
from tests.discord.matches.passing import HOUR
from tests.discord.orders.acts import Act, Scene, give, look, press_of, run, seeds
from tests.discord.orders.oracle import Oracle
from tests.discord.orders.second import connect
from tests.discord.orders.test_orders import SCENES, asked_boards
from tests.discord.world import World


async def resignation(world: World) -> list[Act]:
    """A resignation and a move."""
    board = await world.played("a1 b1")
    return [
        press_of(world, world.alice, board, ":c3"),
        give(world, world.bob, "resign", confirm=True),
    ]


async def two_presses(world: World) -> list[Act]:
    """One player presses twice, and the other presses before their turn."""
    board = await world.played("a1 b1")
    return [
        press_of(world, world.alice, board, ":c3"),
        press_of(world, world.alice, board, ":b2"),
        press_of(world, world.bob, board, ":b2"),
    ]


async def draw(world: World) -> list[Act]:
    """An agreement to a draw, and a move."""
    board = await world.played("a1 b1")
    question = await world.command(world.bob, "draw")
    return [
        press_of(world, world.alice, board, ":c3"),
        press_of(world, world.alice, question, ":agree"),
    ]


async def undo(world: World) -> list[Act]:
    """An agreement to an undo, and a move."""
    board = await world.played("a1 b1")
    question = await world.command(world.bob, "undo")
    return [
        press_of(world, world.alice, board, ":c3"),
        press_of(world, world.alice, question, ":agree"),
    ]


async def withdrawn(world: World) -> list[Act]:
    """A challenge is accepted and withdrawn at once."""
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    return [
        press_of(world, world.bob, challenge, ":accept"),
        press_of(world, world.alice, challenge, ":withdraw"),
    ]


async def rematch(world: World) -> list[Act]:
    """Both ask for a rematch, by a button and by a command."""
    await world.played("a1 b1")  # after a win, a process would look for achievements
    await world.resign(world.alice)
    return [press_of(world, world.alice, world.last, "r:1"), give(world, world.bob, "rematch")]


async def failed_answer(world: World) -> list[Act]:
    """One process can't answer a move, and posts its board in the channel."""
    board = await world.played("a1 b1")
    world.env.inject_error(*CALLBACK, status=503)
    return [press_of(world, world.alice, board, ":c3")]


async def computer(world: World) -> list[Act]:
    """A move against the computer, and an undo."""
    await world.command(world.alice, "play tictactoe", level="easy")
    await world.press(world.alice, "b2")
    stored = await world.stored()
    where = stored.match.position.legal_moves()[0]
    return [
        press_of(world, world.alice, world.last, f":{where}"),
        give(world, world.alice, "undo"),
    ]


async def owed_move(world: World) -> list[Act]:
    """Both processes make a move that the computer owes, and a member asks for the board."""
    await world.command(world.alice, "play tictactoe", level="easy")
    await world.sql("UPDATE matches SET moves = 'b2', computer_due = 1, revision = revision + 1")
    return [give(world, world.alice, "board")]


async def owed_board(world: World) -> list[Act]:
    """Both processes show a turn whose board a failure has kept back."""
    await world.challenge()
    await world.sql(
        "UPDATE matches SET moves = 'b2', revision = revision + 1, moved_at = moved_at - 60"
    )
    return []


async def deadline(world: World) -> list[Act]:
    """A deadline passes while its player moves."""
    board, calendar = await world.challenge(clock=HOUR), world.clock
    assert isinstance(calendar, Calendar), "it is the tests' own"
    return [partial(setattr, calendar, "ahead", HOUR), press_of(world, world.alice, board, ":c3")]


async def begun(world: World) -> list[Act]:
    """A challenge is accepted."""
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    return [press_of(world, world.bob, challenge, ":accept")]


async def begun_again(world: World) -> list[Act]:
    """A member plays against the computer again."""
    await world.command(world.alice, "play tictactoe", level="easy")
    await world.press(world.alice, "b2")
    await world.resign(world.alice)
    return [press_of(world, world.alice, world.last, "r:1")]


async def declined(world: World) -> list[Act]:
    """An undo is declined."""
    await world.played("a1 b1")
    question = await world.command(world.bob, "undo")
    return [press_of(world, world.alice, question, ":decline")]


async def moved(world: World) -> list[Act]:
    """A move."""
    board = await world.played("a1 b1")
    return [press_of(world, world.alice, board, ":c3")]


PRESSES: list[Scene] = [begun, begun_again, declined, moved]

CROSSING: list[Scene] = [
    resignation,
    two_presses,
    draw,
    undo,
    withdrawn,
    rematch,
    failed_answer,
    computer,
    owed_move,
    owed_board,
    deadline,
]

# The loops that both processes run at the same time in a scene.
LOOPS = {
    owed_move: "catching up with boards",
    owed_board: "catching up with boards",
    deadline: "sweeping due matches",
}


Try: TypeAlias = Callable[[Scene, int], Awaitable[None]]


@pytest.fixture
def attempt(
    simcord_bot: Rowbot, second: Rowbot, world: World, monkeypatch: pytest.MonkeyPatch
) -> Try:
    """Return a function that lets two processes play a scene in the order of a seed.

    Chance decides which process is the newer one.
    """

    async def play(scene: Scene, seed: int) -> None:
        rng = Random(f"{scene.__name__} {seed}")
        await world.tell_commands()
        early = rng.random() < 0.5
        if early:
            await connect(world.env, second)
        acts, oracle = await scene(world), Oracle(world, processes=2)
        if not early:
            await connect(world.env, second)
        if scene in LOOPS:
            acts += [look(world, bot, LOOPS[scene]) for bot in (simcord_bot, second)]
        await run(world, acts, oracle, rng, monkeypatch)

    return play


@pytest.mark.parametrize(
    ("scene", "seed"),
    [
        (resignation, 7),
        (asked_boards, 8),
        (two_presses, 40),
        (owed_board, 1),
        (failed_answer, 3),
        (failed_answer, 4),
    ],
)
async def test_an_order_that_left_no_board_or_two(scene: Scene, seed: int, attempt: Try) -> None:
    """It was wrong since a process took the other's board for its own, or didn't look for it."""
    await attempt(scene, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds())
@pytest.mark.parametrize("scene", [*CROSSING, *SCENES], ids=lambda scene: scene.__name__)
async def test_two_processes(scene: Scene, seed: int, attempt: Try) -> None:
    """Each match has one board, each press one answer, and nothing is left behind."""
    await attempt(scene, seed)


@group
@pytest.mark.parametrize("scene", [begun, begun_again])
async def test_an_order_that_left_no_board_where_the_bot_cannot_post(
    scene: Scene, attempt: Try, elsewhere: Elsewhere
) -> None:
    """One process deferred the press, the other began the match, and neither could show it."""
    await attempt(scene, 1)


@group
@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds())
@pytest.mark.parametrize("scene", PRESSES, ids=lambda scene: scene.__name__)
async def test_two_processes_where_the_bot_cannot_post(
    scene: Scene, seed: int, attempt: Try, elsewhere: Elsewhere
) -> None:
    """The process that defers a press carries it out, and shows the result."""
    await attempt(scene, seed)
