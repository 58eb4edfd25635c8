"""What a member has done on one server, worked out from the matches that they have finished."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.leaderboard.lists import Played, Standing
from core.engine.levels import Level
from core.outcome import Result, result_of

Results = Counter[Result]


@dataclass(frozen=True)
class Streak:
    """So many of the same result in a row."""

    result: Result
    length: int


@dataclass(frozen=True)
class Profile:
    """What is known of a member on one server.

    `standings` are by game, rated matches alone; `results` are those added up, `streak` is how they
    have ended lately, `longest` the most wins in a row. `favourite` is the game played most and
    `played` all matches, rated or not. `levels` are the results against each level of the computer,
    `against` those against the asker (None: it is the asker's own profile). `ratings` are the
    ratings over time, by game: Unix seconds, and the rating as it is shown.
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
    played: Sequence[Played], standings: Mapping[str, Standing], rival_id: int | None
) -> Profile:
    """Return the profile of whoever has `played` these, the oldest first.

    `rival_id` is the asker, None where that is the member.
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
    # Who is first alone wins: the place of the member's own rank among them doesn't matter.
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
    """Return the results of matches in which the computer sat at all the other seats."""
    found: dict[Level, Results] = defaultdict(Counter)
    for match in played:
        if all(other.level is not None for other in match.others):
            for level in {other.level for other in match.others if other.level is not None}:
                found[level][_result(match)] += 1
    return {level: found[level] for level in Level if level in found}


def _against(played: Sequence[Played], rival_id: int) -> Results:
    """Return how a member fared compared with one other, in the matches of both."""
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
