"""A press passes through few modules of the bot."""

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
# The floors that are counted; texts, the database and the injected clock lie below them.
_FLOORS = ("router", "gateway", "render", "matches")
_MOST = 12
_LOOPS = "gateway.loops"
# A store is one stop with its rows and its SQL, and `Boards` with what it knows to be shown: nobody
# meets those on a press but through that class.
_WITHIN = {"matches.rows": "matches.store", "matches.shown": "matches.boards"}


@contextmanager
def traced() -> Iterator[list[str]]:
    """Yield the stops whose functions run in this thread, in order of their first call.

    A stop is a module, or several that belong together.

    Loops are left out, whose rounds may fall into that time. The turn is written in the database's
    own thread, by `matches.store.turns`.
    """
    stops: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(_BOT) and "loop" not in subject():
            module = ".".join(Path(path).relative_to(_BOT).with_suffix("").parts)
            within = "matches.store" if module.startswith("matches.store.") else module
            stop = _WITHIN.get(within, within)
            if stop not in (*stops, _LOOPS) and stop.startswith(_FLOORS):
                stops.append(stop)

    sys.setprofile(note)
    try:
        yield stops
    finally:
        sys.setprofile(None)


WAY = [
    "router",
    "gateway.components",
    "gateway.responses",
    "gateway.channels",
    "matches.buttons",
    "matches.service",
    "matches.store",
    "matches.clock",
    "matches.boards",
    "matches.view",
    "render.words",
]


async def test_a_press_passes_twelve_modules(world: World) -> None:
    """From a pressed square to the new board: each module once, and at most twelve."""
    await world.challenge()
    await world.press(world.alice, "b2")
    with traced() as stops:
        await world.press(world.bob, "a1")
    assert stops == WAY
    assert len(stops) <= _MOST


async def test_the_computer_adds_one_module(world: World) -> None:
    """The computer's answer adds the computer's module, and no other."""
    await world.alice.slash(world.channel, "play tictactoe")
    with traced() as stops:
        await world.press(world.alice, "b2")
    assert {*stops} - {*WAY} == {"matches.computer"}


async def test_loops_are_no_stops_of_a_press() -> None:
    """A round that falls into a press isn't counted, nor what it calls."""
    done = asyncio.Event()

    async def work() -> None:
        mentions()
        done.set()

    async def ready() -> None: ...

    loop = Loop("testing", 60.0, work)
    with traced() as stops:
        loop.start(ready)
        await done.wait()
        await loop.stop()
    assert stops == []
