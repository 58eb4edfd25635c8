"""Turns by commands and buttons, without Discord."""

from dataclasses import replace

import pytest

from bot.db.database import Database
from bot.identity import MatchId, MessageId
from bot.matches.model import FINAL, PressedBoard, StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from core.errors import BadNotation, IllegalMove, MatchOver, NotAPlayer, NotYourTurn
from core.grid import Move
from core.match import Match
from tests.bot.engines import StumblingEngine
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, HERE, ON_SQLITE, both, loaded
from tests.bot.serving import SOLO, play_all, start

pytestmark = ON_SQLITE


async def test_every_refusal_of_a_move(starter: MatchStarter, matches: MatchService) -> None:
    """Each invalid move has its own error, which carries the board, and changes nothing."""
    stored = await play_all(matches, await start(starter), "b2")
    refused = [
        (CAROL_ID, "a1", NotAPlayer),
        (ALICE_ID, "a1", NotYourTurn),
        (BOB_ID, "castle", BadNotation),
        (BOB_ID, "b2", IllegalMove),
        (BOB_ID, "z9", IllegalMove),
    ]
    for member_id, move, error in refused:
        with pytest.raises(Refusal) as caught:
            await matches.play(stored.id, member_id, move)
        assert type(caught.value.reason) is error
        assert caught.value.board == stored
    assert await matches.get(stored.id) == stored
    over = await matches.resign(stored, ALICE_ID)
    with pytest.raises(Refusal) as caught:
        await matches.play(over.id, BOB_ID, "a1")
    assert type(caught.value.reason) is MatchOver
    with pytest.raises(Refusal, match="no_such_match"):
        await matches.play(MatchId(stored.id + 1), BOB_ID, "a1")


async def test_a_board_of_another_ply_plays_nothing(
    starter: MatchStarter, matches: MatchService
) -> None:
    """Even the member to move gets the match as it is now, since they pressed another state."""
    stored = await play_all(matches, await start(starter), "b2")
    for ply in (0, 2, FINAL):
        board = PressedBoard(stored.place.channel_id, MessageId(1), ply)
        assert await matches.play(stored.id, BOB_ID, "a1", board) == stored, ply
    assert await matches.get(stored.id) == stored


@pytest.mark.parametrize(
    ("archived", "reason"), [(False, "too_late"), (True, "put_away")], ids=["changed", "archived"]
)
async def test_a_turn_that_another_change_has_overtaken(
    starter: MatchStarter,
    matches: MatchService,
    monkeypatch: pytest.MonkeyPatch,
    archived: bool,
    reason: str,
) -> None:
    """The move is refused, since it is on no board."""
    stored = await start(starter)
    act = matches.archive(stored) if archived else matches.change(stored, Match.call_off)

    async def read_before(*_: object) -> StoredMatch:
        monkeypatch.undo()
        await act
        return stored

    monkeypatch.setattr(matches, "get", read_before)
    with pytest.raises(Refusal, match=reason):
        await matches.play(stored.id, ALICE_ID, "b2")


async def test_the_message_of_a_board_is_known_before_it_is_stored(
    starter: MatchStarter, store: MatchStore, matches: MatchService, database: Database
) -> None:
    """A board's message is known at once, stored later, and then read from the database."""
    stored = await start(starter)
    store.board_ids.note(stored, MessageId(500))
    assert (await matches.get(stored.id)).board_id == 500
    written = MatchStore(database)
    unwritten = await loaded(written, stored.id)
    assert unwritten.board_id is None
    await store.board_ids.write()
    assert (await written.load(stored.id)) == replace(stored, board_id=MessageId(500))
    assert (await matches.live(HERE.channel_id)).board_id == 500


# --- the computer


async def test_a_failing_computer_costs_no_move(
    starter: MatchStarter, matches: MatchService, store: MatchStore, engine: StumblingEngine
) -> None:
    """When the computer fails, the member's move is kept; the match waits for its answer."""
    stored = await start(starter, SOLO)
    engine.stumbles = 1
    kept = await matches.play(stored.id, ALICE_ID, "b2")
    assert kept.match.moves == (Move.parse("b2"),)
    assert await matches.get(stored.id) == kept
    assert await store.computer_due() == [stored.id]
    assert await matches.play(stored.id, ALICE_ID, "a1") == kept
    answered = await matches.computer_moves(kept)
    assert answered is not None
    assert answered.match.ply == 2
    assert await matches.get(stored.id) == answered
    assert await store.computer_due() == []
    assert await matches.computer_moves(answered) is None


async def test_two_answers_make_one_move(
    starter: MatchStarter, matches: MatchService, engine: StumblingEngine
) -> None:
    """Of two simultaneous attempts at the computer's move, one makes it."""
    engine.stumbles = 1
    stored = await matches.play((await start(starter, SOLO)).id, ALICE_ID, "b2")
    first, second = await both(matches.computer_moves(stored), matches.computer_moves(stored))
    assert (first, second) == (await matches.get(stored.id), None)
    assert first is not None
    assert first.match.ply == 2
