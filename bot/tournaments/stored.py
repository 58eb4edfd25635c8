"""A tournament as the database keeps it, with its settings, its message and its trace."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.identity import ChannelId, MemberId, MessageId, Person, Place, RoleId, TournamentId
from bot.tournaments.model import (
    Entrant,
    Format,
    How,
    Pairing,
    PairingKey,
    Stage,
    Tournament,
    TournamentGame,
)
from core.game import Game
from core.options import Options
from core.outcome import Ending

SEATS = 2
"""The number of players of a tournament's games."""


@dataclass(frozen=True)
class TournamentSettings:
    """The choices of the organiser.

    Once there is a `Tournament`, `format` and `swiss_rounds` are read from it alone. `clock` is in
    seconds for a move. Members with the role `role_id` may join, or everybody if it is None. The
    tournament starts at the moment `starts_at` (Unix seconds) if there is one, or `when_full`, or
    when the organiser says so. Games are played in `channels`, one at a time in each of them; if
    there are none, each game has a thread of its own.
    """

    game: Game
    options: Options
    format: Format
    clock: int
    places: int
    role_id: RoleId | None = None
    rated: bool = True
    starts_at: int | None = None
    when_full: bool = False
    swiss_rounds: int | None = None
    channels: tuple[ChannelId, ...] = ()

    @property
    def in_threads(self) -> bool:
        """Whether each game has a thread of its own."""
        return not self.channels


class NoteKind(StrEnum):
    """The kind of an intervention in a tournament."""

    CORRECTED = "corrected"  # the result of a game, by the organiser or a moderator
    CALLED_OFF = "called_off"  # a game, by a moderator
    CLOSED = "closed"  # a game that could no longer be played in its channel
    UNDECIDED = "undecided"  # such a game that a draw would have decided: it has no result yet
    CANCELLED = "cancelled"
    DELETED = "deleted"  # its channel was deleted, which cancels it
    FEW = "few"  # too few had joined when it was to start
    LEFT = "left"  # an entrant withdrew
    DROPPED = "dropped"  # an entrant was taken out by the organiser or a moderator
    GONE = "gone"  # an entrant has left the server, or didn't come to a game


_WITHDRAWALS = (NoteKind.LEFT, NoteKind.DROPPED, NoteKind.GONE)


@dataclass(frozen=True)
class Note:
    """One line of the trace: who did what at which moment (Unix seconds).

    `who` has done it, or has been taken out `by` somebody. Each is None for nobody, and for a
    member whose data was erased. `before` and `after` are the points of `game` by entrant; all
    three are None if no game is concerned, and `before` also if the game had no points.
    """

    at: int
    kind: NoteKind
    who: Person | None = None
    game: PairingKey | None = None
    before: tuple[float, ...] | None = None
    after: tuple[float, ...] | None = None
    by: Person | None = None


@dataclass(frozen=True)
class StoredTournament:
    """A tournament with its settings and its message.

    `joined` are its members in the order of joining. Members beyond the number of places wait for
    one, until the start makes the others the entrants in `tournament`. `message_id` shows the
    revision `shown`. `told` says that the end was announced as it is now. `ended_at` is in Unix
    seconds. `language` is the locale for the whole channel, None if it isn't known.
    """

    id: TournamentId
    place: Place
    organiser: Person
    settings: TournamentSettings
    tournament: Tournament
    joined: tuple[Person, ...] = ()
    notes: tuple[Note, ...] = ()
    message_id: MessageId | None = None
    revision: int = 0
    shown: int = -1
    told: bool = True
    ended_at: int | None = None
    language: str | None = field(default=None, compare=False)

    @property
    def taking_part(self) -> tuple[Person, ...]:
        """The members who have a place."""
        return self.joined[: self.settings.places]

    @property
    def waiting(self) -> tuple[Person, ...]:
        """The members who wait for a place, the first one first."""
        return self.joined[self.settings.places :]

    @property
    def filled(self) -> bool:
        """Whether all places are taken, and that starts the tournament."""
        return self.settings.when_full and len(self.joined) >= self.settings.places

    @property
    def over(self) -> bool:
        """Whether it has ended or was cancelled."""
        return self.tournament.stage in (Stage.ENDED, Stage.CANCELLED)

    @property
    def corrected(self) -> bool:
        """Whether a result was corrected after the end."""
        ended_at = self.ended_at
        return ended_at is not None and any(
            note.kind is NoteKind.CORRECTED and note.at > ended_at for note in self.notes
        )

    def entrant_of(self, member_id: MemberId) -> Entrant | None:
        """Return a member as an entrant, None if they aren't one."""
        return next((one for one in self.tournament.entrants if one.person.id == member_id), None)

    def brings_back(self, game: TournamentGame, number: int) -> bool:
        """Return whether an entrant without points for a game would come back if given some.

        They have been withdrawn, but not by themselves, and the game is their last, or one that
        they have forfeited. A Swiss tournament whose next round has begun goes on without them, and
        one that has ended isn't played on, unless nothing else was played without them.
        """
        tournament = self.tournament
        entrant = tournament.entrants[number]
        out = self.withdrawal_of(entrant.person.id) in (NoteKind.DROPPED, NoteKind.GONE)
        if entrant.here or not out or game.points_of(number):
            return False
        played = [one for one in tournament.games_of(number) if one.how is not How.FORFEIT]
        if game.how is not How.FORFEIT and game != played[-1]:
            return False
        if tournament.format is not Format.SWISS and tournament.stage is not Stage.ENDED:
            return True
        forfeited = {*tournament.forfeited(number)} - {game.pairing}
        return game.pairing.round == tournament.round and not forfeited

    def withdrawal_of(self, member_id: MemberId) -> NoteKind | None:
        """Return how a member was withdrawn last, None if they never were."""
        of_them = (note for note in reversed(self.notes) if note.who and note.who.id == member_id)
        return next((note.kind for note in of_them if note.kind in _WITHDRAWALS), None)


@dataclass(frozen=True)
class Correction:
    """The `result` of a pairing as it is entered by hand, and what follows from it.

    `note` is the line of the trace. The pairing's match ends by `ending` if it is still being
    played, or has no result of its own. The entrants with the numbers in `back` aren't withdrawn
    any more, and the pairings `replayed`, which they have forfeited, may begin again. If the
    tournament has ended, `ranks` are the ranks by entrants' numbers, and `tell` asks for another
    announcement of its end.
    """

    result: TournamentGame
    note: Note
    ending: Ending
    back: Collection[int] = ()
    replayed: Collection[Pairing] = ()
    ranks: Mapping[int, int] = field(default_factory=dict)
    tell: bool = False


@dataclass(frozen=True)
class Ended:
    """The ended match of a pairing: how it ended, after how many plies, and each seat's rank.

    `ending` is None if the match ended on the board. The ranks are None if it has no result.
    """

    key: PairingKey
    ending: Ending | None
    plies: int
    ranks: tuple[int | None, ...]


@dataclass(frozen=True)
class Listed:
    """A tournament in a list."""

    id: TournamentId
    channel_id: ChannelId
    stage: Stage
    settings: TournamentSettings
