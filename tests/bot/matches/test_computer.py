"""Turns that need a search: the move saved before it, and the fallback when it fails."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random

import pytest

from bot.db.database import Database
from bot.matches.computer import ComputerPlayer
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.occupancy import Occupancy
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from core.engine.levels import Level
from core.engine.player import Engine
from core.grid import Move
from core.players import Computer
from tests.bot.engines import (
    DyingEngine,
    EndlessEngine,
    FailingEngine,
    HopelessEngine,
    SearchingEngine,
    WaitingEngine,
)
from tests.bot.playing import ALICE_ID, CAROL_ID, HERE, NOW, SERVER, begin, loaded
from tests.bot.processes import until
from tests.bot.searching import LIMIT, Gate, searching
from tests.bot.serving import answered
from tests.core.boards import ALICE
from tests.services import services_with

# Nine Holes: the position before O's fourth move has occurred, and a4-b2 was the answer then.
COMING_BACK = "c1-b2 c5-a2 a1-c3 a5-a4 b2-a3 b5-b3 b1-b4 a4-b2 c3-c2 b2-a4 c2-c3"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


@pytest.fixture
def store(sqlite_database: Database) -> MatchStore:
    """Matches in SQLite only, since every test starts a search process, and none is about SQL."""
    return MatchStore(sqlite_database)


@asynccontextmanager
async def playing(
    store: MatchStore, engine: type[Engine], seconds: float = LIMIT
) -> AsyncIterator[tuple[MatchService, StoredMatch]]:
    """Yield the service with this engine, and alice's match against it at the level perfect."""
    async with searching(engine, seconds=seconds) as searches:
        match = begin(ALICE, Computer(Level.PERFECT))
        stored = await store.create(NewMatch(HERE, match, ("Alice", None)), NOW)
        yield services_with(store, engine(), searches, Random(1), lambda: NOW).matches, stored


@pytest.mark.parametrize("engine", [EndlessEngine, DyingEngine, FailingEngine])
async def test_a_failed_search_falls_back(
    store: MatchStore, engine: type[Engine], caplog: pytest.LogCaptureFixture
) -> None:
    """However the search fails, the computer plays a quick move, and the log says so."""
    seconds = LIMIT if engine is EndlessEngine else 10
    async with playing(store, engine, seconds) as (matches, stored):
        played = await turn_of(matches, stored)
        assert played.match.ply == 2
        assert await matches.get(stored.id) == played
        assert await store.computer_due() == []
    assert "plays on, as hard" in caplog.text


async def test_a_search_knows_the_history() -> None:
    """When a position repeats, the computer varies its answer."""
    match, seeds = begin(ALICE, Computer(Level.PERFECT), game="nineholes"), range(8)
    for text in COMING_BACK.split():
        player = match.next_player
        assert player is not None
        match = match.play(text)
    engine = Engine()
    unaware = {engine.choose(match.position, Level.PERFECT, Random(seed)) for seed in seeds}
    assert unaware == {Move.parse("a4-b2"), Move.parse("a4-c2")}
    async with searching(Engine, seconds=10) as searches:
        for seed in seeds:
            answered = await ComputerPlayer(engine, searches, Random(seed)).moves(match, SERVER)
            assert answered.moves[-1] == Move.parse("a4-c2")


async def test_a_computer_that_finds_no_move(store: MatchStore) -> None:
    """If the quick move fails too, the member's move is kept and the match waits."""
    async with playing(store, HopelessEngine, 10) as (matches, stored):
        played = await turn_of(matches, stored)
    assert played.match.moves == (Move.parse("b2"),)
    assert await store.computer_due() == [stored.id]


async def test_the_members_move_is_saved_before_the_search(
    store: MatchStore, caplog: pytest.LogCaptureFixture
) -> None:
    """If the bot is closed during a search, the move is saved, and the next bot makes the answer.

    That isn't logged as a failure.
    """
    async with playing(store, EndlessEngine, 60) as (matches, stored):
        turn = asyncio.create_task(turn_of(matches, stored))
        await until_due(store)
        assert await store.computer_due() == [stored.id]
        saved = await loaded(store, stored.id)
        assert saved.match.moves == (Move.parse("b2"),)
    # A search cancelled by closing has no fallback move.
    assert await turn == saved
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    async with searching(SearchingEngine, seconds=10) as searches:
        later = services_with(store, SearchingEngine(), searches, Random(1), lambda: NOW)
        assert (await answered(later.matches, saved)).match.ply == 2
    assert await store.computer_due() == []


async def test_brought_back_during_a_search(store: MatchStore, gate: Gate) -> None:
    """The answer to the earlier state is dropped, and the match as it is now gets an answer."""
    async with playing(store, WaitingEngine, 60) as (matches, stored):
        played = await matches.play(stored.id, ALICE_ID, "b2")
        dropped = asyncio.create_task(matches.computer_moves(played))
        await until(lambda: gate.begun() == 1)
        assert await matches.archive(played)
        occupancy = Occupancy(matches, store, lambda: NOW)
        back = await occupancy.bring_back(replace(played, archived=True), HERE)
        answering = asyncio.create_task(matches.computer_moves(back))
        gate.open()
        assert await dropped is None
        assert await answering == await matches.get(stored.id)
        assert (await matches.get(stored.id)).match.ply == 2


async def test_one_search_at_a_time_in_a_channel(store: MatchStore, gate: Gate) -> None:
    """A waiting search isn't begun if the move that it answers was taken back.

    So nobody can fill the queue by making moves and taking them back.
    """
    async with playing(store, WaitingEngine, 60) as (matches, stored):
        answering = []
        for square in ("b2", "a1", "c3"):
            played = await matches.play(stored.id, ALICE_ID, square)
            answering.append(asyncio.create_task(matches.computer_moves(played)))
            await asyncio.sleep(0)
            if square != "c3":
                await matches.change(played, lambda match: match.undo(ALICE))
        await until(lambda: gate.begun() == 1)
        gate.open()
        first, second, third = await asyncio.gather(*answering)
        assert first is second is None
        assert third is not None
        assert third.match.moves[0] == Move.parse("c3")
        assert gate.begun() == 2


async def test_a_move_for_a_computer_that_is_not_thinking(store: MatchStore) -> None:
    """If its move has failed, a player's press shows the match, and lets the computer try again."""
    async with playing(store, SearchingEngine, 10) as (matches, stored):
        played = await matches.play(stored.id, ALICE_ID, "b2")
        with pytest.raises(Refusal):
            await matches.play(stored.id, CAROL_ID, "a1")
        assert await matches.play(stored.id, ALICE_ID, "a1") == played
        answering = asyncio.create_task(matches.computer_moves(played))
        await asyncio.sleep(0)
        with pytest.raises(Refusal):
            await matches.play(stored.id, ALICE_ID, "a1")
        assert await answering == await matches.get(stored.id)


async def turn_of(matches: MatchService, stored: StoredMatch) -> StoredMatch:
    """Return the match after b2 and the computer's answer to it."""
    return await answered(matches, await matches.play(stored.id, ALICE_ID, "b2"))


async def until_due(store: MatchStore) -> None:
    """Wait until the computer is to move; raise TimeoutError after a minute."""
    async with asyncio.timeout(60):
        while not await store.computer_due():  # noqa: ASYNC110 - no event announces a row
            await asyncio.sleep(0.01)
