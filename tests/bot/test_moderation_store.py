"""Calling off, in the database: whatever holds a channel, once, and in any order with moves."""

from collections import Counter
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.invitations.model import Invitation, InvitationStatus
from bot.invitations.store import InvitationStore
from bot.leaderboard.lists import CalledOff
from bot.matches.clock import DEFAULT_CLOCK
from bot.matches.model import Place, Series, ServerSettings, StoredMatch
from bot.matches.store import MatchStore
from bot.matches.turns import ChangedError
from bot.ratings.rerate import rerate
from bot.refusals import Refusal
from bot.servers.moderation_store import ModerationStore
from bot.servers.service import Servers
from bot.servers.store import ServerStore
from core.outcome import Ending, Termination
from tests.bot.inviting import accept, closed, new_challenge
from tests.bot.playing import HERE, NAMES, NOW, X_WINS, begin, both, late
from tests.core.boards import after

ROUNDS = 20


@pytest.fixture
def moderation(database: AsyncEngine) -> ModerationStore:
    return ModerationStore(database)


async def create(store: MatchStore, channel_id: int = HERE.channel_id) -> StoredMatch:
    place = Place(HERE.guild_id, channel_id)
    match = after(begin(), "a1 a3 b1 b3")
    return await store.create(place, match, NAMES, Series(), NOW, DEFAULT_CLOCK)


def challenge(channel_id: int = HERE.channel_id) -> Invitation:
    """Return a challenge of alice to bob, with a clock of five minutes."""
    return new_challenge(place=Place(10, channel_id), clock=300)


async def test_a_match_that_is_called_off(
    store: MatchStore, moderation: ModerationStore, database: AsyncEngine
) -> None:
    """It is over and has no result: no rating, no points, nothing due, also after rating anew."""
    stored = await create(store)
    assert await moderation.call_off(HERE.channel_id, NOW + 5) == CalledOff(stored.id, None, 0, ())
    over = await store.load(stored.id)
    assert over is not None and over.match.ending == Ending(Termination.CALLED_OFF)
    assert over.changes == () and over.timing.due_at is None
    assert set(over.series.points.values()) == {0}
    async with database.begin() as connection:
        assert await connection.run_sync(rerate) == 0
    assert await moderation.call_off(HERE.channel_id, NOW) == CalledOff(None, None, 0, ())


async def test_a_called_off_match_is_counted_by_nobody(store: MatchStore) -> None:
    """Also if it came by the way of all other endings."""
    stored = await create(store)
    match = stored.match.agree_draw()
    assert (await store.save(stored, match, NOW)).changes
    other = await create(store)
    ended = type(match)(
        match.game, match.options, match.players, match.initial, match.moves,
        Ending(Termination.CALLED_OFF),
    )  # fmt: skip
    assert (await store.save(other, ended, NOW)).changes == ()


async def test_a_move_against_calling_off(store: MatchStore, moderation: ModerationStore) -> None:
    """Many times over, in both orders: the match is called off, and the move in it or refused."""
    seen: Counter[str] = Counter()
    for number in range(ROUNDS):
        stored = await create(store, number)
        won = after(begin(), X_WINS) if number % 3 == 0 else after(begin(), "a1 a3 b1 b3 c2")
        work: list[Any] = [store.save(stored, won, NOW), moderation.call_off(number, NOW)]
        if number % 2:
            work.reverse()
        results = await both(work[0], late(work[1], number))
        found = await store.load(stored.id)
        assert found is not None and found.match.outcome is not None
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
    """Whichever comes first, the channel is free in the end."""
    seen: Counter[str] = Counter()
    for number in range(ROUNDS):
        offered = await invitation_store.create(challenge(number))
        accepting = accept(invitation_store, offered)
        work: list[Any] = [accepting, moderation.call_off(number, NOW)]
        if number % 2:
            work.reverse()
        results = await both(work[0], late(work[1], number))
        assert await store.live(number) is None
        assert await invitation_store.open_by(number, 1) is None
        refused = any(isinstance(result, ChangedError) for result in results)
        seen["refused" if refused else "accepted"] += 1
    assert min(seen["refused"], seen["accepted"]) > 0, seen


async def test_open_challenges_are_ended(
    invitation_store: InvitationStore, moderation: ModerationStore, database: AsyncEngine
) -> None:
    """Those of the channel, also one that can't be read; with the messages that show them."""
    offered = await invitation_store.create(challenge())
    await invitation_store.posted(offered.id, 77)
    other = await invitation_store.create(challenge(99))
    async with database.begin() as connection:
        await connection.execute(text(f"UPDATE invitations SET game = 'x' WHERE id = {offered.id}"))
    ended = await moderation.call_off(HERE.channel_id, NOW)
    assert ended == CalledOff(None, None, 1, (77,))
    assert await invitation_store.load(other.id) == other
    with pytest.raises(ChangedError):
        await invitation_store.change(offered, closed(offered, InvitationStatus.DECLINED))


async def test_a_challenge_keeps_its_clock(
    store: MatchStore, invitation_store: InvitationStore
) -> None:
    """The match that comes of it has the clock that was offered."""
    offered = await invitation_store.create(challenge())
    assert await invitation_store.load(offered.id) == offered
    stored = await accept(invitation_store, offered)
    assert stored.clock == 300 and stored.timing.deadline == NOW + 300
    assert await store.load(stored.id) == stored


async def test_settings_come_back(database: AsyncEngine) -> None:
    """What was never set has its default, and what is set stays when something else is."""
    store = ServerStore(database)
    servers = Servers(store)
    big = 2**63 - 1
    assert await servers.settings(1) == ServerSettings()
    await servers.change(1, boards_stay=False)
    assert await servers.settings(1) == ServerSettings(boards_stay=False)
    changed = await servers.change(1, channels=[big, 5, big], clock=0, challenge_minutes=2)
    assert changed == ServerSettings((big, 5), None, 120, False)
    assert await servers.change(1, channels=[]) == ServerSettings((), None, 120, False)
    assert await servers.settings(2) == ServerSettings()


async def test_two_moderators_at_once(database: AsyncEngine) -> None:
    """What one of them sets doesn't undo what the other does, in the same moment."""
    servers = Servers(ServerStore(database))
    for number in range(ROUNDS):
        await both(servers.change(number, clock=300), servers.change(number, boards_stay=False))
        assert await servers.settings(number) == ServerSettings(clock=300, boards_stay=False)


@pytest.mark.parametrize("clock", [1, 299, 604_801, -300, 2**62])
async def test_clocks_that_are_not_offered(database: AsyncEngine, clock: int) -> None:
    """Whatever Discord lets through, our own limits hold."""
    with pytest.raises(Refusal, match=r"refusal\.clock"):
        await Servers(ServerStore(database)).change(1, clock=clock)
