"""Invitations as buttons call them, on both databases: who gets a seat, what the rest are told."""

from dataclasses import replace

import pytest

from bot.invitations.model import Guest, Invitation, InvitationStatus
from bot.invitations.service import Invitations
from bot.matches.model import Person, StoredMatch
from bot.matches.service import Matches
from bot.matches.start import Beginnings
from bot.refusals import Refusal
from core.games import GAMES
from tests.bot.inviting import ALICE_IS, BOB_IS, CAROL_IS, EASY, challenge, offer, table
from tests.bot.playing import HERE, NOW, both
from tests.bot.serving import LIFETIME, Clock
from tests.core.boards import ALICE, BOB, CAROL

# --- challenges


@pytest.mark.parametrize("alice_first", [True, False])
async def test_an_accepted_challenge_is_a_match(
    invitations: Invitations, matches: Matches, alice_first: bool
) -> None:
    """The challenged member begins the match as it was offered."""
    seats = (Guest(ALICE_IS), Guest(BOB_IS, agreed=False))
    made = await offer(invitations, *(seats if alice_first else seats[::-1]))
    stored = await invitations.accept(made.id, BOB.id)
    assert isinstance(stored, StoredMatch)
    assert stored == await matches.live(HERE.channel_id)
    assert stored.match.players == ((ALICE, BOB) if alice_first else (BOB, ALICE))
    assert stored.match.options == made.options


async def test_only_the_right_member_answers(invitations: Invitations) -> None:
    """Accepting and declining is for the challenged, withdrawing for the challenger."""
    made = await challenge(invitations)
    for member, reason in ((ALICE, "own_challenge"), (CAROL, "not_challenged")):
        with pytest.raises(Refusal, match=reason):
            await invitations.accept(made.id, member.id)
        with pytest.raises(Refusal, match=reason):
            await invitations.decline(made.id, member.id)
    for member in (BOB, CAROL):
        with pytest.raises(Refusal, match="not_challenger"):
            await invitations.withdraw(made.id, member.id)
    withdrawn = await invitations.withdraw(made.id, ALICE.id)
    assert isinstance(withdrawn, Invitation)
    assert withdrawn.status is InvitationStatus.WITHDRAWN
    for answer in (invitations.accept, invitations.decline):
        with pytest.raises(Refusal, match="challenge_gone"):
            await answer(made.id, BOB.id)


async def test_a_challenge_has_no_open_seat(invitations: Invitations) -> None:
    """Nobody gets into a challenge by the buttons of a table."""
    made = await challenge(invitations)
    with pytest.raises(Refusal, match="table_full"):
        await invitations.join(made.id, CAROL_IS)
    with pytest.raises(Refusal, match="still_asked"):
        await invitations.start(made.id, ALICE.id)


async def test_a_second_challenge_is_refused(invitations: Invitations) -> None:
    """A member with an open challenge in a channel is told whom it waits for."""
    await challenge(invitations)
    with pytest.raises(Refusal, match="challenge_open") as caught:
        await challenge(invitations, CAROL_IS)
    assert caught.value.values == {"members": "Bob"}


async def test_a_challenge_lapses(invitations: Invitations, clock: Clock) -> None:
    """From its last second on a challenge can't be accepted; it is then listed once as lapsed."""
    made = await challenge(invitations)
    clock.now += LIFETIME - 1
    assert await invitations.lapse() == []
    clock.now += 1
    with pytest.raises(Refusal, match="challenge_lapsed"):
        await invitations.accept(made.id, BOB.id)
    assert await invitations.lapse() == [lapsed(made)]
    assert await invitations.lapse() == []
    with pytest.raises(Refusal, match="challenge_lapsed"):
        await invitations.accept(made.id, BOB.id)


async def test_a_lapsed_challenge_makes_way(invitations: Invitations, clock: Clock) -> None:
    """A challenge whose time ran out stands in no way, also before it was cleared up."""
    made = await challenge(invitations)
    clock.now += LIFETIME
    first, second = await both(challenge(invitations), challenge(invitations))
    assert first.id != made.id
    assert isinstance(second, Refusal)
    assert await invitations.lapse() == [lapsed(made)]


def lapsed(made: Invitation) -> Invitation:
    return replace(made, status=InvitationStatus.LAPSED, revision=made.revision + 1)


async def test_a_challenge_in_a_busy_channel(invitations: Invitations, matches: Matches) -> None:
    """Neither offering nor accepting happens beside a live match; accepting works after it."""
    made = await challenge(invitations)
    game = GAMES["tictactoe"]
    playing = await Beginnings(matches).start(HERE, game, {}, [(ALICE, "Alice"), (EASY, None)])
    with pytest.raises(Refusal, match="channel_busy"):
        await challenge(invitations, CAROL_IS)
    with pytest.raises(Refusal, match="channel_busy") as caught:
        await invitations.accept(made.id, BOB.id)
    assert caught.value.board == playing
    await matches.resign(playing, ALICE.id)
    stored = await invitations.accept(made.id, BOB.id)
    assert isinstance(stored, StoredMatch)
    assert stored.match.players == (ALICE, BOB)


async def test_a_challenge_goes_on_with_the_series(
    invitations: Invitations, matches: Matches
) -> None:
    """An accepted challenge on the same settings counts on, like a rematch."""
    first = await invitations.accept((await challenge(invitations)).id, BOB.id)
    assert isinstance(first, StoredMatch)
    await matches.resign(first, ALICE.id)
    again = await offer(invitations, Guest(BOB_IS, agreed=False), Guest(ALICE_IS))
    second = await invitations.accept(again.id, BOB.id)
    assert isinstance(second, StoredMatch)
    assert second.series_id == first.id


async def test_both_of_two_have_to_agree(invitations: Invitations, matches: Matches) -> None:
    """A challenge to two begins when the second accepts; one refusal is the end of it."""
    asked = (Guest(BOB_IS, agreed=False), Guest(CAROL_IS, agreed=False))
    for answer in (invitations.accept, invitations.decline):
        made = await offer(invitations, Guest(ALICE_IS), *asked, game="tribolo")
        waiting = await invitations.accept(made.id, BOB.id)
        assert isinstance(waiting, Invitation)
        assert waiting.asked == (CAROL_IS,)
        with pytest.raises(Refusal, match="agreed_already"):
            await invitations.accept(made.id, BOB.id)
        ended = await answer(made.id, CAROL.id)
        if isinstance(ended, StoredMatch):
            assert ended.match.players == (ALICE, BOB, CAROL)
            await matches.store.save(ended, ended.match.agree_draw(), NOW)
        else:
            assert ended.status is InvitationStatus.DECLINED


# --- open tables


async def test_a_full_table_begins(invitations: Invitations) -> None:
    """Seats are taken in turn, and the last one begins the match."""
    made = await table(invitations)
    waiting = await invitations.join(made.id, CAROL_IS)
    assert isinstance(waiting, Invitation)
    assert waiting.seats == (Guest(ALICE_IS), Guest(CAROL_IS), None)
    stored = await invitations.join(made.id, BOB_IS)
    assert isinstance(stored, StoredMatch)
    assert stored.match.players == (ALICE, CAROL, BOB)
    assert stored.names == ("Alice", "Carol", "Bob")
    with pytest.raises(Refusal, match=r"table\.begun"):
        await invitations.join(made.id, Person(4, "Dave"))


async def test_seats_are_refused_with_the_reason(invitations: Invitations, clock: Clock) -> None:
    """Joining twice, leaving without a seat, starting or closing another's table, coming late."""
    made = await table(invitations)
    await invitations.join(made.id, BOB_IS)
    for person in (ALICE_IS, BOB_IS):
        with pytest.raises(Refusal, match="joined_already"):
            await invitations.join(made.id, person)
    with pytest.raises(Refusal, match="not_at_table"):
        await invitations.leave(made.id, CAROL.id)
    for answer in (invitations.accept, invitations.decline):
        with pytest.raises(Refusal, match="nobody_asked"):
            await answer(made.id, CAROL.id)
    for member in (BOB, CAROL):
        with pytest.raises(Refusal, match="not_owner_start"):
            await invitations.start(made.id, member.id)
        with pytest.raises(Refusal, match="not_owner_close"):
            await invitations.withdraw(made.id, member.id)
    with pytest.raises(Refusal, match="table_open"):
        await table(invitations)
    clock.now += LIFETIME
    with pytest.raises(Refusal, match=r"table\.lapsed"):
        await invitations.join(made.id, CAROL_IS)


async def test_leaving_opens_the_seat_again(invitations: Invitations) -> None:
    """Whoever leaves can come back; when the owner leaves, the table is closed."""
    made = await table(invitations)
    await invitations.join(made.id, BOB_IS)
    left = await invitations.leave(made.id, BOB.id)
    assert isinstance(left, Invitation)
    assert left.seats == made.seats
    await invitations.join(made.id, BOB_IS)
    closed = await invitations.leave(made.id, ALICE.id)
    assert isinstance(closed, Invitation)
    assert closed.status is InvitationStatus.WITHDRAWN
    with pytest.raises(Refusal, match=r"table\.withdrawn"):
        await invitations.join(made.id, CAROL_IS)


async def test_whoever_is_asked_has_a_seat_kept(invitations: Invitations) -> None:
    """A table may ask somebody: Join is accepting for them, Decline opens their seat to all."""
    made = await table(invitations, Guest(ALICE_IS), Guest(BOB_IS, agreed=False), None)
    with pytest.raises(Refusal, match="still_asked"):
        await invitations.start(made.id, ALICE.id)
    joined = await invitations.join(made.id, BOB_IS)
    assert isinstance(joined, Invitation)
    assert joined.seats == (Guest(ALICE_IS), Guest(BOB_IS), None)
    declined = await invitations.decline(made.id, BOB.id)
    assert isinstance(declined, Invitation)
    assert declined.seats == (Guest(ALICE_IS), None, None)
