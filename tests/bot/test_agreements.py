"""Taking back, drawing, resigning and playing again: what needs whose consent."""

from dataclasses import replace

import pytest

from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import Matches
from bot.offers.service import Offers
from bot.refusals import Refusal
from core.errors import (
    MatchOver,
    NotAPlayer,
    NothingToUndo,
)
from core.grid import Move
from core.outcome import Termination
from core.players import Member
from tests.bot.playing import HERE, X_WINS, both
from tests.bot.serving import HOT_SEAT, SOLO, play_all, start
from tests.core.boards import ALICE, BOB, CAROL


async def test_undo_against_the_computer(matches: Matches, offers: Offers) -> None:
    """Taking back happens at once, with the computer's answer, also after the end."""
    stored = await start(matches, SOLO)
    played = await matches.play(stored.id, ALICE.id, "b2", 0)
    undone = await offers.make(played, OfferKind.UNDO, ALICE.id)
    assert undone == replace(stored, undone=True) == await matches.get(stored.id)
    over = await matches.resign(await matches.play(stored.id, ALICE.id, "a1", 0), ALICE.id)
    undone = await offers.make(over, OfferKind.UNDO, ALICE.id)
    assert undone == replace(stored, undone=True)


async def test_undo_in_hot_seat(matches: Matches, offers: Offers) -> None:
    """One member at both seats takes back one ply, at once."""
    stored = await play_all(matches, await start(matches, HOT_SEAT), "b2 a1")
    undone = await offers.make(stored, OfferKind.UNDO, ALICE.id)
    assert undone is not None
    assert undone.match.moves == (Move.parse("b2"),)


async def test_undo_into_a_busy_channel(matches: Matches) -> None:
    """An ended match doesn't come back beside another; the refusal shows the other's board."""
    over = await play_all(matches, await start(matches, HOT_SEAT), X_WINS)
    other = await start(matches)
    with pytest.raises(Refusal, match="channel_busy") as caught:
        await matches.undo(over, ALICE)
    assert caught.value.board == other
    assert await matches.get(over.id) == over


async def test_nothing_to_undo(matches: Matches, offers: Offers) -> None:
    """Before one's own first move there is nothing to take back."""
    stored = await play_all(matches, await start(matches), "b2")
    with pytest.raises(Refusal) as caught:
        await offers.make(stored, OfferKind.UNDO, BOB.id)
    assert type(caught.value.reason) is NothingToUndo


async def test_a_change_on_an_old_state_is_too_late(matches: Matches) -> None:
    """Resigning on what was read before another's move changes nothing and says so."""
    stored = await start(matches)
    played = await matches.play(stored.id, ALICE.id, "b2", 0)
    with pytest.raises(Refusal, match="too_late") as caught:
        await matches.resign(stored, ALICE.id)
    assert caught.value.board == played == await matches.get(stored.id)


@pytest.mark.parametrize("kind", OfferKind)
async def test_an_offer_needs_the_other(matches: Matches, offers: Offers, kind: OfferKind) -> None:
    """An offer alone does nothing, and can't be repeated; once agreed to, it happens."""
    for by_button in (True, False):
        stored = await play_all(matches, await start(matches), "b2 a1 c3")
        if kind is OfferKind.REMATCH:
            stored = await matches.resign(stored, ALICE.id)
        assert await offers.make(stored, kind, ALICE.id) is None
        with pytest.raises(Refusal, match="offer_stands"):
            await offers.make(stored, kind, ALICE.id)
        assert await matches.get(stored.id) == stored
        made = await (
            offers.agree(stored, kind, 3, 0, BOB.id)
            if by_button
            else offers.make(stored, kind, BOB.id)
        )
        assert made is not None
        assert await matches.get(made.id) == made
        _check_carried_out(stored, made, kind)
        if made.match.outcome is None:
            await matches.resign(made, BOB.id)


def _check_carried_out(stored: StoredMatch, made: StoredMatch, kind: OfferKind) -> None:
    if kind is OfferKind.DRAW:
        assert made.match.outcome is not None
        assert made.match.outcome.termination is Termination.AGREEMENT
    elif kind is OfferKind.UNDO:
        assert made.match.moves == stored.match.moves[:2]
    else:
        assert made.id != stored.id
        assert made.match.players == stored.match.players[::-1]
        assert made.series_id == stored.series_id


async def test_an_undo_takes_back_the_askers_move(matches: Matches, offers: Offers) -> None:
    """Whoever asked first goes back to their own last decision, whoever agreed."""
    stored = await play_all(matches, await start(matches), "b2 a1 c3")
    await offers.make(stored, OfferKind.UNDO, BOB.id)
    undone = await offers.make(stored, OfferKind.UNDO, ALICE.id)
    assert undone is not None
    assert undone.match.moves == (Move.parse("b2"),)


async def test_an_old_offer_doesnt_stand(matches: Matches, offers: Offers) -> None:
    """Once a move is made, an offer from before can't be agreed to, nor merged with."""
    stored = await play_all(matches, await start(matches), "b2 a1")
    await offers.make(stored, OfferKind.DRAW, ALICE.id)
    moved = await play_all(matches, stored, "c3")
    for ply in (2, 3):
        with pytest.raises(Refusal, match="offer_gone"):
            await offers.agree(moved, OfferKind.DRAW, ply, 0, BOB.id)
    assert await offers.make(moved, OfferKind.DRAW, BOB.id) is None
    assert await matches.get(stored.id) == moved


async def test_a_declined_offer_is_gone(matches: Matches, offers: Offers) -> None:
    """After a refusal the offer can't be agreed to; only others than the asker answer it."""
    stored = await start(matches)
    await offers.make(stored, OfferKind.DRAW, ALICE.id)
    with pytest.raises(Refusal, match="own_offer"):
        await offers.agree(stored, OfferKind.DRAW, 0, 0, ALICE.id)
    with pytest.raises(Refusal) as caught:
        await offers.decline(stored, OfferKind.DRAW, 0, 0, CAROL.id)
    assert type(caught.value.reason) is NotAPlayer
    await offers.decline(stored, OfferKind.DRAW, 0, 0, BOB.id)
    with pytest.raises(Refusal, match="offer_gone"):
        await offers.agree(stored, OfferKind.DRAW, 0, 0, BOB.id)


async def test_two_who_offer_at_once_agree_once(matches: Matches, offers: Offers) -> None:
    """Two that ask for a rematch at the same moment get one match, and neither waits for ever."""
    over = await matches.resign(await start(matches), ALICE.id)

    async def ask(member: Member) -> StoredMatch | None:
        async with matches.turn(HERE.channel_id):
            return await offers.make(over, OfferKind.REMATCH, member.id)

    made = [each for each in await both(ask(ALICE), ask(BOB)) if each is not None]
    assert made == [await matches.live(HERE.channel_id)]


async def test_offers_that_make_no_sense(matches: Matches, offers: Offers) -> None:
    """No draw with the computer or after the end, no undo of a result, no rematch before it."""
    solo = await start(matches, SOLO)
    with pytest.raises(Refusal, match="computer_plays_on"):
        await offers.make(solo, OfferKind.DRAW, ALICE.id)
    with pytest.raises(Refusal, match="not_over"):
        await offers.make(solo, OfferKind.REMATCH, ALICE.id)
    with pytest.raises(Refusal) as caught:
        await offers.make(solo, OfferKind.REMATCH, BOB.id)
    assert type(caught.value.reason) is NotAPlayer
    await matches.resign(solo, ALICE.id)
    over = await play_all(matches, await start(matches), X_WINS)
    with pytest.raises(Refusal, match="result_stands"):
        await offers.make(over, OfferKind.UNDO, BOB.id)
    with pytest.raises(Refusal) as caught:
        await offers.make(over, OfferKind.DRAW, BOB.id)
    assert type(caught.value.reason) is MatchOver
