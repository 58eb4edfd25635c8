"""The director: takes tournaments as far as they go, and moves games out of deleted channels.

Every step has a row that says whether it was done, so after a kill a tournament goes on from there.
The row of a pairing is written before its thread is opened. A thread that was opened but not noted
is found by its name, and its players are called. If a noted thread has a message, they were called.
A match is written together with the row that names it; a board that was never shown is shown by
`bot.matches.owed`.
"""

import asyncio
import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from weakref import WeakValueDictionary

import discord
from discord.utils import as_chunks

from bot.db.errors import ChangedError, CorruptRowError, is_away
from bot.gateway.errors import CALL_FAILED, is_channel_gone
from bot.gateway.interactions import Interaction
from bot.gateway.requests import Requests
from bot.gateway.threads import Threads
from bot.i18n import channel_texts
from bot.identity import ChannelId, TournamentId
from bot.matches.boards import Boards
from bot.refusals import Refusal
from bot.times import HOUR
from bot.tournaments.messages import TournamentMessages
from bot.tournaments.model import Pairing, Stage, TournamentGame
from bot.tournaments.progress import Progress
from bot.tournaments.service import TournamentService
from bot.tournaments.stored import StoredTournament
from bot.tournaments.view import thread_mark, thread_name

log = logging.getLogger(__name__)

# A failed step is tried again after the first of these pauses, or after the second if the channel
# is gone. While a tournament goes on failing, its pause grows to a tenth of the time for which it
# has, but not beyond the second: a permission may never come back, but once it does, members wait.
_PAUSE, _LONGEST_PAUSE = 30, HOUR
_PART = 10
# Games that are opened at the same time.
_AT_ONCE = 5
# Errors of a step that Discord refuses.
_FAILED = (discord.ClientException, *CALL_FAILED)


class Director:
    """Takes tournaments as far as they go."""

    def __init__(
        self,
        service: TournamentService,
        progress: Progress,
        messages: TournamentMessages,
        boards: Boards,
        requests: Requests,
        threads: Threads,
    ):
        self._service = service
        self._progress = progress
        self._messages = messages
        self._boards = boards
        self._requests = requests
        self._threads = threads
        self._locks: WeakValueDictionary[TournamentId, asyncio.Lock] = WeakValueDictionary()
        self._wanted: set[TournamentId] = set()
        self._failing_since: dict[TournamentId, int] = {}

    def go_on_later(self, tournament_id: TournamentId) -> None:
        """Take a tournament as far as it goes, in the background."""
        if tournament_id not in self._wanted:
            self._wanted.add(tournament_id)
            self._requests.later(partial(self.go_on, tournament_id))

    def _lock(self, tournament_id: TournamentId) -> asyncio.Lock:
        """Return the lock that is held while a tournament is taken on and shown."""
        return self._locks.setdefault(tournament_id, asyncio.Lock())

    async def go_on(self, tournament_id: TournamentId) -> None:
        """Take a tournament as far as it goes: enter, pair, open, call, tell, show.

        A failure is logged, and the sweep tries again later. Raises the errors of a database that
        is away.
        """
        async with self._lock(tournament_id):
            self._wanted.discard(tournament_id)
            try:
                await self._go_on(tournament_id)
                self._failing_since.pop(tournament_id, None)
            except ChangedError:
                log.info("tournament %s has changed meanwhile", tournament_id)
            except Exception as error:
                if is_away(error):
                    raise
                known = isinstance(error, (Refusal, *_FAILED))
                trace = None if known else error
                log.warning("tournament %s is put off: %s", tournament_id, error, exc_info=trace)
                await self._put_off(
                    tournament_id, _LONGEST_PAUSE if is_channel_gone(error) else _PAUSE
                )

    async def _put_off(self, tournament_id: TournamentId, least: int) -> None:
        """Try a tournament again after `least` seconds, later if it has failed for long."""
        now = self._service.matches.now()
        failing = now - self._failing_since.setdefault(tournament_id, now)
        pause = min(max(least, failing // _PART), _LONGEST_PAUSE)
        await self._service.store.put_off(tournament_id, now + pause)

    async def show_first(self, interaction: Interaction, created: StoredTournament) -> None:
        """Answer with the message of a tournament that was just created.

        Nothing else shows the tournament meanwhile. If this raises one of CALL_FAILED, the sweep
        shows it.
        """
        async with self._lock(created.id):
            await self._messages.answer(interaction, created)

    async def _go_on(self, tournament_id: TournamentId) -> None:
        stored = await self._progress.advance(tournament_id)
        while resigned := await self._progress.resign_withdrawn(stored):
            for match in resigned:
                self._boards.post_later(match)
            stored = await self._progress.advance(tournament_id)
        running = stored.value.stage is Stage.RUNNING
        failed = await self._open_all(stored) if running else None
        await self._messages.update(await self._service.get(tournament_id))
        if failed is not None:
            raise failed

    async def show_released(self, cancelled: StoredTournament) -> None:
        """Show the games of a cancelled tournament as the ordinary matches that they are now.

        Nobody is notified.
        """
        for match in await self._service.matches_of(cancelled.value.being_played):
            if not match.match.outcome:
                self._boards.post_later(match, quiet=True)

    async def channel_deleted(self, channel_id: ChannelId) -> None:
        """Open the games of a deleted channel or thread in another one.

        Tournaments that were held in that channel are cancelled.
        """
        for held_there in await self._service.lists.held_in(channel_id):
            with _logged(held_there):
                await self.show_released(await self._service.channel_deleted(held_there))
        for tournament_id in await self._service.lists.played_in(channel_id):
            with _logged(tournament_id):
                await self._reopen(await self._service.get(tournament_id), channel_id)

    async def _reopen(self, stored: StoredTournament, channel_id: ChannelId) -> None:
        """Let the game of a channel or thread that was deleted be opened elsewhere.

        Raises CorruptRowError if its match can't be read: then only a result can be entered for it.
        """
        for game in stored.value.being_played:
            if game.channel_id == channel_id:
                if game.match_id is not None:
                    await self._service.matches.get(game.match_id)
                await self._leave_channel(stored, game.pairing, channel_id)
        self.go_on_later(stored.id)

    async def _leave_channel(
        self, stored: StoredTournament, pairing: Pairing, channel_id: ChannelId | None
    ) -> None:
        """Let a game be opened in another channel, unless it has left this one, or ended."""
        with suppress(ChangedError):
            await self._service.store.note_channel(stored.id, pairing, None, before=channel_id)

    async def look_for_lost(self) -> None:
        """Find the channels and threads that were deleted while the bot was away."""
        for tournament_id in await self._service.lists.going_on():
            with _logged(tournament_id):
                await self._look_for_lost(tournament_id)

    async def _look_for_lost(self, tournament_id: TournamentId) -> None:
        stored = await self._service.get(tournament_id)
        playing = (game.channel_id for game in stored.value.being_played)
        for channel_id in (stored.place.channel_id, *filter(None, playing)):
            if not await self._threads.exists(channel_id):
                await self.channel_deleted(channel_id)

    # --- opening games

    async def _open_all(self, stored: StoredTournament) -> BaseException | None:
        """Open the games that have no match yet, or no channel; return one of the failures.

        Nothing is tried while a permission is missing that all of them need: the message says so.
        """
        waiting = [game for game in stored.value.being_played if not game.opened]
        if not waiting:
            return None
        named = [replace(stored.place, channel_id=one) for one in stored.settings.channels]
        there = [one.channel_id for one in named if await self._threads.may_post(one)]
        if not there and self._messages.missing(stored):
            return None
        if named:
            return await self._open_in_channels(stored, waiting, there)
        own = await self._threads.own(stored.place)
        failures = list[BaseException]()
        for some in as_chunks(waiting, _AT_ONCE):
            opening = (self._open(stored, one, own) for one in some)
            # If one fails, this still waits for the others. Otherwise the next round would open a
            # second thread for a game whose thread is still being opened.
            opened = await asyncio.gather(*opening, return_exceptions=True)
            failures += [failure for failure in opened if failure is not None]
        return failures[0] if failures else None

    async def _open_in_channels(
        self,
        stored: StoredTournament,
        waiting: Collection[TournamentGame],
        there: Sequence[ChannelId],
    ) -> Exception | None:
        """Open a game in each of the tournament's free channels; return the last failure.

        If the bot can't post in any of the named channels, the channel of its message is used.
        """
        failure: Exception | None = None
        channels = there or [stored.place.channel_id]
        # Games that have a channel come first, because the loop ends once no other channel is free.
        for game in sorted(waiting, key=lambda one: one.channel_id is None):
            channel_id = game.channel_id
            if channel_id is None:
                channel_id = await self._progress.free_channel(stored, channels)
                if channel_id is None:
                    break
                await self._service.store.note_channel(stored.id, game.pairing, channel_id)
            failure = await self._open(stored, replace(game, channel_id=channel_id), {}) or failure
            stored = await self._service.get(stored.id)
        return failure

    async def _open(
        self, stored: StoredTournament, game: TournamentGame, own: Mapping[str, ChannelId]
    ) -> Exception | None:
        """Open one game, or go on opening it; return why that failed.

        A deleted channel or thread is no failure: the game is opened in another one.
        """
        pairing = game.pairing
        channel_id = game.channel_id
        called = False
        in_thread = not stored.settings.channels
        try:
            if channel_id is None:
                channel_id = await self._thread(stored, pairing, own)
                await self._note_opened(stored, pairing, channel_id)
            elif in_thread:
                called = not await self._threads.is_blank(channel_id)
            await self._begin(stored, game, channel_id, called=called)
        except ChangedError:
            return None  # the game has a result by now, or another process opens it
        except Refusal as error:  # somebody plays there
            if in_thread:
                return error
            log.info("tournament %s, game %s: %s", stored.id, pairing.key, error)
            await self._leave_channel(stored, pairing, channel_id)  # another channel will do
        except _FAILED as error:
            gone = channel_id is not None and is_channel_gone(error)
            # Then another of the named channels will do.
            closed = not in_thread and isinstance(error, discord.Forbidden)
            if gone or closed:
                await self._leave_channel(stored, pairing, channel_id)
            return None if gone else error
        return None

    async def _thread(
        self, stored: StoredTournament, pairing: Pairing, own: Mapping[str, ChannelId]
    ) -> ChannelId:
        """Return the thread of a pairing, found or newly opened; nobody was called in it yet."""
        mark = thread_mark(stored, pairing)
        found = next((thread for name, thread in own.items() if name.endswith(mark)), None)
        if found is not None:
            return found
        texts = channel_texts(stored.language)
        name = thread_name(stored, pairing, texts)
        return await self._threads.open(stored.place, name, stored.settings.clock)

    async def _note_opened(
        self, stored: StoredTournament, pairing: Pairing, thread_id: ChannelId
    ) -> None:
        """Note the thread of a pairing; archive it if another process has noted another thread.

        Raises ChangedError in that case, or one of CALL_FAILED.
        """
        try:
            await self._service.store.note_channel(stored.id, pairing, thread_id)
        except ChangedError:
            if await self._service.lists.of_channel(thread_id) is None:
                await self._threads.archive(thread_id)
            raise

    async def _begin(
        self, stored: StoredTournament, game: TournamentGame, channel_id: ChannelId, *, called: bool
    ) -> None:
        """Call the players to their game, and begin its match, or move it here."""
        place = replace(stored.place, channel_id=channel_id)
        if not called:
            await self._messages.call(stored, game, place)
        # Quiet after a call, which has notified the player to move.
        begun = await self._progress.begin_match(stored, game.pairing, place)
        await self._boards.remove_final(begun)
        self._boards.post_later(begun, quiet=not called)


@contextmanager
def _logged(tournament_id: TournamentId) -> Iterator[None]:
    """Log why the games of a deleted channel can't go on, without holding up other tournaments."""
    try:
        yield
    except (Refusal, ChangedError, CorruptRowError) as error:
        log.warning("what tournament %s has lost isn't made good: %s", tournament_id, error)
