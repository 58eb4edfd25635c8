"""Starting matches: directly, from an invitation, or as the next one of a series."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

from bot.db.errors import ChangedError, CorruptRowError
from bot.identity import ChannelId, Place
from bot.matches.model import NewMatch, Series, StoredMatch
from bot.matches.service import ChannelBusy, MatchService, gives_way
from bot.matches.store import ChannelTakenError
from bot.refusals import Refusal
from core.game import Game
from core.match import Match
from core.options import Options
from core.players import Player

Seating: TypeAlias = Sequence[tuple[Player, str | None]]
"""The player of each seat with their name; the computer's is None."""

Write: TypeAlias = Callable[[Match, Series], Awaitable[StoredMatch]]
"""Writes a new match and its series to the database, and returns it."""


class MatchStarter:
    """Starts matches. If the computer begins, its first move is made, unless it takes a search."""

    def __init__(self, matches: MatchService):
        self._matches = matches

    async def start(
        self,
        place: Place,
        game: Game,
        options: Options,
        seating: Seating,
        series: Series | None = None,
        clock: int | None = None,
        *,
        agreed: bool = False,
    ) -> StoredMatch:
        """Return a new match; `clock` is in seconds, None for none, `agreed` as for `start_with`.

        Without a `series` it continues that of the channel's last match if players and options
        are the same. Raises OptionError, Refusal.
        """
        matches, names = self._matches, [name for _, name in seating]
        players = [player for player, _ in seating]

        async def write(match: Match, its_series: Series) -> StoredMatch:
            new = NewMatch(place, match, names, series or its_series, clock)
            return await matches.store.create(new, matches.now())

        return await self.start_with(place, game, options, players, write, agreed=agreed)

    async def start_with(
        self,
        place: Place,
        game: Game,
        options: Options,
        players: Sequence[Player],
        write: Write,
        *,
        agreed: bool,
    ) -> StoredMatch:
        """Return a new match that `write` has written.

        If its players have `agreed` to it, a match that one of them plays alone in the channel is
        archived for it. Raises OptionError, Refusal, and the errors of `write`.
        """
        matches = self._matches
        begun = Match.start(game, options, players=players, rng=matches.rng)
        match = await matches.computer.quick_moves(begun)
        before = await self._before(place, match)
        with suppress(ChannelTakenError):
            return await self._begin(match, before, write)
        await self._make_way(place.channel_id, players, agreed=agreed)
        with suppress(ChannelTakenError):
            return await self._begin(match, before, write)
        # Somebody else was faster: asking again tells who.
        raise Refusal("refusal.try_again")

    async def _begin(self, match: Match, before: StoredMatch | None, write: Write) -> StoredMatch:
        """Return the match that `write` has written, the next one of the series of `before`.

        Raises the errors of `write`.
        """
        stored = await write(match, before.series if before else Series())
        if before is not None:
            self._matches.note_void(before)
        return stored

    async def _make_way(
        self, channel_id: ChannelId, players: Sequence[Player], *, agreed: bool
    ) -> None:
        """Archive the match of a channel that one of these players, who have agreed, plays alone.

        Raises ChannelBusy for another one.
        """
        live = await self._matches.store.live(channel_id)
        if live is None:
            return
        if not (agreed and gives_way(live, players)):
            raise ChannelBusy(live, agreed=agreed)
        await self._matches.archive(live)

    async def rematch(self, stored: StoredMatch) -> StoredMatch:
        """Return the next match of a series, with everybody one seat on; raise Refusal."""
        match, names = stored.match, dict(zip(stored.match.players, stored.names, strict=True))
        seating = [(player, names[player]) for player in match.rematch_players]
        return await self.start(
            stored.place,
            match.game,
            match.options,
            seating,
            stored.series,
            stored.clock,
            agreed=True,
        )

    async def restart(self, stored: StoredMatch) -> StoredMatch:
        """End a match without a result, and return a new one of the same players in its place.

        Raises Refusal.
        """
        matches, match = self._matches, stored.match

        async def write(begun: Match, _: Series) -> StoredMatch:
            now = matches.now()
            return await matches.store.replace(stored, match.abort(), begun, stored.series, now)

        try:
            return await self.start_with(
                stored.place, match.game, match.options, match.players, write, agreed=False
            )
        except ChangedError as error:
            raise Refusal("refusal.too_late", await matches.get(stored.id)) from error

    async def _before(self, place: Place, match: Match) -> StoredMatch | None:
        """Return the last match of the channel if `match` continues its series.

        A match of a tournament belongs to none.
        """
        try:
            last = await self._matches.store.latest(place.channel_id)
        except CorruptRowError:
            return None  # a match that can't be read must not keep a new one from starting
        if last is None or last.tournament_id is not None or last.match.game is not match.game:
            return None
        same_players = set(last.match.players) == set(match.players)
        return last if same_players and last.match.options == match.options else None
