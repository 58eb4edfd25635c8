"""What the database holds, as values: shared by storage, the services and the views."""

from dataclasses import dataclass
from enum import StrEnum

from core.match import Match


@dataclass(frozen=True)
class Place:
    """Where a match is played: ids of a server and of a channel or thread in it."""

    guild_id: int
    channel_id: int


@dataclass(frozen=True)
class StoredMatch:
    """A match with its place and names.

    `names[seat]` is what the player was called when the match began, None for the computer.
    `board_id` is the message that shows it, None while none is known. `series_id` is the first
    match of the series that this one belongs to. `hinted` is whether a player asked for a hint.
    """

    id: int
    place: Place
    match: Match
    names: tuple[str | None, ...]
    series_id: int
    board_id: int | None = None
    hinted: bool = False

    @property
    def rated(self) -> bool:
        """Whether the result counts: between different members, and without a hint.

        `bot.storage.scores` says the same to the database.
        """
        return self.match.rated and not self.hinted


class First(StrEnum):
    """Who takes the first seat of a new match."""

    ME = "me"
    OPPONENT = "opponent"
    RANDOM = "random"


class ChallengeStatus(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


@dataclass(frozen=True)
class Person:
    """A member and what they were called when last seen."""

    id: int
    name: str


@dataclass(frozen=True)
class Challenge:
    """An offered match that waits for `opponent`; `expires_at` is in Unix seconds.

    `players` are the two in the order of their seats.
    """

    id: int
    place: Place
    game: str
    options: dict[str, int | str]
    challenger: Person
    opponent: Person
    challenger_first: bool
    expires_at: int
    status: ChallengeStatus = ChallengeStatus.OPEN
    message_id: int | None = None

    @property
    def players(self) -> tuple[Person, Person]:
        """The two in the order of their seats."""
        pair = (self.challenger, self.opponent)
        return pair if self.challenger_first else pair[::-1]


class OfferKind(StrEnum):
    """What needs the others' consent."""

    DRAW = "draw"
    UNDO = "undo"
    REMATCH = "rematch"


@dataclass(frozen=True)
class Standing:
    """One line of a leaderboard: a member's rated results on one server."""

    user_id: int
    name: str
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float:
        """Points: 1 for a win, a half for a draw."""
        return self.wins + self.draws / 2
