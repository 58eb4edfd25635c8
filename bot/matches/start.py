"""How a match begins: at once, by an invitation, or as the next one of a series."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from bot.matches.model import Place, Series, StoredMatch
from bot.matches.rows import CorruptRowError
from bot.matches.service import Matches
from bot.matches.turns import ChannelTakenError
from bot.refusals import Refusal
from core.game import Game
from core.match import Match
from core.options import Options
from core.players import Player

Seating: TypeAlias = Sequence[tuple[Player, str | None]]
Write: TypeAlias = Callable[[Match, Series], Awaitable[StoredMatch]]


class Beginnings:
    """Every way in which a match begins; the computer has moved in it where it comes first."""

    def __init__(self, matches: Matches):
        self._matches = matches

    async def start(
        self,
        place: Place,
        game: Game,
        options: Options,
        seating: Seating,
        series: Series | None = None,
        clock: int | None = None,
    ) -> StoredMatch:
        """Return a new match; `clock` is in seconds, None for none.

        Without a `series` it goes on with the series of the channel's last match, if players and
        settings are the same. Raises OptionError, Refusal.
        """
        matches, names = self._matches, [name for _, name in seating]

        async def write(match: Match, its_series: Series) -> StoredMatch:
            goes_on = series or its_series
            return await matches.store.create(place, match, names, goes_on, matches.clock(), clock)

        return await self.begin(place, game, options, [player for player, _ in seating], write)

    async def begin(
        self, place: Place, game: Game, options: Options, players: Sequence[Player], write: Write
    ) -> StoredMatch:
        """Return a new match, which `write` has written with its series.

        Raises OptionError, Refusal, and whatever else `write` does.
        """
        matches = self._matches
        match = await matches.computer.glance(
            Match.start(game, options, players=players, rng=matches.rng)
        )
        series = await self._series_of(place, match)
        try:
            stored = await write(match, series)
        except ChannelTakenError as error:
            await matches.check_free(place.channel_id)
            # Busy a moment ago, and free by now: asking again will do.
            raise Refusal("refusal.try_again") from error
        return await matches.searched(stored)

    async def _series_of(self, place: Place, match: Match) -> Series:
        """Return the series that `match` goes on with in its channel, or a new one."""
        try:
            last = await self._matches.store.latest(place.channel_id)
        except CorruptRowError:
            return Series()  # it can't be gone on with, nor must it keep a new match from beginning
        if last is None or last.match.game is not match.game:
            return Series()
        same_players = set(last.match.players) == set(match.players)
        return last.series if same_players and last.match.options == match.options else Series()

    async def rematch(self, stored: StoredMatch) -> StoredMatch:
        """Return the next match of a series, everybody one seat on; raise Refusal."""
        match, names = stored.match, dict(zip(stored.match.players, stored.names, strict=True))
        players = match.rematch(self._matches.rng).players
        seating = [(player, names[player]) for player in players]
        return await self.start(
            stored.place, match.game, match.options, seating, stored.series, stored.clock
        )
