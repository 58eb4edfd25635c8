"""Opening the games of tournaments: in threads, or in the channels that the organiser has named.

The row of a pairing is written before its thread is opened. A thread that was opened but not noted
is found by its name, and its players are called. If a noted thread has a message, they were called.
A match is written together with the row that names it; a board that was never shown is shown by
`bot.matches.owed`.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import discord
from discord.utils import as_chunks

from bot.db.errors import ChangedError
from bot.gateway.errors import CALL_FAILED, is_channel_gone, is_full_of_threads
from bot.gateway.reach import Reach
from bot.gateway.threads import Threads
from bot.identity import ChannelId, MemberId
from bot.matches.boards import Boards
from bot.matches.first_boards import FirstBoards
from bot.matches.occupancy import Occupancy
from bot.refusals import Refusal
from bot.tournaments.messages import TournamentMessages
from bot.tournaments.model import Pairing, TournamentGame
from bot.tournaments.service import TournamentService
from bot.tournaments.store import TournamentStore
from bot.tournaments.stored import StoredTournament
from bot.tournaments.view import thread_mark, thread_name, threads_mark

log = logging.getLogger(__name__)

# Games that are opened at the same time.
_AT_ONCE = 5
# Errors of a step that Discord refuses.
FAILED = (discord.ClientException, *CALL_FAILED)


class Openings:
    """Opens games: finds or opens a channel, calls the players, and begins the match."""

    def __init__(
        self,
        service: TournamentService,
        store: TournamentStore,
        occupancy: Occupancy,
        messages: TournamentMessages,
        boards: Boards,
        first_boards: FirstBoards,
        threads: Threads,
        reach: Reach,
    ):
        self._service = service
        self._store = store
        self._occupancy = occupancy
        self._messages = messages
        self._boards = boards
        self._first_boards = first_boards
        self._threads = threads
        self._reach = reach

    async def open_all(self, stored: StoredTournament) -> BaseException | None:
        """Open the games that aren't open yet; return the first failure, None if there was none.

        If some can't be opened, the others are. As that may take minutes, a round is shown
        beforehand, unless the message tells what holds it up. Nothing is tried while a permission
        is missing that all games need: the message says so.
        """
        waiting: Sequence[TournamentGame] = stored.tournament.unopened
        if not waiting:
            return None
        if len(waiting) > 1 and not self._messages.tells_of_obstacle(stored.id):
            with suppress(*FAILED):  # it is shown again afterwards
                await self._messages.update(stored)
        named = [replace(stored.place, channel_id=one) for one in stored.settings.channels]
        there = [one.channel_id for one in named if not await self._messages.missing_in(one)]
        if not there and await self._messages.missing(stored):
            return None
        if named:
            waiting = await self._in_channels(stored, waiting, there)
        return await self._open_each(stored, waiting)

    async def _open_each(
        self, stored: StoredTournament, waiting: Sequence[TournamentGame]
    ) -> BaseException | None:
        """Open games in their channels, or each in a new thread; return the first failure.

        Once Discord takes no more threads for now, no further games are tried.
        """
        outcomes = list[BaseException | None]()
        for some in as_chunks(waiting, _AT_ONCE):
            opening = (self._open(stored, one) for one in some)
            # If one fails, this still waits for the others. Otherwise the next round would open a
            # second thread for a game whose thread is still being opened.
            outcomes += await asyncio.gather(*opening, return_exceptions=True)
            if any(map(_ends_threads, filter(None, outcomes))):
                break
        if stored.settings.in_threads and None in outcomes:
            self._threads.remove_notices_later(stored.place, threads_mark(stored))
        return next(filter(None, outcomes), None)

    async def _in_channels(
        self,
        stored: StoredTournament,
        waiting: Sequence[TournamentGame],
        there: Sequence[ChannelId],
    ) -> list[TournamentGame]:
        """Return the waiting games that have a channel, and those that get a free one, noted.

        If there is no named channel in which the bot can post and both players can move, a game is
        played in the channel of the tournament's message.
        """
        placed = [game for game in waiting if game.channel_id is not None]
        taken = {*stored.tournament.channels_in_use}
        full = set[tuple[ChannelId, ...]]()  # the choices of which no channel is free
        for game, fit in await self._fitting(stored, waiting, there):
            if fit in full:
                continue
            channel_id = await self._occupancy.free([one for one in fit if one not in taken])
            if channel_id is None:
                full.add(fit)
                continue
            await self._store.note_channel(stored.id, game.pairing, channel_id)
            taken.add(channel_id)
            placed.append(replace(game, channel_id=channel_id))
        return placed

    async def _fitting(
        self,
        stored: StoredTournament,
        waiting: Sequence[TournamentGame],
        there: Sequence[ChannelId],
    ) -> list[tuple[TournamentGame, tuple[ChannelId, ...]]]:
        """Return the games without a channel, each with those in which both players can move."""
        players = {
            game: {person.id for person in stored.tournament.people(game.pairing)}
            for game in waiting
            if game.channel_id is None
        }
        everybody = set[MemberId]().union(*players.values())
        out = {one: await self._reach.kept_out(one, everybody) for one in there}
        own = (stored.place.channel_id,)
        return [
            (game, tuple(one for one in there if both.isdisjoint(out[one])) or own)
            for game, both in players.items()
        ]

    async def _open(self, stored: StoredTournament, game: TournamentGame) -> None:
        """Open one game, or go on opening it; raise Refusal, CorruptRowError, or one of FAILED.

        A deleted channel or thread is no failure: the game is opened in another one.
        """
        pairing = game.pairing
        channel_id = game.channel_id
        called = False
        in_thread = stored.settings.in_threads
        try:
            if channel_id is None:
                channel_id = await self._thread_of(stored, pairing)
            elif in_thread:
                called = not await self._threads.is_blank(channel_id)
            await self._begin(stored, game, channel_id, called=called)
        except ChangedError:
            pass  # the game has a result by now, or the tournament is over
        except Refusal as error:  # somebody plays there
            if in_thread:
                raise
            log.info("tournament %s, game %s: %s", stored.id, pairing.key, error)
            # Another of the named channels will do.
            await self._service.leave_channel(stored, pairing, channel_id)
        except FAILED as error:
            gone = channel_id is not None and is_channel_gone(error)
            # Then another of them will do.
            closed = not in_thread and isinstance(error, discord.Forbidden)
            if gone or closed:
                await self._service.leave_channel(stored, pairing, channel_id)
            if not gone:
                raise

    async def _thread_of(self, stored: StoredTournament, pairing: Pairing) -> ChannelId:
        """Return the thread of a pairing, found or newly opened, once it is noted.

        Nobody was called in it yet.

        Raises one of FAILED, and ChangedError if the game can't begin any more.
        """
        found = self._threads.named(stored.place, thread_mark(stored, pairing))
        name, seconds = thread_name(stored, pairing), stored.settings.clock
        thread_id = found[0] if found else await self._threads.open(stored.place, name, seconds)
        try:
            await self._store.note_channel(stored.id, pairing, thread_id)
        except ChangedError:
            await self._threads.archive(thread_id)
            raise
        return thread_id

    async def _begin(
        self, stored: StoredTournament, game: TournamentGame, channel_id: ChannelId, *, called: bool
    ) -> None:
        """Call the players to their game, and begin its match.

        A match whose channel was deleted is moved here instead.
        """
        place = replace(stored.place, channel_id=channel_id)
        if not called:
            await self._messages.call(stored, game, place)
        # Quiet after a call, which has notified the player to move.
        if game.match_id is None:
            begun = await self._service.begin_match(stored, game.pairing, place)
        else:
            begun = await self._occupancy.move(game.match_id, place)
        await self._first_boards.remove_final(begun)
        self._boards.post_later(begun, quiet=not called)


def _ends_threads(error: BaseException) -> bool:
    """Return whether a failure says that Discord takes no more threads for now."""
    return is_full_of_threads(error) or isinstance(error, discord.RateLimited)
