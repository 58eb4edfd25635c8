"""Sharing a finished match with everybody in its channel, once."""

from collections.abc import Awaitable, Callable

from bot.analysis.store import ShareStore
from bot.identity import MatchId, MemberId, MessageId, Posted
from bot.matches.model import StoredMatch
from bot.refusals import Refusal
from core.players import Member


class SharingService:
    """Lets the players of a match share it; `now` gives Unix seconds.

    `is_gone` finds out whether somebody has deleted a message.
    """

    def __init__(
        self,
        store: ShareStore,
        now: Callable[[], int],
        is_gone: Callable[[Posted], Awaitable[bool]],
    ):
        self._store = store
        self._now = now
        self._is_gone = is_gone
        self._under_way = set[MatchId]()

    async def share(
        self, stored: StoredMatch, member_id: MemberId, post: Callable[[], Awaitable[MessageId]]
    ) -> None:
        """Share a match by `post`, which returns the id of its message.

        Raises Refusal for a member who didn't play, if nobody has moved, and if the match has been
        shared, unless that message was deleted, or is just being shared.
        """
        if Member(member_id) not in stored.match.players:
            raise Refusal("refusal.not_yours_to_share", stored)
        if not stored.match.ply:
            raise Refusal("review.empty", stored)
        if stored.id in self._under_way:
            raise Refusal("refusal.shared")
        self._under_way.add(stored.id)
        try:
            if (message_id := await self._store.message(stored.id)) is not None:
                shared = Posted(stored.place, message_id)
                if not await self._is_gone(shared):
                    raise Refusal("refusal.shared", see=shared)
            await self._store.note(stored.id, await post(), self._now())
        finally:
            self._under_way.discard(stored.id)
