"""Turns, as commands and buttons make them, on both databases and without Discord."""

from dataclasses import replace

import pytest

from bot.matches.service import Matches
from bot.matches.start import Seating
from bot.matches.store import MatchStore
from bot.refusals import LaggingView, Refusal
from core.engine.levels import Level
from core.errors import (
    BadNotation,
    IllegalMove,
    MatchOver,
    NotAPlayer,
    NotYourTurn,
    StalePly,
)
from core.grid import Move
from core.players import Computer
from tests.bot.playing import HERE, X_WINS, both
from tests.bot.serving import MEMBERS, ROBOT_FIRST, SOLO, StumblingEngine, play_all, start
from tests.core.boards import ALICE, BOB, CAROL


async def test_a_whole_match(matches: Matches) -> None:
    """Members play turn by turn to the end, and every turn is what the database then holds."""
    stored = await start(matches)
    for move in X_WINS.split():
        stored = await play_all(matches, stored, move)
        assert await matches.get(stored.id) == stored
    assert stored.match.outcome is not None
    with pytest.raises(Refusal) as over:
        await matches.live(HERE.channel_id)
    assert isinstance(over.value.reason, MatchOver)
    assert await matches.latest(HERE.channel_id) == stored


async def test_every_refusal_of_a_move_is_its_own(matches: Matches) -> None:
    """Each wrong move has an error of its own, knows the board, and changes nothing."""
    stored = await play_all(matches, await start(matches), "b2")
    refused = [
        (CAROL, "a1", 1, NotAPlayer),
        (ALICE, "a1", 1, NotYourTurn),
        (BOB, "a1", 0, StalePly),
        (BOB, "castle", 1, BadNotation),
        (BOB, "b2", 1, IllegalMove),
        (BOB, "z9", None, IllegalMove),
    ]
    for player, move, ply, error in refused:
        with pytest.raises(Refusal) as caught:
            await matches.play(stored.id, player.id, move, ply)
        assert type(caught.value.reason) is error
        assert caught.value.board == stored
    assert await matches.get(stored.id) == stored
    over = await matches.resign(stored, ALICE.id)
    with pytest.raises(Refusal) as caught:
        await matches.play(over.id, BOB.id, "a1", 1)
    assert type(caught.value.reason) is MatchOver
    with pytest.raises(Refusal, match="no_such_match"):
        await matches.play(stored.id + 1, BOB.id, "a1")


@pytest.mark.parametrize("seating", [MEMBERS, SOLO], ids=["members", "computer"])
async def test_a_doubled_press_plays_once(matches: Matches, seating: Seating) -> None:
    """Two presses of one square at the same moment make one move; the other is refused."""
    stored = await start(matches, seating)
    first, second = await both(
        matches.play(stored.id, ALICE.id, "b2", 0), matches.play(stored.id, ALICE.id, "b2", 0)
    )
    assert isinstance(second, Refusal)
    assert await matches.get(stored.id) == first
    assert first.match.ply == (1 if seating is MEMBERS else 2)


async def test_two_squares_at_once_play_once(matches: Matches) -> None:
    """Of two different squares that one member presses at once, one is played."""
    stored = await start(matches)
    first, second = await both(
        matches.play(stored.id, ALICE.id, "b2", 0), matches.play(stored.id, ALICE.id, "a1", 0)
    )
    assert isinstance(second, Refusal)
    assert await matches.get(stored.id) == first
    assert first.match.ply == 1


async def test_a_board_left_behind_is_told_from_an_old_one(matches: Matches) -> None:
    """A press on an older message is refused; one on the newest that lags asks for a new view."""
    stored = await play_all(matches, await start(matches), "b2")
    matches.boards.shown(stored, 500)
    with pytest.raises(Refusal, match="old_board") as old:
        await matches.play(stored.id, BOB.id, "a1", 1, 499)
    assert not isinstance(old.value, LaggingView)
    with pytest.raises(LaggingView) as lagging:
        await matches.play(stored.id, BOB.id, "a1", 0, 500)
    assert lagging.value.current.match == stored.match
    assert (await matches.play(stored.id, BOB.id, "a1", 1, 500)).match.ply == 2


async def test_where_a_board_stands_is_known_before_it_is_written(
    matches: Matches, store: MatchStore
) -> None:
    """A board's message is known at once, written down later, and then read from the database."""
    stored = await start(matches)
    matches.boards.shown(stored, 500)
    assert (await matches.get(stored.id)).board_id == 500
    unwritten = await store.load(stored.id)
    assert unwritten is not None
    assert unwritten.board_id is None
    await matches.boards.write_down()
    assert (await store.load(stored.id)) == replace(stored, board_id=500)
    assert (await matches.live(HERE.channel_id)).board_id == 500


# --- the computer


@pytest.mark.parametrize("level", Level)
async def test_the_computer_answers(matches: Matches, level: Level) -> None:
    """At every level the computer has moved when a member's turn comes back, also at the start."""
    stored = await start(matches, [(Computer(level), None), (ALICE, "Alice")])
    assert stored.match.ply == 1
    free = str(stored.match.position.legal_moves()[0])
    played = await matches.play(stored.id, ALICE.id, free, 1)
    assert played.match.ply == 3
    assert await matches.get(stored.id) == played


async def test_a_failing_computer_costs_no_move(
    matches: Matches, store: MatchStore, engine: StumblingEngine
) -> None:
    """When the computer fails, the member's move is kept, the match waits, and is taken up."""
    stored = await start(matches, SOLO)
    engine.stumbles = 1
    kept = await matches.play(stored.id, ALICE.id, "b2", 0)
    assert kept.match.moves == (Move.parse("b2"),)
    assert await matches.get(stored.id) == kept
    assert await store.due() == [stored.id]
    with pytest.raises(Refusal):
        await matches.play(stored.id, ALICE.id, "a1", 1)
    resumed = await matches.resume(kept)
    assert resumed.match.ply == 2
    assert await matches.get(stored.id) == resumed
    assert await store.due() == []
    assert await matches.resume(resumed) is resumed


async def test_a_computer_that_keeps_failing_keeps_the_match(
    matches: Matches, store: MatchStore, engine: StumblingEngine
) -> None:
    """Taking a match up in vain changes nothing, and the member can still take back or resign."""
    engine.stumbles = 3
    stored = await start(matches, ROBOT_FIRST)
    assert stored.match.ply == 0
    assert await matches.resume(stored) is stored
    assert await store.due() == [stored.id]
    over = await matches.resign(stored, ALICE.id)
    assert over.match.outcome is not None
    assert await store.due() == []


async def test_resuming_twice_answers_once(matches: Matches, engine: StumblingEngine) -> None:
    """Two that take up a match at the same moment make one move of the computer's; both see it."""
    engine.stumbles = 1
    stored = await matches.play((await start(matches, SOLO)).id, ALICE.id, "b2", 0)
    first, second = await both(matches.resume(stored), matches.resume(stored))
    assert first == second == await matches.get(stored.id)
    assert first.match.ply == 2
