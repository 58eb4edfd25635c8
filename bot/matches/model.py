"""A match as the database keeps it: with its place, its series and its ratings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum

from bot.forms import Form
from bot.identity import ChannelId, MatchId, MemberId, MessageId, Place, Posted, TournamentId
from bot.matches.clock import NO_TIMING, Timing
from bot.ratings.model import NO_ENTRY, Entry, Unrated
from core.match import Match
from core.outcome import Result
from core.players import Computer, Member, Player

FINAL = -1
"""Stands for the ply of a board that shows the end of a match."""


@dataclass(frozen=True)
class Series:
    """Matches between the same players on the same settings, as the next one finds them.

    `id` is the id of the first match, None for a new series. `points` are the players' points so
    far: 1 for a win, 0.5 for a draw. A match that all members left to the computers brings none.
    """

    id: MatchId | None = None
    points: Mapping[Player, float] = field(default_factory=dict)


@dataclass(frozen=True)
class NewMatch:
    """A match that is to be written to the database.

    `names[seat]` is the player's name, None for the computer. `clock` is in seconds, None for none.
    In a tournament, a draw may count as a win for the seat `draw_wins`. `unrated` is the reason if
    the match is unrated from the beginning.
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
    """A match as it was read, with its known messages and the wishes of those who see it.

    Tuples have one value per seat. Moments are in Unix seconds. The last three fields are true only
    at the moment of reading, and aren't compared.
    """

    id: MatchId
    place: Place
    match: Match
    # The players' names when the match began, None for the computer. They stay out of the log, as
    # do the ids of members.
    names: tuple[str | None, ...] = field(repr=False)
    # The series by its first match, and the points that each player had in it before this one.
    series_id: MatchId
    brought: tuple[float, ...]
    # The tournament it belongs to, the seat for which a draw counts as a win there, and whether it
    # is a knockout, in which any other drawn game is played again.
    tournament_id: TournamentId | None = None
    draw_wins: int | None = None
    knockout: bool = False
    # Seconds for a move, None without a clock.
    clock: int | None = None
    timing: Timing = NO_TIMING
    # When the match last changed, and the number of its changes.
    moved_at: int = 0
    revision: int = 0
    ended_at: int | None = None
    # An archived match holds no channel until somebody brings it back.
    archived: bool = False
    # Whether a hint was asked for, and whether a move was taken back.
    hinted: bool = False
    undone: bool = False
    # How the match was rated; during the match, the reason why it won't be, if there is one.
    entry: Entry = NO_ENTRY
    # The forms of board that its members, or their server, have chosen.
    forms: Mapping[MemberId, Form] = field(default_factory=dict, repr=False)
    # The locale of texts for the whole channel, None if it isn't known.
    language: str | None = None
    # Whether final boards outlive the next match, by the choice of the server.
    boards_stay: bool = True
    # The message that shows the match, None while none is known.
    board_id: MessageId | None = None
    # Whether no board is known, or the known one showed an earlier state. After a kill, an unknown
    # message may show the current state.
    board_unsure: bool = field(default=False, compare=False)
    # Whether messages asked its players to agree to offers.
    asking: bool = field(default=False, compare=False)
    # Whether it is over, and its series has gone on.
    played_again: bool = field(default=False, compare=False)

    def is_in(self, place: Place) -> bool:
        """Return whether the match is in the channel of a place."""
        return self.place.channel_id == place.channel_id

    @property
    def staying(self) -> Set[MemberId]:
        """The members who play the match, and haven't left it."""
        players = (self.match.players[seat] for seat in self.match.staying)
        return {MemberId(player.id) for player in players if isinstance(player, Member)}

    @property
    def computer_due(self) -> bool:
        """Whether the computer is to move: its move takes a search, or an attempt has failed."""
        return isinstance(self.match.next_player, Computer)

    @property
    def shown_ply(self) -> int:
        """The ply that a current board of the match shows, FINAL if it is over."""
        return FINAL if self.match.outcome else self.match.ply

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
class PressedBoard:
    """A board on which a member has pressed a button, as they saw it: at `ply`, or FINAL.

    A `private` row of moves counts as a board.
    """

    channel_id: ChannelId
    message_id: MessageId
    ply: int
    private: bool = False


@dataclass(frozen=True)
class Pressed:
    """A match whose board was pressed; `lagging` if that board shows an older state of it.

    A lagging board is still the newest one: its successor could not be posted.
    """

    stored: StoredMatch
    lagging: bool


@dataclass(frozen=True)
class Waiting:
    """An invitation that is open in a channel; `shown` is its message, None if unknown.

    It has a free seat for anybody, or waits only for the answers of those who are challenged.
    """

    owner: str
    shown: Posted | None
    has_free_seat: bool


class OfferKind(StrEnum):
    """A change of a match that needs the other players' consent."""

    DRAW = "draw"
    UNDO = "undo"
    REMATCH = "rematch"
    RESTART = "restart"
    UNRATED = "unrated"
