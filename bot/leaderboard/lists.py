"""What lists and profiles are made of: results, leaderboards, live matches."""

from dataclasses import dataclass
from enum import StrEnum

from bot.matches.model import StoredMatch
from bot.ratings.model import By as By
from bot.ratings.model import Listing as Listing
from bot.ratings.model import Standing as Standing
from core.engine.levels import Level


@dataclass(frozen=True)
class CalledOff:
    """What was ended in a channel: a match, with its board as far as it is known, and challenges.

    `challenge_messages` are the messages that show those, `challenges` is how many they were.
    """

    match_id: int | None
    board_id: int | None
    challenges: int
    challenge_messages: tuple[int, ...]


@dataclass(frozen=True)
class ListedMatch:
    """A live match; `stored` is None where it can't be read. `started_at` is in Unix seconds."""

    id: int
    channel_id: int
    board_id: int | None
    started_at: int
    stored: StoredMatch | None


@dataclass(frozen=True)
class Opponent:
    """Somebody else in a finished match: a member, or the computer at a level."""

    user_id: int | None
    level: Level | None
    rank: int


@dataclass(frozen=True)
class Played:
    """A finished match as one member sees it: their rank, and the rating that it left them with.

    `ended_at` is in Unix seconds; `rating` is None where the match wasn't rated.
    """

    game: str
    ended_at: int
    rank: int
    others: tuple[Opponent, ...]
    rating: int | None


class Period(StrEnum):
    """What time a leaderboard is about; a month is a season."""

    ALL = "all"
    MONTH = "month"
    WEEK = "week"
