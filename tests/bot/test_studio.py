"""The studio: pictures drawn in a process of its own, which fails and ends by itself."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psutil
import pytest

from bot.pictures.animation import animate
from bot.pictures.chart import Series, plot
from bot.pictures.client import DrawingFailedError, Studio
from bot.workers.processes import ClosedError
from core.match import Match
from tests.bot.playing import NAMES, NOW, X_WINS, begin
from tests.bot.processes import ROOT, children, longest_pause, until
from tests.core.boards import after

WON = after(begin(), X_WINS)
POINTS = ((NOW, 1500.0), (NOW + 100, 1520.0))

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


@asynccontextmanager
async def drawing(seconds: float = 60, rest: float = 60) -> AsyncIterator[Studio]:
    """Yield a studio; afterwards no process of it is left."""
    before = children()
    studio = Studio(seconds, rest)
    try:
        yield studio
    finally:
        await studio.close()
    await until(lambda: not children() - before)


async def test_pictures_are_those_drawn_here() -> None:
    """What comes back is the same to the byte as what the libraries draw in this process."""
    async with drawing() as studio:
        assert await studio.animation(WON, NAMES) == animate(WON, NAMES)
        chart = await studio.chart("Alice", "Rating", {"Tic-tac-toe": POINTS})
        assert chart == plot("Alice", "Rating", [Series("Tic-tac-toe", POINTS)])


async def test_the_process_starts_when_it_is_needed_and_ends_when_it_is_not() -> None:
    """There is none before the first picture, one for all that follow, and none after a rest."""
    before = children()
    async with drawing(rest=0.5) as studio:
        assert children() == before
        for _ in range(2):
            await asyncio.gather(*(studio.animation(WON, NAMES) for _ in range(3)))
            assert len(children() - before) == 1
            await until(lambda: children() == before)


async def test_the_event_loop_goes_on() -> None:
    """While the libraries are imported and a picture is drawn, nothing else waits long."""
    async with drawing() as studio:
        work = asyncio.ensure_future(studio.animation(WON, NAMES))
        assert await longest_pause(work) < 0.5


async def test_a_picture_that_can_t_be_drawn() -> None:
    """It fails with our own error, and the same process draws the next one."""
    before = children()
    async with drawing() as studio:
        with pytest.raises(DrawingFailedError):
            await studio.animation(WON, ("Alice",))
        process = children() - before
        with pytest.raises(DrawingFailedError):
            await studio.chart("", "", {"": ((float("nan"), float("inf")),)})
        assert await studio.animation(WON, NAMES)
        assert children() - before == process


async def test_a_picture_that_takes_too_long() -> None:
    """Its process ends itself; a studio with more patience draws it."""
    before = children()
    async with drawing(seconds=0.01) as studio:
        for _ in range(2):
            with pytest.raises(DrawingFailedError):
                await studio.chart("", "", {"": POINTS})
            await until(lambda: children() == before)


async def test_a_process_that_was_killed() -> None:
    """The picture that needed it fails, and the next has a new process."""
    before = children()
    async with drawing() as studio:
        await studio.animation(WON, NAMES)
        for pid in children() - before:
            psutil.Process(pid).kill()
        await until(lambda: children() == before)
        with pytest.raises(DrawingFailedError):
            await studio.animation(WON, NAMES)
        assert await studio.animation(WON, NAMES)


async def test_a_closed_studio_draws_nothing() -> None:
    """Whoever waits for a picture when the bot ends is told so."""
    async with drawing() as studio:
        asked = [asyncio.create_task(studio.animation(WON, NAMES)) for _ in range(3)]
        await asyncio.sleep(0.1)
        await studio.close()
        for result in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(result, ClosedError)


async def test_a_match_under_way_is_drawn() -> None:
    """Nothing in a picture needs the match to be over, or anything to have been played."""
    unplayed: Match = begin()
    async with drawing() as studio:
        assert await studio.animation(unplayed, NAMES) == animate(unplayed, NAMES)


def test_the_libraries_stay_out_of_the_bot() -> None:
    """The bot's own process never imports them: they take more memory than it does."""
    imports = "import sys, bot.__main__, bot.pictures.client"
    program = f"{imports}; print({{'PIL', 'matplotlib'}} & {{*sys.modules}})"
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert ran.stdout.strip() == "set()"
