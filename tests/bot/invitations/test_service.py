"""Invitations after failures and lapses; and how their matches begin."""

from dataclasses import replace

import pytest

from bot.db.database import Database
from bot.identity import ChannelId, Context, MessageId, Place
from bot.invitations.model import Guest, Invitation, InvitationStatus, Verb
from bot.invitations.service import InvitationService
from bot.invitations.store import InvitationStore
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from core.engine.levels import Level
from core.games import GAMES
from tests.bot.inviting import ALICE_IS, BOB_IS, CAROL_IS, challenge, hears, new_challenge
from tests.bot.playing import HERE, ON_SQLITE, both
from tests.bot.serving import LIFETIME, Clock

pytestmark = ON_SQLITE


async def test_a_match_begins_where_the_bot_removes_nothing(
    invitations: InvitationService, store: MatchStore, matches: MatchService
) -> None:
    """The challenge's message is edited into the board, and never looked for."""
    elsewhere = Place(None, ChannelId(22), context=Context.PRIVATE)
    made = await invitations.offer(new_challenge(place=elsewhere))
    await invitations.note_posted(made, MessageId(7))
    stored = await invitations.answer(made.id, Verb.ACCEPT, BOB_IS)
    assert isinstance(stored, StoredMatch)
    assert store.board_ids.old(stored.id) == frozenset()


async def test_a_challenge_that_is_about_to_be_posted(
    invitations: InvitationService, clock: Clock
) -> None:
    """Its owner's next challenge doesn't end it.

    A challenge that was never posted is void after a while, since nobody was asked. A posted one is
    void once its time has run out.
    """
    made = await challenge(invitations)
    with pytest.raises(Refusal, match=r"answer\.none"):
        await invitations.meant(HERE.channel_id, Verb.ACCEPT, BOB_IS, None)
    with pytest.raises(Refusal, match="challenge_open"):
        await challenge(invitations)
    assert await invitations.get_open(made.id) == made
    clock.now += 15
    posted = await challenge(invitations)
    assert posted.id != made.id
    await invitations.note_posted(posted, MessageId(8))
    clock.now = posted.expires_at
    assert (await challenge(invitations)).id != posted.id


async def test_challenges_of_others_do_not_count(invitations: InvitationService) -> None:
    """A member may challenge another even if a third has challenged both in several channels."""
    asked = [Guest(person, agreed=False) for person in (ALICE_IS, BOB_IS)]
    for number in range(3):
        theirs = new_challenge(
            owner=3,
            place=replace(HERE, channel_id=ChannelId(number)),
            game=GAMES["tribolo"],
            options=GAMES["tribolo"].resolve({}),
            seats=(Guest(CAROL_IS), *asked),
        )
        await invitations.offer(theirs)
    assert (await challenge(invitations)).asked == (BOB_IS,)


async def test_an_invitation_that_has_closed_since_an_answer(
    invitations: InvitationService,
) -> None:
    """An invitation that has closed since is no longer shown as the answer left it."""
    made = await challenge(invitations)
    withdrawn = await invitations.answer(made.id, Verb.WITHDRAW, ALICE_IS)
    assert isinstance(withdrawn, Invitation)
    assert await invitations.current(withdrawn) == withdrawn
    with pytest.raises(Refusal, match="challenge_gone"):
        await invitations.current(made)


async def test_an_expired_challenge_blocks_nothing(
    invitations: InvitationService, clock: Clock
) -> None:
    """An expired challenge allows a new one even before it is marked as lapsed."""
    closed = list[Invitation]()
    invitations.on_lapse.append(closed.append)
    made = await challenge(invitations)
    clock.now += LIFETIME
    first, second = await both(challenge(invitations), challenge(invitations))
    assert first.id != made.id
    assert isinstance(second, Refusal)
    assert {one.id for one in closed} == {made.id}
    closed.clear()
    await invitations.lapse(hears)
    assert not closed


class StumblingStore(InvitationStore):
    """A store that fails after its first change."""

    changed = 0

    async def change(self, before: Invitation, after: Invitation) -> Invitation:
        self.changed += 1
        if self.changed == 2:
            raise OSError("the database is away")
        return await super().change(before, after)


async def test_the_database_goes_away_while_challenges_lapse(
    database: Database, starter: MatchStarter, matches: MatchService, clock: Clock
) -> None:
    """All that may have lapsed are announced, and the next attempt closes the rest."""
    stumbling = StumblingStore(database)
    service = InvitationService(stumbling, matches, starter, clock, LIFETIME)
    closed = list[Invitation]()
    service.on_lapse.append(closed.append)
    first = await challenge(service)
    second = await service.offer(replace(first, owner=BOB_IS))
    clock.now += LIFETIME
    with pytest.raises(OSError, match="away"):
        await service.lapse(hears)
    assert closed == [first, second]
    await service.lapse(hears)
    assert closed == [first, second, second]
    left = [await stumbling.load(one.id) for one in (first, second)]
    assert [one and one.status for one in left] == [InvitationStatus.LAPSED] * 2


async def test_every_start_by_lot_is_drawn(invitations: InvitationService) -> None:
    """The matches of tables don't all have the same start."""
    starts = set[str]()
    for number in range(3):
        here = replace(HERE, channel_id=ChannelId(100 + number))
        made = await invitations.offer(
            new_challenge(
                place=here,
                game=GAMES["tribolo"],
                options=GAMES["tribolo"].resolve({}),
                seats=(Guest(ALICE_IS), None, Guest(CAROL_IS)),
                fill_level=Level.EASY,
            ),
        )
        begun = await invitations.answer(made.id, Verb.JOIN, BOB_IS)
        assert isinstance(begun, StoredMatch)
        starts.add(begun.match.initial.notation)
    assert len(starts) > 1
