"""Opens the games of a tournament: finds their threads or channels, and begins their matches.

A pairing has its row before its thread is opened. A thread that was opened and not noted is found
by its name, and its players are called. If something was said in a noted thread, they have been
called. A match is written together with the row that names it; a board that was never shown is
shown by `bot.matches.owed`.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import discord

from bot.db.errors import ChangedError
from bot.gateway.errors import CALL_FAILED, is_channel_gone
from bot.gateway.threads import Threads
from bot.i18n import channel_texts
from bot.identity import ChannelId, Place
from bot.matches.boards import Boards
from bot.refusals import Refusal
from bot.tournaments.messages import TournamentMessages
from bot.tournaments.model import Pairing
from bot.tournaments.progress import Progress
from bot.tournaments.service import TournamentService
from bot.tournaments.stored import StoredTournament
from bot.tournaments.view import thread_mark, thread_name

log = logging.getLogger(__name__)

# Games that are opened at the same time.
_AT_ONCE = 5
# Errors of a step that Discord refuses.
FAILED = (discord.ClientException, *CALL_FAILED)


class Openings:
    """Opens the games of tournaments that have no match yet, or no channel."""

    def __init__(
        self,
        service: TournamentService,
        progress: Progress,
        messages: TournamentMessages,
        boards: Boards,
        threads: Threads,
    ):
        self._service = service
        self._store = service.store
        self._progress = progress
        self._messages = messages
        self._boards = boards
        self._threads = threads

    async def open_all(self, stored: StoredTournament) -> BaseException | None:
        """Open the games that have no match yet, or no channel; return one of the failures.

        Nothing is tried while a permission for all of them is missing, which the message tells.
        """
        waiting = [
            played.pairing
            for played in stored.value.being_played
            if not stored.arena(played.pairing).begun
        ]
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
        for at in range(0, len(waiting), _AT_ONCE):
            opening = (self._open(stored, one, own) for one in waiting[at : at + _AT_ONCE])
            # If one fails, the others are waited for all the same: the next round would open a
            # second thread for a game whose thread is still being opened.
            opened = await asyncio.gather(*opening, return_exceptions=True)
            failures += [failure for failure in opened if failure is not None]
        return failures[0] if failures else None

    async def _open_in_channels(
        self, stored: StoredTournament, waiting: Collection[Pairing], there: Sequence[ChannelId]
    ) -> Exception | None:
        """Open a game in each of the tournament's channels that is free; return the last failure.

        If the bot can post in none that was named, that is the channel of its message.
        """
        failure: Exception | None = None
        channels = there or [stored.place.channel_id]
        # Those with a channel come first: once no other one is free, nothing more can be opened.
        for pairing in sorted(waiting, key=lambda one: stored.arena(one).channel_id is None):
            if stored.arena(pairing).channel_id is None:
                free = await self._progress.free_channel(stored, channels)
                if free is None:
                    break
                await self._store.opened(stored.id, pairing, free)
                stored = await self._service.get(stored.id)
            failure = await self._open(stored, pairing, {}) or failure
            stored = await self._service.get(stored.id)
        return failure

    async def _open(
        self, stored: StoredTournament, pairing: Pairing, own: Mapping[str, ChannelId]
    ) -> Exception | None:
        """Open one game, or go on opening it; return why that failed.

        That its channel or thread was deleted is no failure: it is opened in another one.
        """
        channel_id, called = stored.arena(pairing).channel_id, False
        try:
            if channel_id is None:
                channel_id = await self._thread(stored, pairing, own)
                await self._store.opened(stored.id, pairing, channel_id)
            elif not stored.settings.channels:
                called = not await self._threads.is_blank(channel_id)
            await self._begin(stored, pairing, channel_id, called=called)
        except ChangedError:
            return None  # its result has come about in another way
        except Refusal as error:  # somebody plays there
            if not stored.settings.channels:
                return error
            log.info("tournament %s, game %s: %s", stored.id, pairing.key, error)
            await self._store.opened(stored.id, pairing, None)  # another channel will do
        except FAILED as error:
            gone = channel_id is not None and is_channel_gone(error)
            # Another of the named channels will do.
            closed = stored.settings.channels and isinstance(error, discord.Forbidden)
            if gone or closed:
                await self._store.opened(stored.id, pairing, None)
            return None if gone else error
        return None

    async def _thread(
        self, stored: StoredTournament, pairing: Pairing, own: Mapping[str, ChannelId]
    ) -> ChannelId:
        """Return the thread of a pairing, opened now or before; nobody was called there yet."""
        mark = thread_mark(stored, pairing)
        found = next((thread for name, thread in own.items() if name.endswith(mark)), None)
        if found is not None:
            return found
        texts = channel_texts(stored.language)
        name = thread_name(stored, pairing, texts)
        return await self._threads.open(stored.place, name, stored.settings.clock)

    async def _begin(
        self, stored: StoredTournament, pairing: Pairing, channel_id: ChannelId, *, called: bool
    ) -> None:
        """Call the players to their game, and begin its match, or move it here."""
        place = Place(stored.place.server_id, channel_id, stored.place.locale)
        if not called:
            await self._messages.call(stored, pairing, place)
        # If there was a call just now, it has notified the player to move.
        begun = await self._progress.begin_match(stored, pairing, place)
        await self._boards.remove_final(begun)
        self._boards.post_later(begun, quiet=not called)
