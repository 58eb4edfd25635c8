"""Accepted invitations in the database: each starts one match at most."""

from dataclasses import replace

import pytest

from bot.db.errors import ChangedError
from bot.identity import ChannelId
from bot.invitations.model import Guest, InvitationStatus, complete
from bot.invitations.store import InvitationStore
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.store import ChannelTakenError, MatchStore
from core.players import Member
from tests.bot.inviting import PEOPLE, accept, closed, new_challenge
from tests.bot.playing import HERE, NAMES, NOW, begin, both


async def test_accepting_starts_the_match(
    invitation_store: InvitationStore, store: MatchStore
) -> None:
    """The challenge closes; the match has its place, game, options, players and names."""
    seats = (Guest(PEOPLE[2], agreed=False), Guest(PEOPLE[1]))
    made = await invitation_store.create(new_challenge(seats=seats))
    stored = await accept(store, made)
    assert await store.live(HERE.channel_id) == stored
    assert stored.place == HERE
    assert stored.names == ("Bob", "Alice")
    assert stored.match.players == (Member(2), Member(1))
    assert stored.match.options == made.options
    begun = await invitation_store.load(made.id)
    assert begun is not None
    assert begun.status is InvitationStatus.BEGUN
    assert complete(begun.seats)


async def test_accepting_continues_a_series(
    invitation_store: InvitationStore, store: MatchStore
) -> None:
    """The match belongs to the given series."""
    first = await store.create(
        NewMatch(replace(HERE, channel_id=ChannelId(21)), begin(), NAMES), NOW
    )
    stored = await accept(store, await invitation_store.create(new_challenge()), first.series)
    assert stored.series_id == first.id
    assert await store.load(stored.id) == stored


async def test_a_busy_channel_leaves_the_challenge_open(
    invitation_store: InvitationStore, store: MatchStore
) -> None:
    """Accepting beside a live match changes nothing, and works after that match."""
    made = await invitation_store.create(new_challenge())
    playing = await store.create(NewMatch(HERE, begin(), NAMES), NOW)
    with pytest.raises(ChannelTakenError):
        await accept(store, made)
    assert await invitation_store.load(made.id) == made
    assert await store.live(HERE.channel_id) == playing
    await store.save(playing, playing.match.agree_draw(), NOW)
    assert await store.live(HERE.channel_id) is None
    assert await accept(store, made) == await store.live(HERE.channel_id)


async def test_two_accepts_start_one_match(
    invitation_store: InvitationStore, store: MatchStore
) -> None:
    """A doubled press on Accept starts one match; the second learns that it was answered."""
    made = await invitation_store.create(new_challenge())
    first, second = await both(accept(store, made), accept(store, made))
    assert isinstance(second, ChangedError)
    assert await store.live(HERE.channel_id) == first == await store.latest(HERE.channel_id)


async def test_two_challenges_start_one_match(
    invitation_store: InvitationStore, store: MatchStore
) -> None:
    """Of two challenges accepted in one channel at once, one starts and the other stays open."""
    made = [
        await invitation_store.create(new_challenge(1, 2)),
        await invitation_store.create(new_challenge(3, 4)),
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
    made = await invitation_store.create(new_challenge())
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
