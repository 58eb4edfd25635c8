"""The feature: a loop that looks every few seconds for matches in which something is due.

A round with nothing due is one query by index. No state is in memory: a round claims a due match in
the database, and then acts on it.
"""

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence, Set
from functools import partial
from typing import TypeAlias

from bot.clocks.service import ClockService
from bot.clocks.store import Due, DueStore
from bot.gateway.channels import Channels, nonce_of
from bot.gateway.components import Layout, view_of
from bot.gateway.errors import only_passing
from bot.gateway.feature import Feature
from bot.gateway.loops import Loop
from bot.gateway.threads import Threads
from bot.i18n import channel_texts
from bot.identity import MemberId, ServerId
from bot.logs import mark
from bot.matches.absence import Absence
from bot.matches.boards import Boards
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.view import names_of, to_notify
from bot.refusals import Refusal
from bot.render import words
from bot.render.refusals import board_line
from bot.shards import Hears
from core.position import mover_of

log = logging.getLogger(__name__)

_EVERY_SECONDS = 5.0
_AT_ONCE = 10
# The most due matches in a round; the rest is left to the next one.
_MOST = 1000

_OfServers: TypeAlias = dict[ServerId | None, list[StoredMatch]]
"""Matches by their servers; None stands for places outside of servers."""


class Clocks(Feature):
    """Reminders, lost time, and the archiving of idle matches.

    `note_if_left` notes it if the bot was removed from a server, and returns whether it was. `now`
    gives Unix seconds.
    """

    def __init__(
        self,
        store: DueStore,
        matches: MatchService,
        clocks: ClockService,
        boards: Boards,
        channels: Channels,
        absence: Absence,
        threads: Threads,
        hears: Hears,
        note_if_left: Callable[[ServerId], Awaitable[bool]],
        now: Callable[[], int],
    ):
        self._store = store
        self._matches = matches
        self._clocks = clocks
        self._boards = boards
        self._channels = channels
        self._requests = channels.requests
        self._absence = absence
        self._threads = threads
        self._hears = hears
        self._note_if_left = note_if_left
        self._now = now
        self._caught_up = False
        self._graces = 0
        self._loop = Loop("sweeping due matches", _EVERY_SECONDS, self.sweep, early=True)

    def loops(self) -> Sequence[Loop]:
        """Return the loop that looks for due matches."""
        return [self._loop]

    async def sweep(self) -> None:
        """Act on every due match."""
        due = await self._store.due(self._now(), _MOST)
        claimed = defaultdict[ServerId | None, list[StoredMatch]](list)
        await self._loop.each(due, partial(self._act, claimed), _AT_ONCE)
        await self._loop.each([*claimed.items()], self._remind_in, _AT_ONCE)
        # Until a round has seen all due matches, any deadline may have passed before the start.
        self._caught_up |= len(due) < _MOST
        if self._graces:
            log.info("deadlines put off that passed while nobody could move: %s", self._graces)
            self._graces = 0

    async def _act(self, claimed: _OfServers, due: Due) -> None:
        """Act on one due match, or add it to those that are `claimed` for a reminder.

        A refusal is logged.
        """
        mark(channel=due.channel_id)  # where a permission may be missing
        try:
            if due.deadline is not None and not self._hears(due.server_id):
                await self._store.put_off(due, self._now(), remind=False)
                return
            # Asked before the lock is taken: Discord may take seconds to answer.
            if await self._stop_if_left(due):
                return
            if self._clocks.was_missed(due, at_start=not self._caught_up):
                given = await self._store.put_off(due, self._now(), remind=True)
                self._graces += given  # read after the wait: others count meanwhile
                return
            playable = await self._is_playable(due)
            async with self._matches.lock(due.channel_id):
                reminded = await self._carry_out(due, playable=playable)
            if reminded is not None:
                claimed[reminded.place.server_id].append(reminded)
        except Refusal as error:
            log.warning("match %s was due: %s", due.match_id, error)

    async def _stop_if_left(self, due: Due) -> bool:
        """Stop the clock of a due match if its server has removed the bot; return whether it has.

        Without a deadline no clock runs. Discord is asked only if somebody would lose on time now.
        """
        if due.deadline is None:
            return False
        loses = due.server_id != 0 and self._clocks.time_is_up(due)
        left = due.left or (loses and await self._note_if_left(due.server_id))
        if left:
            await self._store.stop(due)
        return left

    async def _is_playable(self, due: Due) -> bool:
        """Return False if a deadline has passed in a channel that was deleted, or a locked thread.

        Outside of servers that have the bot, it can't know, and this returns True.
        """
        asks = due.server_id and self._clocks.time_is_up(due)
        return not asks or await self._threads.takes_moves(due.channel_id)

    async def _carry_out(self, due: Due, *, playable: bool) -> StoredMatch | None:
        """Act on one due match, and post the result in the background.

        Returns the match if its player is to be reminded.
        """
        if due.deadline is None:
            await self._clocks.archive(due)
        elif self._clocks.time_is_up(due):
            lost = await self._clocks.time_out(due, playable=playable)
            if lost is not None:
                self._boards.post_later(lost)
        else:
            return await self._clocks.claim_reminder(due)
        return None

    async def _remind_in(self, claimed: tuple[ServerId | None, Sequence[StoredMatch]]) -> None:
        """Send the reminders for matches of one server, after asking Discord for all their players.

        Discord is asked at a limited pace, and a tournament's reminders may all be due at once.
        """
        server_id, together = claimed
        gone = await self._absence.gone_from(server_id, together)
        await self._loop.each(together, partial(self._remind, gone), _AT_ONCE)

    async def _remind(self, gone: Set[MemberId], stored: StoredMatch) -> None:
        """Remind the player to move, or show the result if a player is `gone` from the server.

        Where the bot can't post, nobody is reminded.
        """
        mark(channel=stored.place.channel_id)
        try:
            current = await self._absence.let_depart(stored, gone)
        except Refusal as error:
            log.warning("match %s was due: %s", stored.id, error)
            return
        if current is stored and stored.place.posts:
            self._requests.later(partial(self._send_reminder, stored))
            return
        if current is not stored:
            self._boards.post_later(current)
        await self._store.note_reminded(stored)

    async def _send_reminder(self, stored: StoredMatch) -> None:
        """Send a reminder, unless the match has gone on, or the reminder was claimed again.

        If Discord fails, this is called again some minutes later. Raises one of CALL_FAILED that
        may pass.
        """
        current = await self._clocks.to_remind(stored)
        if current is None:
            return
        with only_passing():
            await self._post_reminder(current)
        await self._store.note_reminded(current)

    async def _post_reminder(self, current: StoredMatch) -> None:
        notify = to_notify(current, None)
        view = _reminder_view(current, notify)
        # After a kill the reminder may be sent again: within some minutes, the nonce prevents a
        # second message.
        nonce = nonce_of("clock", current.id, current.timing.deadline)
        message_id = await self._channels.send(current.place, view, notify, nonce=nonce)
        # Replaces the reminder from before an outage, which names a deadline that no longer holds.
        self._boards.note_reminder(current, message_id)
        if current.timing.deadline != current.moved_at + (current.clock or 0):
            # An outage has put the deadline off since the board was sent.
            self._boards.refresh_later(current.id)


def _reminder_view(stored: StoredMatch, notify: MemberId | None) -> Layout:
    """Return the reminder of a move, with a link to the board; it mentions `notify`."""
    texts = channel_texts(stored.language)
    seat = mover_of(stored.match.position)
    player = f"<@{notify}>" if notify else names_of(stored, texts)[seat]
    title = words.title(stored.match.game, stored.match.options, texts)
    text = texts("reminder", player=player, title=title, moment=stored.timing.deadline)
    link = board_line(stored, texts)
    return view_of(f"{text}\n{link}" if link else text)
