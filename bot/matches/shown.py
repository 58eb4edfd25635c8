"""The messages that show matches, as far as this process knows."""

import asyncio
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from cachetools import LRUCache, TTLCache

from bot.identity import ChannelId, MatchId, MessageId
from bot.matches.model import StoredMatch

# The newest boards are remembered for longer than any board is under way.
_REMEMBERED = 10_000
_REMEMBERED_SECONDS = 1800


class _Newest(NamedTuple):
    """The message that shows a match, and the revision that it shows.

    Of a match that was begun anew, no message shows the last revision.
    """

    message_id: MessageId | None
    revision: int


class Shown:
    """Knows the newest board of each match, the state that it shows, and the boards under way."""

    def __init__(self) -> None:
        self._newest: TTLCache[MatchId, _Newest] = TTLCache(_REMEMBERED, _REMEMBERED_SECONDS)
        # The revisions in which matches were archived.
        self._archived: TTLCache[MatchId, int] = TTLCache(_REMEMBERED, _REMEMBERED_SECONDS)
        # The message to remove with the board of a channel; one that is forgotten here stays.
        self._beside: LRUCache[ChannelId, MessageId] = LRUCache(_REMEMBERED)
        # The states whose boards are being sent, by what is set once Discord has answered.
        self._under_way: dict[MatchId, dict[asyncio.Event, StoredMatch]] = {}

    def note(self, stored: StoredMatch, message_id: MessageId) -> None:
        """Note that a message shows a match as it stands."""
        self._newest[stored.id] = _Newest(message_id, stored.revision)

    def board(self, match_id: MatchId) -> MessageId | None:
        """Return the newest board of a match, None if it isn't known."""
        newest = self._newest.get(match_id)
        return None if newest is None else newest.message_id

    def retire(self, stored: StoredMatch) -> MessageId | None:
        """Return the newest board of a match that was begun anew; any other comes too late."""
        newest = self.board(stored.id)
        # Its end has raised the revision.
        self._newest[stored.id] = _Newest(None, stored.revision + 1)
        return newest

    def since(self, match_id: MatchId, revision: int, before: Collection[MessageId | None]) -> bool:
        """Return whether a later revision is shown, or this one by a board not in `before`."""
        newest = self._newest.get(match_id)
        if newest is not None and newest.revision == revision:
            return newest.message_id not in before
        return newest is not None and newest.revision > revision

    def is_overtaken(self, stored: StoredMatch) -> bool:
        """Return whether a later state of the match is shown."""
        newest = self._newest.get(stored.id)
        return newest is not None and newest.revision > stored.revision

    def comes_too_late(self, stored: StoredMatch, message_id: MessageId) -> bool:
        """Return whether a message that shows this state has been overtaken by the newest board.

        Of two that show the same state, the later message stays: the other one may have been
        removed by now, and then arrive a second time.
        """
        newest = self._newest.get(stored.id)
        if newest is None or newest.message_id is None or newest.revision != stored.revision:
            return self.is_overtaken(stored)
        return newest.message_id > message_id

    def note_archived(self, stored: StoredMatch) -> None:
        """Note that a match was archived as it stands."""
        self._archived[stored.id] = stored.revision

    def is_archived(self, stored: StoredMatch) -> bool:
        """Return whether a match was archived in this state or a later one.

        If it came back, it has a later state than that.
        """
        return self._archived.get(stored.id, -1) >= stored.revision

    def shows(self, stored: StoredMatch, found: MessageId | None = None) -> bool:
        """Return whether the newest board shows a match as it stands.

        It doesn't if the board that was `found` in the channel came later: another process that is
        being replaced may have sent it, and both keep the latest.
        """
        newest = self._newest.get(stored.id)
        if newest is None or newest.message_id is None or newest.revision != stored.revision:
            return False
        return found is None or found <= newest.message_id

    @contextmanager
    def sending(self, stored: StoredMatch) -> Iterator[None]:
        """Note that the board of this state is under way in this context."""
        ended, under_way = asyncio.Event(), self._under_way.setdefault(stored.id, {})
        under_way[ended] = stored
        try:
            yield
        finally:
            ended.set()
            del under_way[ended]
            if not under_way:
                del self._under_way[stored.id]

    def is_under_way(self, stored: StoredMatch) -> bool:
        """Return whether the board of a match as it stands is under way."""
        under_way = self._under_way.get(stored.id, {})
        return any(sending.match == stored.match for sending in under_way.values())

    async def arrived(self, match_id: MatchId) -> bool:
        """Wait for a board of a match that is under way; return whether there was one."""
        under_way = self._under_way.get(match_id)
        if not under_way:
            return False
        await next(reversed(under_way)).wait()
        return True

    def goes_with(self, channel_id: ChannelId, message_id: MessageId) -> None:
        """Note a message that is to be removed when the next board comes to its channel.

        That may be another match's: a restart takes the board away, and shows the new match.
        """
        self._beside[channel_id] = message_id

    def take_beside(self, channel_id: ChannelId, successor: MessageId) -> MessageId | None:
        """Forget the message that goes with the board of a channel, and return it.

        One that is newer than its `successor` stays: that board was found there after a start. So
        does the successor itself, which may have been sent twice, but makes one message.
        """
        beside = self._beside.get(channel_id)
        if beside is None or beside >= successor:
            return None
        return self._beside.pop(channel_id)
