"""What the database holds, as values: shared by storage, the services and the views."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.matches.clock import DEFAULT_CLOCK, NO_TIMING, Timing
from bot.ratings.model import Change as Change
from core.match import Match
from core.outcome import Result
from core.players import Player


@dataclass(frozen=True)
class Place:
    """Where a match is played: ids of a server and of a channel or thread in it."""

    guild_id: int
    channel_id: int


@dataclass(frozen=True)
class Series:
    """Matches between the same players on the same settings, as the next one finds them.

    `id` is that of the first match, None for a series that begins; `points` are everybody's so far:
    a win 1, a draw 0.5.
    """

    id: int | None = None
    points: Mapping[Player, float] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredMatch:
    """A match with its place and names.

    `names[seat]` is what the player was called when the match began, None for the computer.
    `board_id` is the message that shows it, None while none is known. `series_id` is the first
    match of the series that this one belongs to, `brought[seat]` the points that each player had
    in it before. `ended_at` is in Unix seconds. `hinted` and `undone` are whether a hint was asked,
    or a move taken back.
    `changes` are the seats' ratings, where the match has ended and counts, else empty. `clock` is
    in seconds, None for none; a match that is `put_away` goes on when somebody brings it back.
    """

    id: int
    place: Place
    match: Match
    names: tuple[str | None, ...]
    series_id: int
    brought: tuple[float, ...]
    board_id: int | None = None
    ended_at: int | None = None
    hinted: bool = False
    undone: bool = False
    changes: tuple[Change, ...] = ()
    clock: int | None = None
    timing: Timing = NO_TIMING
    put_away: bool = False

    @property
    def rated(self) -> bool:
        """Whether the result counts, if it comes to one: members only, no hint, nothing undone."""
        return self.match.rated and not self.hinted and not self.undone

    @property
    def series(self) -> Series:
        """The series as the next match will find it."""
        points: dict[Player, float] = defaultdict(float)
        for seat, player in enumerate(self.match.players):
            # A player at two seats has brought the same points twice.
            points[player] = max(points[player], self.brought[seat])
        if (outcome := self.match.outcome) is not None and outcome.counts:
            for seat, player in enumerate(self.match.players):
                points[player] += _POINTS[outcome.result(seat)]
        return Series(self.series_id, points)


_POINTS = {Result.WIN: 1.0, Result.DRAW: 0.5, Result.LOSS: 0.0}


class First(StrEnum):
    """Who takes the first seat of a new match."""

    ME = "me"
    OPPONENT = "opponent"
    RANDOM = "random"


@dataclass(frozen=True)
class Person:
    """A member and what they were called when last seen."""

    id: int
    name: str


@dataclass(frozen=True)
class ServerSettings:
    """What a server's moderators have chosen.

    `channels` are ids of those where games may be played, none for everywhere; `clock` and
    `challenge_seconds` are for matches and challenges that don't say, None for no clock, and for
    the host's own setting; `boards_stay` is whether final boards outlive the next match.
    """

    channels: tuple[int, ...] = ()
    clock: int | None = DEFAULT_CLOCK
    challenge_seconds: int | None = None
    boards_stay: bool = True


class OfferKind(StrEnum):
    """What needs the others' consent."""

    DRAW = "draw"
    UNDO = "undo"
    REMATCH = "rematch"
