"""Calling off in the database: it frees a channel, once, in any order with moves."""

from collections import Counter

import pytest
from sqlalchemy import text

from bot.db.database import Database
from bot.db.errors import ChangedError
from bot.identity import ChannelId, MessageId, Place
from bot.invitations.model import InvitationStatus, NewInvitation
from bot.invitations.store import InvitationStore, call_off_all
from bot.matches.model import NewMatch, OfferKind
from bot.matches.store import MatchStore
from bot.moderation.model import CalledOff
from bot.moderation.store import ModerationStore
from bot.offers.store import OfferStore
from bot.ratings.rerate import rerate
from bot.tournaments.store import TournamentStore
from core.outcome import Ending, Termination
from tests.bot.inviting import LAPSES, accept, closed, new_challenge
from tests.bot.playing import HERE, MODERATOR, NOW, ROUNDS, X_WINS, begin, loaded, race
from tests.bot.timed import create
from tests.core.boards import ALICE, ROBOT, after

BEFORE_THE_END = after(begin(), "a1 a3 b1 b3")


@pytest.fixture
def moderation(database: Database) -> ModerationStore:
    return ModerationStore(database, call_off_all, TournamentStore.note_called_off)


def challenge(channel_id: int = HERE.channel_id) -> NewInvitation:
    """Return a challenge of alice to bob."""
    return new_challenge(place=Place(HERE.server_id, ChannelId(channel_id)))


async def test_a_match_that_is_called_off(
    store: MatchStore, moderation: ModerationStore, offer_store: OfferStore, database: Database
) -> None:
    """It is over without a result: no rating, points, deadline or offers, even after a rerating."""
    stored = await create(store, BEFORE_THE_END)
    await offer_store.offer(stored.id, OfferKind.DRAW, 0, stored.match.ply)
    ended = await moderation.call_off(HERE.channel_id, MODERATOR, NOW + 5)
    assert ended == CalledOff(stored.id, None, 0, ())
    over = await loaded(store, stored.id)
    assert over.match.ending == Ending(Termination.CALLED_OFF)
    assert over.entry.changes == () and over.timing.due_at is None
    assert set(over.series.points.values()) == {0}
    assert [offer.ply for offer in await offer_store.offers(stored.id)] == [None]
    async with database.begin() as connection:
        assert await connection.run_sync(rerate) == 0
    again = await moderation.call_off(HERE.channel_id, MODERATOR, NOW)
    assert again == CalledOff(None, None, 0, ())


async def test_the_computer_owes_no_move(store: MatchStore, moderation: ModerationStore) -> None:
    """A match that was called off while the computer was thinking isn't looked at by a start."""
    await store.create(NewMatch(HERE, begin(ROBOT, ALICE), (None, "Alice")), NOW)
    assert await store.computer_due()
    await moderation.call_off(HERE.channel_id, MODERATOR, NOW)
    assert not await store.computer_due()


async def test_a_move_against_calling_off(store: MatchStore, moderation: ModerationStore) -> None:
    """Over many rounds in both orders: the match is called off, with the move or without it."""
    seen: Counter[str] = Counter()
    for number in map(ChannelId, range(ROUNDS)):
        stored = await create(store, BEFORE_THE_END, number)
        won = after(begin(), X_WINS) if number % 3 == 0 else after(begin(), "a1 a3 b1 b3 c2")
        move, calling_off = (
            store.save(stored, won, NOW),
            moderation.call_off(number, MODERATOR, NOW),
        )
        results = await race(number, move, calling_off)
        found = await loaded(store, stored.id)
        assert found.match.outcome is not None
        refused = any(isinstance(result, ChangedError) for result in results)
        assert refused == (found.match.ply == 4)
        if won.outcome and not refused:
            assert found.match.outcome.termination is Termination.LINE
            assert CalledOff(None, None, 0, ()) in results
        else:
            assert found.match.outcome.termination is Termination.CALLED_OFF
        seen["refused" if refused else "played"] += 1
        assert await store.live(number) is None
    assert min(seen["refused"], seen["played"]) > 0, seen


async def test_accepting_against_calling_off(
    store: MatchStore, invitation_store: InvitationStore, moderation: ModerationStore
) -> None:
    """In either order the channel is free afterwards."""
    seen: Counter[str] = Counter()
    for number in map(ChannelId, range(ROUNDS)):
        offered = await invitation_store.create(challenge(number), NOW, LAPSES)
        accepting, calling_off = (
            accept(store, offered),
            moderation.call_off(number, MODERATOR, NOW),
        )
        results = await race(number, accepting, calling_off)
        assert await store.live(number) is None
        assert await invitation_store.open_in(number) == []
        refused = any(isinstance(result, ChangedError) for result in results)
        seen["refused" if refused else "accepted"] += 1
    assert min(seen["refused"], seen["accepted"]) > 0, seen


async def test_open_challenges_are_ended(
    invitation_store: InvitationStore, moderation: ModerationStore, database: Database
) -> None:
    """All in the channel are ended, even a corrupt one, and one whose message isn't known."""
    offered = await invitation_store.create(challenge(), NOW, LAPSES)
    await invitation_store.create(new_challenge(owner=3), NOW, LAPSES)
    await invitation_store.note_posted(offered.id, MessageId(77))
    other = await invitation_store.create(challenge(99), NOW, LAPSES)
    async with database.begin() as connection:
        await connection.execute(text(f"UPDATE invitations SET game = 'x' WHERE id = {offered.id}"))
    ended = await moderation.call_off(HERE.channel_id, MODERATOR, NOW)
    assert ended == CalledOff(None, None, 2, (MessageId(77),))
    assert await invitation_store.load(other.id) == other
    with pytest.raises(ChangedError):
        await invitation_store.change(offered, closed(offered, InvitationStatus.DECLINED))
