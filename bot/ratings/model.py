"""Ratings, the periods in which rated matches count, and the lines of leaderboards.

Ratings are those of OpenSkill's Plackett-Luce model, for any number of seats, with draws: Weng and
Lin, "A Bayesian Approximation Method for Online Ranking" (JMLR 12, 2011).
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from math import log, sqrt
from typing import NamedTuple, TypeAlias

from openskill.models import PlackettLuce

from bot.identity import MatchId, MemberId, ServerId
from bot.times import DAY
from core.match import Match
from core.outcome import Termination

# A draw that is agreed earlier isn't rated.
_FEWEST_BEFORE_DRAW = 4

_MODEL = PlackettLuce()
# Between players whose strength is well known, the model gives odds of exp(difference of mu /
# (sqrt(2) beta)). As in Elo's scale, 400 points are odds of ten to one: 29.5 points for 1 of mu.
_SCALE, _NEWCOMER = 400 / (log(10) * sqrt(2) * _MODEL.beta), 1000

# The greatest deviation of a settled rating. Two equal members reach it by their sixth match; they
# would reach 0.75 by their tenth. Then, of ten members with ten matches each, the strongest would
# lead half as many lists.
SETTLED_SIGMA = 0.85 * _MODEL.sigma


class Change(NamedTuple):
    """A member's rating before and after a match, as shown; `provisional` if it is so after."""

    before: int
    after: int
    provisional: bool = False


class Unrated(StrEnum):
    """Why a match between members that came to a result isn't rated."""

    AGREED = "agreed"  # its players have agreed to play on unrated
    HINTED = "hinted"
    UNDONE = "undone"
    SHORT = "short"
    ENOUGH = "enough"  # two of the members have had their rated matches for the day
    FORMER = "former"  # as above, if a former player was one of the others
    ELSEWHERE = "elsewhere"  # it wasn't played on a server that has the bot
    BEFORE = "before"  # it began on a server that only got the bot later
    TOURNAMENT = "tournament"  # it belongs to a tournament that isn't rated
    UNPAIRED = "unpaired"  # the first player can force a win, and the rematch is missing


@dataclass(frozen=True)
class Entry:
    """The ledger's entry for a match: the seats' changes, or the reason for none.

    Without changes and reason, the match could not be rated at all. `paired_with` is the match that
    was rated together with it.
    """

    changes: tuple[Change, ...] = ()
    unrated: Unrated | None = None
    paired_with: MatchId | None = None


NO_ENTRY = Entry()
"""The entry for a match that is played, or could not be rated at all."""


@dataclass(frozen=True)
class Rating:
    """A player's strength: the estimate `mu`, with the standard deviation `sigma`."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def provisional(self) -> bool:
        """Whether too few matches were played to trust the rating.

        It then brings no role, and stands after all settled ratings of a list.
        """
        return self.sigma > SETTLED_SIGMA

    @property
    def points(self) -> int:
        """The rating as it is shown and ranked, which growing certainty alone doesn't change."""
        return round(_NEWCOMER + _SCALE * (self.mu - _MODEL.mu))


START = Rating().points
"""A newcomer's rating, as it is shown."""


def fewest_plies(match: Match) -> int:
    """Return the least number of moves with which a match that has ended is rated.

    From the first move of each seat on, leaving costs rating: otherwise a losing player could
    always leave.
    """
    agreed = match.outcome and match.outcome.termination is Termination.AGREEMENT
    return _FEWEST_BEFORE_DRAW if agreed else match.game.seats


def rate(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return each seat's rating after a match, given all ratings before it.

    `ranks[seat]` is 1 for the best; equal seats share a rank.
    """
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(team[0].mu, team[0].sigma) for team in after]


ALL_TIME, ALL_GAMES = "", ""
"""The period and the game that stand for all of them."""


def start_of_day(moment: int) -> int:
    """Return when the day of `moment` began; both in Unix seconds, days in UTC."""
    return moment - moment % DAY


def month_of(moment: int) -> str:
    """Return the month of a moment in Unix seconds, such as 2026-11 (UTC)."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m")


def month_before(moment: int) -> str:
    """Return the month before that of a moment in Unix seconds."""
    first = datetime.fromtimestamp(moment, UTC).replace(day=1)
    return month_of(int(first.timestamp()) - DAY)


def week_of(moment: int) -> str:
    """Return the week of a moment in Unix seconds, such as 2026-W47 (ISO 8601, UTC)."""
    return datetime.fromtimestamp(moment, UTC).strftime("%G-W%V")


def periods_of(moment: int) -> tuple[str, ...]:
    """Return the periods in which a match that ended at `moment` counts."""
    return (ALL_TIME, month_of(moment), week_of(moment))


class Kept(NamedTuple):
    """The first month and the first week whose standings are kept."""

    month: str
    week: str

    @classmethod
    def at(cls, moment: int) -> "Kept":
        """Return the periods that are kept when a match ends at `moment`, in Unix seconds.

        Leaderboards show this week, this month, and the month before. Last week is kept as well,
        because the clock of another process may be behind.
        """
        return cls(month_before(moment), week_of(moment - 7 * DAY))

    def has(self, period: str) -> bool:
        """Return whether the standings of a period are kept."""
        return period == ALL_TIME or period >= (self.week if "W" in period else self.month)


Gone: TypeAlias = Callable[[ServerId, Sequence[MemberId]], Awaitable[set[MemberId] | None]]
"""Returns which of these members have left a server, None if Discord doesn't tell."""


class By(StrEnum):
    """The order of a leaderboard."""

    RATING = "rating"
    WINS = "wins"


@dataclass(frozen=True)
class Listing:
    """One leaderboard of a server.

    `game` is a game's key, or ALL_GAMES; `period` is one of `periods_of` a moment.
    """

    server_id: ServerId
    game: str
    period: str
    by: By


@dataclass(frozen=True)
class Standing:
    """One line of a leaderboard: a member's rated results in one period.

    `rank` is 1 for the best; equal members share it. By rating, all provisional ones come last.
    `rating` is in points, after the last match of the period; None over all games. `provisional`
    says whether it was provisional then. `name` is the member's name at the start of their last
    match on the server, empty if unknown.
    """

    rank: int
    user_id: MemberId
    name: str
    wins: int
    draws: int
    losses: int
    rating: int | None
    provisional: bool = False


@dataclass(frozen=True)
class Leaders:
    """The first lines of a leaderboard, and how many `more` members are equal to the last one."""

    named: Sequence[Standing] = ()
    more: int = 0


class Visibility(StrEnum):
    """How a member is listed on the leaderboard of all servers."""

    NAMED = "named"
    UNNAMED = "unnamed"  # for other servers
    HIDDEN = "hidden"
