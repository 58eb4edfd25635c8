"""Sharing a finished match with everybody in its channel, once."""

from collections.abc import Awaitable, Callable

from bot.analysis.store import ShareStore
from bot.identity import MemberId, MessageId, Posted
from bot.matches.model import StoredMatch
from bot.refusals import Refusal
from core.players import Member

# Drawing and posting take less: a claim that is older was cut off, by a kill for example.
_CLAIM_SECONDS = 900


class SharingService:
    """Lets the players of a match share it; `now` gives Unix seconds."""

    def __init__(self, store: ShareStore, now: Callable[[], int]):
        self._store = store
        self._now = now

    async def share(
        self, stored: StoredMatch, member_id: MemberId, post: Callable[[], Awaitable[MessageId]]
    ) -> None:
        """Share a match by `post`, which returns the id of its message.

        Raises Refusal for a member who didn't play, if nobody has moved, and if the match has been
        shared.
        """
        if Member(member_id) not in stored.match.players:
            raise Refusal("refusal.not_yours_to_share", stored)
        if not stored.match.ply:
            raise Refusal("review.empty", stored)
        now = self._now()
        if not await self._store.claim(stored.id, now, now - _CLAIM_SECONDS):
            message_id = await self._store.message(stored.id)
            shown = Posted(stored.place, message_id) if message_id is not None else None
            raise Refusal("refusal.shared", see=shown)
        try:
            message_id = await post()
        except BaseException:  # even if the program ends: it can be shared again at once
            await self._store.release(stored.id)
            raise
        await self._store.shared(stored.id, message_id)
