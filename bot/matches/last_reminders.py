"""The reminders that the next boards remove."""

from cachetools import LRUCache

from bot.identity import ChannelId, MessageId

_REMEMBERED = 10_000


class LastReminders:
    """The last reminder of each channel, which goes with the next board there.

    A reminder that is forgotten here stays.
    """

    def __init__(self) -> None:
        self._last: LRUCache[ChannelId, MessageId] = LRUCache(_REMEMBERED)

    def note(self, channel_id: ChannelId, message_id: MessageId) -> None:
        """Remember the reminder of a channel, in place of the one before it."""
        self._last[channel_id] = message_id

    def take(self, channel_id: ChannelId, successor: MessageId) -> MessageId | None:
        """Forget and return the reminder of a channel; None unless its `successor` is newer.

        The successor is a board or the next reminder. A board that a start has found in the channel
        may be older than the reminder. A reminder that was sent twice makes one message: it is its
        own successor.
        """
        reminder = self._last.get(channel_id)
        if reminder is None or reminder >= successor:
            return None
        return self._last.pop(channel_id)
