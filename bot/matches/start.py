"""Starting matches: directly, from an invitation, or as the next one of a series."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random

from bot.db.errors import ChangedError, CorruptRowError
from bot.identity import Place
from bot.matches.computer import ComputerPlayer
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import ChannelTakenError, Insert, MatchStore, insert_match
from bot.refusals import Refusal
from core.game import Game
from core.match import Match
from core.options import Options
from core.players import Player


class MatchStarter:
    """Starts matches. If the computer begins, its first move is made, unless it takes a search.

    `rng` draws the start of games that begin by lot, and `now` gives Unix seconds.
    """

    def __init__(
        self,
        matches: MatchService,
        store: MatchStore,
        computer: ComputerPlayer,
        rng: Random,
        now: Callable[[], int],
    ):
        self._matches = matches
        self._store = store
        self._computer = computer
        self._rng = rng
        self._now = now

    def set_up(self, game: Game, options: Options, players: Sequence[Player]) -> Match:
        """Return a match before its first move; raise OptionError."""
        return Match.start(game, options, players=players, rng=self._rng)

    async def start(
        self,
        new: NewMatch,
        *,
        agreed: bool = False,
        insert: Insert = insert_match,
    ) -> StoredMatch:
        """Return the match that begins.

        If it has no series of its own, it continues that of the channel's last match, provided that
        players and options are the same. If its players have `agreed` to it, a match that one of
        them plays alone in the channel is archived for it. `insert` may write more than the match.
        Raises Refusal, and the errors of `insert`.
        """
        match = self._computer.quick_moves(new.match)
        before = await self._before(new.place, match)
        series = before.series if before and new.series.id is None else new.series
        new = replace(new, match=match, series=series)
        for is_taken in (False, True):
            if is_taken:
                players = new.match.players if agreed else ()
                await self._matches.make_way(new.place.channel_id, players, agreed=agreed)
            with suppress(ChannelTakenError):
                stored = await self._store.create(new, self._now(), insert)
                if before is not None:
                    self._matches.note_void(before)
                return stored
        # Somebody else was faster. The answer to the next try will name their match.
        raise Refusal("refusal.try_again")

    async def rematch(self, stored: StoredMatch) -> StoredMatch:
        """Return the next match of a series; raise Refusal."""
        new = self._again(stored, stored.match.rematch_players)
        insert = partial(self._store.insert_rematch, before=stored)
        try:
            return await self.start(new, agreed=True, insert=insert)
        except ChangedError as error:
            current = await self._matches.get(stored.id)
            raise Refusal("refusal.former_player", current) from error

    async def restart(self, stored: StoredMatch) -> StoredMatch:
        """End a match without a result, and return a new one of the same players in its place.

        Raises Refusal.
        """
        new = self._again(stored, stored.match.players)
        insert = partial(self._store.insert_instead, before=stored, ended=stored.match.abort())
        try:
            return await self.start(new, insert=insert)
        except ChangedError as error:
            current = await self._matches.get(stored.id)
            raise Refusal("refusal.too_late", current) from error

    def _again(self, stored: StoredMatch, players: Sequence[Player]) -> NewMatch:
        """Return a match of the same series, with these of its players in another order."""
        match = stored.match
        names = dict(zip(stored.match.players, stored.names, strict=True))
        begun = self.set_up(match.game, match.options, players)
        seated = [names[player] for player in players]
        return NewMatch(stored.place, begun, seated, stored.series, stored.clock)

    async def _before(self, place: Place, match: Match) -> StoredMatch | None:
        """Return the last match of the channel if `match` continues its series.

        A series has one match at a time: no match continues it while its last one isn't over, or
        from an earlier one. No match continues the series of a tournament's match either.
        """
        try:
            last = await self._store.latest(place.channel_id)
        except CorruptRowError:
            return None  # a match that can't be read must not keep a new one from starting
        if last is None or last.match.outcome is None or last.played_again:
            return None
        if last.tournament_id is not None or last.match.game is not match.game:
            return None
        same_players = set(last.match.players) == set(match.players)
        return last if same_players and last.match.options == match.options else None
