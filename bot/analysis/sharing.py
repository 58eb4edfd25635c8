"""Sharing a finished match with everybody in its channel, once."""

from collections.abc import Awaitable, Callable

from bot.analysis.store import ShareStore
from bot.identity import MatchId, MemberId, MessageId, Posted
from bot.matches.model import StoredMatch
from bot.refusals import Refusal
from core.players import Member


class SharingService:
    """Lets the players of a match share it; `now` gives Unix seconds."""

    def __init__(self, store: ShareStore, now: Callable[[], int]):
        self._store = store
        self._now = now
        self._under_way = set[MatchId]()

    async def message(self, stored: StoredMatch) -> MessageId | None:
        """Return the message that shares a match, None if there is none."""
        return await self._store.message(stored.id)

    async def share(
        self, stored: StoredMatch, member_id: MemberId, post: Callable[[], Awaitable[MessageId]]
    ) -> MessageId | None:
        """Share a match by `post`, which returns the id of its message.

        Returns that id if the message is to be removed, because another process has shared the
        match meanwhile; otherwise None. Raises Refusal for a member who didn't play, if nobody has
        moved, and if the match has been shared, or is just being shared.
        """
        if Member(member_id) not in stored.match.players:
            raise Refusal("refusal.not_yours_to_share", stored)
        if not stored.match.ply:
            raise Refusal("review.empty", stored)
        if stored.id in self._under_way:
            raise Refusal("refusal.shared")
        self._under_way.add(stored.id)
        try:
            if (shared := await self.message(stored)) is not None:
                raise Refusal("refusal.shared", see=Posted(stored.place, shared))
            posted = await post()
            noted = await self._store.note(stored.id, posted, self._now())
            return None if noted else posted
        finally:
            self._under_way.discard(stored.id)
