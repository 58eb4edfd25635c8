"""Sharing a match: at most one message for each, whatever fails meanwhile."""

from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.analysis.sharing import SharingService
from bot.analysis.store import ShareStore
from bot.identity import MemberId, MessageId
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from core.players import Member
from tests.bot.playing import create
from tests.bot.serving import Clock

QUARTER_OF_AN_HOUR = 900


async def played(database: AsyncEngine) -> StoredMatch:
    """Return a stored match in which somebody has moved."""
    stored = await create(MatchStore(database))
    return replace(stored, match=stored.match.play("a1"))


async def share(sharing: SharingService, stored: StoredMatch, message_id: int) -> str:
    """Let the first player share a match; return what happened, "posted" or the refusal."""
    (first, *_) = stored.match.players
    assert isinstance(first, Member)

    async def post() -> MessageId:
        if not message_id:
            raise OSError("Discord is away")
        return MessageId(message_id)

    try:
        await sharing.share(stored, MemberId(first.id), post)
    except Refusal as refusal:
        return f"{refusal.reason} {refusal.see.id if refusal.see else 0}"
    return "posted"


async def test_a_match_is_shared_by_one_message(sqlite_database: AsyncEngine, clock: Clock) -> None:
    """A failed post leaves the match to be shared again; a posted one is what later askers see."""
    sharing = SharingService(ShareStore(sqlite_database), clock)
    stored = await played(sqlite_database)
    with pytest.raises(OSError, match="Discord is away"):
        await share(sharing, stored, 0)
    assert await share(sharing, stored, 7) == "posted"
    assert await share(sharing, stored, 8) == "refusal.shared 7"
    clock.now += 2 * QUARTER_OF_AN_HOUR
    assert await share(sharing, stored, 8) == "refusal.shared 7"


async def test_a_share_that_was_cut_off(sqlite_database: AsyncEngine, clock: Clock) -> None:
    """A bot that was killed while it drew holds a match back for a quarter of an hour."""
    shares, stored = ShareStore(sqlite_database), await played(sqlite_database)
    sharing = SharingService(shares, clock)
    assert await shares.claim(stored.id, clock(), clock())
    clock.now += QUARTER_OF_AN_HOUR
    assert await share(sharing, stored, 7) == "refusal.shared 0"
    clock.now += 1
    assert await share(sharing, stored, 7) == "posted"
