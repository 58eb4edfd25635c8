"""A member's matches on one server, and their sums."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.gateway.components import PageNumber, Press
from bot.identity import MemberId
from bot.matches.model import StoredMatch
from bot.ratings.model import Standing
from core.engine.levels import Level
from core.outcome import Result, result_of

Results = Counter[Result]


@dataclass(frozen=True)
class ShowHistory(Press, tag="h"):
    """Show a page, from 0, of a member's finished matches."""

    member: MemberId
    number: PageNumber


@dataclass(frozen=True)
class HistoryPage:
    """A page, from 0, of a member's finished matches, the newest first."""

    matches: Sequence[StoredMatch]
    number: int
    pages: int


@dataclass(frozen=True)
class Opponent:
    """Somebody else in a finished match: a member, or the computer at a level."""

    user_id: MemberId | None
    level: Level | None
    rank: int


@dataclass(frozen=True)
class Played:
    """A finished match as one member sees it: their rank, and their rating after it.

    `ended_at` is in Unix seconds; `rating` is None if the match wasn't rated.
    """

    game: str
    ended_at: int
    rank: int
    others: tuple[Opponent, ...]
    rating: int | None


@dataclass(frozen=True)
class Streak:
    """A number of matches in a row with the same result."""

    result: Result
    length: int


@dataclass(frozen=True)
class Profile:
    """The results of a member on one server.

    Of rated matches only: `standings` by game, the sum of `results`, the latest `streak`, and the
    `longest` run of wins. Of all matches: the `favourite` game, the number `played`, the results
    against each of the computer's `levels`, and `against` the asker (None in the asker's own
    profile). `ratings` by game are points of Unix seconds and the rating as it is shown.
    """

    standings: Mapping[str, Standing]
    results: Results
    streak: Streak | None
    longest: int
    favourite: str | None
    played: int
    levels: Mapping[Level, Results]
    against: Results | None
    ratings: Mapping[str, Sequence[tuple[int, int]]] = field(repr=False)


def career(
    played: Sequence[Played], standings: Mapping[str, Standing], rival_id: MemberId | None
) -> Profile:
    """Return the profile of a member who has `played` these matches, the oldest first.

    `rival_id` is the asker, None if they ask for their own profile.
    """
    rated = [_result(match) for match in played if match.rating is not None]
    games = Counter(match.game for match in played)
    return Profile(
        standings=standings,
        results=Counter(rated),
        streak=_streak(rated),
        longest=_longest(rated),
        favourite=games.most_common(1)[0][0] if games else None,
        played=len(played),
        levels=_levels(played),
        against=None if rival_id is None else _against(played, rival_id),
        ratings=_ratings(played),
    )


def _result(played: Played) -> Result:
    # The order of the others' ranks makes no difference to the result.
    return result_of([played.rank, *(other.rank for other in played.others)], 0)


def _streak(results: Sequence[Result]) -> Streak | None:
    if not results:
        return None
    length = 0
    for result in reversed(results):
        if result is not results[-1]:
            break
        length += 1
    return Streak(results[-1], length)


def _longest(results: Sequence[Result]) -> int:
    longest = running = 0
    for result in results:
        running = running + 1 if result is Result.WIN else 0
        longest = max(longest, running)
    return longest


def _levels(played: Sequence[Played]) -> dict[Level, Results]:
    """Return the results of matches with the computer at all the other seats, by its level."""
    found: dict[Level, Results] = defaultdict(Counter)
    for match in played:
        if all(other.level is not None for other in match.others):
            for level in {other.level for other in match.others if other.level is not None}:
                found[level][_result(match)] += 1
    return {level: found[level] for level in Level if level in found}


def _against(played: Sequence[Played], rival_id: MemberId) -> Results:
    """Return a member's results against one other, in the matches that both played."""
    found = Results()
    for match in played:
        for other in match.others:
            if other.user_id == rival_id:
                better, worse = match.rank < other.rank, match.rank > other.rank
                found[Result.WIN if better else Result.LOSS if worse else Result.DRAW] += 1
    return found


def _ratings(played: Sequence[Played]) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for match in played:
        if match.rating is not None:
            found[match.game].append((match.ended_at, match.rating))
    return dict(found)
