"""The messages of a tournament: the one that shows it, its end, and the calls to its games."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import discord
from cachetools import LRUCache

from bot.gateway.channels import Channels, nonce_of
from bot.gateway.components import Layout, Upload
from bot.gateway.interactions import Interaction
from bot.gateway.threads import Threads
from bot.identity import MessageId, Place, TournamentId, is_former
from bot.pictures.client import PictureClient
from bot.tournaments.model import Format, TournamentGame
from bot.tournaments.obstacles import Obstacle, ObstacleKind, obstacle_of
from bot.tournaments.picture import bracket_shown, crosstable
from bot.tournaments.presses import ShowPage
from bot.tournaments.store import TournamentStore
from bot.tournaments.stored import Note, NoteKind, StoredTournament
from bot.tournaments.view import end_view, note_view, opened_view, tournament_view
from bot.workers.errors import NoResultError
from bot.workers.fair_queue import Ticket

log = logging.getLogger(__name__)

_PICTURE = "standings.png"
_REMEMBERED = 1000


class TournamentMessages:
    """Posts the messages of tournaments, and keeps them current.

    Each message is noted in the tournament's row, so that it isn't posted twice.
    """

    def __init__(
        self, store: TournamentStore, channels: Channels, threads: Threads, pictures: PictureClient
    ):
        self._store = store
        self._channels = channels
        self._threads = threads
        self._pictures = pictures
        # For each tournament that an obstacle held up when it was last shown: its revision then,
        # and the obstacle.
        self._held_up: LRUCache[TournamentId, tuple[int, Obstacle]] = LRUCache(_REMEMBERED)
        # The revisions in which ends were announced.
        self._announced: LRUCache[TournamentId, int] = LRUCache(_REMEMBERED)

    async def answer(self, interaction: Interaction, created: StoredTournament) -> None:
        """Answer with the message of a new tournament; raise one of CALL_FAILED."""
        view, nonce = tournament_view(created), _message_nonce(created)
        message_id = await self._channels.answer(interaction, view, nonce=nonce)
        await self._store.note_answer(created.id, message_id)

    async def call(self, stored: StoredTournament, game: TournamentGame, place: Place) -> None:
        """Call the players of a game to it in `place`; raise one of CALL_FAILED."""
        view = opened_view(stored, game)
        nonce = nonce_of("pairing", stored.id, game.pairing.key, place.channel_id)
        ids = [person.id for person in stored.tournament.people(game.pairing)]
        await self._channels.send(place, view, *ids, nonce=nonce)

    def send_later(
        self, stored: StoredTournament, games: Sequence[TournamentGame], view: Layout
    ) -> None:
        """Post a message where games are played, in the background; nobody is notified."""
        for channel_id in filter(None, (game.channel_id for game in games)):
            self._channels.send_later(replace(stored.place, channel_id=channel_id), view)

    def tell_later(self, stored: StoredTournament, note: Note) -> None:
        """Post a note about a game in the tournament's channel, in the background.

        The organiser is notified if the game waits for a result.
        """
        waits = note.kind is NoteKind.UNDECIDED
        notify = [stored.organiser.id] if waits and not is_former(stored.organiser.id) else []
        self._channels.send_later(stored.place, note_view(stored, note, *notify), *notify)

    def tells_of_obstacle(self, tournament_id: TournamentId) -> bool:
        """Return whether a tournament's message says what held it up when it was last shown."""
        return tournament_id in self._held_up

    async def update(self, stored: StoredTournament, failure: BaseException | None = None) -> None:
        """Announce the end, once, and bring the message up to date; raise one of CALL_FAILED.

        If games couldn't be opened because of a `failure` that lasts, the message says so. While a
        permission is missing, it says that if it can, and discord.ClientException is raised.
        """
        if stored.over and not await self._threads.exists(stored.place.channel_id):
            # There is no channel any more to tell or show it in.
            await self._store.note_told(stored.id)
            await self._store.note_shown(stored.id, None, stored.revision)
            return
        missing = await self.missing(stored)
        if not stored.told and not missing:
            await self._announce(stored)
        if "view_channel" not in missing:
            lacking = Obstacle(ObstacleKind.MISSING, tuple(missing))
            await self._show(stored, lacking if missing else obstacle_of(failure))
        if missing:
            raise discord.ClientException(f"missing permissions: {', '.join(missing)}")

    async def _announce(self, stored: StoredTournament) -> None:
        """Announce the end of a tournament, and note that; raise one of CALL_FAILED.

        If it can't be noted, as on a full disk, later calls only try to note it.
        """
        if self._announced.get(stored.id) != stored.revision:
            nonce = nonce_of("end of tournament", stored.id, stored.revision)
            await self._channels.send(stored.place, end_view(stored), nonce=nonce)
            self._announced[stored.id] = stored.revision
        await self._store.note_told(stored.id)

    async def missing(self, stored: StoredTournament) -> list[str]:
        """Return the permissions without which a tournament can't go on in its channel."""
        threads = stored.settings.in_threads and not stored.over
        return await self.missing_in(stored.place, threads=threads)

    async def missing_in(self, place: Place, *, threads: bool = False) -> list[str]:
        """Return the permissions that the bot lacks in a channel, as far as Discord tells.

        It doesn't tell of a thread that it has archived; a message brings that back.
        """
        missing = self._channels.known.missing(place, threads=threads)
        if missing is None:
            there = await self._threads.exists(place.channel_id)
            return [] if there else ["view_channel"]
        return missing

    async def _show(self, stored: StoredTournament, obstacle: Obstacle | None) -> None:
        """Bring the message of a tournament up to date; raise one of CALL_FAILED.

        A message that tells of an obstacle is noted as out of date, so that it is changed once that
        is gone. Until then it isn't changed again, nor posted anew if somebody removes it.
        """
        said = None if stored.over else obstacle
        if self._held_up.get(stored.id) == (stored.revision, obstacle):
            return
        if stored.shown >= stored.revision and said is None:
            return
        message_id = await self._change_or_post(stored, said)
        if message_id is not None:
            # A first message may have been posted before, with the same nonce, and then still shows
            # the state of that time.
            shown = 0 if stored.message_id is None else stored.revision
            await self._store.note_shown(stored.id, message_id, shown - (said is not None))
        if obstacle is not None:
            self._held_up[stored.id] = stored.revision, obstacle
        else:
            self._held_up.pop(stored.id, None)

    async def _change_or_post(
        self, stored: StoredTournament, obstacle: Obstacle | None
    ) -> MessageId | None:
        """Change the message of a tournament, or post it; return its id, None if it can't be.

        Looks for the message first if its id isn't known: the answer to the creation may have
        arrived although its call failed.
        """
        message_id = stored.message_id
        picture = await self._picture(stored)
        if message_id is None:
            message_id = await self._found(stored)
        view = tournament_view(stored, obstacle, picture)
        with suppress(discord.NotFound):
            if message_id is not None:
                await self._channels.change(stored.place, message_id, view, reopens=True)
                return message_id
        if self._channels.known.missing(stored.place):
            return None
        nonce = _message_nonce(stored)
        return await self._channels.send(stored.place, view, nonce=nonce)

    async def _found(self, stored: StoredTournament) -> MessageId | None:
        """Return the message of a tournament if it is among the last of its channel, else None.

        Raises one of CALL_FAILED.
        """
        button = ShowPage(stored.id, 0).custom_id
        found = await self._channels.own_buttons(stored.place)
        return max((one for one, custom_ids in found.items() if button in custom_ids), default=None)

    async def _picture(self, stored: StoredTournament) -> Upload | None:
        """Return the bracket or the cross-table; None before the first game, or if that fails."""
        if not stored.tournament.games or not self._channels.known.may_attach(stored.place):
            return None
        tournament = stored.tournament
        ticket = Ticket(stored.place.queue_id)
        knockout = tournament.format is Format.KNOCKOUT
        try:
            drawn = await self._pictures.picture(
                ticket, bracket_shown(tournament) if knockout else crosstable(tournament)
            )
        except NoResultError as error:
            log.warning("tournament %s has no picture: %r", stored.id, error)
            return None
        return Upload(_PICTURE, drawn)


def _message_nonce(stored: StoredTournament) -> int:
    """Return the nonce of a tournament's message; each try at the first message has the same."""
    revision = 0 if stored.message_id is None else stored.revision
    return nonce_of("tournament", stored.id, revision)
