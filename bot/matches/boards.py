"""Showing a match's board: as a new message each turn, with the old one removed.

Boards are sent while nobody holds the channel's lock, so they may arrive in another order than
their states were saved, or not at all. `Boards` sees to it that the newest state is what remains.
"""

import asyncio
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from cachetools import TTLCache
from discord import ui

from bot.gateway.responses import (
    CALL_FAILED,
    Channels,
    Interaction,
    asker_of,
    may_pass,
    missing_permissions,
    texts_of,
)
from bot.i18n import DEFAULT_LOCALE, texts_for
from bot.identity import MatchId, MemberId, MessageId
from bot.matches.model import StoredMatch
from bot.matches.settings import ServerSettings
from bot.matches.store import MatchStore
from bot.matches.view import archived_view, board_view, to_notify
from bot.refusals import Refusal

# The newest boards are remembered for longer than any board is under way.
_REMEMBERED = 10_000
_REMEMBERED_SECONDS = 1800


@dataclass(frozen=True)
class _Board:
    """A board to be posted; it mentions `notify`, and is made once under its `nonce`."""

    stored: StoredMatch
    view: ui.LayoutView
    notify: MemberId | None
    nonce: int


@dataclass(frozen=True)
class _Shown:
    """The message that shows a match, and the place of its state among those `seen`."""

    seen: int
    message_id: MessageId


@dataclass(frozen=True)
class _UnderWay:
    """A state whose board has been sent, until Discord has answered."""

    stored: StoredMatch
    ended: asyncio.Event


class Boards:
    """Posts boards, and notes in the store which message shows which match."""

    def __init__(self, store: MatchStore, channels: Channels):
        self._store = store
        self._channels = channels
        self._newest: TTLCache[MatchId, _Shown] = TTLCache(_REMEMBERED, _REMEMBERED_SECONDS)
        self._under_way: dict[MatchId, _UnderWay] = {}

    async def show(
        self,
        interaction: Interaction,
        stored: StoredMatch,
        remove: Iterable[MessageId | None] = (),
        *,
        quiet: bool = False,
    ) -> None:
        """Answer an interaction with the board of a match; then remove the messages in `remove`.

        Unless `quiet`, it mentions the member to move if somebody else has acted. Raises Refusal if
        the press was doubled, so that the board that it asks for was already on its way.
        """
        await self._check_not_doubled(interaction, stored)
        notify = None if quiet else to_notify(stored, asker_of(interaction))
        missing = missing_permissions(interaction)
        view = board_view(stored, texts_of(interaction), notify, missing=missing)
        with self._sending(stored):
            try:
                message_id = await self._channels.answer(interaction, view, notify)
            except CALL_FAILED as error:
                self._not_sent(_Board(stored, view, notify, interaction.id), error)
                raise
            self._sent(stored, message_id, remove, interaction)

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
            self._channels.remove_later(channel_id, [before], interaction)
        elif pressed is not None:
            final = board_view(pressed, texts_of(interaction), played_again=True)
            self._channels.change_later(channel_id, before, final)

    async def post(self, stored: StoredMatch) -> bool:
        """Post the board of a match outside of interactions, and remove the old one.

        Returns whether it could be posted. If not, it is tried again later if that may help;
        otherwise the old board is changed, which notifies nobody.
        """
        notify = to_notify(stored, None)
        view = board_view(stored, texts_for(DEFAULT_LOCALE), notify)
        board = _Board(stored, view, notify, secrets.randbits(63))
        try:
            await self._post(board)
        except CALL_FAILED as error:
            self._not_sent(board, error)
            return False
        return True

    def post_later(self, stored: StoredMatch) -> None:
        """Post the board of a match in the background, as `post` does."""

        async def post() -> None:
            await self.post(stored)

        self._channels.later(post)

    def archive(self, stored: StoredMatch) -> None:
        """Show on the board of an archived match what has become of it, in the background."""
        if stored.board_id is not None:
            view = archived_view(stored, texts_for(DEFAULT_LOCALE))
            self._channels.change_later(stored.place.channel_id, stored.board_id, view)

    async def _post(self, board: _Board) -> None:
        stored = board.stored
        newest = self._newest.get(stored.id)
        if newest is not None and newest.seen >= stored.seen:
            return  # a later state has been shown meanwhile
        with self._sending(stored):
            message_id = await self._channels.send(
                stored.place.channel_id, board.view, board.notify, nonce=board.nonce
            )
            self._sent(stored, message_id, [stored.board_id])

    @contextmanager
    def _sending(self, stored: StoredMatch) -> Iterator[None]:
        """Note that the board of this state is under way."""
        sending = self._under_way[stored.id] = _UnderWay(stored, asyncio.Event())
        try:
            yield
        finally:
            sending.ended.set()
            if self._under_way.get(stored.id) is sending:
                del self._under_way[stored.id]

    async def _check_not_doubled(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Raise Refusal if a press asks for a board that was under way, and has arrived by now."""
        under_way = self._under_way.get(stored.id)
        pressed = interaction.message
        if pressed is None or under_way is None or under_way.stored.match != stored.match:
            return
        await under_way.ended.wait()
        newest = self._newest.get(stored.id)
        if newest is not None and newest.message_id > pressed.id:
            raise Refusal("refusal.old_board", replace(stored, board_id=newest.message_id))

    def _sent(
        self,
        stored: StoredMatch,
        message_id: MessageId,
        remove: Iterable[MessageId | None],
        pressed: Interaction | None = None,
    ) -> None:
        """Remove the older boards; if a newer one has come first, it is this one that goes."""
        newest = self._newest.get(stored.id)
        if newest is not None and newest.seen > stored.seen:
            old = {*remove, message_id}
        else:
            old = {*remove, newest.message_id if newest else None} - {message_id}
            self._newest[stored.id] = _Shown(stored.seen, message_id)
            self._store.note_board(stored.id, message_id)
        gone = [one for one in old if one is not None]
        self._channels.remove_later(stored.place.channel_id, gone, pressed)

    def _not_sent(self, board: _Board, error: BaseException) -> None:
        """Send a board later, or if that is hopeless, change the old board."""
        stored = board.stored
        if may_pass(error):
            self._channels.put_off(partial(self._post, board))
        elif stored.board_id is not None:
            self._channels.change_later(stored.place.channel_id, stored.board_id, board.view)
