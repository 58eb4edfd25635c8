"""Boards that have arrived: of each match the newest stays, and all others are removed."""

from collections.abc import Callable, Iterable
from functools import partial

from bot.gateway.channels import Channels
from bot.gateway.interactions import Interaction, place_of
from bot.i18n import channel_texts
from bot.identity import MessageId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore


class Arrivals:
    """Notes in the store which message shows which match, and has older ones removed."""

    def __init__(self, matches: MatchService, store: MatchStore, channels: Channels):
        self._matches = matches
        self._ids = store.board_ids
        self._channels = channels
        # Called with each match that may have two boards in its channel.
        self.on_unsure: list[Callable[[StoredMatch], None]] = []

    def note(
        self,
        stored: StoredMatch,
        message_id: MessageId,
        remove: Iterable[MessageId | None],
        pressed: Interaction | None = None,
    ) -> None:
        """Note a board that has arrived; remove older ones, or this one if a newer one came first.

        The messages in `remove` are removed too, by the token of the press if one was `pressed`.
        """
        if self._ids.comes_too_late(stored, message_id):
            old = {*remove, message_id}
        else:
            reminder = self._ids.take_reminder(stored.id, message_id)
            old = {*remove, self._ids.board(stored.id), reminder}
            self._ids.note(stored, message_id)
        self.remove(stored, old, pressed)
        self._matches.note_void(stored)

    def check_if_unsure(self, stored: StoredMatch) -> None:
        """Check a match later if its channel may have a board from before a kill that wasn't noted.

        It has none once this process has shown the match, since its own boards are noted.
        """
        if stored.board_unsure and self._ids.board(stored.id) is None:
            self.check_later(stored)

    def check_later(self, stored: StoredMatch) -> None:
        """Have `on_unsure` check later that a match has only its current board in its channel.

        This is called before noting a board that may have a twin. Where the bot can't post, it
        can't read messages either, and nothing is checked.
        """
        if stored.place.posts:
            self._ids.note_unchecked(stored.id)
            for call in self.on_unsure:
                call(stored)

    def remove(
        self,
        stored: StoredMatch,
        old: Iterable[MessageId | None],
        pressed: Interaction | None = None,
    ) -> None:
        """Remove boards in the background, never the newest one.

        If the program ends before, the next start removes them. Where the bot can't post, they
        stay, because that start has no token.
        """
        gone = {*filter(None, old)}
        texts = channel_texts(stored.language)
        if (newest := self._ids.board(stored.id)) in gone:
            gone.remove(newest)
            self._ids.note_removed(stored.id, newest)
        if stored.place.posts:
            self._ids.note_old(stored.id, gone)
        forget = partial(self._ids.note_removed, stored.id)
        # The bot may have been added to the server, or removed, since the match began.
        place = place_of(pressed) if pressed else stored.place
        self._channels.remove_later(place, gone, texts, pressed, forget)

    def retire(self, stored: StoredMatch) -> None:
        """Remove the reminder of a restarted match, and a board that came since it was read.

        A board that is still under way comes too late, and is removed when it arrives. One that
        nobody has noted, since the bot was killed, is looked for.
        """
        newest = self._ids.board(stored.id)
        self._ids.retire(stored.id, stored.revision + 1)  # the end has raised the revision
        old = [self._ids.take_reminder(stored.id)]
        if newest != stored.board_id:
            old.append(newest)
        self.remove(stored, old)
        if stored.board_unsure:
            self.check_later(stored)

    async def note_reminder(self, stored: StoredMatch, message_id: MessageId) -> None:
        """Note a reminder, and remove the one before it.

        The next board of the match removes it. If that has come already, the reminder is removed at
        once.
        """
        # Not after the write, whose reply may be lost.
        self.remove(stored, [self._ids.take_reminder(stored.id, message_id)])
        await self._ids.note_reminder(stored, message_id)
        if self._ids.is_overtaken(stored):
            self.remove(stored, [self._ids.take_reminder(stored.id)])
