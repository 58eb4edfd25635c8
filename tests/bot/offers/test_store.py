"""Offers in the database: their order, their end, and races."""

from bot.identity import MessageId
from bot.matches.model import OfferKind
from bot.matches.store import MatchStore
from bot.offers.model import Question
from bot.offers.store import OfferStore
from tests.bot.playing import ROUNDS, both, create


async def test_offers_are_kept_by_kind_and_ply(store: MatchStore, offer_store: OfferStore) -> None:
    """They are listed in order of asking; a seat's later offer replaces its earlier one.

    The seat that asked first, and asks again since nobody has seen it, still counts as the asker.
    """
    match_id = (await create(store)).id
    assert await offer_store.offer(match_id, OfferKind.DRAW, 0, 3) == (0,)
    assert await offer_store.offered(match_id, OfferKind.DRAW, 3) == (0,)
    assert await offer_store.offered(match_id, OfferKind.DRAW, 4) == ()
    assert await offer_store.offered(match_id, OfferKind.UNDO, 3) == ()
    assert await offer_store.offer(match_id, OfferKind.DRAW, 1, 4) == (1,)
    assert await offer_store.offer(match_id, OfferKind.DRAW, 0, 4) == (1, 0)
    assert await offer_store.offer(match_id, OfferKind.DRAW, 1, 4) == (1, 0)
    assert await offer_store.offered(match_id, OfferKind.DRAW, 3) == ()


async def test_offers_are_declined_by_kind(store: MatchStore, offer_store: OfferStore) -> None:
    """Declining removes every seat's offer of one kind in one match, and no others."""
    one, two = (await create(store, channel_id=1)).id, (await create(store, channel_id=2)).id
    for match_id, kind in [(one, OfferKind.DRAW), (one, OfferKind.UNDO), (two, OfferKind.DRAW)]:
        await offer_store.offer(match_id, kind, 0, 0)
    await offer_store.decline(one, OfferKind.DRAW)
    assert await offer_store.offered(one, OfferKind.DRAW, 0) == ()
    assert await offer_store.offered(one, OfferKind.UNDO, 0) == (0,)
    assert await offer_store.offered(two, OfferKind.DRAW, 0) == (0,)


async def test_one_offer_is_taken_back(store: MatchStore, offer_store: OfferStore) -> None:
    """Only one seat's offer, of one kind, at one ply, is removed; another seat's stays."""
    match_id = (await create(store)).id
    for kind, seat in [(OfferKind.DRAW, 0), (OfferKind.DRAW, 1), (OfferKind.UNDO, 0)]:
        await offer_store.offer(match_id, kind, seat, 3)
    await offer_store.take_back(match_id, OfferKind.DRAW, 0, 2)
    assert await offer_store.offered(match_id, OfferKind.DRAW, 3) == (0, 1)
    await offer_store.take_back(match_id, OfferKind.DRAW, 0, 3)
    assert await offer_store.offered(match_id, OfferKind.DRAW, 3) == (1,)
    assert await offer_store.offered(match_id, OfferKind.UNDO, 3) == (0,)


async def test_offers_that_cross_see_each_other(store: MatchStore, offer_store: OfferStore) -> None:
    """Of two seats that offer at once, one sees both offers, so they can merge."""
    match_id = (await create(store)).id
    for ply in range(ROUNDS):
        crossing = [offer_store.offer(match_id, OfferKind.DRAW, seat, ply) for seat in (0, 1)]
        assert {(0, 1), (1, 0)} & {*await both(*crossing)}


async def test_the_same_offer_twice_is_one(store: MatchStore, offer_store: OfferStore) -> None:
    """A doubled press on Draw stores one offer and raises nothing."""
    match_id = (await create(store)).id
    for ply in range(ROUNDS):
        same = [offer_store.offer(match_id, OfferKind.DRAW, 0, ply) for _ in range(2)]
        assert await both(*same) == [(0,), (0,)]


async def test_the_same_question_twice_is_one(store: MatchStore, offer_store: OfferStore) -> None:
    """A question that is pressed although its offer is void is noted again if it was known."""
    match_id = (await create(store)).id
    question = Question(MessageId(7), OfferKind.DRAW, 0)
    for _ in range(2):
        await offer_store.note_question(match_id, question, [])
    assert await offer_store.questions(match_id) == [question]


async def test_questions_are_closed(store: MatchStore, offer_store: OfferStore) -> None:
    """The named questions are closed, or those that a new one replaces; none of another match."""
    one, two = (await create(store, channel_id=1)).id, (await create(store, channel_id=2)).id
    first, second, third = (Question(MessageId(n), OfferKind.DRAW, 0) for n in (7, 8, 9))
    for match_id in (one, two):
        await offer_store.note_question(match_id, first, [])
        await offer_store.note_question(match_id, second, [])
    await offer_store.note_question(one, third, before=[first.message_id])
    assert await offer_store.questions(one) == [second, third]
    await offer_store.forget_questions(one, [second.message_id, third.message_id])
    assert await offer_store.questions(one) == []
    assert await offer_store.questions(two) == [first, second]


async def test_matches_with_the_newest_questions(
    store: MatchStore, offer_store: OfferStore
) -> None:
    """Each match comes once, however many questions it has; of many, those asked last come."""
    found = [(await create(store, channel_id=number)).id for number in range(3)]
    for message, match in enumerate((1, 0, 2, 0), 1):
        await offer_store.note_question(
            found[match], Question(MessageId(message), OfferKind.DRAW, 0), []
        )
    assert await offer_store.questioned(2) == [found[0], found[2]]
