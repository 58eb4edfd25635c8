"""Two at once at an invitation, with no lock of ours, as between two processes on one database.

20 times each, one or the other a little later, so that both orders are seen.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from bot.invitations.model import Guest
from bot.invitations.service import Invitations
from bot.matches.model import StoredMatch
from bot.matches.service import Matches
from bot.refusals import Refusal
from core.engine.levels import Level
from tests.bot.inviting import ALICE_IS, BOB_IS, CAROL_IS, challenge, offer, table
from tests.bot.playing import HERE, NOW, both, late
from tests.core.boards import ALICE, BOB, CAROL


async def test_the_last_seat_goes_to_one(invitations: Invitations, matches: Matches) -> None:
    """Bob and Carol join for the last seat at once: one plays, the other is told it has begun."""
    seen: Counter[str] = Counter()
    for turn in range(20):
        made = await offer(invitations, Guest(ALICE_IS), None, level=Level.EASY)
        rivals = (BOB_IS, CAROL_IS) if turn % 2 else (CAROL_IS, BOB_IS)
        first, second = await both(*(invitations.join(made.id, who) for who in rivals))
        assert isinstance(second, Refusal)
        assert second.reason == "refusal.table.begun"
        assert first == await matches.live(HERE.channel_id)
        seen[first.names[1]] += 1
        await matches.store.save(first, first.match.agree_draw(), NOW)
    assert set(seen) == {"Bob", "Carol"}


async def test_two_seats_go_to_two(invitations: Invitations, matches: Matches) -> None:
    """Where there is room for both, both sit down, though one of them was second."""
    for _ in range(10):
        made = await table(invitations)
        joined = await asyncio.gather(
            invitations.join(made.id, BOB_IS), invitations.join(made.id, CAROL_IS)
        )
        (stored,) = (result for result in joined if isinstance(result, StoredMatch))
        assert set(stored.match.players) == {ALICE, BOB, CAROL}
        await matches.store.save(stored, stored.match.agree_draw(), NOW)


async def test_joining_against_starting(invitations: Invitations, matches: Matches) -> None:
    """Bob joins as Alice starts: he plays, or the computer does and he is told."""
    seen: Counter[bool] = Counter()
    for turn in range(20):
        first, second = await joining_against(invitations, invitations.start, turn)
        assert second.reason == "refusal.table.begun"
        seen[BOB in first.match.players] += 1
        await matches.resign(first, ALICE.id)
    assert set(seen) == {True, False}


async def test_joining_against_closing(invitations: Invitations, matches: Matches) -> None:
    """Bob joins as Alice closes: a match, or none; each is told what became of it."""
    seen: Counter[str] = Counter()
    for turn in range(20):
        first, second = await joining_against(invitations, invitations.withdraw, turn)
        seen[str(second.reason)] += 1
        if isinstance(first, StoredMatch):
            await matches.resign(first, ALICE.id)
    assert set(seen) == {"refusal.table.begun", "refusal.table.withdrawn"}


async def joining_against(
    invitations: Invitations, alices: Callable[[int, int], Awaitable[Any]], turn: int
) -> tuple[Any, Refusal]:
    """Let Bob join as Alice does her part, in turns a little earlier; the second is refused."""
    made = await offer(invitations, Guest(ALICE_IS), None, level=Level.EASY)
    first, second = await both(
        late(invitations.join(made.id, BOB_IS), 4 * turn * (turn % 2)),
        late(alices(made.id, ALICE.id), 4 * turn * (1 - turn % 2)),
    )
    assert isinstance(second, Refusal)
    return first, second


async def test_two_accepts_at_once(invitations: Invitations, matches: Matches) -> None:
    """A doubled press on Accept begins one match, and the second press is told so."""
    made = await challenge(invitations)
    first, second = await both(
        invitations.accept(made.id, BOB.id), invitations.accept(made.id, BOB.id)
    )
    assert isinstance(second, Refusal)
    assert await matches.live(HERE.channel_id) == first
