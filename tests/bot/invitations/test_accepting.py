"""Accepted invitations in the database: each starts one match at most."""

from bot.db.errors import ChangedError
from bot.invitations.model import InvitationStatus
from bot.invitations.store import InvitationStore
from bot.matches.model import StoredMatch
from bot.matches.store import ChannelTakenError, MatchStore
from tests.bot.inviting import LAPSES, accept, closed, new_challenge
from tests.bot.playing import HERE, NOW, both


async def test_two_accepts_start_one_match(
    invitation_store: InvitationStore, store: MatchStore
) -> None:
    """A doubled press on Accept starts one match; the second learns that it was answered."""
    made = await invitation_store.create(new_challenge(), NOW, LAPSES)
    first, second = await both(accept(store, made), accept(store, made))
    assert isinstance(second, ChangedError)
    assert await store.live(HERE.channel_id) == first == await store.latest(HERE.channel_id)


async def test_two_challenges_start_one_match(
    invitation_store: InvitationStore, store: MatchStore
) -> None:
    """Of two challenges accepted in one channel at once, one starts and the other stays open."""
    made = [
        await invitation_store.create(new_challenge(1, 2), NOW, LAPSES),
        await invitation_store.create(new_challenge(3, 4), NOW, LAPSES),
    ]
    first, second = await both(*(accept(store, each) for each in made))
    assert isinstance(second, ChannelTakenError)
    assert await store.live(HERE.channel_id) == first
    now = [await invitation_store.load(each.id) for each in made]
    states = {each.owner.id: each.status for each in now if each}
    winner = 1 if first.names == ("Alice", "Bob") else 3
    assert states == {winner: InvitationStatus.BEGUN, 4 - winner: InvitationStatus.OPEN}


async def test_accepting_while_withdrawing(
    invitation_store: InvitationStore, store: MatchStore
) -> None:
    """A challenge withdrawn as it is accepted starts a match or doesn't, never half of one."""
    made = await invitation_store.create(new_challenge(), NOW, LAPSES)
    first, second = await both(
        invitation_store.change(made, closed(made, InvitationStatus.WITHDRAWN)),
        accept(store, made),
    )
    assert isinstance(second, ChangedError)
    ended, playing = await invitation_store.load(made.id), await store.live(HERE.channel_id)
    assert ended is not None
    if isinstance(first, StoredMatch):
        assert (ended.status, playing) == (InvitationStatus.BEGUN, first)
    else:
        assert (ended.status, playing) == (InvitationStatus.WITHDRAWN, None)
