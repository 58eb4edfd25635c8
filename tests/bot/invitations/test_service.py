"""Invitations as buttons use them: who gets a seat, and who is refused."""

from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.errors import ChangedError
from bot.identity import ChannelId, Context, MemberId, MessageId, Person, Place
from bot.invitations.model import Guest, Invitation, InvitationStatus, Verb
from bot.invitations.service import InvitationService
from bot.invitations.store import InvitationStore
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.refusals import Refusal
from core.engine.levels import Level
from core.games import GAMES
from tests.bot.inviting import (
    ALICE_IS,
    BOB_IS,
    CAROL_IS,
    challenge,
    hears,
    new_challenge,
    offer,
    table,
)
from tests.bot.playing import ALICE_ID, HERE, NOW, both
from tests.bot.serving import LIFETIME, Clock
from tests.core.boards import ALICE, BOB, CAROL


@pytest.fixture
def database(sqlite_database: AsyncEngine) -> AsyncEngine:
    """SQLite alone: what the stores do is tested on both databases, with their races."""
    return sqlite_database


# --- challenges


@pytest.mark.parametrize("alice_first", [True, False])
async def test_an_accepted_challenge_becomes_a_match(
    invitations: InvitationService, matches: MatchService, alice_first: bool
) -> None:
    """Accepting starts the match with the offered settings."""
    seats = (Guest(ALICE_IS), Guest(BOB_IS, agreed=False))
    made = await offer(invitations, *(seats if alice_first else seats[::-1]))
    stored = await invitations.answer(made.id, Verb.ACCEPT, BOB_IS)
    assert isinstance(stored, StoredMatch)
    assert stored == await matches.live(HERE.channel_id)
    assert stored.match.players == ((ALICE, BOB) if alice_first else (BOB, ALICE))
    assert stored.match.options == made.options


async def test_a_match_begins_where_the_bot_removes_nothing(
    invitations: InvitationService, matches: MatchService
) -> None:
    """The challenge's message is edited into the board, and never looked for."""
    elsewhere = Place(None, ChannelId(22), context=Context.PRIVATE)
    made = await invitations.offer(new_challenge(place=elsewhere))
    await invitations.posted(made, MessageId(7))
    stored = await invitations.answer(made.id, Verb.ACCEPT, BOB_IS)
    assert isinstance(stored, StoredMatch)
    assert matches.store.board_ids.old(stored.id) == frozenset()


async def test_only_the_right_member_answers(invitations: InvitationService) -> None:
    """The challenged member accepts or declines; the challenger withdraws."""
    made = await challenge(invitations)
    for person, reason in ((ALICE_IS, "own_challenge"), (CAROL_IS, "not_challenged")):
        for verb in (Verb.ACCEPT, Verb.DECLINE):
            with pytest.raises(Refusal, match=reason):
                await invitations.answer(made.id, verb, person)
    for person in (BOB_IS, CAROL_IS):
        with pytest.raises(Refusal, match="not_challenger"):
            await invitations.answer(made.id, Verb.WITHDRAW, person)
    withdrawn = await invitations.answer(made.id, Verb.WITHDRAW, ALICE_IS)
    assert isinstance(withdrawn, Invitation)
    assert withdrawn.status is InvitationStatus.WITHDRAWN
    for verb in (Verb.ACCEPT, Verb.DECLINE):
        with pytest.raises(Refusal, match="challenge_gone"):
            await invitations.answer(made.id, verb, BOB_IS)


async def test_a_challenge_has_no_open_seat(invitations: InvitationService) -> None:
    """A table's buttons don't admit anyone to a challenge."""
    made = await challenge(invitations)
    with pytest.raises(Refusal, match="table_full"):
        await invitations.answer(made.id, Verb.JOIN, CAROL_IS)
    with pytest.raises(Refusal, match="still_asked"):
        await invitations.answer(made.id, Verb.START, ALICE_IS)


async def test_a_second_challenge_is_refused(invitations: InvitationService) -> None:
    """A member's second challenge in a channel is refused, naming the first's opponent."""
    await invitations.posted(await challenge(invitations), MessageId(7))
    with pytest.raises(Refusal, match="challenge_open") as caught:
        await challenge(invitations, CAROL_IS)
    assert caught.value.values == {"members": ("Bob",)}


async def test_a_challenge_that_another_process_is_about_to_post(
    invitations: InvitationService,
    invitation_store: InvitationStore,
    matches: MatchService,
    clock: Clock,
) -> None:
    """The same command doesn't end it there; one that was never posted is void after a while.

    Until it is posted, nobody can have been asked.
    """
    made = await challenge(invitations)
    with pytest.raises(Refusal, match=r"answer\.none"):
        await invitations.meant(HERE.channel_id, Verb.ACCEPT, BOB_IS, None)
    there = InvitationService(invitation_store, matches, MatchStarter(matches), LIFETIME)
    with pytest.raises(Refusal, match="challenge_open"):
        await challenge(there)
    assert await invitations.open(made.id) == made
    clock.now += 15
    assert (await challenge(there)).id != made.id


async def test_a_challenge_lapses(invitations: InvitationService, clock: Clock) -> None:
    """After its time it closes, is listed as lapsed once, and can't be accepted."""
    made = await challenge(invitations)
    clock.now += LIFETIME - 1
    assert await invitations.lapse(hears) == []
    clock.now += 1
    assert await invitations.lapse(hears) == [lapsed(made)]
    assert await invitations.lapse(hears) == []
    with pytest.raises(Refusal, match="challenge_lapsed"):
        await invitations.answer(made.id, Verb.ACCEPT, BOB_IS)


async def test_a_challenge_that_nobody_could_accept(
    invitations: InvitationService, clock: Clock
) -> None:
    """It stays open while nothing is heard of its server, and for some minutes after that."""
    made = await challenge(invitations)
    clock.now += LIFETIME
    assert await invitations.lapse(lambda server_id: server_id != HERE.server_id) == []
    clock.now += LIFETIME
    longer = replace(made, expires_at=clock.now + 300)
    assert await invitations.lapse(hears) == [longer]
    assert await invitations.open(made.id) == longer
    clock.now += 299
    assert await invitations.lapse(hears) == []
    clock.now += 1
    assert await invitations.lapse(hears) == [lapsed(longer)]


async def test_a_challenge_that_is_accepted_while_it_stays_open_longer(
    invitations: InvitationService, invitation_store: InvitationStore, clock: Clock
) -> None:
    """It stays accepted."""
    made = await challenge(invitations)
    assert isinstance(await invitations.answer(made.id, Verb.ACCEPT, BOB_IS), StoredMatch)
    with pytest.raises(ChangedError):
        await invitation_store.put_off(made, clock.now + 300)


async def test_an_expired_challenge_blocks_nothing(
    invitations: InvitationService, clock: Clock
) -> None:
    """An expired challenge allows a new one even before it is marked as lapsed."""
    made = await challenge(invitations)
    clock.now += LIFETIME
    first, second = await both(challenge(invitations), challenge(invitations))
    assert first.id != made.id
    assert isinstance(second, Refusal)
    assert await invitations.lapse(hears) == [lapsed(made)]


class StumblingStore(InvitationStore):
    """A store that fails after its first change."""

    changed = 0

    async def change(self, before: Invitation, after: Invitation) -> Invitation:
        self.changed += 1
        if self.changed == 2:
            raise OSError("the database is away")
        return await super().change(before, after)


async def test_the_database_goes_away_while_challenges_lapse(
    database: AsyncEngine, matches: MatchService, clock: Clock
) -> None:
    """Those that were closed before are returned by the next attempt, with the rest."""
    starter = MatchStarter(matches)
    service = InvitationService(StumblingStore(database), matches, starter, LIFETIME)
    first = await challenge(service)
    second = await service.offer(replace(first, owner=BOB_IS))
    clock.now += LIFETIME
    with pytest.raises(OSError, match="away"):
        await service.lapse(hears)
    assert await service.lapse(hears) == [lapsed(first), lapsed(second)]
    assert await service.lapse(hears) == []


def lapsed(made: Invitation) -> Invitation:
    return replace(made, status=InvitationStatus.LAPSED, revision=made.revision + 1)


async def test_a_challenge_continues_the_series(
    invitations: InvitationService, matches: MatchService
) -> None:
    """A challenge accepted on the same settings continues the series, as a rematch does."""
    first = await invitations.answer((await challenge(invitations)).id, Verb.ACCEPT, BOB_IS)
    assert isinstance(first, StoredMatch)
    await matches.resign(first, ALICE_ID)
    again = await offer(invitations, Guest(BOB_IS, agreed=False), Guest(ALICE_IS))
    second = await invitations.answer(again.id, Verb.ACCEPT, BOB_IS)
    assert isinstance(second, StoredMatch)
    assert second.series_id == first.id


async def test_all_challenged_members_must_accept(
    invitations: InvitationService, matches: MatchService
) -> None:
    """A challenge to two starts when the second accepts; one refusal ends it."""
    asked = (Guest(BOB_IS, agreed=False), Guest(CAROL_IS, agreed=False))
    for verb in (Verb.ACCEPT, Verb.DECLINE):
        made = await offer(invitations, Guest(ALICE_IS), *asked, game="tribolo")
        with pytest.raises(Refusal, match="own_challenge") as refused:
            await invitations.answer(made.id, Verb.ACCEPT, ALICE_IS)
        assert refused.value.values == {"members": (BOB_IS.name, CAROL_IS.name)}
        waiting = await invitations.answer(made.id, Verb.ACCEPT, BOB_IS)
        assert isinstance(waiting, Invitation)
        assert waiting.asked == (CAROL_IS,)
        with pytest.raises(Refusal, match="agreed_already"):
            await invitations.answer(made.id, Verb.ACCEPT, BOB_IS)
        ended = await invitations.answer(made.id, verb, CAROL_IS)
        if isinstance(ended, StoredMatch):
            assert ended.match.players == (ALICE, BOB, CAROL)
            await matches.store.save(ended, ended.match.agree_draw(), NOW)
        else:
            assert ended.status is InvitationStatus.DECLINED


async def test_challenges_of_others_do_not_count(invitations: InvitationService) -> None:
    """A member may challenge another one though a third has asked both in several channels."""
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


# --- open tables


async def test_a_full_table_starts(invitations: InvitationService) -> None:
    """Seats are taken in order, and the last one starts the match."""
    made = await table(invitations)
    waiting = await invitations.answer(made.id, Verb.JOIN, CAROL_IS)
    assert isinstance(waiting, Invitation)
    assert waiting.seats == (Guest(ALICE_IS), Guest(CAROL_IS), None)
    stored = await invitations.answer(made.id, Verb.JOIN, BOB_IS)
    assert isinstance(stored, StoredMatch)
    assert stored.match.players == (ALICE, CAROL, BOB)
    assert stored.names == ("Alice", "Carol", "Bob")
    with pytest.raises(Refusal, match=r"table\.begun"):
        await invitations.answer(made.id, Verb.JOIN, Person(MemberId(4), "Dave"))


async def test_every_start_by_lot_is_drawn(invitations: InvitationService) -> None:
    """Matches of tables don't all begin at the same place."""
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
            )
        )
        begun = await invitations.answer(made.id, Verb.JOIN, BOB_IS)
        assert isinstance(begun, StoredMatch)
        starts.add(begun.match.initial.notation)
    assert len(starts) > 1


async def test_seats_are_refused_with_the_reason(
    invitations: InvitationService, clock: Clock
) -> None:
    """Joining twice, leaving without a seat, starting or closing another's table, joining late."""
    made = await table(invitations)
    await invitations.answer(made.id, Verb.JOIN, BOB_IS)
    for person in (ALICE_IS, BOB_IS):
        with pytest.raises(Refusal, match="joined_already"):
            await invitations.answer(made.id, Verb.JOIN, person)
    with pytest.raises(Refusal, match="not_at_table"):
        await invitations.answer(made.id, Verb.LEAVE, CAROL_IS)
    for verb in (Verb.ACCEPT, Verb.DECLINE):
        with pytest.raises(Refusal, match="nobody_asked"):
            await invitations.answer(made.id, verb, CAROL_IS)
    for person in (BOB_IS, CAROL_IS):
        with pytest.raises(Refusal, match="not_owner_start"):
            await invitations.answer(made.id, Verb.START, person)
        with pytest.raises(Refusal, match="not_owner_close"):
            await invitations.answer(made.id, Verb.WITHDRAW, person)
    await invitations.posted(made, MessageId(7))
    with pytest.raises(Refusal, match="table_open"):
        await table(invitations)
    clock.now += LIFETIME
    await invitations.lapse(hears)
    with pytest.raises(Refusal, match=r"table\.lapsed"):
        await invitations.answer(made.id, Verb.JOIN, CAROL_IS)


async def test_leaving_reopens_the_seat(invitations: InvitationService) -> None:
    """A member who left can rejoin; a table is handed on, and closes with nobody left."""
    made = await table(invitations)
    await invitations.answer(made.id, Verb.JOIN, BOB_IS)
    left = await invitations.answer(made.id, Verb.LEAVE, BOB_IS)
    assert isinstance(left, Invitation)
    assert left.seats == made.seats
    await invitations.answer(made.id, Verb.JOIN, BOB_IS)
    handed_on = await invitations.answer(made.id, Verb.LEAVE, ALICE_IS)
    assert isinstance(handed_on, Invitation)
    assert (handed_on.owner, handed_on.seat_of(ALICE_ID)) == (BOB_IS, None)
    closed = await invitations.answer(made.id, Verb.LEAVE, BOB_IS)
    assert isinstance(closed, Invitation)
    assert closed.status is InvitationStatus.WITHDRAWN
    with pytest.raises(Refusal, match=r"table\.withdrawn"):
        await invitations.answer(made.id, Verb.JOIN, CAROL_IS)
    with pytest.raises(Refusal, match=r"table\.withdrawn"):
        await invitations.current(handed_on)


async def test_a_named_member_has_a_reserved_seat(invitations: InvitationService) -> None:
    """Join accepts the reserved seat, and Decline opens it to everyone."""
    made = await table(invitations, Guest(ALICE_IS), Guest(BOB_IS, agreed=False), None)
    with pytest.raises(Refusal, match="still_asked"):
        await invitations.answer(made.id, Verb.START, ALICE_IS)
    joined = await invitations.answer(made.id, Verb.JOIN, BOB_IS)
    assert isinstance(joined, Invitation)
    assert joined.seats == (Guest(ALICE_IS), Guest(BOB_IS), None)
    declined = await invitations.answer(made.id, Verb.DECLINE, BOB_IS)
    assert isinstance(declined, Invitation)
    assert declined.seats == (Guest(ALICE_IS), None, None)
