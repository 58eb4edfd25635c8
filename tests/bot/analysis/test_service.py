"""Reviews and hints while others wait: their time limits, and searches that they share."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest

from bot.analysis import service
from bot.analysis.model import ReviewProgress, Verdict
from bot.analysis.service import AnalysisService
from bot.identity import MemberId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.refusals import Refusal
from core.engine.analysis import Value
from core.engine.player import Engine
from core.games import GAMES
from tests.bot.engines import FalteringEngine, WaitingEngine
from tests.bot.playing import ALICE_ID, HERE, O_WINS, ON_SQLITE, X_WINS
from tests.bot.processes import until
from tests.bot.searching import Gate, searching
from tests.bot.serving import HOT_SEAT, SOLO, play_all, start
from tests.services import new_match

PATIENCE = 840.0


pytestmark = ON_SQLITE


@pytest.fixture
async def advice(gate: Gate) -> AsyncIterator[AnalysisService]:
    """Advice from one process, whose searches wait for the gate."""
    async with searching(WaitingEngine, seconds=60) as searches:
        yield AnalysisService(WaitingEngine(), searches)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let seconds pass on the event loop's clock."""

    def pass_by(seconds: float) -> None:
        running = asyncio.get_running_loop()
        before = running.time
        monkeypatch.setattr(running, "time", lambda: before() + seconds)

    return pass_by


def until_then() -> float:
    return asyncio.get_running_loop().time() + PATIENCE


async def over(starter: MatchStarter, matches: MatchService, moves: str) -> StoredMatch:
    return await play_all(matches, await start(starter), moves)


async def test_a_review_does_not_lose_the_time_in_which_it_waits(
    starter: MatchStarter,
    matches: MatchService,
    advice: AnalysisService,
    gate: Gate,
    later: Callable[[float], None],
) -> None:
    """A review that waits ten minutes for its turn then knows the value of every move."""
    first, second = await over(starter, matches, X_WINS), await over(starter, matches, O_WINS)
    reviews = [
        asyncio.create_task(advice.review(stored, until_then(), ReviewProgress()))
        for stored in (first, second)
    ]
    await until(lambda: gate.begun() == 1)
    later(600)
    gate.open()
    for review in await asyncio.gather(*reviews):
        assert all(step.before != Verdict() for step in review)


async def test_a_review_takes_a_bounded_time(
    starter: MatchStarter,
    matches: MatchService,
    advice: AnalysisService,
    gate: Gate,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once the time is up no search begins, and the moves that are left have no value."""
    monkeypatch.setattr(service, "_REVIEW_SECONDS", 0)
    gate.open()
    review = await advice.review(
        await over(starter, matches, X_WINS), until_then(), ReviewProgress()
    )
    assert [step.before != Verdict() for step in review] == [True, *[False] * 4]
    assert [step.reached for step in review] == [True, *[False] * 4]


@pytest.mark.usefixtures("gate")
async def test_a_failed_search_leaves_one_move_without_a_value(
    starter: MatchStarter, matches: MatchService
) -> None:
    """The review goes on with the next position, and a second review tries that one again."""
    stored = await over(starter, matches, X_WINS)
    async with searching(FalteringEngine, seconds=60) as searches:
        advice = AnalysisService(FalteringEngine(), searches)
        for fails in (True, False):
            review = await advice.review(stored, until_then(), ReviewProgress())
            assert [step.before == Verdict() for step in review] == [fails, *[False] * 4]
            assert all(step.reached for step in review)


async def test_a_match_that_has_changed_is_reviewed_anew(
    starter: MatchStarter, matches: MatchService, advice: AnalysisService, gate: Gate
) -> None:
    """The match may have been resumed, and have ended in another way."""
    gate.open()
    stored = await over(starter, matches, X_WINS)
    review = await advice.review(stored, until_then(), ReviewProgress())
    assert advice.known_review(stored) == review
    assert advice.known_review(replace(stored, revision=stored.revision + 1)) is None


async def test_a_review_whose_turn_does_not_come(
    starter: MatchStarter,
    matches: MatchService,
    advice: AnalysisService,
    gate: Gate,
    later: Callable[[float], None],
) -> None:
    """Once it can't be answered in time any more, it is refused with a reason, without a search."""
    first, second = await over(starter, matches, X_WINS), await over(starter, matches, O_WINS)
    running = asyncio.create_task(advice.review(first, until_then() + PATIENCE, ReviewProgress()))
    await until(lambda: gate.begun() == 1)
    waiting = asyncio.create_task(advice.review(second, until_then(), ReviewProgress()))
    await asyncio.sleep(0)
    later(PATIENCE)
    with pytest.raises(Refusal, match=r"refusal\.no_turn"):
        await waiting
    gate.open()
    assert all(step.before != Verdict() for step in await running)
    assert gate.begun() == first.match.ply


@pytest.mark.parametrize(("processes", "at_a_time"), [(1, 1), (3, 1), (4, 2)])
async def test_reviews_have_half_of_the_processes(
    starter: MatchStarter, matches: MatchService, gate: Gate, processes: int, at_a_time: int
) -> None:
    """Reviews take half of the processes, or the only one; moves and hints have the others."""
    # On boards of their own, since equal positions share a search.
    played = [
        await play_all(matches, await start(starter, options={"rows": rows, "line": 3}), X_WINS)
        for rows in (3, 4)
    ]
    async with searching(WaitingEngine, processes, seconds=60) as searches:
        advice = AnalysisService(WaitingEngine(), searches)
        reviews = [advice.review(one, until_then(), ReviewProgress()) for one in played]
        working = asyncio.gather(*reviews)
        await until(lambda: gate.begun() == at_a_time)
        assert searches.queue.running + searches.queue.waiting == at_a_time
        gate.open()
        assert all(len(review) == len(X_WINS.split()) for review in await working)


async def test_a_hint_whose_turn_does_not_come(
    starter: MatchStarter,
    matches: MatchService,
    advice: AnalysisService,
    gate: Gate,
    later: Callable[[float], None],
) -> None:
    """It is refused with a reason."""
    over_by_now = await over(starter, matches, X_WINS)
    running = asyncio.create_task(
        advice.review(over_by_now, until_then() + PATIENCE, ReviewProgress())
    )
    await until(lambda: gate.begun() == 1)
    live = await start(starter, SOLO, options={"rows": 4})
    waiting = asyncio.create_task(advice.hint(live, ALICE_ID, until_then()))
    await asyncio.sleep(0)
    later(PATIENCE)
    with pytest.raises(Refusal, match=r"refusal\.no_turn"):
        await waiting
    gate.open()
    await running


async def test_equal_questions_share_a_search(
    starter: MatchStarter, matches: MatchService, advice: AnalysisService, gate: Gate
) -> None:
    """Two reviews and two hints about the same positions search each of them once."""
    stored = await over(starter, matches, X_WINS)
    asked: list[Awaitable[object]] = [
        asyncio.create_task(advice.review(stored, until_then(), ReviewProgress())) for _ in range(2)
    ]
    live = await start(starter, SOLO)
    asked += [
        asyncio.create_task(advice.hint(live, MemberId(ALICE_ID), until_then())) for _ in range(2)
    ]
    await until(lambda: gate.begun() == 1)
    gate.open()
    await asyncio.gather(*asked)
    assert gate.begun() == stored.match.ply


async def test_the_line_of_a_hint_is_shorter_than_that_of_a_review(
    starter: MatchStarter, advice: AnalysisService, gate: Gate
) -> None:
    """A line that was worked out for the review isn't shown in the hint, or the other way round."""
    gate.open()
    live = await start(starter, SOLO, options={"rows": 4, "line": 3})
    hint = await advice.hint(live, ALICE_ID, until_then())
    line = await advice.line(live, 0, until_then())
    assert len(hint.moves) == 3 < len(line.moves)


async def test_others_are_served_while_a_win_is_checked_against_a_match(
    starter: MatchStarter, matches: MatchService
) -> None:
    """After a repetition, a win in four plies takes tens of milliseconds to check."""
    new = new_match(HERE, GAMES["nineholes"], HOT_SEAT, {"variant": "free"})
    moves = "a1-c4 a5-b4 c4-a2 b5-a3 a2-b2 b4-c3 b2-b3 a3-b4 b3-a2 c3-a3 a2-b2 c5-b3"
    stored = await play_all(matches, await starter.start(new), moves)
    served = 0

    async def serve() -> None:
        nonlocal served
        while True:
            served += 1
            await asyncio.sleep(0)

    async with searching(Engine) as searches:
        others = asyncio.create_task(serve())
        advice = AnalysisService(Engine(), searches)
        hint = await advice.hint(stored, ALICE_ID, until_then())
        others.cancel()
    assert hint.analysis.value == Value((2, 1), 4)
    assert served > 1
