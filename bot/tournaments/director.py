"""The director: opens the games of tournaments, calls their players, keeps messages current.

Everything that it does has a row that says whether it was done, so it goes on where it was killed.
A pairing has its row before its thread is opened. A thread that was opened and not noted is found
by its name, and if something was said in it, its players were called. A match is written together
with the row that names it; a board that was never shown is shown by `bot.matches.owed`.
"""

import asyncio
import logging
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from weakref import WeakValueDictionary

import discord

from bot.db.errors import ChangedError, CorruptRowError
from bot.gateway.channels import Channels
from bot.gateway.responses import CALL_FAILED, Interaction, Upload, response_of
from bot.gateway.threads import Threads, is_unknown
from bot.i18n import channel_texts
from bot.identity import ChannelId, MessageId, Place, TournamentId
from bot.matches.boards import Boards
from bot.matches.leftovers import Leftovers
from bot.matches.settings import SettingsOf
from bot.pictures.client import NOT_DRAWN, PictureClient
from bot.refusals import Refusal
from bot.tournaments.drawing import bracket_shown, crosstable
from bot.tournaments.model import Format, Pairing, Stage
from bot.tournaments.progress import Progress
from bot.tournaments.service import TournamentService
from bot.tournaments.stored import ShowPage, StoredTournament
from bot.tournaments.view import end_view, opened_view, thread_mark, thread_name, tournament_view
from bot.workers.fair_queue import Ticket

log = logging.getLogger(__name__)

# Games that are opened at the same time.
_AT_ONCE = 5
# A failed step is tried again after these pauses: usually, and where the channel is gone.
_PAUSE, _LONG_PAUSE = 30, 3600
# Boards of older turns have been seen to by an earlier start.
_RECENT_SECONDS = 86_400
# The subject of a message, as a part of its nonce.
_CALLS, _END, _MESSAGE = 1, 2, 3

_PICTURE = "standings.png"
_FAILED = (discord.ClientException, *CALL_FAILED)


class Director:
    """Takes tournaments as far as they go."""

    def __init__(
        self,
        service: TournamentService,
        progress: Progress,
        boards: Boards,
        leftovers: Leftovers,
        channels: Channels,
        threads: Threads,
        pictures: PictureClient,
        settings_of: SettingsOf,
    ):
        self._service = service
        self._progress = progress
        self._store = service.store
        self._games = service.games
        self._lists = service.lists
        self._boards = boards
        self._leftovers = leftovers
        self._channels = channels
        self._threads = threads
        self._pictures = pictures
        self._settings_of = settings_of
        self._locks: WeakValueDictionary[TournamentId, asyncio.Lock] = WeakValueDictionary()
        self._wanted: set[TournamentId] = set()
        # The permissions that messages say are missing, with the revisions that they show.
        self._said: dict[TournamentId, tuple[int, list[str]]] = {}

    def go_on_later(self, tournament_id: TournamentId) -> None:
        """Take a tournament as far as it goes, in the background."""
        if tournament_id not in self._wanted:
            self._wanted.add(tournament_id)
            self._channels.later(partial(self.go_on, tournament_id))

    async def go_on(self, tournament_id: TournamentId) -> None:
        """Take a tournament as far as it goes: enter, pair, open, call, tell, show.

        A failure is logged, and the sweep tries again later.
        """
        lock = self._locks.setdefault(tournament_id, asyncio.Lock())
        async with lock:
            self._wanted.discard(tournament_id)
            try:
                await self._go_on(tournament_id)
            except ChangedError:
                log.info("tournament %s has changed meanwhile", tournament_id)
            except (Refusal, *_FAILED) as error:
                log.warning("tournament %s is put off: %s", tournament_id, error)
                pause = _LONG_PAUSE if is_unknown(error) else _PAUSE
                await self._store.put_off(tournament_id, self._service.matches.clock() + pause)

    async def show_first(self, interaction: Interaction, created: StoredTournament) -> None:
        """Answer with the message of a tournament that was just created.

        Nobody else shows it meanwhile. Raises one of CALL_FAILED; then the sweep shows it.
        """
        async with self._locks.setdefault(created.id, asyncio.Lock()):
            view, nonce = tournament_view(created), _nonce(created, _MESSAGE)
            try:
                message_id = await self._channels.answer(interaction, view, nonce=nonce)
            finally:
                if response_of(interaction).unsure:
                    self._channels.put_off(partial(self._keep_one, created.id))
            await self._store.answered(created.id, message_id)

    async def _go_on(self, tournament_id: TournamentId) -> None:
        stored = await self._advanced(tournament_id)
        for resigned in await self._progress.left_by_withdrawn(stored):
            self._boards.post_later(resigned)
            stored = await self._advanced(tournament_id)
        failed = await self._open_games(stored) if stored.value.stage is Stage.RUNNING else None
        stored = await self._service.get(tournament_id)
        try:
            await self._tell(stored)
            await self._show(stored)
        except discord.NotFound as error:
            if not (stored.over and is_unknown(error)):
                raise
            # There is no channel any more to tell or show it in.
            await self._store.told(tournament_id)
            await self._store.posted(stored.id, None, stored.revision)
        if failed is not None:
            raise failed

    async def _advanced(self, tournament_id: TournamentId) -> StoredTournament:
        """Return the tournament after all steps of the service; not without permissions."""
        stored = await self._service.get(tournament_id)
        if stored.value.stage is Stage.OPEN and self.missing(stored):
            if self._progress.starts_by_itself(stored):
                await self._store.not_by_itself(tournament_id)
            return await self._service.get(tournament_id)
        return await self._progress.advance(tournament_id)

    # --- games

    async def _open_games(self, stored: StoredTournament) -> BaseException | None:
        """Open the games that have no match yet, or no channel; return the last failure."""
        waiting = [
            played.pairing
            for played in stored.value.being_played
            if not stored.arena(played.pairing).begun
        ]
        if not waiting:
            return None
        if stored.settings.channels:
            return await self._open_in_channels(stored, waiting)
        own = await self._threads.own(stored.place)
        by_mark = {name[name.rfind(" · #") :]: thread for name, thread in own.items()}
        failures = list[BaseException]()
        for at in range(0, len(waiting), _AT_ONCE):
            opening = (self._open(stored, one, by_mark) for one in waiting[at : at + _AT_ONCE])
            # If one fails, the others are waited for all the same: the next round would open a
            # second thread for a game whose thread is still being opened.
            opened = await asyncio.gather(*opening, return_exceptions=True)
            failures += [failure for failure in opened if failure is not None]
        return failures[0] if failures else None

    async def _open_in_channels(
        self, stored: StoredTournament, waiting: Collection[Pairing]
    ) -> Exception | None:
        """Open a game in each of the tournament's channels that is free.

        If the bot can post in none that was named, that is the channel of its message.
        """
        failure: Exception | None = None
        named = [replace(stored.place, channel_id=one) for one in stored.settings.channels]
        there = [one.channel_id for one in named if await self._threads.may_post(one)]
        channels = there or [stored.place.channel_id]
        for pairing in waiting:
            if stored.arena(pairing).channel_id is None:
                free, archived = await self._progress.free_channel(stored, channels)
                if archived is not None:
                    self._boards.archive(archived)
                if free is None:
                    continue
                await self._games.opened(stored, pairing, free)
                stored = await self._service.get(stored.id)
            failure = await self._open(stored, pairing, {}) or failure
            stored = await self._service.get(stored.id)
        return failure

    async def _open(
        self, stored: StoredTournament, pairing: Pairing, own: Mapping[str, ChannelId]
    ) -> Exception | None:
        """Open one game, or go on opening it; return why that failed."""
        known = stored.arena(pairing).channel_id
        try:
            channel_id, called = known, False
            if channel_id is None:
                channel_id, called = await self._thread(stored, pairing, own)
                await self._games.opened(stored, pairing, channel_id)
            elif not stored.settings.channels:
                called = not await self._threads.is_blank(channel_id)
            await self._begin(stored, pairing, channel_id, called=called)
        except ChangedError:
            return None  # its result has come about in another way
        except Refusal as error:  # somebody plays there
            if not stored.settings.channels:
                return error
            log.info("tournament %s, game %s: %s", stored.id, pairing.key, error)
            await self._games.opened(stored, pairing, None)  # another channel will do
        except _FAILED as error:
            # Of named channels another one will do, and a thread was deleted.
            closed = stored.settings.channels and isinstance(error, discord.Forbidden)
            if known is not None and (closed or is_unknown(error)):
                await self._games.opened(stored, pairing, None)
            return error
        return None

    async def _thread(
        self, stored: StoredTournament, pairing: Pairing, own: Mapping[str, ChannelId]
    ) -> tuple[ChannelId, bool]:
        """Return the thread of a pairing, opened now or before, and whether players were called."""
        found = own.get(thread_mark(stored, pairing))
        if found is not None:
            return found, not await self._threads.is_blank(found)
        texts = channel_texts(stored.language)
        name = thread_name(stored, pairing, texts)
        return await self._threads.open(stored.place, name, stored.settings.clock), False

    async def _begin(
        self, stored: StoredTournament, pairing: Pairing, channel_id: ChannelId, *, called: bool
    ) -> None:
        """Call the players to their game, and begin its match, or move it here."""
        place = Place(stored.place.server_id, channel_id, stored.place.locale)
        if not called:
            people = [stored.value.entrants[number].person for number in pairing.entrants]
            view = opened_view(stored, pairing, channel_texts(stored.language))
            nonce = _nonce(stored, _CALLS, pairing)
            await self._channels.send(place, view, *(one.id for one in people), nonce=nonce)
        # If there was a call just now, it has notified the player to move.
        begun = await self._progress.begin_match(stored, pairing, place)
        await self._boards.remove_final(begun, await self._settings_of(place.server_id))
        self._boards.post_later(begun, quiet=not called)

    async def lost(self, channel_id: ChannelId) -> None:
        """Open the games of a channel or thread that was deleted in another one.

        A tournament whose own channel was deleted is cancelled.
        """
        for held_there in await self._lists.held_in(channel_id):
            await self._service.channel_deleted(held_there)
        for tournament_id in await self._lists.played_in(channel_id):
            stored = await self._service.get(tournament_id)
            for played in stored.value.being_played:
                if stored.arena(played.pairing).channel_id == channel_id:
                    with suppress(ChangedError):  # it is over meanwhile, or the tournament is
                        await self._games.opened(stored, played.pairing, None)
            self.go_on_later(tournament_id)

    async def look_for_lost(self) -> None:
        """Find losses from while the bot was away: channels, threads, and boards in them."""
        for tournament_id in await self._lists.going_on():
            try:
                await self._look_for_lost(tournament_id)
            except (Refusal, ChangedError, CorruptRowError) as error:
                log.warning("what tournament %s has lost isn't known: %s", tournament_id, error)
        since = self._service.matches.clock() - _RECENT_SECONDS
        for match_id in await self._lists.played_since(since):
            # A kill hits many boards on their way, and another one may come before all are seen to.
            self._channels.later(partial(self._leftovers.check, match_id))

    async def _look_for_lost(self, tournament_id: TournamentId) -> None:
        stored = await self._service.get(tournament_id)
        if not await self._threads.exists(stored.place.channel_id):
            await self.lost(stored.place.channel_id)
            return
        for played in stored.value.being_played:
            channel_id = stored.arena(played.pairing).channel_id
            if channel_id is not None and not await self._threads.exists(channel_id):
                await self.lost(channel_id)

    # --- the message

    def missing(self, stored: StoredTournament) -> list[str]:
        """Return the permissions without which a tournament can't go on in its channel."""
        try:
            return self._threads.missing(stored.place, threads=not stored.settings.channels)
        except Refusal:
            return ["view_channel"]

    async def _tell(self, stored: StoredTournament) -> None:
        """Announce the end of a tournament, once."""
        if not stored.told:
            nonce = _nonce(stored, _END)
            await self._channels.send(stored.place, end_view(stored), nonce=nonce)
            await self._store.told(stored.id)

    async def _show(self, stored: StoredTournament) -> None:
        """Bring the message of a tournament up to date.

        One that says which permissions are missing counts as out of date, and is looked at again
        after a pause: it has to stop saying so when they are there.
        """
        if stored.shown >= stored.revision:
            return
        missing = [] if stored.over else self.missing(stored)
        if missing:
            await self._store.put_off(stored.id, self._service.matches.clock() + _PAUSE)
            if self._said.get(stored.id) == (stored.revision, missing):
                return
        message_id = await self._shown(stored, missing)
        # Discord may have taken the first message before, as it was then.
        shown = 0 if stored.message_id is None else stored.revision - bool(missing)
        await self._store.posted(stored.id, message_id, shown)
        if missing:
            self._said[stored.id] = stored.revision, missing
        else:
            self._said.pop(stored.id, None)

    async def _shown(self, stored: StoredTournament, missing: list[str]) -> MessageId:
        """Change the message of a tournament, or post it; return its id.

        The answer to its creation may have arrived although nothing was heard of it.
        """
        message_id, picture = stored.message_id, await self._picture(stored)
        if message_id is None:
            message_id = max(await self._found(stored), default=None)
        uploads = [picture] if picture else []
        view = tournament_view(stored, missing, picture)
        try:
            if message_id is not None:
                await self._channels.change(stored.place, message_id, view, uploads)
                return message_id
        except discord.NotFound as error:
            if is_unknown(error):
                raise
        nonce = _nonce(stored, _MESSAGE)
        return await self._channels.send(stored.place, view, nonce=nonce, uploads=uploads)

    async def _keep_one(self, tournament_id: TournamentId) -> None:
        """Remove the messages of a tournament but the one that is known; may raise CALL_FAILED."""
        async with self._locks.setdefault(tournament_id, asyncio.Lock()):
            stored = await self._store.load(tournament_id)
            if stored is not None and stored.message_id is not None:
                others = await self._found(stored) - {stored.message_id}
                self._channels.remove_later(stored.place, others, channel_texts(stored.language))

    async def _found(self, stored: StoredTournament) -> set[MessageId]:
        """Return the messages of a tournament among the last of its channel.

        Raises one of CALL_FAILED.
        """
        button = ShowPage(stored.id, 0).custom_id
        found = await self._channels.own_buttons(stored.place)
        return {message_id for message_id, custom_ids in found.items() if button in custom_ids}

    async def _picture(self, stored: StoredTournament) -> Upload | None:
        """Return the bracket or the cross-table; None before the first game, or without one."""
        if not stored.value.played or not self._channels.may_attach(stored.place):
            return None
        value, ticket = stored.value, Ticket(stored.place.queue_id)
        try:
            if value.format is Format.KNOCKOUT:
                drawn = await self._pictures.bracket(ticket, bracket_shown(value))
            else:
                drawn = await self._pictures.crosstable(ticket, crosstable(value))
        except NOT_DRAWN as error:
            log.warning("tournament %s has no picture: %r", stored.id, error)
            return None
        return Upload(_PICTURE, drawn)


def _nonce(stored: StoredTournament, kind: int, pairing: Pairing | None = None) -> int:
    """Return a number by which Discord knows a message that is sent again within minutes."""
    first = kind == _MESSAGE and stored.message_id is None
    revision = 0 if first else stored.revision
    round_, table, game = pairing.key if pairing else (revision, 0, 0)
    return ((((stored.id << 3 | kind) << 14 | round_) << 8 | table) << 4) | game
