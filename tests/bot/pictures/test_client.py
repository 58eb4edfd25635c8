"""Pictures drawn in a child process: results, failures, and closing."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from textwrap import dedent

import pytest

from bot.pictures.bracket import draw_bracket
from bot.pictures.chart import draw_chart
from bot.pictures.client import PictureClient
from bot.pictures.crosstable import draw_crosstable
from bot.pictures.frames import animate
from bot.pictures.model import (
    Bracket,
    Chart,
    Crosstable,
    Line,
    Podium,
    PodiumStep,
    Point,
    Row,
    Side,
)
from bot.pictures.podium import draw_podium
from bot.workers.errors import ClosedError, WorkFailedError
from bot.workers.fair_queue import Ticket
from tests.bot.playing import NAMES, NOW, SERVER, X_WINS, begin
from tests.bot.processes import ROOT, children, longest_pause, until
from tests.core.boards import after

WON = after(begin(), X_WINS)
TICKET = Ticket(SERVER)
TABLE = Crosstable(("1",), (Row("1", "Alice", (None,), "0"),))
BRACKET = Bracket((((Side("1", "Alice"), Side()),),))
POINTS = (Point(1, NOW, 1500.0), Point(2, NOW + 100, 1520.0))
CHART = Chart("Alice", "Rating", (Line("Tic-tac-toe", POINTS),), 1000)
PODIUM = Podium("May", (PodiumStep(1, "Alice", "3 wins"),))

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


@asynccontextmanager
async def drawing(seconds: float = 60, idle_seconds: float = 60) -> AsyncIterator[PictureClient]:
    """Yield a client whose processes end with the test."""
    before = children()
    pictures = PictureClient(seconds, idle_seconds)
    try:
        yield pictures
    finally:
        await pictures.close()
    await until(lambda: not children() - before)


async def test_pictures_equal_those_drawn_in_process() -> None:
    """The bytes are those that the libraries draw in this process, also for a running match."""
    async with drawing() as pictures:
        for match in (WON, begin()):
            assert await pictures.animation(TICKET, match, NAMES) == animate(match, NAMES)
        assert await pictures.picture(TICKET, CHART) == draw_chart(CHART)
        assert await pictures.picture(TICKET, TABLE) == draw_crosstable(TABLE)
        assert await pictures.picture(TICKET, BRACKET) == draw_bracket(BRACKET)
        assert await pictures.picture(TICKET, PODIUM) == draw_podium(PODIUM)


async def test_a_hint_has_a_board_of_its_own() -> None:
    """Its picture isn't that of the same position without a hint, or with another one."""
    async with drawing() as pictures:
        hints = (None, *begin().position.legal_moves()[:2])
        drawn = [await pictures.board(TICKET, begin(), NAMES, hint) for hint in hints]
        assert len({*drawn}) == len(hints)


async def test_the_process_starts_on_demand_and_ends_when_idle() -> None:
    """No process runs before the first picture; one serves the next, and it ends when idle."""
    before = children()
    async with drawing(idle_seconds=0.5) as pictures:
        assert children() <= before
        for _ in range(2):
            await asyncio.gather(*(pictures.animation(TICKET, WON, NAMES) for _ in range(3)))
            assert len(children() - before) == 1
            await until(lambda: children() <= before)


async def test_the_event_loop_is_not_blocked() -> None:
    """Other tasks run while the libraries are imported and a picture is drawn."""
    async with drawing() as pictures:
        work = asyncio.ensure_future(pictures.animation(TICKET, WON, NAMES))
        assert await longest_pause(work) < 0.5


async def test_a_picture_that_cannot_be_drawn() -> None:
    """It raises WorkFailedError, and the same process draws the next one."""
    before = children()
    async with drawing() as pictures:
        with pytest.raises(WorkFailedError):
            await pictures.animation(TICKET, WON, ("Alice",))
        process = children() - before
        endless = Line("", (Point(1, float("nan"), float("inf")),))
        with pytest.raises(WorkFailedError):
            await pictures.picture(TICKET, Chart("", "", (endless,), 0))
        assert await pictures.animation(TICKET, WON, NAMES)
        assert children() - before == process


async def test_a_picture_that_takes_too_long() -> None:
    """It fails and its process ends itself; the next picture gets a new process."""
    before = children()
    async with drawing(seconds=0.01) as pictures:
        for _ in range(2):
            with pytest.raises(WorkFailedError):
                await pictures.picture(TICKET, CHART)
            await until(lambda: children() <= before)


async def test_a_closed_client_draws_nothing() -> None:
    """Requests that wait when the bot closes raise ClosedError."""
    before = children()
    async with drawing() as pictures:
        asked = [asyncio.create_task(pictures.animation(TICKET, WON, NAMES)) for _ in range(3)]
        await until(lambda: bool(children() - before))  # one imports the libraries, others wait
        await pictures.close()
        for result in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(result, ClosedError)


def test_the_bot_imports_no_drawing_library_and_a_board_no_matplotlib() -> None:
    """They take more memory than the rest of the bot, and matplotlib takes long to import.

    On a loaded machine the import alone took longer than a board may, with any letters in a name.
    """
    program = """
        import sys
        import bot.__main__, bot.pictures.client
        def loaded(): return sorted({"PIL", "matplotlib", "fontTools"} & {*sys.modules})
        print(loaded())
        from bot.pictures.worker import board
        from core.match.record import write
        from tests.bot.playing import begin
        board(write(begin()), ("Юлия", "名前"), None, ())
        print(loaded())
    """
    ran = subprocess.run(
        [sys.executable, "-c", dedent(program)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    assert ran.stdout.splitlines() == ["[]", "['PIL', 'fontTools']"]
