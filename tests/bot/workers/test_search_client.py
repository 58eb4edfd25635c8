"""Searches in child processes: slow and endless ones, and processes that die."""

import asyncio
import os
import signal
import subprocess
import sys
from multiprocessing.context import SpawnProcess
from pathlib import Path
from random import Random

import psutil
import pytest

from bot.workers.errors import ClosedError, WorkFailedError
from bot.workers.fair_queue import Ticket
from core.engine.levels import Level
from core.engine.player import Engine
from tests.bot.engines import (
    GATE,
    DyingEngine,
    EndlessEngine,
    FailingEngine,
    SearchingEngine,
    ThoroughEngine,
    WaitingEngine,
)
from tests.bot.playing import SERVER
from tests.bot.processes import ROOT, children, longest_pause, until
from tests.bot.searching import LIMIT, START, Gate, choose, searching
from tests.core.boards import empty, wandered

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


async def test_a_search_equals_one_in_process() -> None:
    """Move and analysis are those of the same engine here, with the same seed."""
    async with searching(SearchingEngine, seconds=10) as searches:
        here = SearchingEngine()
        for seed in range(3):
            assert await choose(searches, seed) == here.choose(START, Level.HARD, Random(seed))
        found = await searches.analyse(Ticket(SERVER), START)
        assert found.analysis == here.analyse(START)


async def test_a_search_that_overruns_gives_its_best_move() -> None:
    """A search that would last for hours answers well before its process is ended."""
    position = wandered(empty(10, 10, 5), 6, Random(2))
    async with searching(ThoroughEngine, seconds=2.5) as searches:
        move = await searches.choose(Ticket(SERVER), position, Level.STRONG, 1)
        pid = children()
        assert move in position.legal_moves()
        await searches.choose(Ticket(SERVER), START, Level.PERFECT, 1)
        assert children() == pid, "its process lives on"


async def test_processes_start_on_demand() -> None:
    """None runs before the first search, and later searches use the same one."""
    before = children()
    async with searching(SearchingEngine, processes=3, seconds=10) as searches:
        assert children() <= before
        await choose(searches)
        (first,) = children() - before
        await choose(searches)
        assert children() - before == {first}


async def test_searches_are_limited_by_the_processes(gate: Gate) -> None:
    """Of four searches two run while two wait in the queue, and the event loop isn't blocked."""
    before = children()
    async with searching(WaitingEngine, processes=2, seconds=60) as searches:
        work = asyncio.gather(*(choose(searches) for _ in range(4)))
        pause = asyncio.create_task(longest_pause(work))
        await until(lambda: gate.begun() == 2)
        await asyncio.sleep(LIMIT)
        assert gate.begun() == len(children() - before) == 2
        gate.open()
        await work
        assert gate.begun() == 4
        assert len(children() - before) == 2
        assert await pause < 0.5


async def test_moves_come_before_hints_and_servers_take_turns(gate: Gate) -> None:
    """With one process, the order of completion is that of the queue, not that of asking."""
    completed: list[str] = []
    async with searching(WaitingEngine, seconds=60) as searches:

        async def hint(name: str, queue_id: int) -> None:
            await searches.analyse(Ticket(queue_id), START)
            completed.append(name)

        async def move() -> None:
            await searches.choose(Ticket(1, urgent=True), START, Level.PERFECT, 1)
            completed.append("move")

        names = (("first", 1), ("second", 1), ("third", 1), ("of another server", 2))
        asked = [asyncio.create_task(hint(*name)) for name in names]
        asked.append(asyncio.create_task(move()))
        await until(lambda: gate.begun() == 1)
        assert (searches.queue.running, searches.queue.waiting) == (1, 4)
        gate.open()
        await asyncio.gather(*asked)
    assert completed == ["first", "move", "of another server", "second", "third"]


async def test_an_endless_search_is_ended(capfd: pytest.CaptureFixture[str]) -> None:
    """When its time is up the search fails and its process ends; the next gets a new process.

    The log has the bot's line about it, and nothing from the process.
    """
    before = children()
    async with searching(EndlessEngine) as searches:
        for _ in range(2):
            with pytest.raises(WorkFailedError):
                await choose(searches)
            await until(lambda: children() <= before)
    assert capfd.readouterr().err == ""


async def test_a_process_that_dies() -> None:
    """The search fails and the next gets a new process, even if the process died while idle."""
    async with searching(DyingEngine, seconds=10) as searches:
        for _ in range(2):
            with pytest.raises(WorkFailedError):
                await choose(searches)
    before = children()
    async with searching(SearchingEngine, seconds=10) as searches:
        await choose(searches)
        for pid in children() - before:
            psutil.Process(pid).kill()
        await until(lambda: children() <= before)
        with pytest.raises(WorkFailedError):
            await choose(searches)
        assert await choose(searches)


async def test_a_system_that_gives_no_process() -> None:
    """The search fails, so that the computer plays on, and the next one gets its process."""
    resource = pytest.importorskip("resource", reason="Windows has no limits for files")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    async with searching(SearchingEngine, seconds=10) as searches:
        lowest = os.dup(sys.stderr.fileno())
        os.close(lowest)
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest, hard))
        try:
            with pytest.raises(WorkFailedError, match="Too many open files"):
                await choose(searches)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert await choose(searches)


@pytest.mark.parametrize("waiting", [True, False])
async def test_a_start_that_fails(waiting: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It fails the search that waits for it or comes next; the one after gets a new process."""
    tried = list[SpawnProcess]()

    def start(process: SpawnProcess) -> None:
        tried.append(process)
        raise BlockingIOError("too many processes")

    async with searching(SearchingEngine, seconds=10) as searches:
        with monkeypatch.context() as patched:
            patched.setattr(SpawnProcess, "start", start)
            asked = asyncio.create_task(choose(searches))
            await asyncio.sleep(0)
            if not waiting:
                asked.cancel()
            await until(lambda: len(tried) == 1)
        with pytest.raises(WorkFailedError, match="too many processes"):
            await (asked if waiting else choose(searches))
        assert await choose(searches)


async def test_a_search_that_raises() -> None:
    """Only the search fails: its process runs the next one."""
    before = children()
    async with searching(FailingEngine, seconds=10) as searches:
        with pytest.raises(WorkFailedError):
            await choose(searches)
        process = children() - before
        with pytest.raises(WorkFailedError):
            await choose(searches)
        assert children() - before == process


@pytest.mark.parametrize(
    ("engine", "why"),
    [
        (FailingEngine, "ArithmeticError: no value"),
        (DyingEngine, "analyse failed: its process took longer than 10 s, or was killed"),
    ],
)
async def test_the_log_says_why_a_search_failed(
    engine: type[Engine], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The member who asked is only told that there is no hint; the reason is for the host.

    The end of a process is told in a sentence, an error with its traceback.
    """
    async with searching(engine, seconds=10) as searches:
        with pytest.raises(WorkFailedError):
            await searches.analyse(Ticket(SERVER), START)
    assert why in caplog.text
    assert ("Traceback" in caplog.text) is (engine is FailingEngine)


async def test_a_cancelled_search_ends_its_process(gate: Gate) -> None:
    """A process doesn't continue a cancelled task's search."""
    before = children()
    async with searching(EndlessEngine, seconds=60) as searches:
        asked = asyncio.create_task(choose(searches))
        await until(lambda: gate.begun() == 1)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        await until(lambda: children() <= before)


async def test_a_start_for_which_nobody_waits_any_more() -> None:
    """The process goes on starting, and the next search has it: there is no second one."""
    before = children()
    async with searching(SearchingEngine, seconds=10) as searches:
        asked = asyncio.create_task(choose(searches))
        await asyncio.sleep(0)
        assert searches.queue.running
        asked.cancel()
        await until(lambda: children() > before)
        (starting,) = children() - before
        await choose(searches)
        assert children() - before == {starting}
    assert asked.cancelled()


async def test_closing_ends_every_search(gate: Gate) -> None:
    """Running, waiting and later searches raise ClosedError."""
    async with searching(EndlessEngine, seconds=60) as searches:
        asked = [asyncio.create_task(choose(searches)) for _ in range(3)]
        await until(lambda: gate.begun() == 1)
        await searches.close()
        for result in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(result, ClosedError)
        with pytest.raises(ClosedError):
            await choose(searches)


async def test_closing_waits_until_the_processes_have_ended(gate: Gate) -> None:
    """Otherwise Python's end could meet their threads, and `check` end with a traceback."""
    before = children()
    async with searching(EndlessEngine, processes=2, seconds=60) as searches:
        asked = asyncio.create_task(choose(searches))
        await searches.puzzle(Ticket(SERVER), START)
        await until(lambda: gate.begun() == 1)
        assert len(children() - before) == 2
        await searches.close()
        assert children() <= before
        with pytest.raises(ClosedError):
            await asked


KILLED = """
import asyncio, multiprocessing, os
from pathlib import Path
from bot.workers.fair_queue import Ticket
from bot.workers.search_client import SearchClient
from core.engine.levels import Level
from core.games import GAMES
from tests.bot.engines import GATE, EndlessEngine

async def main():
    game = GAMES["tictactoe"]
    start = game.parse("classic 3 .../.../...")
    search = SearchClient(EndlessEngine, 1, 60).choose(Ticket(1), start, Level.PERFECT, 1)
    search = asyncio.create_task(search)
    while not any(Path(os.environ[GATE]).iterdir()):
        await asyncio.sleep(0.01)
    print(multiprocessing.active_children()[0].pid, flush=True)
    await search

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_a_killed_bot_leaves_no_search_behind(tmp_path: Path, gate: Gate) -> None:
    """A search process ends with the bot, even if the bot is killed."""
    program = tmp_path / "program.py"
    program.write_text(KILLED)
    environment = {"PYTHONPATH": str(ROOT), GATE: str(gate.folder)}
    with subprocess.Popen(
        [sys.executable, str(program)], cwd=ROOT, env=environment, stdout=-1
    ) as bot:
        assert bot.stdout is not None
        search = psutil.Process(int(bot.stdout.readline()))
        bot.send_signal(signal.SIGKILL)
        bot.stdout.read()  # ends when no process has it open
        psutil.wait_procs([search], timeout=10)
        assert not search.is_running() or search.status() == psutil.STATUS_ZOMBIE
