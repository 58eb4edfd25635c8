"""A press passes through few stops of the bot."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import bot
from bot.gateway.loops import Loop
from bot.gateway.responses import mentions
from bot.logs import subject
from tests.discord.world import World

_BOT = str(Path(bot.__file__).parent)
# The packages whose modules count; texts, the database and the injected clock lie below them.
_FLOORS = ("router", "gateway", "render", "matches")
_MOST = 12
_LOOPS = "gateway.loops"


@contextmanager
def traced() -> Iterator[list[str]]:
    """Yield the modules whose functions run in this thread, in order of their first call.

    Loops are left out, since their rounds may fall into that time. `matches.store.turns`, which
    writes the turn, runs in the database's own thread.
    """
    modules: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(_BOT) and "loop" not in subject():
            module = ".".join(Path(path).relative_to(_BOT).with_suffix("").parts)
            if module not in (*modules, _LOOPS) and module.startswith(_FLOORS):
                modules.append(module)

    sys.setprofile(note)
    try:
        yield modules
    finally:
        sys.setprofile(None)


# A class and its closest helpers are one stop: the router with what admits the press; handlers with
# the presses that they answer; a store with its rows, the objects made of them, and the boards that
# it remembers; the response with the errors of its calls; the channels with the bot's own requests;
# the sentences of a match with the words in them.
WAY = [
    ("router", "gateway.serving", "gateway.blocks"),
    ("gateway.interactions",),
    ("gateway.components",),
    ("gateway.responses", "gateway.errors"),
    ("gateway.channels", "gateway.requests"),
    ("matches.buttons", "matches.presses"),
    ("matches.service",),
    ("matches.store.matches", "matches.store.boards", "matches.rows", "matches.model"),
    ("matches.clock",),
    ("matches.boards",),
    ("matches.view",),
    ("render.telling", "render.words"),
]


async def test_a_press_passes_twelve_stops(world: World) -> None:
    """From a pressed square to the new board there are at most twelve stops, each passed once."""
    await world.played("b2")
    with traced() as modules:
        await world.press(world.bob, "a1")
    stops = [next((stop for stop in WAY if module in stop), (module,)) for module in modules]
    assert [*dict.fromkeys(stops)] == WAY
    assert {*modules} == {module for stop in WAY for module in stop}
    assert len(WAY) <= _MOST


async def test_the_computer_adds_one_module(world: World) -> None:
    """The computer's answer adds the computer's module, and no other."""
    await world.alice.slash(world.channel, "play tictactoe")
    with traced() as modules:
        await world.press(world.alice, "b2")
    assert {*modules} - {module for stop in WAY for module in stop} == {"matches.computer"}


async def test_loops_are_no_stops_of_a_press() -> None:
    """A loop's round during a press isn't counted, nor are the modules that it calls."""
    done = asyncio.Event()

    async def work() -> None:
        mentions()
        done.set()

    async def ready() -> None: ...

    loop = Loop("testing", 60.0, work)
    with traced() as modules:
        loop.start(ready)
        await done.wait()
        await loop.stop()
    assert modules == []
