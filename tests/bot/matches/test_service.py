"""Turns by commands and buttons, without Discord."""

from dataclasses import replace
from operator import methodcaller

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.identity import MatchId, MessageId
from bot.matches.service import MatchService, lags
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from core.engine.levels import Level
from core.errors import BadNotation, IllegalMove, MatchOver, NotAPlayer, NotYourTurn, StalePly
from core.grid import Move
from core.players import Computer
from tests.bot.engines import StumblingEngine
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, HERE, X_WINS, both, loaded
from tests.bot.serving import MEMBERS, ROBOT_FIRST, SOLO, answered, play_all, start
from tests.core.boards import ALICE
from tests.services import Seating


@pytest.fixture
def database(sqlite_database: AsyncEngine) -> AsyncEngine:
    """SQLite alone: what the stores do is tested on both databases, with their races."""
    return sqlite_database


async def test_a_whole_match(matches: MatchService) -> None:
    """Members play to the end, and the database holds each turn as it was returned."""
    stored = await start(matches)
    for move in X_WINS.split():
        stored = await play_all(matches, stored, move)
        assert await matches.get(stored.id) == stored
    assert stored.match.outcome is not None
    with pytest.raises(Refusal) as over:
        await matches.live(HERE.channel_id)
    assert isinstance(over.value.reason, MatchOver)
    assert await matches.latest(HERE.channel_id) == stored


async def test_every_refusal_of_a_move(matches: MatchService) -> None:
    """Each invalid move has its own error, which knows the board, and changes nothing."""
    stored = await play_all(matches, await start(matches), "b2")
    refused = [
        (CAROL_ID, "a1", 1, NotAPlayer),
        (ALICE_ID, "a1", 1, NotYourTurn),
        (BOB_ID, "a1", 0, StalePly),
        (BOB_ID, "castle", 1, BadNotation),
        (BOB_ID, "b2", 1, IllegalMove),
        (BOB_ID, "z9", None, IllegalMove),
    ]
    for member_id, move, ply, error in refused:
        with pytest.raises(Refusal) as caught:
            await matches.play(stored.id, member_id, move, ply)
        assert type(caught.value.reason) is error
        assert caught.value.board == stored
    assert await matches.get(stored.id) == stored
    over = await matches.resign(stored, ALICE_ID)
    with pytest.raises(Refusal) as caught:
        await matches.play(over.id, BOB_ID, "a1", 1)
    assert type(caught.value.reason) is MatchOver
    with pytest.raises(Refusal, match="no_such_match"):
        await matches.play(MatchId(stored.id + 1), BOB_ID, "a1")


@pytest.mark.parametrize("seating", [MEMBERS, SOLO], ids=["members", "computer"])
async def test_a_doubled_press_plays_once(matches: MatchService, seating: Seating) -> None:
    """Two simultaneous presses of one square make one move; the second is refused, or sees it."""
    stored = await start(matches, seating)
    first, second = await both(
        matches.play(stored.id, ALICE_ID, "b2", 0), matches.play(stored.id, ALICE_ID, "b2", 0)
    )
    assert isinstance(second, Refusal) or second == first
    assert await matches.get(stored.id) == first
    assert first.match.ply == (1 if seating is MEMBERS else 2)


async def test_a_change_that_another_process_saves_first(matches: MatchService) -> None:
    """While an update overlaps two processes, both return the match as it is then."""
    stored = await play_all(matches, await start(matches), "b2")
    undo = methodcaller("undo", ALICE)
    undone = await matches.change(stored, undo)
    assert undone == await matches.change(stored, undo) == await matches.get(stored.id)
    over = await matches.resign(undone, BOB_ID)
    assert over == await matches.resign(undone, BOB_ID) == await matches.get(stored.id)


async def test_a_board_left_behind_and_an_old_one(matches: MatchService) -> None:
    """A press on an older message is refused; one on the newest that lags plays nothing."""
    stored = await play_all(matches, await start(matches), "b2")
    old, newest = MessageId(499), MessageId(500)
    matches.store.board_ids.note(stored, newest)
    with pytest.raises(Refusal, match="old_board"):
        await matches.play(stored.id, BOB_ID, "a1", 1, old)
    current = replace(stored, board_id=newest)
    with pytest.raises(Refusal, match="old_board"):
        lags(current, BOB_ID, 1, old)
    assert await matches.play(stored.id, BOB_ID, "a1", 0, newest) == current
    assert await matches.get(stored.id) == current
    for ply, lagging in ((0, True), (1, False)):
        assert lags(current, BOB_ID, ply, newest) is lagging
    assert (await matches.play(stored.id, BOB_ID, "a1", 1, newest)).match.ply == 2


async def test_the_message_of_a_board_is_known_before_it_is_stored(
    matches: MatchService, database: AsyncEngine
) -> None:
    """A board's message is known at once, stored later, and then read from the database."""
    stored = await start(matches)
    matches.store.board_ids.note(stored, MessageId(500))
    assert (await matches.get(stored.id)).board_id == 500
    written = MatchStore(database)
    unwritten = await loaded(written, stored.id)
    assert unwritten.board_id is None
    await matches.store.board_ids.write()
    assert (await written.load(stored.id)) == replace(stored, board_id=MessageId(500))
    assert (await matches.live(HERE.channel_id)).board_id == 500


# --- the computer


@pytest.mark.parametrize("level", Level)
async def test_the_computer_answers(matches: MatchService, level: Level) -> None:
    """At every level the computer moves before the member's next turn, even at the start."""
    stored = await answered(
        matches, await start(matches, [(Computer(level), None), (ALICE, "Alice")])
    )
    assert stored.match.ply == 1
    free = str(stored.match.position.legal_moves()[0])
    played = await answered(matches, await matches.play(stored.id, ALICE_ID, free, 1))
    assert played.match.ply == 3
    assert await matches.get(stored.id) == played


async def test_a_failing_computer_costs_no_move(
    matches: MatchService, store: MatchStore, engine: StumblingEngine
) -> None:
    """When the computer fails, the member's move is kept; the match waits until it is resumed."""
    stored = await start(matches, SOLO)
    engine.stumbles = 1
    kept = await matches.play(stored.id, ALICE_ID, "b2", 0)
    assert kept.match.moves == (Move.parse("b2"),)
    assert await matches.get(stored.id) == kept
    assert await store.computer_due() == [(stored.id, stored.place.channel_id)]
    with pytest.raises(Refusal):
        await matches.play(stored.id, ALICE_ID, "a1", 1)
    resumed = await matches.resume(kept)
    assert resumed.match.ply == 2
    assert await matches.get(stored.id) == resumed
    assert await store.computer_due() == []
    assert await matches.resume(resumed) is resumed


async def test_a_computer_that_keeps_failing_keeps_the_match(
    matches: MatchService, store: MatchStore, engine: StumblingEngine
) -> None:
    """A failed resumption changes nothing, and the member can still undo or resign."""
    engine.stumbles = 3
    stored = await start(matches, ROBOT_FIRST)
    assert stored.match.ply == 0
    assert await matches.resume(stored) is stored
    assert await store.computer_due() == [(stored.id, stored.place.channel_id)]
    over = await matches.resign(stored, ALICE_ID)
    assert over.match.outcome is not None
    assert await store.computer_due() == []


async def test_resuming_twice_answers_once(matches: MatchService, engine: StumblingEngine) -> None:
    """Two simultaneous resumptions make one move by the computer, and both return it."""
    engine.stumbles = 1
    stored = await matches.play((await start(matches, SOLO)).id, ALICE_ID, "b2", 0)
    first, second = await both(matches.resume(stored), matches.resume(stored))
    assert first == second == await matches.get(stored.id)
    assert first.match.ply == 2
