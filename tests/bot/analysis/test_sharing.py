"""Sharing a match: at most one message for each, whatever fails meanwhile."""

import pytest

from bot.analysis.sharing import SharingService
from bot.analysis.store import ShareStore
from bot.db.database import Database
from bot.identity import MemberId, MessageId, Posted
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from core.players import Member
from tests.bot.playing import NOW, X_WINS, create
from tests.bot.serving import Clock
from tests.core.boards import after


async def played(database: Database) -> StoredMatch:
    """Return a stored match that is over."""
    store = MatchStore(database)
    stored = await create(store)
    return await store.save(stored, after(stored.match, X_WINS), NOW)


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


async def test_a_match_is_shared_by_one_message(sqlite_database: Database, clock: Clock) -> None:
    """If the post fails or is deleted, it can be repeated; otherwise later askers see the post."""
    deleted = set[MessageId]()

    async def is_gone(message: Posted) -> bool:
        return message.id in deleted

    sharing = SharingService(ShareStore(sqlite_database), clock, is_gone)
    stored = await played(sqlite_database)
    with pytest.raises(OSError, match="Discord is away"):
        await share(sharing, stored, 0)
    assert await share(sharing, stored, 7) == "posted"
    assert await share(sharing, stored, 8) == "refusal.shared 7"
    deleted.add(MessageId(7))
    assert await share(sharing, stored, 9) == "posted"
    assert await share(sharing, stored, 10) == "refusal.shared 9"
