"""The games of channels and threads that were deleted: they move to other ones."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from bot.db.errors import ChangedError, CorruptRowError
from bot.gateway.loops import Loop
from bot.gateway.threads import Threads
from bot.identity import ChannelId, TournamentId
from bot.matches.service import MatchService
from bot.refusals import Refusal
from bot.tournaments.director import Director
from bot.tournaments.service import TournamentService
from bot.tournaments.store import TournamentLists
from bot.tournaments.stored import StoredTournament

log = logging.getLogger(__name__)

_EVERY_SECONDS = 5.0


class DeletedChannels:
    """Moves games out of deleted channels, also those that were deleted before the start."""

    def __init__(
        self,
        service: TournamentService,
        lists: TournamentLists,
        matches: MatchService,
        director: Director,
        threads: Threads,
    ):
        self._service = service
        self._lists = lists
        self._matches = matches
        self._director = director
        self._threads = threads
        name = "looking for deleted channels of tournaments"
        self.loop = Loop(name, _EVERY_SECONDS, self._look_for_deleted, once=True)

    async def channel_deleted(self, channel_id: ChannelId) -> None:
        """Open the games of a deleted channel or thread in another one.

        Tournaments that were held in that channel are cancelled.
        """
        for held_there in await self._lists.held_in(channel_id):
            with _logged(held_there):
                cancelled = await self._service.channel_deleted(held_there)
                if cancelled is not None:
                    await self._director.show_released(cancelled)
        for tournament_id in await self._lists.played_in(channel_id):
            with _logged(tournament_id):
                await self._reopen(await self._service.get(tournament_id), channel_id)

    async def _reopen(self, stored: StoredTournament, channel_id: ChannelId) -> None:
        """Let the game of a channel or thread that was deleted be opened elsewhere.

        Raises CorruptRowError if its match can't be read: then only a result can be entered for it.
        """
        for game in stored.tournament.being_played:
            if game.channel_id == channel_id and not game.undecided:
                if game.match_id is not None:
                    await self._matches.get(game.match_id)
                await self._service.leave_channel(stored, game.pairing, channel_id)
        self._director.go_on_later(stored.id)

    async def _look_for_deleted(self) -> None:
        """Find the channels and threads that were deleted while the bot was away."""
        for channel_id in await self._lists.channels():
            if not await self._threads.exists(channel_id):
                await self.channel_deleted(channel_id)


@contextmanager
def _logged(tournament_id: TournamentId) -> Iterator[None]:
    """Log why a tournament can't react to a deletion, without holding up other tournaments."""
    try:
        yield
    except (Refusal, ChangedError, CorruptRowError) as error:
        log.warning(
            "tournament %s can't react to the deletion of a channel: %s", tournament_id, error
        )
