"""While one process hands over to another, acts that cross leave the channel as it should be.

As in `test_orders`, a seed repeats its order:

    SEEDS=200 .venv/bin/python -m pytest -m slow tests/discord/orders -k two_processes
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from random import Random
from typing import TypeAlias

import pytest

from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import Database
from bot.settings import Settings
from tests.conftest import Calendar
from tests.discord.elsewhere import Elsewhere, group
from tests.discord.matches.passing import HOUR
from tests.discord.orders.acts import Act, Scene, give, look, press_of, run, seeds
from tests.discord.orders.oracle import Oracle
from tests.discord.orders.second import connect
from tests.discord.orders.test_orders import SCENES, asked_boards
from tests.discord.world import World
from tests.leases import Baton, keep


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
    """The computer owes a move, and a member asks for the board."""
    await world.command(world.alice, "play tictactoe", level="easy")
    await world.sql("UPDATE matches SET moves = 'b2', computer_due = 1, revision = revision + 1")
    return [give(world, world.alice, "board")]


async def owed_board(world: World) -> list[Act]:
    """A turn is shown whose board a failure has kept back."""
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
    computer,
    owed_move,
    owed_board,
    deadline,
]

# The loop that the process which hands over runs at the same time in a scene.
LOOPS = {
    owed_move: "catching up with boards",
    owed_board: "catching up with boards",
    deadline: "sweeping due matches",
}


Try: TypeAlias = Callable[[Scene, int], Awaitable[None]]


@pytest.fixture
def baton() -> Baton:
    return Baton()


@pytest.fixture
async def simcord_bot(
    settings: Settings, database: Database, calendar: Calendar, baton: Baton
) -> AsyncIterator[Rowbot]:
    """The process that serves first."""
    bot = create_bot(settings, database, rng=Random(1), now=calendar, lease=baton.lease())
    keep(bot)
    yield bot
    await bot.finish()


@pytest.fixture
async def second(
    settings: Settings, database: Database, calendar: Calendar, baton: Baton
) -> AsyncIterator[Rowbot]:
    """The process that takes over, once `connect` has connected it."""
    bot = create_bot(settings, database, rng=Random(2), now=calendar, lease=baton.lease())
    keep(bot)
    yield bot
    await bot.finish()


def end(world: World, bot: Rowbot) -> Act:
    """Return an act that ends a process."""

    def begin() -> object:
        with world.env._bot_scope():  # noqa: SLF001
            return asyncio.ensure_future(bot.finish())

    return begin


@pytest.fixture
def attempt(
    simcord_bot: Rowbot, second: Rowbot, world: World, monkeypatch: pytest.MonkeyPatch
) -> Try:
    """Return a function that plays a scene in the order of a seed, while one process hands over.

    Chance decides since when the other one stands by.
    """

    async def play(scene: Scene, seed: int) -> None:
        rng = Random(f"{scene.__name__} {seed}")
        await simcord_bot.serving.wait()
        await world.tell_commands()
        early = rng.random() < 0.5
        if early:
            await connect(world.env, second)
        acts, oracle = await scene(world), Oracle(world)
        if not early:
            await connect(world.env, second)
        if scene in LOOPS:
            acts.append(look(world, simcord_bot, LOOPS[scene]))
        acts.append(end(world, simcord_bot))
        await run(world, acts, oracle, rng, monkeypatch)
        assert second.serving.active

    return play


@pytest.mark.parametrize(
    ("scene", "seed"),
    [
        (resignation, 7),
        (asked_boards, 8),
        (two_presses, 40),
        (owed_board, 1),
    ],
)
async def test_an_order_that_left_no_board_or_two(scene: Scene, seed: int, attempt: Try) -> None:
    """It was wrong while both processes acted on each press."""
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
    """While both processes acted, one deferred the press, and the other began the match."""
    await attempt(scene, 1)


@group
@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds())
@pytest.mark.parametrize("scene", PRESSES, ids=lambda scene: scene.__name__)
async def test_two_processes_where_the_bot_cannot_post(
    scene: Scene, seed: int, attempt: Try, elsewhere: Elsewhere
) -> None:
    """The process that takes a press carries it out, and shows the result."""
    await attempt(scene, seed)
