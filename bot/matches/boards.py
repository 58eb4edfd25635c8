"""Showing a match's board: as a new message each turn, with the old one removed."""

from collections.abc import Iterable

from bot.gateway.responses import (
    Channels,
    Interaction,
    asker_of,
    mentions,
    missing_permissions,
    response_of,
    texts_of,
)
from bot.i18n import DEFAULT_LOCALE, texts_for
from bot.identity import MessageId
from bot.matches.model import StoredMatch
from bot.matches.settings import ServerSettings
from bot.matches.store import MatchStore
from bot.matches.view import board_view, to_notify


class Boards:
    """Posts boards, and notes in the store which message shows which match."""

    def __init__(self, store: MatchStore, channels: Channels):
        self._store = store
        self._channels = channels

    async def show(
        self,
        interaction: Interaction,
        stored: StoredMatch,
        remove: Iterable[MessageId | None] = (),
        *,
        quiet: bool = False,
    ) -> None:
        """Answer an interaction with the board of a match; then remove the messages in `remove`.

        Unless `quiet`, it mentions the member to move if somebody else has acted.
        """
        notify = None if quiet else to_notify(stored, asker_of(interaction))
        missing = missing_permissions(interaction)
        view = board_view(stored, texts_of(interaction), notify, missing=missing)
        message_id = await response_of(interaction).post(view, mentions(notify))
        self._replace(stored, message_id, remove)

    async def show_first(
        self,
        interaction: Interaction,
        stored: StoredMatch,
        settings: ServerSettings,
        remove: Iterable[MessageId | None] = (),
        pressed: StoredMatch | None = None,
    ) -> None:
        """Answer with the board of a match that has just begun.

        The final board before it is removed, unless the server's `settings` keep it. `pressed` is
        the match before if its final board was pressed for a rematch: that board then only offers
        the replay and the analysis.
        """
        channel_id = stored.place.channel_id
        await self.show(interaction, stored, remove)
        before = pressed.board_id if pressed else await self._store.board_before(stored)
        if before is None:
            return
        if not settings.boards_stay:
            self._channels.remove_later(channel_id, [before])
        elif pressed is not None:
            final = board_view(pressed, texts_of(interaction), played_again=True)
            self._channels.change_later(channel_id, before, final)

    async def post(self, stored: StoredMatch) -> bool:
        """Post the board of a match outside of interactions, and remove the old one.

        Returns whether it could be posted. If not, the old board is changed, which notifies nobody.
        """
        channel_id, notify = stored.place.channel_id, to_notify(stored, None)
        view = board_view(stored, texts_for(DEFAULT_LOCALE), notify)
        message_id = await self._channels.send(channel_id, view, notify)
        if message_id is not None:
            self._replace(stored, message_id, [stored.board_id])
        elif stored.board_id is not None:
            await self._channels.change(channel_id, stored.board_id, view)
        return message_id is not None

    def _replace(
        self, stored: StoredMatch, message_id: MessageId | None, remove: Iterable[MessageId | None]
    ) -> None:
        if message_id is not None:
            self._store.note_board(stored.id, message_id)
        old = {old for old in remove if old is not None} - {message_id}
        self._channels.remove_later(stored.place.channel_id, old)
