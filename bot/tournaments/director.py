"""The director: takes tournaments as far as they go.

Every step has a row that says whether it was done, so after a kill a tournament goes on from there.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from cachetools import LRUCache

from bot.db.errors import ChangedError, CorruptRowError, is_away
from bot.gateway.errors import is_channel_gone
from bot.gateway.interactions import Interaction
from bot.gateway.loops import Loop
from bot.gateway.requests import Requests
from bot.gateway.threads import Threads
from bot.identity import ChannelId, TournamentId
from bot.locks import LockKind, Locks
from bot.logs import mark
from bot.matches.boards import Boards
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.refusals import Refusal
from bot.times import HOUR
from bot.tournaments.corrections import Corrected
from bot.tournaments.messages import TournamentMessages
from bot.tournaments.model import Stage, TournamentGame
from bot.tournaments.openings import FAILED, Openings
from bot.tournaments.progress import Progress
from bot.tournaments.service import TournamentService
from bot.tournaments.store import TournamentLists, TournamentStore
from bot.tournaments.stored import Note, StoredTournament
from bot.tournaments.view import note_view

log = logging.getLogger(__name__)

_EVERY_SECONDS = 5.0
_AT_ONCE = 5
# A failed step is tried again after the first of these pauses, or after the second if the channel
# is gone. While a tournament goes on failing and opens no game, its pause grows to a tenth of that
# time, but not beyond the second: a permission may never come back, but members wait once it does.
_PAUSE, _LONGEST_PAUSE = 30, HOUR
_PART = 10
_REMEMBERED = 1000


class Director:
    """Takes each tournament that its loops find as far as it goes. `now` gives Unix seconds."""

    def __init__(
        self,
        service: TournamentService,
        store: TournamentStore,
        lists: TournamentLists,
        progress: Progress,
        openings: Openings,
        messages: TournamentMessages,
        matches: MatchService,
        boards: Boards,
        requests: Requests,
        threads: Threads,
        now: Callable[[], int],
    ):
        self._service = service
        self._store = store
        self._lists = lists
        self._progress = progress
        self._openings = openings
        self._messages = messages
        self._matches = matches
        self._boards = boards
        self._requests = requests
        self._threads = threads
        self._now = now
        self._sweeping = Loop("taking tournaments on", _EVERY_SECONDS, self.sweep)
        name = "looking for deleted channels of tournaments"
        looking = Loop(name, _EVERY_SECONDS, self._look_for_deleted, once=True)
        self.loops = self._sweeping, looking
        # A tournament's lock is held while it is taken on and shown.
        self._locks = Locks[TournamentId](LockKind.STEPS)
        self._wanted: set[TournamentId] = set()
        self._failing_since: LRUCache[TournamentId, int] = LRUCache(_REMEMBERED)

    async def sweep(self) -> None:
        """Take on every tournament in which something is due."""
        await self._sweeping.each(await self._lists.due(self._now()), self.go_on, _AT_ONCE)

    def match_ended(self, stored: StoredMatch) -> None:
        """Take on the tournament of a match that has just ended, if it belongs to one."""
        if stored.tournament_id is not None:
            self.go_on_later(stored.tournament_id)

    def go_on_later(self, tournament_id: TournamentId) -> None:
        """Take a tournament as far as it goes, in the background."""
        if tournament_id not in self._wanted:
            self._wanted.add(tournament_id)
            self._requests.later(partial(self.go_on, tournament_id))

    async def go_on(self, tournament_id: TournamentId) -> None:
        """Take a tournament as far as it goes: enter, pair, open, call, tell, show.

        A failure is logged, and the sweep tries again later. Raises the errors of a database that
        is away.
        """
        async with self._locks.of(tournament_id):
            self._wanted.discard(tournament_id)
            try:
                await self._go_on(tournament_id)
                self._failing_since.pop(tournament_id, None)
            except ChangedError:
                log.info("tournament %s has changed meanwhile", tournament_id)
            except Exception as error:
                if is_away(error):
                    raise
                await self._put_off(tournament_id, error)

    async def _go_on(self, tournament_id: TournamentId) -> None:
        stored = await self._progress.advance(tournament_id)
        mark(server=stored.place.server_id, channel=stored.place.channel_id)
        while resigned := await self._progress.resign_withdrawn(stored):
            for ended in resigned:
                self._boards.post_later(ended)
            stored = await self._progress.advance(tournament_id)
        running = stored.tournament.stage is Stage.RUNNING
        failure = await self._openings.open_all(stored) if running else None
        shown = await self._service.get(tournament_id)
        if len(shown.tournament.unopened) < len(stored.tournament.unopened):
            self._failing_since.pop(tournament_id, None)
        await self._messages.update(shown, failure)
        if failure is not None:
            raise failure

    async def _put_off(self, tournament_id: TournamentId, error: Exception) -> None:
        """Log why a tournament has failed, and try it again later, the longer it has failed."""
        trace = None if isinstance(error, (Refusal, *FAILED)) else error
        log.warning("tournament %s is put off: %s", tournament_id, error, exc_info=trace)
        now, least = self._now(), _LONGEST_PAUSE if is_channel_gone(error) else _PAUSE
        failing = now - self._failing_since.setdefault(tournament_id, now)
        pause = min(max(least, failing // _PART), _LONGEST_PAUSE)
        await self._store.put_off(tournament_id, now + pause)

    async def channel_deleted(self, channel_id: ChannelId) -> None:
        """Open the games of a deleted channel or thread in another one.

        Tournaments that were held in that channel are cancelled.
        """
        for held_there in await self._lists.held_in(channel_id):
            with _logged(held_there):
                await self.show_released(await self._service.channel_deleted(held_there))
        for tournament_id in await self._lists.played_in(channel_id):
            with _logged(tournament_id):
                await self._leave_channel(tournament_id, channel_id)
                self.go_on_later(tournament_id)

    async def _leave_channel(self, tournament_id: TournamentId, channel_id: ChannelId) -> None:
        """Take the games of a tournament out of a channel.

        Raises Refusal, ChangedError or CorruptRowError.
        """
        stored = await self._service.get(tournament_id)
        for game in stored.tournament.being_played:
            if game.channel_id != channel_id or game.undecided:
                continue
            if game.match_id is not None:
                # A match that can't be read couldn't go on elsewhere, so this raises for it.
                await self._matches.get(game.match_id)
            await self._service.leave_channel(stored, game.pairing, channel_id)

    async def _look_for_deleted(self) -> None:
        """Find the channels and threads that were deleted while the bot was away."""
        for channel_id in await self._lists.channels():
            if not await self._threads.exists(channel_id):
                await self.channel_deleted(channel_id)

    async def show_first(self, interaction: Interaction, created: StoredTournament) -> None:
        """Answer with the message of a tournament that was just created.

        Nothing else shows the tournament meanwhile. If this raises one of CALL_FAILED, the sweep
        shows it.
        """
        async with self._locks.of(created.id):
            await self._messages.answer(interaction, created)

    def show_corrected(self, corrected: Corrected) -> None:
        """Show who has corrected a game's result, in its channel, and the end of its match.

        This is done in the background, and nobody is notified.
        """
        if corrected.note is not None:
            self.show_note(corrected.stored, [corrected.game], corrected.note)
        if corrected.ended is not None:
            self._boards.post_later(corrected.ended)

    def show_note(
        self, stored: StoredTournament, games: Sequence[TournamentGame], note: Note
    ) -> None:
        """Show a note in the channels of these games, in the background; nobody is notified."""
        self._messages.send_later(stored, games, note_view(stored, note))

    async def show_released(self, cancelled: StoredTournament) -> None:
        """Show the games of a cancelled tournament as the ordinary matches that they are now.

        Nobody is notified.
        """
        for released in await self._service.released(cancelled):
            self._boards.post_later(released, quiet=True)


@contextmanager
def _logged(tournament_id: TournamentId) -> Iterator[None]:
    """Log why a tournament can't react to a deletion, without holding up other tournaments."""
    try:
        yield
    except (Refusal, ChangedError, CorruptRowError) as error:
        log.warning(
            "tournament %s can't react to the deletion of a channel: %s", tournament_id, error
        )
