"""Offers in the database: their order, their end, and their questions."""

import pytest

from bot.db.errors import ChangedError
from bot.identity import MatchId, MessageId
from bot.matches.model import OfferKind
from bot.matches.store import MatchStore
from bot.offers.model import Offer
from bot.offers.store import OfferStore
from tests.bot.playing import ROUNDS, both, create


async def asked(
    offer_store: OfferStore, match_id: MatchId, message: int, kind: OfferKind = OfferKind.DRAW
) -> Offer:
    """Return the offer of the first seat for which a message asks."""
    offer = await offer_store.offer(match_id, kind, 0, 0)
    await offer_store.note_question(offer.id, MessageId(message))
    return offer


async def test_offers_are_kept_by_kind_and_ply(store: MatchStore, offer_store: OfferStore) -> None:
    """The seats that want the same at the same ply share an offer, in order of asking.

    The seat that asked first, and asks again since nobody has seen it, still counts as the asker.
    """
    match_id = (await create(store)).id
    first = await offer_store.offer(match_id, OfferKind.DRAW, 0, 3)
    assert (first.asker, first.wanting, first.question) == (0, (0,), None)
    assert (await offer_store.offer(match_id, OfferKind.DRAW, 1, 4)).wanting == (1,)
    assert (await offer_store.offer(match_id, OfferKind.DRAW, 0, 4)).wanting == (1, 0)
    second = await offer_store.offer(match_id, OfferKind.DRAW, 1, 4)
    assert (second.asker, second.wanting) == (1, (1, 0))
    undo = await offer_store.offer(match_id, OfferKind.UNDO, 0, 4)
    assert await offer_store.offers(match_id) == [first, second, undo]


async def test_one_offer_ends(store: MatchStore, offer_store: OfferStore) -> None:
    """It stands at no ply any more, and the same can be offered anew; others stand."""
    one, two = (await create(store, channel_id=1)).id, (await create(store, channel_id=2)).id
    draw, undo, other = [
        await offer_store.offer(match_id, kind, 0, 0)
        for match_id, kind in [(one, OfferKind.DRAW), (one, OfferKind.UNDO), (two, OfferKind.DRAW)]
    ]
    await offer_store.end(draw.id)
    assert [offer.ply for offer in await offer_store.offers(one)] == [None, 0]
    assert await offer_store.offers(two) == [other]
    anew = await offer_store.offer(one, OfferKind.DRAW, 1, 0)
    await offer_store.end(anew.id)
    assert [offer.ply for offer in await offer_store.offers(one)] == [None, 0, None]
    assert undo in await offer_store.offers(one)


async def test_one_seat_takes_back(store: MatchStore, offer_store: OfferStore) -> None:
    """Another seat's wish stays; the offer is gone with the last one."""
    match_id = (await create(store)).id
    await offer_store.offer(match_id, OfferKind.DRAW, 0, 3)
    draw = await offer_store.offer(match_id, OfferKind.DRAW, 1, 3)
    undo = await offer_store.offer(match_id, OfferKind.UNDO, 0, 3)
    await offer_store.take_back(draw.id, 0)
    assert [offer.wanting for offer in await offer_store.offers(match_id)] == [(1,), (0,)]
    await offer_store.take_back(draw.id, 1)
    assert await offer_store.offers(match_id) == [undo]


async def test_offers_that_cross_see_each_other(store: MatchStore, offer_store: OfferStore) -> None:
    """Of two seats that offer at once, one sees both offers, so they can merge."""
    match_id = (await create(store)).id
    for ply in range(ROUNDS):
        crossing = [offer_store.offer(match_id, OfferKind.DRAW, seat, ply) for seat in (0, 1)]
        assert {(0, 1), (1, 0)} & {offer.wanting for offer in await both(*crossing)}


async def test_the_same_offer_twice_is_one(store: MatchStore, offer_store: OfferStore) -> None:
    """A doubled press on Draw stores one offer and raises nothing."""
    match_id = (await create(store)).id
    for ply in range(ROUNDS):
        same = [offer_store.offer(match_id, OfferKind.DRAW, 0, ply) for _ in range(2)]
        first, second = await both(*same)
        assert first == second and first.wanting == (0,)


async def test_the_newest_question_stays(store: MatchStore, offer_store: OfferStore) -> None:
    """Of two messages the older one is returned, in whatever order they are noted."""
    match_id = (await create(store)).id
    offer = await offer_store.offer(match_id, OfferKind.DRAW, 0, 0)
    noted = [await offer_store.note_question(offer.id, MessageId(n)) for n in (8, 8, 7, 9)]
    assert noted == [None, None, 7, 8]
    (stored,) = await offer_store.offers(match_id)
    assert stored.question == 9


async def test_a_question_that_arrives_after_the_end(
    store: MatchStore, offer_store: OfferStore
) -> None:
    """The only one is noted, to lose its buttons. A second one isn't, nor one after the answer."""
    match_id = (await create(store)).id
    offer = await offer_store.offer(match_id, OfferKind.DRAW, 0, 0)
    await offer_store.end(offer.id)
    assert await offer_store.note_question(offer.id, MessageId(7)) is None
    for forgotten in (7, None):
        with pytest.raises(ChangedError):
            await offer_store.note_question(offer.id, MessageId(8))
        assert await offer_store.forget(offer.id) == forgotten
    assert await offer_store.offers(match_id) == []
