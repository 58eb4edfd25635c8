"""A match as the database keeps it: with its place, its series and its ratings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from bot.forms import Form
from bot.identity import MatchId, MemberId, MessageId, Place, Posted, TournamentId
from bot.matches.clock import NO_TIMING, Timing
from bot.ratings.model import Change, Unrated
from core.match import Match
from core.outcome import Result
from core.players import Player


@dataclass(frozen=True)
class Series:
    """Matches between the same players on the same settings, as the next one finds them.

    `id` is that of the first match, None for a new series. `points` are the players' points so far:
    1 for a win, 0.5 for a draw; a match that was left to computers brings none.
    """

    id: MatchId | None = None
    points: Mapping[Player, float] = field(default_factory=dict)


@dataclass(frozen=True)
class NewMatch:
    """A match that is to be written to the database.

    `names[seat]` is the player's name, None for the computer. `clock` is in seconds, None for none.
    It may be one of a tournament, in which a draw counts as a win for the seat `draw_wins`, and be
    `unrated` from the beginning.
    """

    place: Place
    match: Match
    names: Sequence[str | None]
    series: Series = field(default_factory=Series)
    clock: int | None = None
    tournament_id: TournamentId | None = None
    draw_wins: int | None = None
    unrated: Unrated | None = None


@dataclass(frozen=True)
class StoredMatch:
    """A match with its place and names.

    `names[seat]` is the player's name when the match began, None for the computer. `board_id` is
    the message that shows the match, None while none is known. `series_id` is the first match of
    the series, `brought[seat]` the points that each player had in it before. `ended_at` is in Unix
    seconds. `hinted` tells that a hint was asked for, `undone` that a move was taken back.
    `changes` are the seats' ratings if the match was rated, else empty; `unrated` is the reason if
    a finished match isn't rated, or the players' agreement while it is played; `paired_with` is the
    match that was rated with it. `clock` is in seconds, None for none. `moved_at` is when the match
    last changed, in Unix seconds. `tournament_id` is the tournament that it belongs to, None for
    none; a draw counts there as a win for the seat `draw_wins`, None for neither. An `archived`
    match holds no channel until somebody brings it back. `language` is the locale of what the
    channel is shown, None if it isn't known. `asking` tells that messages ask its players to agree
    to offers. `seen` grows with every reading and saving by this process: of two states of a match,
    it tells the newer. `forms` tells how the members at the seats want boards, if they or their
    server have said so.
    """

    id: MatchId
    place: Place
    match: Match
    names: tuple[str | None, ...]
    series_id: MatchId
    brought: tuple[float, ...]
    board_id: MessageId | None = None
    ended_at: int | None = None
    hinted: bool = False
    undone: bool = False
    changes: tuple[Change, ...] = ()
    unrated: Unrated | None = None
    paired_with: MatchId | None = None
    clock: int | None = None
    timing: Timing = NO_TIMING
    moved_at: int = 0
    archived: bool = False
    tournament_id: TournamentId | None = None
    draw_wins: int | None = None
    forms: Mapping[MemberId, Form] = field(default_factory=dict)
    language: str | None = field(default=None, compare=False)
    asking: bool = field(default=False, compare=False)
    seen: int = field(default=0, compare=False)

    def is_in(self, place: Place) -> bool:
        """Return whether the match is in this channel, wherever the channel is."""
        return self.place.channel_id == place.channel_id

    @property
    def series(self) -> Series:
        """The series as the next match will find it."""
        points: dict[Player, float] = defaultdict(float)
        for seat, player in enumerate(self.match.players):
            # A player at two seats has brought the same points twice.
            points[player] = max(points[player], self.brought[seat])
        outcome = self.match.outcome
        if outcome is not None and outcome.counts and not self.match.deserted:
            for seat, player in enumerate(self.match.players):
                points[player] += _POINTS[outcome.result(seat)]
        return Series(self.series_id, points)


_POINTS = {Result.WIN: 1.0, Result.DRAW: 0.5, Result.LOSS: 0.0}


@dataclass(frozen=True)
class Pressed:
    """A match whose board was pressed; `lagging` if that board shows an older state of it.

    A lagging board is still the newest one: its successor could not be posted.
    """

    stored: StoredMatch
    lagging: bool


@dataclass(frozen=True)
class Waiting:
    """A challenge, or a `table`, that stands open in a channel; `shown` is None if not known."""

    owner: str
    shown: Posted | None
    table: bool


class OfferKind(StrEnum):
    """A change of a match that needs the other players' consent."""

    DRAW = "draw"
    UNDO = "undo"
    REMATCH = "rematch"
    RESTART = "restart"
    UNRATED = "unrated"
