"""Ratings by OpenSkill's Plackett-Luce model: any number of seats, draws included.

Weng and Lin, "A Bayesian Approximation Method for Online Ranking" (JMLR 12, 2011).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from openskill.models import PlackettLuce

# What is shown is mu - 3 sigma, the least that a player is almost certainly worth, on a scale on
# which newcomers stand at 1000 and a first win is worth some 70.
_SCALE, _NEWCOMER = 20, 1000

# So many rated matches it takes to be ranked by rating.
RANKED_AFTER = 5
# A shorter match is over before it is one.
FEWEST_PLIES = 4

_MODEL = PlackettLuce()


@dataclass(frozen=True)
class Rating:
    """What is believed of a player: strength `mu`, with the standard deviation `sigma`."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def points(self) -> int:
        """The rating as it is shown and ranked."""
        return round(_NEWCOMER + _SCALE * (self.mu - 3 * self.sigma))


def rate(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return everybody's rating after a match that gave these ranks (1 is best, equal ones share).

    All of them follow from the ratings before it.
    """
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(team[0].mu, team[0].sigma) for team in after]


ALL_TIME = ""


def day_of(moment: int) -> int:
    """Return when the day of `moment` began; both in Unix seconds, days in UTC."""
    return moment - moment % 86_400


def month_of(moment: int) -> str:
    """Return the season of a moment in Unix seconds, such as 2026-11 (UTC)."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m")


def month_before(moment: int) -> str:
    """Return the season before that of a moment in Unix seconds."""
    first = datetime.fromtimestamp(moment, UTC).replace(day=1)
    return month_of(int(first.timestamp()) - 86_400)


def week_of(moment: int) -> str:
    """Return the week of a moment in Unix seconds, such as 2026-W47 (ISO 8601, UTC)."""
    return datetime.fromtimestamp(moment, UTC).strftime("%G-W%V")


def periods_of(moment: int) -> tuple[str, ...]:
    """Return the periods in which a match that ended at `moment` counts."""
    return (ALL_TIME, month_of(moment), week_of(moment))
