"""A press takes the way that docs/architecture.md tells, and no other feature is on it."""

import asyncio
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType

import bot
import core
from bot.gateway.loops import Loop
from bot.gateway.responses import mentions
from bot.logs import subject
from tests.discord.world import World

_BOT, _CORE = (Path(package.__path__[0]) for package in (bot, core))
_DOCS = _BOT.parent / "docs" / "architecture.md"
# The packages of features that a press on a board has nothing to do with.
_OTHERS = {feature.parent.name for feature in _BOT.glob("*/feature.py")} - {"matches", "gateway"}

WAY = [
    "Router.on_interaction",
    "Press.parse",
    "Router.serve",
    "Matches.play",
    "MatchService.play",
    "MatchStore.load",
    "Match.play",
    "MatchStore.save",
    "Boards.show",
    "board_view",
    "Channels.answer",
    "Response.post",
    "BoardIds.note",
]


@dataclass
class Trace:
    """The functions that ran, in order of their first calls, and the packages that have them."""

    called: list[str] = field(default_factory=list)
    packages: set[str] = field(default_factory=set)


@contextmanager
def traced() -> Iterator[Trace]:
    """Yield what runs of the bot and the core in this thread, without loops.

    The rounds of loops may fall into that time. The database's own thread is another one.
    """
    trace = Trace()
    # Known by their code, since this runs at each call while simcord waits for the press, thousands
    # of times: with a path made each time, a busy machine took longer than the test may wait.
    seen = set[CodeType]()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or code in seen:
            return
        path, name = Path(code.co_filename), code.co_qualname
        of_bot = path.is_relative_to(_BOT)
        if (of_bot or path.is_relative_to(_CORE)) and "loop" in subject():
            return  # it may still be called by the press
        seen.add(code)
        if of_bot:
            trace.packages.add(path.relative_to(_BOT).parts[0])
        elif not path.is_relative_to(_CORE):
            return
        if name not in trace.called:
            trace.called.append(name)

    sys.setprofile(note)
    try:
        yield trace
    finally:
        sys.setprofile(None)


async def test_the_way_of_a_press(world: World) -> None:
    """From a pressed square to the new board, each stop is reached in this order."""
    await world.played("b2")
    with traced() as trace:
        await world.press(world.bob, "a1")
    assert [name for name in trace.called if name in WAY] == WAY
    assert not trace.packages & _OTHERS


async def test_the_way_of_a_press_that_the_computer_answers(world: World) -> None:
    """The computer's quick answer is one more stop, before the turn is saved."""
    way = WAY.copy()
    way.insert(WAY.index("MatchStore.save"), "ComputerPlayer.quick_moves")
    await world.alice.slash(world.channel, "play tictactoe")
    with traced() as trace:
        await world.press(world.alice, "b2")
    assert [name for name in trace.called if name in way] == way
    assert not trace.packages & _OTHERS


def test_the_documented_way_of_a_press() -> None:
    """The architecture names the stops in the same order."""
    section = _DOCS.read_text("utf-8").partition("\n## One press\n")[2].partition("\n## ")[0]
    named = dict.fromkeys(re.findall(r"`([A-Za-z_.]+)`", section))
    assert [name for name in named if name in WAY] == WAY


async def test_loops_are_not_on_the_way_of_a_press() -> None:
    """A loop's round during a press isn't traced, nor are the functions that it calls."""
    done = asyncio.Event()

    async def work() -> None:
        mentions()
        done.set()

    async def ready() -> None: ...

    loop = Loop("testing", 60.0, work)
    with traced() as trace:
        loop.start(ready)
        await done.wait()
        await loop.stop()
    assert "mentions" not in trace.called
