"""A tournament as a value: who takes part, which games they have, and how these ended.

The games that may begin (`bot.tournaments.pairings`) and the order of the entrants
(`bot.tournaments.standings`) are derived from this value alone. So whenever the bot was killed, a
tournament goes on from the database as it would have gone on before.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain, groupby
from typing import NamedTuple

from bot.identity import ChannelId, MatchId, Person, TournamentId

FEWEST, MOST = 3, 256
"""How many members a tournament takes."""

_KEY = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})\.([0-9]{1,2})", re.ASCII)


class Format(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round_robin"
    DOUBLE_ROUND_ROBIN = "double_round_robin"  # everybody twice, with either seat
    SWISS = "swiss"
    KNOCKOUT = "knockout"

    @property
    def cycles(self) -> int:
        """How often everybody meets everybody else; 0 for the other formats."""
        return {Format.ROUND_ROBIN: 1, Format.DOUBLE_ROUND_ROBIN: 2}.get(self, 0)


class Stage(StrEnum):
    """Whether a tournament is open to join, is being played, or how it ended.

    An open tournament starts running, and ends when all is played. Before its end it may be
    cancelled.
    """

    OPEN = "open"
    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Entrant:
    """A member of a tournament that has started.

    `number` is the place in the seeding, from 0 for the strongest; `strength` is the rating at the
    start. `withdrawn_after` is the last round in which a withdrawn entrant is paired, 0 for none;
    it is None for an entrant who is still there.
    """

    number: int
    person: Person
    strength: float
    withdrawn_after: int | None = None

    @property
    def here(self) -> bool:
        """Whether the entrant has not withdrawn."""
        return self.withdrawn_after is None

    def plays_in(self, number: int) -> bool:
        """Return whether the entrant is paired in the round of this number."""
        return self.withdrawn_after is None or number <= self.withdrawn_after


def seeded(members: Sequence[tuple[Person, float]]) -> tuple[Entrant, ...]:
    """Return members with their ratings as entrants, the strongest first.

    Among equals, the one who is first in `members` comes first.
    """
    strongest_first = sorted(members, key=lambda member: -member[1])
    return tuple(
        Entrant(number, person, strength)
        for number, (person, strength) in enumerate(strongest_first)
    )


class PairingKey(NamedTuple):
    """Round, table and game of a pairing, unique in its tournament.

    In text they are separated by dots, as in 2.1.1.
    """

    round: int
    table: int
    game: int

    def __str__(self) -> str:
        return ".".join(map(str, self))

    @classmethod
    def parse(cls, text: str) -> "PairingKey":
        """Return the key written as `text`; raise ValueError."""
        found = _KEY.fullmatch(text)
        if found is None:
            raise ValueError(text)
        return cls(*map(int, found.groups()))


@dataclass(frozen=True)
class Pairing:
    """A game of a tournament, or the bye of an entrant without an opponent.

    `round` and `table` count from 1. `entrants` are numbers; the first of them moves first. A
    knockout replays drawn games at the same table, and `game` counts the games there, from 1. In
    the last one, an armageddon, a draw is a win for the entrant `draw_wins`; None in all other
    games.
    """

    round: int
    table: int
    game: int
    entrants: tuple[int, ...]
    draw_wins: int | None = None

    @cached_property
    def key(self) -> PairingKey:
        """Round, table and game."""
        return PairingKey(self.round, self.table, self.game)

    @property
    def is_bye(self) -> bool:
        """Whether there is no opponent."""
        return len(self.entrants) == 1

    @property
    def seat_of_draw(self) -> int | None:
        """The seat for which a draw is a win, None for neither."""
        return None if self.draw_wins is None else self.entrants.index(self.draw_wins)


class How(StrEnum):
    """How the points of a pairing came about, or why it has none although its match is over."""

    PLAYED = "played"  # on the board, by time or by resignation
    FORFEIT = "forfeit"  # without a game, since an entrant was gone
    BYE = "bye"
    CORRECTED = "corrected"  # by the organiser
    UNDECIDED = "undecided"  # it could no longer be played, and a draw would have decided it

    @property
    def on_board(self) -> bool:
        """Whether there was a game."""
        return self in (How.PLAYED, How.CORRECTED)


@dataclass(frozen=True)
class TournamentGame:
    """A pairing that has begun; `points` per entrant (1, 0.5 or 0), None while it is being played.

    The points are (0, 0) if nobody has won or drawn. The game is played in the channel or thread
    `channel_id`, by the match `match_id`; each is None until there is one. `elsewhere` says that
    the match has still to be moved there, from a channel that was deleted.
    """

    pairing: Pairing
    points: tuple[float, ...] | None = None
    how: How = How.PLAYED
    channel_id: ChannelId | None = None
    match_id: MatchId | None = None
    elsewhere: bool = False

    @property
    def opened(self) -> bool:
        """Whether there is a match, and it is in its channel."""
        return None not in (self.channel_id, self.match_id) and not self.elsewhere

    @property
    def over(self) -> bool:
        """Whether the result is known."""
        return self.points is not None

    @property
    def undecided(self) -> bool:
        """Whether its match is over, and its result has to be entered by hand."""
        return self.how is How.UNDECIDED

    @property
    def winner(self) -> int | None:
        """The entrant who won, also by a bye or by draw odds; None for nobody (yet)."""
        if self.points is None or not any(self.points):
            return None
        if self.points == (0.5, 0.5):
            return self.pairing.draw_wins
        return self.pairing.entrants[self.points.index(max(self.points))]

    @property
    def drawn(self) -> bool:
        """Whether the points were shared and the game decides nothing."""
        return self.points == (0.5, 0.5) and self.pairing.draw_wins is None

    def points_of(self, entrant: int) -> float:
        """Return the points of one of its entrants, 0 while it is being played."""
        return self.points[self.pairing.entrants.index(entrant)] if self.points else 0.0

    def opponent(self, entrant: int) -> int | None:
        """Return the opponent of an entrant, None in a bye."""
        return next((other for other in self.pairing.entrants if other != entrant), None)


@dataclass(frozen=True)
class Tournament:
    """The entrants of a tournament, and its games.

    `entrants` is empty until the tournament is running; then `entrants[i].number == i`.
    `swiss_rounds` is the number of rounds of a Swiss tournament, None for the number after which
    one winner is left. `worse_seat` is the seat, 0 or 1, with the worse chances
    (`Game.worse_seat`), which wins an armageddon by a draw. `games` are the pairings that have
    begun, in any order.
    """

    id: TournamentId
    format: Format
    entrants: tuple[Entrant, ...] = ()
    games: tuple[TournamentGame, ...] = ()
    stage: Stage = Stage.OPEN
    swiss_rounds: int | None = None
    worse_seat: int = 1

    @property
    def rounds(self) -> int:
        """The number of rounds, for the number of entrants at the start."""
        return self.rounds_of(len(self.entrants))

    def rounds_of(self, size: int) -> int:
        """Return the number of rounds with `size` entrants; never fewer with more of them."""
        cycle = size - 1 + size % 2
        match self.format:
            case Format.ROUND_ROBIN | Format.DOUBLE_ROUND_ROBIN:
                return self.format.cycles * cycle
            case Format.SWISS:
                return min(self.swiss_rounds or _doublings(size), cycle)
            case Format.KNOCKOUT:
                return _doublings(size)

    @property
    def round(self) -> int:
        """The latest round of which a game has begun, 0 before the first."""
        return max(self.by_round, default=0)

    @cached_property
    def by_round(self) -> Mapping[int, Sequence[TournamentGame]]:
        """The games by rounds, in the order of their keys."""
        ordered = sorted(self.games, key=lambda game: game.pairing.key)
        rounds = groupby(ordered, key=lambda game: game.pairing.round)
        return {number: list(games) for number, games in rounds}

    @cached_property
    def by_key(self) -> Mapping[PairingKey, TournamentGame]:
        """The games by the keys of their pairings."""
        return {game.pairing.key: game for game in self.games}

    @property
    def rounds_on(self) -> Sequence[int]:
        """The rounds of which games are being played, or else the latest one, if any.

        A later round may have begun with nothing but forfeited games. Once the tournament has
        ended, all its rounds are over.
        """
        if self.stage is Stage.ENDED:
            return ()
        return sorted({game.pairing.round for game in self.being_played} or {self.round} - {0})

    @property
    def being_played(self) -> tuple[TournamentGame, ...]:
        """The games whose result isn't known yet."""
        return tuple(game for game in self.games if not game.over)

    @property
    def channels_in_use(self) -> Collection[ChannelId | None]:
        """The channels of the games that can still be played."""
        return {game.channel_id for game in self.being_played if not game.undecided}

    @property
    def unopened(self) -> tuple[TournamentGame, ...]:
        """The games to be played whose match isn't in its channel yet."""
        return tuple(game for game in self.being_played if not game.opened)

    def played_now(self, entrant: int) -> Sequence[TournamentGame]:
        """Return the games of an entrant whose result isn't known yet."""
        return [game for game in self.games_of(entrant) if not game.over]

    def games_of(self, entrant: int) -> Sequence[TournamentGame]:
        """Return the games of an entrant in the order of their keys."""
        return self._by_entrant[entrant]

    @cached_property
    def _by_entrant(self) -> Sequence[Sequence[TournamentGame]]:
        found: list[list[TournamentGame]] = [[] for _ in self.entrants]
        for game in chain.from_iterable(self.by_round.values()):
            for entrant in game.pairing.entrants:
                found[entrant].append(game)
        return found

    def people(self, pairing: Pairing) -> list[Person]:
        """Return the members whom a pairing seats, by seat."""
        return [self.entrants[number].person for number in pairing.entrants]

    def corrected(self, result: TournamentGame, back: Collection[int]) -> "Tournament":
        """Return the tournament with another result of a game, and the entrants `back` there."""
        games = {**self.by_key, result.pairing.key: result}
        entrants = (
            replace(one, withdrawn_after=None) if one.number in back else one
            for one in self.entrants
        )
        return replace(self, games=tuple(games.values()), entrants=tuple(entrants))

    def forfeited(self, entrant: int) -> Sequence[Pairing]:
        """Return the pairings that an entrant has forfeited."""
        return [
            game.pairing
            for game in self.games_of(entrant)
            if game.how is How.FORFEIT and not game.points_of(entrant)
        ]

    def walkover(self, pairing: Pairing) -> TournamentGame | None:
        """Return the result of a pairing that hasn't begun and that nobody has to play.

        It is a bye, a win against an entrant who has withdrawn, or no points if both have. Returns
        None if the pairing has to be played.
        """
        if pairing.is_bye:
            return TournamentGame(pairing, (1.0,), How.BYE)
        here = [self.entrants[number].here for number in pairing.entrants]
        return None if all(here) else TournamentGame(pairing, tuple(map(float, here)), How.FORFEIT)


def _doublings(size: int) -> int:
    """Return how often 1 has to be doubled to reach `size`."""
    return (size - 1).bit_length()
