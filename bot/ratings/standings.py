"""Ratings, and results by period, of the members of one server."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.identity import MemberId
from bot.ratings.model import ALL_GAMES, Change, Kept, Rating, periods_of, rate
from core.outcome import Result, result_of


class RatingKey(NamedTuple):
    """A member's rating at a game."""

    user_id: MemberId
    game: str


class TallyKey(NamedTuple):
    """A member's results at a game, or at ALL_GAMES, in a period."""

    user_id: MemberId
    game: str
    period: str


@dataclass(frozen=True)
class Tally:
    """Results, and the rating in points after the last of them; None over all games.

    `settled` says that the rating wasn't provisional then.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    rating: int | None = None
    settled: bool = False

    def plus(self, result: Result, rating: Rating | None) -> "Tally":
        """Return the tally with one more match, and the rating after it; None over all games."""
        return replace(
            self,
            wins=self.wins + (result is Result.WIN),
            draws=self.draws + (result is Result.DRAW),
            losses=self.losses + (result is Result.LOSS),
            rating=None if rating is None else rating.points,
            settled=rating is not None and not rating.provisional,
        )


@dataclass
class Sheet:
    """Ratings and tallies, into which matches are counted; a member without a rating is new."""

    ratings: dict[RatingKey, Rating] = field(default_factory=dict)
    tallies: dict[TallyKey, Tally] = field(default_factory=dict)
    # The periods that are kept after the last match of each member who was counted.
    kept: dict[MemberId, Kept] = field(default_factory=dict)

    def count(
        self, game: str, users: Sequence[MemberId], ranks: Sequence[int], moment: int
    ) -> tuple[Change, ...]:
        """Count a match that ended at `moment`; return each seat's change.

        `users[seat]` are the members' ids, `ranks[seat]` are as in an outcome.
        """
        keys = [RatingKey(user, game) for user in users]
        before = [self.ratings.get(key, Rating()) for key in keys]
        after = rate(before, ranks)
        self.ratings.update(zip(keys, after, strict=True))
        kept = Kept.at(moment)
        for seat, (user, rating) in enumerate(zip(users, after, strict=True)):
            self.kept[user] = max(kept, self.kept.get(user, kept))
            for period in periods_of(moment):
                self._tally(TallyKey(user, game, period), result_of(ranks, seat), rating)
                self._tally(TallyKey(user, ALL_GAMES, period), result_of(ranks, seat), None)
        return tuple(
            Change(b.points, a.points, a.provisional) for b, a in zip(before, after, strict=True)
        )

    def _tally(self, key: TallyKey, result: Result, rating: Rating | None) -> None:
        self.tallies[key] = self.tallies.get(key, Tally()).plus(result, rating)
