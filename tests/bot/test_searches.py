"""Searches in processes of their own: slow ones, endless ones, and those that die."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import psutil
import pytest

from bot.beginnings import Beginnings, Seating
from bot.computer import ComputerPlayer
from bot.matches import Matches
from bot.processes import ClosedError
from bot.records import Place, Series, StoredMatch
from bot.searches import Searches, SearchFailedError
from bot.storage.matches import MatchStore
from core.engine.levels import Engine, Level
from core.games import GAMES
from core.grid import Move
from core.players import Computer
from tests.bot.engines import (
    DyingEngine,
    EndlessEngine,
    FailingEngine,
    HopelessEngine,
    SearchingEngine,
    SlowEngine,
)
from tests.bot.playing import HERE, NOW, begin
from tests.core.boards import ALICE

ROOT = Path(__file__).parents[2]
GAME = GAMES["tictactoe"]
START = begin().position
# Nine Holes: the board before O's fourth move is back, and a4-b2 was the answer then.
COMING_BACK = "c1-b2 c5-a2 a1-c3 a5-a4 b2-a3 b5-b3 b1-b4 a4-b2 c3-c2 b2-a4 c2-c3"
LIMIT = 0.5

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


@asynccontextmanager
async def searching(
    engine: type[Engine], processes: int = 1, seconds: float = LIMIT
) -> AsyncIterator[Searches]:
    """Yield searches by `engine`; afterwards none of their processes is left."""
    before = children()
    searches = Searches(engine, processes, seconds)
    try:
        yield searches
    finally:
        await searches.close()
    await until(lambda: not children() - before)


def children() -> set[int]:
    """Return the ids of this process's search processes."""
    found = set()
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            if "spawn_main" in " ".join(child.cmdline()):
                found.add(child.pid)
    return found


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is so; raise TimeoutError where it doesn't come about."""
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 - nobody tells when a process ends
            await asyncio.sleep(0.01)


async def until_due(store: MatchStore) -> None:
    """Wait until the computer owes a move; raise TimeoutError where it doesn't come about."""
    async with asyncio.timeout(10):
        while not await store.due():  # noqa: ASYNC110 - a database tells nobody of its rows
            await asyncio.sleep(0.01)


async def choose(searches: Searches, seed: int = 1) -> Move:
    return await searches.choose(GAME, START, Level.PERFECT, seed)


# --- the processes


async def test_a_search_is_what_the_engine_says() -> None:
    """Move and analysis are those of the same engine here, by the same chance."""
    async with searching(SearchingEngine, seconds=10) as searches:
        here = SearchingEngine()
        for seed in range(3):
            assert await choose(searches, seed) == here.choose(START, Level.HARD, Random(seed))
        assert await searches.analyse(GAME, START) == here.analyse(START)


async def test_processes_start_when_they_are_needed() -> None:
    """There is none before the first search, and one is kept for all that follow each other."""
    before = children()
    async with searching(SearchingEngine, processes=3, seconds=10) as searches:
        assert children() == before
        await choose(searches)
        (first,) = children() - before
        await choose(searches)
        assert children() - before == {first}


async def test_as_many_searches_at_a_time_as_there_are_processes() -> None:
    """Four searches of two seconds on two processes take four, and the event loop none of it."""
    async with searching(SlowEngine, processes=2, seconds=10) as searches:
        began, longest = time.perf_counter(), 0.0
        work = asyncio.gather(*(choose(searches) for _ in range(4)))
        while not work.done():
            tick = time.perf_counter()
            await asyncio.sleep(0.005)
            longest = max(longest, time.perf_counter() - tick)
        assert 4 <= time.perf_counter() - began < 8
        assert longest < 1


async def test_an_endless_search_is_ended() -> None:
    """After its time a search fails, its process is gone, and the next has a new one."""
    before = children()
    async with searching(EndlessEngine) as searches:
        for _ in range(2):
            with pytest.raises(SearchFailedError):
                await choose(searches)
            await until(lambda: children() == before)


async def test_a_process_that_dies() -> None:
    """The search fails, and the next has a new process; so has one whose process died idle."""
    async with searching(DyingEngine, seconds=10) as searches:
        for _ in range(2):
            with pytest.raises(SearchFailedError):
                await choose(searches)
    before = children()
    async with searching(SearchingEngine, seconds=10) as searches:
        await choose(searches)
        for pid in children() - before:
            psutil.Process(pid).kill()
        await until(lambda: children() == before)
        with pytest.raises(SearchFailedError):
            await choose(searches)
        assert await choose(searches)


async def test_a_search_that_raises() -> None:
    """It fails by itself: the process goes on."""
    before = children()
    async with searching(FailingEngine, seconds=10) as searches:
        with pytest.raises(SearchFailedError):
            await choose(searches)
        process = children() - before
        with pytest.raises(SearchFailedError):
            await choose(searches)
        assert children() - before == process


async def test_a_search_that_nobody_waits_for_is_ended() -> None:
    """When whoever asked is cancelled, the process doesn't search on for nobody."""
    before = children()
    async with searching(EndlessEngine, seconds=60) as searches:
        asked = asyncio.create_task(choose(searches))
        await until(lambda: children() != before)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        await until(lambda: children() == before)


async def test_closing_ends_every_search() -> None:
    """Whoever searches or waits is told, and nobody begins any more."""
    async with searching(EndlessEngine, seconds=60) as searches:
        asked = [asyncio.create_task(choose(searches)) for _ in range(3)]
        await asyncio.sleep(LIMIT)
        await searches.close()
        for result in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(result, ClosedError)
        with pytest.raises(ClosedError):
            await choose(searches)


KILLED = """
import asyncio, multiprocessing
from bot.searches import Searches
from core.engine.levels import Level
from tests.bot.engines import EndlessEngine
from tests.bot.test_searches import choose

async def main():
    search = asyncio.create_task(choose(Searches(EndlessEngine, 1, 60)))
    while not multiprocessing.active_children():
        await asyncio.sleep(0.01)
    await asyncio.sleep(1)
    print(multiprocessing.active_children()[0].pid, flush=True)
    await search

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_a_killed_bot_leaves_no_search_behind(tmp_path: Path) -> None:
    """A search process ends with the bot, even where that had no time to end it."""
    program = tmp_path / "program.py"
    program.write_text(KILLED)
    with subprocess.Popen(
        [sys.executable, str(program)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, stdout=-1
    ) as bot:
        assert bot.stdout is not None
        search = psutil.Process(int(bot.stdout.readline()))
        bot.send_signal(signal.SIGKILL)
        bot.stdout.read()  # to its end: no process has it open any more
        psutil.wait_procs([search], timeout=10)
        assert not search.is_running() or search.status() == psutil.STATUS_ZOMBIE


# --- the turns that need them


@asynccontextmanager
async def playing(
    store: MatchStore, engine: type[Engine], seconds: float = LIMIT
) -> AsyncIterator[tuple[Matches, StoredMatch]]:
    """Yield the service with such an engine, and alice's match against it at the level perfect."""
    async with searching(engine, seconds=seconds) as searches:
        rng = Random(1)
        computer = ComputerPlayer(engine(), searches, rng)
        match = begin(ALICE, Computer(Level.PERFECT))
        stored = await store.create(HERE, match, ("Alice", None), Series(), NOW)
        yield Matches(store, computer, rng, lambda: NOW), stored


@pytest.mark.parametrize("engine", [EndlessEngine, DyingEngine, FailingEngine])
async def test_a_failed_search_is_played_on(
    store: MatchStore, engine: type[Engine], caplog: pytest.LogCaptureFixture
) -> None:
    """Where the search fails in any way, the computer answers at a glance, and the log says so."""
    seconds = LIMIT if engine is EndlessEngine else 10
    async with playing(store, engine, seconds) as (matches, stored):
        played = await matches.play(stored.id, ALICE.id, "b2", 0)
        assert played.match.ply == 2
        assert await matches.get(stored.id) == played
        assert await store.due() == []
    assert "plays on, as hard" in caplog.text


async def test_a_search_knows_what_came_before() -> None:
    """In a game that can go in circles the computer doesn't answer as it did here before."""
    match, seeds = begin(ALICE, Computer(Level.PERFECT), game="nineholes"), range(8)
    for text in COMING_BACK.split():
        player = match.next_player
        assert player is not None
        match = match.play(player, Move.parse(text))
    unaware = {Engine().choose(match.position, Level.PERFECT, Random(seed)) for seed in seeds}
    assert unaware == {Move.parse("a4-b2"), Move.parse("a4-c2")}
    async with searching(Engine, seconds=10) as searches:
        for seed in seeds:
            answered = await ComputerPlayer(Engine(), searches, Random(seed)).answer(match)
            assert answered.moves[-1] == Move.parse("a4-c2")


async def test_a_computer_that_finds_nothing_at_all(store: MatchStore) -> None:
    """Where the glance fails too, the member's move is kept, and the match waits."""
    async with playing(store, HopelessEngine, 10) as (matches, stored):
        played = await matches.play(stored.id, ALICE.id, "b2", 0)
    assert played.match.moves == (Move.parse("b2"),)
    assert await store.due() == [stored.id]


async def test_the_members_move_is_saved_before_the_search(store: MatchStore) -> None:
    """A bot that ends while it searches has the move, and owes the answer; another one makes it."""
    async with playing(store, EndlessEngine, 60) as (matches, stored):
        turn = asyncio.create_task(matches.play(stored.id, ALICE.id, "b2", 0))
        await until_due(store)
        assert await store.due() == [stored.id]
        saved = await store.load(stored.id)
        assert saved is not None
        assert saved.match.moves == (Move.parse("b2"),)
    # Closed in the middle of the search: nothing simpler is played in its place.
    assert await turn == saved
    async with searching(SearchingEngine, seconds=10) as searches:
        computer = ComputerPlayer(SearchingEngine(), searches, Random(1))
        resumed = await Matches(store, computer, Random(1), lambda: NOW).resume(saved)
    assert resumed.match.ply == 2
    assert await store.due() == []


async def test_the_computer_begins_with_a_search(store: MatchStore) -> None:
    """A match in which the computer comes first is there before it has found its move."""
    async with playing(store, SlowEngine, 10) as (matches, stored):
        await matches.resign(stored, ALICE.id)
        seating: Seating = [(Computer(Level.PERFECT), None), (ALICE, "Alice")]
        begun = asyncio.create_task(Beginnings(matches).start(HERE, GAME, {}, seating))
        await until_due(store)
        assert (await begun).match.ply == 1
        assert await store.due() == []


async def test_a_search_is_no_longer_wanted(store: MatchStore) -> None:
    """Where the match is resigned in the meantime, that stands, and the answer is dropped."""
    async with playing(store, SlowEngine, 10) as (matches, stored):
        turn = asyncio.create_task(matches.play(stored.id, ALICE.id, "b2", 0))
        await until_due(store)
        over = await matches.resign(await matches.get(stored.id), ALICE.id)
        assert await turn == over == await matches.get(stored.id)


async def test_turns_elsewhere_go_on(store: MatchStore) -> None:
    """While the only process searches for one match, another one is played to its end."""
    async with playing(store, SlowEngine, 10) as (matches, stored):
        turn = asyncio.create_task(matches.play(stored.id, ALICE.id, "b2", 0))
        hot_seat = begin(ALICE, ALICE)
        place = Place(HERE.guild_id, HERE.channel_id + 1)
        other = await store.create(place, hot_seat, ("Alice", "Alice"), Series(), NOW)
        for move in ("a1", "a2", "b1", "b2", "c1"):
            other = await matches.play(other.id, ALICE.id, move)
        assert other.match.outcome
        assert not turn.done()
        assert (await turn).match.ply == 2
