"""Undo, draws, resignations and rematches: which of them need consent."""

import asyncio

import pytest

from bot.db.database import Database
from bot.identity import MemberId, MessageId
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.offers.model import Agreed, Answer, Asked, Consent
from bot.offers.service import OfferService
from bot.offers.store import OfferStore
from bot.ratings.model import Unrated
from bot.refusals import Refusal
from core.errors import NotAPlayer
from core.games import GAMES
from core.grid import Move
from core.players import Member
from tests.bot.costs import counted
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, HERE, ON_SQLITE, X_WINS, both
from tests.bot.serving import HOT_SEAT, SOLO, play_all, start
from tests.core.boards import ALICE, BOB, CAROL
from tests.services import Seating, new_match

pytestmark = ON_SQLITE


def press(stored: StoredMatch, kind: OfferKind, asker: int) -> Consent:
    """Return the press on the question of a seat at the ply of this state."""
    return Consent(stored.id, stored.match.ply, kind, asker, Answer.AGREE)


async def test_undo_in_hot_seat(
    starter: MatchStarter, matches: MatchService, offers: OfferService
) -> None:
    """A member at both seats undoes one ply, at once."""
    stored = await play_all(matches, await start(starter, HOT_SEAT), "b2 a1")
    undone = await offers.make(stored, OfferKind.UNDO, ALICE_ID, stored.place)
    assert isinstance(undone, Agreed)
    assert undone.made.match.moves == (Move.parse("b2"),)


async def test_undo_into_a_busy_channel(starter: MatchStarter, matches: MatchService) -> None:
    """A finished match isn't resumed beside another; the refusal has the other's board."""
    over = await play_all(matches, await start(starter, HOT_SEAT), X_WINS)
    other = await start(starter)
    with pytest.raises(Refusal, match="channel_busy") as caught:
        await matches.change(over, lambda match: match.undo(ALICE))
    assert caught.value.board == other
    assert await matches.get(over.id) == over


async def test_a_former_player_can_not_agree(
    starter: MatchStarter, matches: MatchService, offers: OfferService
) -> None:
    """A rematch with a member whose data was erased, or an undo, is refused with that reason."""
    former: Seating = [(ALICE, "Alice"), (Member(-7), None)]
    over = await matches.resign(await start(starter, former), ALICE_ID)
    for kind in (OfferKind.REMATCH, OfferKind.UNDO):
        with pytest.raises(Refusal, match="former_player"):
            await offers.make(over, kind, ALICE_ID, over.place)


async def test_a_change_to_an_old_state_is_refused(
    starter: MatchStarter, matches: MatchService
) -> None:
    """Resigning from a state older than another's move changes nothing and is refused."""
    stored = await start(starter)
    played = await matches.play(stored.id, ALICE_ID, "b2")
    with pytest.raises(Refusal, match="too_late") as caught:
        await matches.resign(stored, ALICE_ID)
    assert caught.value.board == played == await matches.get(stored.id)


async def test_an_agreement_ends_all_offers(
    starter: MatchStarter, matches: MatchService, offers: OfferService
) -> None:
    """Offers of every kind end, even if the match goes on at the same ply."""
    stored = await play_all(matches, await start(starter), "b2 a1 c3")
    for kind, member in (
        (OfferKind.DRAW, ALICE_ID),
        (OfferKind.UNRATED, ALICE_ID),
        (OfferKind.UNRATED, BOB_ID),
    ):
        await offers.make(stored, kind, member, stored.place)
    for kind in OfferKind:
        assert await offers.standing(stored, kind) is None


async def test_an_offer_is_that_of_who_asked_first(
    starter: MatchStarter, offers: OfferService
) -> None:
    """A player who has only agreed isn't taken for the one who asked."""
    seating = [(ALICE, "Alice"), (BOB, "Bob"), (CAROL, "Carol")]
    stored = await starter.start(new_match(HERE, GAMES["tribolo"], seating))
    await offers.make(stored, OfferKind.DRAW, ALICE_ID, stored.place)
    await offers.make(stored, OfferKind.DRAW, BOB_ID, stored.place)
    with pytest.raises(Refusal, match="offer_gone"):
        await offers.agree(stored, press(stored, OfferKind.DRAW, 1), CAROL_ID, stored.place)
    drawn = await offers.agree(stored, press(stored, OfferKind.DRAW, 0), CAROL_ID, stored.place)
    assert isinstance(drawn, Agreed) and drawn.made.match.outcome is not None


async def test_a_stranger_does_not_close_a_void_offer(
    starter: MatchStarter, offers: OfferService
) -> None:
    """The stranger is told that they don't play; only a player's press closes it."""
    stored = await start(starter)
    with pytest.raises(Refusal) as caught:
        await offers.agree(stored, press(stored, OfferKind.DRAW, 0), CAROL_ID, stored.place)
    assert isinstance(caught.value.reason, NotAPlayer)


async def test_two_simultaneous_offers_merge(
    starter: MatchStarter, matches: MatchService, offers: OfferService
) -> None:
    """Two simultaneous requests for a rematch start one match, without deadlock."""
    over = await matches.resign(await start(starter), ALICE_ID)

    async def ask(member_id: MemberId) -> Asked | Agreed:
        async with matches.lock(HERE.channel_id):
            return await offers.make(over, OfferKind.REMATCH, member_id, over.place)

    made = [one.made for one in await both(ask(ALICE_ID), ask(BOB_ID)) if isinstance(one, Agreed)]
    assert made == [await matches.live(HERE.channel_id)]


async def test_a_move_crosses_a_restart(
    starter: MatchStarter, matches: MatchService, offers: OfferService
) -> None:
    """Of a move and a restart in one moment, one changes the match; no channel has two."""
    stored = await start(starter, HOT_SEAT)
    moved = await matches.play(stored.id, ALICE_ID, "b2")
    with pytest.raises(Refusal, match="too_late"):
        await offers.make(stored, OfferKind.RESTART, ALICE_ID, stored.place)
    assert await matches.live(HERE.channel_id) == moved


async def test_a_restart_of_what_was_put_away(
    starter: MatchStarter, matches: MatchService, offers: OfferService
) -> None:
    """It is refused since the match was put away after the player was asked to confirm."""
    stored = await start(starter, SOLO)
    assert await matches.archive(stored)
    with pytest.raises(Refusal, match="put_away"):
        await offers.make(await matches.get(stored.id), OfferKind.RESTART, ALICE_ID, stored.place)


async def test_the_end_takes_all_offers(
    starter: MatchStarter, matches: MatchService, offers: OfferService
) -> None:
    """No offer from before the end stands after it, although the ply is the same."""
    stored = await play_all(matches, await start(starter), "b2")
    await offers.make(stored, OfferKind.UNDO, ALICE_ID, stored.place)
    over = await matches.resign(stored, BOB_ID)
    assert over.entry.unrated is Unrated.SHORT
    with pytest.raises(Refusal, match="offer_gone"):
        await offers.agree(over, press(stored, OfferKind.UNDO, 0), BOB_ID, over.place)


async def test_a_question_that_stands_writes_nothing(
    database: Database, offer_store: OfferStore, starter: MatchStarter, offers: OfferService
) -> None:
    """It is looked at after each board, and turns would have to wait for a write."""
    stored = await start(starter)
    asked = await offers.make(stored, OfferKind.DRAW, ALICE_ID, stored.place)
    assert isinstance(asked, Asked)
    await offer_store.note_question(asked.offer.id, MessageId(1))
    async with counted(database) as cost:
        assert await offers.void(stored) == {}
    assert cost.statements and {*cost.verbs} == {"SELECT"}


async def test_a_question_that_is_just_answered_is_left_to_the_answer(
    offer_store: OfferStore, starter: MatchStarter, offers: OfferService
) -> None:
    """It may be answered while the questions are read; then it is the answer that changes it."""
    stored = await start(starter)
    asked = await offers.make(stored, OfferKind.DRAW, ALICE_ID, stored.place)
    assert isinstance(asked, Asked)
    await offer_store.note_question(asked.offer.id, MessageId(1))
    await offers.decline(stored, press(stored, OfferKind.DRAW, 0))
    with offers.under_way(stored.id, OfferKind.DRAW):
        reading = asyncio.create_task(offers.void(stored))
        await asyncio.sleep(0)  # it has begun
    assert await reading == {}
    assert [*await offers.void(stored)] == [1]


async def test_a_rematch_against_the_computer_takes_no_channel(
    starter: MatchStarter, matches: MatchService, offers: OfferService
) -> None:
    """It is refused if its player has begun another match there: that only gives way to members."""
    over = await matches.resign(await start(starter, SOLO), ALICE_ID)
    other = await start(starter, HOT_SEAT)
    with pytest.raises(Refusal, match="channel_busy"):
        await offers.make(over, OfferKind.REMATCH, ALICE_ID, over.place)
    assert await matches.get(other.id) == other


async def test_offers_that_no_button_asks_for(starter: MatchStarter, offers: OfferService) -> None:
    """A rematch before the end is refused, and so is the offer of a seat that isn't there."""
    stored = await start(starter)
    with pytest.raises(Refusal, match="not_over"):
        await offers.make(stored, OfferKind.REMATCH, ALICE_ID, stored.place)
    await offers.make(stored, OfferKind.DRAW, ALICE_ID, stored.place)
    with pytest.raises(Refusal, match="unknown_button"):
        await offers.decline(stored, press(stored, OfferKind.DRAW, 2))
