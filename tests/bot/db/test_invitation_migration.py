"""0004 to 0005: challenges become invitations; matches and offers are unchanged."""

from random import Random

import pytest

from bot.db.database import open_database
from bot.identity import ChannelId, InvitationId, MatchId
from bot.invitations.model import Guest, Invitation, InvitationStatus, Verb, complete
from bot.invitations.service import InvitationService
from bot.invitations.store import InvitationStore
from bot.matches.computer import ComputerPlayer
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.offers.store import OfferStore
from bot.refusals import Refusal
from bot.workers.search_client import SearchClient
from core.engine.player import Engine
from core.players import Member
from tests.bot.db.migrating import made_at
from tests.bot.inviting import ALICE_IS, BOB_IS
from tests.bot.playing import NOW, begin, loaded
from tests.bot.serving import Clock
from tests.services import nothing_waits

_CHALLENGES = """
    INSERT INTO challenges (id, guild_id, channel_id, game, options, challenger_id, challenger_name,
                            opponent_id, opponent_name, challenger_first, status, message_id,
                            expires_at, clock)
    VALUES (7, 10, 20, 'nineholes', :step, 1, 'Alice', 2, 'Bob', true, 'open', 99, :late, 3600),
           (8, 10, 21, 'nineholes', :free, 1, 'Alice', 2, 'Bob', false, 'open', NULL, :late, NULL),
           (9, 10, 20, 'nineholes', :free, 1, 'Alice', 2, 'Bob', true, 'accepted', 98, :late, NULL),
           (10, 10, 20, 'nineholes', :free, 1, 'Alice', 2, 'Bob', true, 'declined', 97, :late, NULL)
"""
_MATCH = """
    INSERT INTO matches (id, guild_id, channel_id, game, options, start, moves, computer_due,
                         started_at)
    VALUES (1000, 10, 22, 'tictactoe', '{}', :start, 'b2', false, 1)
"""
_SEATS = """
    INSERT INTO seats (match_id, seat, user_id, name)
    VALUES (1000, 0, 1, 'Alice'), (1000, 1, 2, 'Bob')
"""
_OFFER = "INSERT INTO offers (match_id, kind, seat, ply) VALUES (1000, 'draw', 1, 1)"


@pytest.fixture
async def migrated(url: str) -> str:
    """Return a database at 0004 with rows, on each engine; opening it migrates it."""
    challenges = {"late": NOW + 900, "step": '{"variant": "step"}', "free": '{"variant": "free"}'}
    match = {"start": begin().initial.notation}
    await made_at(url, "0004", (_CHALLENGES, challenges), (_MATCH, match), _SEATS, _OFFER)
    return url


async def test_challenges_from_before(migrated: str) -> None:
    """Challenges keep ids, seats, times, messages, clocks and outcomes.

    The messages of closed ones stay as they are.
    """
    async with open_database(migrated) as engine:
        store = InvitationStore(engine)
        found = [await store.load(number) for number in map(InvitationId, (7, 8, 9, 10))]
        first, second, begun, declined = found
        assert isinstance(first, Invitation) and isinstance(second, Invitation)
        assert first.seats == (Guest(ALICE_IS), Guest(BOB_IS, agreed=False))
        assert second.seats == first.seats[::-1]
        assert (first.owner, first.options) == (ALICE_IS, {"variant": "step"})
        assert (first.message_id, first.clock, first.expires_at) == (99, 3600, NOW + 900)
        assert not first.is_table
        assert begun and begun.status is InvitationStatus.BEGUN and complete(begun.seats)
        assert declined and declined.status is InvitationStatus.DECLINED
        assert await store.open_in(ChannelId(20)) == [first]
        assert first.pressable and await store.unchanged() == []


async def test_an_open_challenge_from_before_is_accepted(
    migrated: str, searches: SearchClient
) -> None:
    """The buttons of an open challenge still start its match; a new invitation gets a new id."""
    async with open_database(migrated) as engine:
        store = InvitationStore(engine)
        rng = Random(1)
        computer = ComputerPlayer(Engine(), searches, rng)
        matches = MatchService(MatchStore(engine), computer, rng, Clock(), nothing_waits)
        invitations = InvitationService(store, matches, MatchStarter(matches), 900)
        with pytest.raises(Refusal, match="own_challenge"):
            await invitations.answer(InvitationId(7), Verb.ACCEPT, ALICE_IS)
        stored = await invitations.answer(InvitationId(7), Verb.ACCEPT, BOB_IS)
        assert isinstance(stored, StoredMatch)
        assert stored.match.players == (Member(1), Member(2))
        assert (stored.clock, stored.names) == (3600, ("Alice", "Bob"))
        old = await store.load(InvitationId(8))
        assert old is not None
        await invitations.answer(InvitationId(8), Verb.WITHDRAW, ALICE_IS)
        assert (await invitations.offer(old)).id > 10


async def test_matches_and_offers_from_before(migrated: str) -> None:
    """Matches have no withdrawals, and the other seat can still accept an offer."""
    async with open_database(migrated) as engine:
        stored = await loaded(MatchStore(engine), MatchId(1000))
        assert stored.match.withdrawals == ()
        offers = OfferStore(engine)
        assert await offers.offered(stored.id, OfferKind.DRAW, 1) == (1,)
        assert await offers.offer(stored.id, OfferKind.DRAW, 0, 1, None) == (1, 0)
