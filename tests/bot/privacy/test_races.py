"""Erasing a member while their opponent plays, on both engines."""

import asyncio

from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.privacy.service import PrivacyService
from core.outcome import Ending, Termination
from tests.bot.playing import ALICE_ID, BOB_ID, create


async def test_an_act_in_the_moment_of_an_erasure(
    store: MatchStore, matches: MatchService, privacy: PrivacyService
) -> None:
    """The erasure waits for it; a match that goes on is resigned, so nobody waits for a ghost."""
    for channel, ends in enumerate((False, True), start=1):
        begun = await create(store, channel_id=channel)
        async with matches.lock(begun.place.channel_id):
            erasing = asyncio.create_task(privacy.forget(BOB_ID))
            await asyncio.sleep(0.05)  # it waits for its turn
            if ends:
                await matches.resign(begun, ALICE_ID)
            else:
                await matches.play(begun.id, ALICE_ID, "b2")
        assert [one.match.ply for one in await erasing] == [1] * (not ends)
        after = await matches.get(begun.id)
        assert after.match.ending == Ending(Termination.RESIGNATION, 0 if ends else 1)
        assert after.names[1] is None
