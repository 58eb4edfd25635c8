"""Erasing a member while their opponent plays, on both engines."""

import asyncio

from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.privacy.service import PrivacyService
from core.outcome import Ending, Termination
from tests.bot.playing import ALICE_ID, BOB_ID, HERE, create


async def test_a_move_in_the_moment_of_an_erasure(
    store: MatchStore, matches: MatchService, privacy: PrivacyService
) -> None:
    """The erasure waits for the move; then the match is resigned, and nobody waits for a ghost."""
    begun = await create(store)
    async with matches.lock(HERE.channel_id):
        erasing = asyncio.create_task(privacy.forget(BOB_ID))
        await asyncio.sleep(0.05)  # it waits for its turn
        await matches.play(begun.id, ALICE_ID, "b2")
    (ended,) = await erasing
    assert ended.match.ply == 1
    assert ended.match.outcome and ended.match.outcome.termination is Termination.RESIGNATION


async def test_a_match_that_ends_in_the_moment_of_an_erasure(
    store: MatchStore, matches: MatchService, privacy: PrivacyService
) -> None:
    """The match keeps its end, and the erasure goes on."""
    begun = await create(store)
    async with matches.lock(HERE.channel_id):
        erasing = asyncio.create_task(privacy.forget(BOB_ID))
        await asyncio.sleep(0.05)  # it waits for its turn
        await matches.resign(begun, ALICE_ID)
    assert await erasing == []
    ended = await matches.get(begun.id)
    assert ended.match.ending == Ending(Termination.RESIGNATION, 0) and ended.names[1] is None
