"""Simultaneous changes to an invitation without our locks: the database keeps them in order.

The delays of the rounds vary, so that both orders occur.
"""

import asyncio
from collections import Counter
from typing import Any

from bot.invitations.model import Guest, Verb
from bot.invitations.service import InvitationService
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from core.engine.levels import Level
from tests.bot.inviting import ALICE_IS, BOB_IS, CAROL_IS, offer, table
from tests.bot.playing import ALICE_ID, HERE, NOW, ROUNDS, both, race
from tests.core.boards import ALICE, BOB, CAROL


async def test_the_last_seat_goes_to_one(
    invitations: InvitationService, store: MatchStore, matches: MatchService
) -> None:
    """Bob and Carol join for the last seat at once: one plays, the other learns of the start."""
    seen: Counter[str] = Counter()
    for turn in range(ROUNDS):
        made = await offer(invitations, Guest(ALICE_IS), None, level=Level.EASY)
        rivals = (BOB_IS, CAROL_IS) if turn % 2 else (CAROL_IS, BOB_IS)
        first, second = await both(*(invitations.answer(made.id, Verb.JOIN, who) for who in rivals))
        assert isinstance(second, Refusal)
        assert second.reason == "refusal.table.begun"
        assert first == await matches.live(HERE.channel_id)
        seen[first.names[1]] += 1
        await store.save(first, first.match.agree_draw(), NOW)
    assert set(seen) == {"Bob", "Carol"}


async def test_two_seats_go_to_two(
    invitations: InvitationService, store: MatchStore, matches: MatchService
) -> None:
    """With room for both, both get a seat, though one came second."""
    for _ in range(10):
        made = await table(invitations)
        joined = await asyncio.gather(
            invitations.answer(made.id, Verb.JOIN, BOB_IS),
            invitations.answer(made.id, Verb.JOIN, CAROL_IS),
        )
        (stored,) = (result for result in joined if isinstance(result, StoredMatch))
        assert set(stored.match.players) == {ALICE, BOB, CAROL}
        await store.save(stored, stored.match.agree_draw(), NOW)


async def test_joining_while_starting(
    invitations: InvitationService, matches: MatchService
) -> None:
    """Bob joins as Alice starts: he plays, or the computer does and he is told."""
    seen: Counter[bool] = Counter()
    for turn in range(ROUNDS):
        first, second = await joining_against(invitations, Verb.START, turn)
        assert second.reason == "refusal.table.begun"
        seen[BOB in first.match.players] += 1
        await matches.resign(first, ALICE_ID)
    assert set(seen) == {True, False}


async def test_joining_while_closing(invitations: InvitationService, matches: MatchService) -> None:
    """Bob joins as Alice closes: there is a match or none, and each learns which."""
    seen: Counter[str] = Counter()
    for turn in range(ROUNDS):
        first, second = await joining_against(invitations, Verb.WITHDRAW, turn)
        seen[str(second.reason)] += 1
        if isinstance(first, StoredMatch):
            await matches.resign(first, ALICE_ID)
    assert set(seen) == {"refusal.table.begun", "refusal.table.withdrawn"}


async def joining_against(
    invitations: InvitationService, alices: Verb, turn: int
) -> tuple[Any, Refusal]:
    """Let Bob join as Alice acts, one of them earlier; return the first result, and the refusal."""
    made = await offer(invitations, Guest(ALICE_IS), None, level=Level.EASY)
    first, second = await race(
        turn,
        invitations.answer(made.id, Verb.JOIN, BOB_IS),
        invitations.answer(made.id, alices, ALICE_IS),
    )
    assert isinstance(second, Refusal)
    return first, second
