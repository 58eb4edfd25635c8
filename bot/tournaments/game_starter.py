"""Starting the games of a tournament: each gets a match, in a channel in which nobody plays."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from bot.db.errors import CorruptRowError
from bot.identity import ChannelId, Place
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.occupancy import Occupancy
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.ratings.model import Unrated
from bot.tournaments.model import Pairing
from bot.tournaments.store import TournamentStore
from bot.tournaments.stored import StoredTournament
from core.players import Member


class GameStarter:
    """Begins the matches of games."""

    def __init__(
        self,
        store: TournamentStore,
        match_store: MatchStore,
        matches: MatchService,
        starter: MatchStarter,
        occupancy: Occupancy,
    ):
        self._store = store
        self._match_store = match_store
        self._matches = matches
        self._starter = starter
        self._occupancy = occupancy

    async def begin_match(
        self, stored: StoredTournament, pairing: Pairing, place: Place
    ) -> StoredMatch:
        """Return the match of a pairing, begun in its channel or thread.

        A match whose channel was deleted is moved to `place`. Raises Refusal if another match holds
        the channel, and ChangedError if the pairing has a match or a result by now.
        """
        settings = stored.settings
        match_id = stored.tournament.by_key[pairing.key].match_id
        if match_id is not None:
            async with self._matches.held(match_id) as lost:
                return await self._occupancy.move(lost, place)

        people = stored.tournament.people(pairing)
        players = [Member(one.id) for one in people]
        new = NewMatch(
            place,
            self._starter.set_up(settings.game, settings.options, players),
            [one.name for one in people],
            clock=settings.clock,
            tournament_id=stored.id,
            draw_wins=pairing.seat_of_draw,
            unrated=None if settings.rated else Unrated.TOURNAMENT,
        )
        async with self._matches.lock(place.channel_id):
            write = partial(self._store.begin_match, stored.id, pairing)
            return await self._starter.start(new, agreed=True, write=write)

    async def find_or_clear_channel(
        self, stored: StoredTournament, channels: Sequence[ChannelId]
    ) -> ChannelId | None:
        """Return one of the tournament's `channels` in which nobody plays, None if all are taken.

        If none is free, an idle match that one person plays alone is archived, and its channel
        returned. A match that can't be read keeps its channel.
        """
        taken = {game.channel_id for game in stored.tournament.being_played}
        left = [channel_id for channel_id in channels if channel_id not in taken]
        for channel_id in left:
            with suppress(CorruptRowError):
                if await self._match_store.live(channel_id) is None:
                    return channel_id
        for channel_id in left:
            with suppress(CorruptRowError):
                if await self._occupancy.archive_idle(channel_id):
                    return channel_id
        return None
