"""Reminders of the players to move, each posted once in the channel of its match."""

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from functools import partial

from discord.utils import snowflake_time

from bot.clocks.store import DueStore
from bot.gateway.channels import Channels, nonce_of
from bot.gateway.components import Layout, view_of
from bot.gateway.errors import CALL_FAILED, may_pass, only_passing
from bot.gateway.loops import Loop
from bot.i18n import channel_texts
from bot.identity import MemberId, ServerId
from bot.logs import mark
from bot.matches.absence import Absence
from bot.matches.boards import Boards
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.matches.view import names_of, to_notify
from bot.refusals import Refusal
from bot.render import words
from bot.render.links import board_line
from bot.times import DAY
from core.position import mover_of

log = logging.getLogger(__name__)

_AT_ONCE = 10
# After this time, in seconds, a move's reminder is replaced by another one, which notifies again.
_STANDS_SECONDS = DAY


class Reminders:
    """Sends the reminders that were claimed, unless their players have left.

    Members and servers that the host has blocked get none: a reminded player couldn't move. `now`
    gives Unix seconds.
    """

    def __init__(
        self,
        store: DueStore,
        match_store: MatchStore,
        boards: Boards,
        channels: Channels,
        absence: Absence,
        now: Callable[[], int],
    ):
        self._store = store
        self._match_store = match_store
        self._boards = boards
        self._channels = channels
        self._absence = absence
        self._now = now

    async def send(self, claimed: Sequence[StoredMatch], loop: Loop) -> None:
        """Send the reminders for matches whose reminders were claimed, in a round of `loop`."""
        by_server = defaultdict[ServerId | None, list[StoredMatch]](list)
        for stored in claimed:
            by_server[stored.place.server_id].append(stored)
        await loop.each([*by_server.items()], partial(self._remind_in, loop), _AT_ONCE)

    async def _remind_in(
        self, loop: Loop, of_server: tuple[ServerId | None, Sequence[StoredMatch]]
    ) -> None:
        """Send the reminders for matches of one server, after asking Discord for all their players.

        Discord is asked at a limited pace, and a tournament's reminders may all be due at once.
        """
        server_id, together = of_server
        gone = await self._absence.gone_from(server_id, together)
        await loop.each(together, partial(self._remind, gone), _AT_ONCE)

    async def _remind(self, gone: Set[MemberId], stored: StoredMatch) -> None:
        """Remind the player to move, or show the result if a player is `gone` from the server.

        Where the bot can't post, or the player can't move, nobody is reminded.
        """
        mark(channel=stored.place.channel_id)
        try:
            current = await self._absence.let_depart(stored, gone)
        except Refusal as error:
            log.warning("match %s was due: %s", stored.id, error)
            return
        if current is stored and stored.place.posts and self._is_served(stored):
            self._channels.requests.later(partial(self._send_reminder, stored))
            return
        if current is not stored:
            self._boards.post_later(current)
        await self._store.note_reminded(stored)

    def _is_served(self, stored: StoredMatch) -> bool:
        """Return whether the host has blocked neither the player to move nor the server."""
        player, server_id = to_notify(stored, None), stored.place.server_id
        is_blocked = self._channels.requests.is_blocked
        return not is_blocked(player) and not is_blocked(server_id)

    async def _send_reminder(self, stored: StoredMatch) -> None:
        """Send a reminder, unless the match has gone on, or the reminder was claimed again.

        If Discord fails, this is called again some minutes later. Raises one of CALL_FAILED that
        may pass.
        """
        current = await self._match_store.load(stored.id)
        if current is None or current.timing != stored.timing:
            return
        with only_passing():
            await self._post_reminder(current)
        await self._store.note_reminded(current)

    async def _post_reminder(self, current: StoredMatch) -> None:
        notify = to_notify(current, None)
        view = _reminder_view(current, notify)
        if not await self._renew(current, view):
            # After a kill the reminder may be sent again: within some minutes, the nonce prevents a
            # second message.
            nonce = nonce_of("clock", current.id, current.timing.deadline)
            message_id = await self._channels.send(current.place, view, notify, nonce=nonce)
            await self._boards.arrivals.note_reminder(current, message_id)
        if current.timing.deadline != current.moved_at + (current.clock or 0):
            # An outage has put the deadline off since the board was sent.
            self._boards.refresh_later(current.id)

    async def _renew(self, current: StoredMatch, view: Layout) -> bool:
        """Change the reminder that this move has already, if it has one, to what `view` says.

        It names a deadline that has been put off since. A new one would notify the player again of
        the same move. Returns False if there is none that can be changed, or if the player
        was notified so long ago that they may not expect their clock to go on; raises a CALL_FAILED
        that may pass.
        """
        reminder = await self._match_store.board_ids.reminder(current)
        if reminder is None:
            return False
        if snowflake_time(reminder).timestamp() + _STANDS_SECONDS < self._now():
            return False
        try:
            await self._channels.change(current.place, reminder, view)
        except CALL_FAILED as error:
            if may_pass(error):
                raise
            return False
        return True


def _reminder_view(stored: StoredMatch, notify: MemberId | None) -> Layout:
    """Return the reminder of a move, with a link to the board; it mentions `notify`."""
    texts = channel_texts(stored.language)
    seat = mover_of(stored.match.position)
    player = f"<@{notify}>" if notify else names_of(stored, texts)[seat]
    title = words.title(stored.match.game, stored.match.options, texts)
    text = texts("reminder", player=player, title=title, moment=stored.timing.deadline)
    link = board_line(stored, texts)
    return view_of(f"{text}\n{link}" if link else text)
