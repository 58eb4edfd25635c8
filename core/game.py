"""What a game, a position and an outcome are, for any number of seats.

A position is an immutable value; a game is its rules and the options that it declares. Seats are
0-based; which of them begins, and which moves next, only the position says. Everything above the
core (commands, boards, the computer player, storage) works from these contracts and never from one
particular game.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from random import Random
from typing import Protocol, Self, TypeAlias, runtime_checkable

from core.errors import OptionError
from core.grid import Grid, Move, Square

Options: TypeAlias = Mapping[str, int | str]

# The values of a flag.
OFF, ON = "off", "on"


class Termination(StrEnum):
    """How a match ended; who won is another question (`Outcome.ranks`)."""

    LINE = "line"
    FULL = "full"
    BLOCKED = "blocked"
    REPETITION = "repetition"
    PLY_LIMIT = "ply_limit"
    EXHAUSTED = "exhausted"
    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    DEPARTURE = "departure"  # left the place where the match is played
    AGREEMENT = "agreement"
    CALLED_OFF = "called_off"


class Result(StrEnum):
    """What an outcome means for one seat."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


def result_of(ranks: Sequence[int], seat: int) -> Result:
    """Return what these ranks are for `seat`: the first place alone wins, shared it draws."""
    if ranks[seat] > 1:
        return Result.LOSS
    return Result.WIN if ranks.count(1) == 1 else Result.DRAW


@dataclass(frozen=True)
class Outcome:
    """How a match ended, with one rank per seat: 1 is best, equal seats share a rank.

    `squares` are those that decided it (the completed line), empty where there are none.
    """

    termination: Termination
    ranks: tuple[int, ...]
    squares: frozenset[Square] = frozenset()

    @property
    def counts(self) -> bool:
        """Whether this is a result at all: a match that was called off has none."""
        return self.termination is not Termination.CALLED_OFF

    def result(self, seat: int) -> Result:
        """Return what this outcome is for `seat`: the first place alone wins, shared it draws."""
        return result_of(self.ranks, seat)

    @classmethod
    def won(
        cls, by: int, seats: int, termination: Termination, squares: frozenset[Square] = frozenset()
    ) -> Self:
        """Return the outcome in which seat `by` is first and all the others share the next rank."""
        return cls(termination, tuple(1 if s == by else 2 for s in range(seats)), squares)

    @classmethod
    def lost(
        cls, by: int, seats: int, termination: Termination, squares: frozenset[Square] = frozenset()
    ) -> Self:
        """Return the outcome in which seat `by` is last and all the others share the first rank."""
        return cls(termination, tuple(2 if s == by else 1 for s in range(seats)), squares)

    @classmethod
    def drawn(cls, seats: int, termination: Termination) -> Self:
        """Return the outcome in which all seats share the first rank."""
        return cls(termination, (1,) * seats)

    def behind(self, left: Sequence[int]) -> "Outcome":
        """Return this outcome with the seats that `left`, the first to go first, ranked last.

        Whoever left first is last of all, and the others keep their order among themselves.
        """
        stayed = [rank for seat, rank in enumerate(self.ranks) if seat not in left]
        ranks = tuple(
            len(self.ranks) - left.index(seat)
            if seat in left
            else 1 + sum(r < rank for r in stayed)
            for seat, rank in enumerate(self.ranks)
        )
        return replace(self, ranks=ranks)


class Blank(Enum):
    """A square on which nobody's mark stands."""

    OPEN = "open"
    CLOSED = "closed"  # empty, and no move ever goes there again
    WALL = "wall"  # part of the board from the start, and nobody's for ever


class Position(Protocol):
    """The board and whose turn it is; a value, equal to every other position that reads the same.

    `str()` gives a text without line breaks that the game's `parse` reads back.
    """

    @property
    def grid(self) -> Grid:
        """The board's size."""

    @property
    def to_move(self) -> int | None:
        """The seat that moves next, None when the game is over."""

    def content(self, square: Square) -> int | Blank:
        """Return the seat whose mark or man stands on `square`, or what kind of blank it is."""

    def legal_moves(self) -> Sequence[Move]:
        """Return every legal move, in an order that never changes; none when the game is over."""

    def play(self, move: Move) -> "Position":
        """Return the position after `move`; raise IllegalMove or MatchOver."""

    def outcome(self) -> Outcome | None:
        """Return how the game ended on this board, None while it goes on."""


@runtime_checkable
class Leavable(Protocol):
    """A position that a seat can leave while the others play on: all games for more than two."""

    def without(self, seat: int) -> Position:
        """Return the position in which `seat` is passed over for ever; its squares stay.

        Which seats are out is part of the position, and of its text. Raises ValueError for a seat
        that there is none of, or that is out already.
        """


@runtime_checkable
class Scored(Protocol):
    """A position in which seats have points to be shown while they play."""

    def scores(self) -> tuple[int, ...]:
        """Return the points of each seat, more being better."""


@runtime_checkable
class Sided(Protocol):
    """A position in which seats may have changed sides."""

    @property
    def sides(self) -> tuple[int, ...]:
        """The side that each seat plays, by its number in the game's `marks`."""


@dataclass(frozen=True)
class Number:
    """An option that is a whole number from `low` to `high`; unset, the game works it out."""

    name: str
    low: int
    high: int

    def check(self, value: object) -> None:
        """Raise OptionError unless `value` is a number in range."""
        if not isinstance(value, int) or not self.low <= value <= self.high:
            raise OptionError(self.name, value, (self.low, self.high))


@dataclass(frozen=True)
class Choice:
    """An option that is one of `choices`, the first unless told."""

    name: str
    choices: tuple[str, ...]

    def check(self, value: object) -> None:
        """Raise OptionError unless `value` is one of the choices."""
        if value not in self.choices:
            raise OptionError(self.name, value, self.choices)


@dataclass(frozen=True)
class Flag:
    """An option that is on, or else off: resolved options have it only where it is on.

    So a match without it is stored as it was before there was such an option.
    """

    name: str

    def check(self, value: object) -> None:
        """Raise OptionError unless `value` is one of the two words."""
        if value not in (OFF, ON):
            raise OptionError(self.name, value, (OFF, ON))


Option: TypeAlias = Number | Choice | Flag


class Game(ABC):
    """The rules of one game. Stateless: two matches may share one instance.

    `marks` names each seat's mark or men, so its length is the number of seats; where seats may
    change sides, they are the sides at the start (`marks_in`). Seat 0 moves first, unless the game
    draws who does (`first_by_lot`).
    """

    key: str
    marks: tuple[str, ...]
    declared: tuple[Option, ...]
    first_by_lot: bool = False

    @property
    def seats(self) -> int:
        """How many players a match takes."""
        return len(self.marks)

    def marks_in(self, position: Position) -> tuple[str, ...]:
        """Return the mark or men that each seat has in `position`."""
        if isinstance(position, Sided):
            return tuple(self.marks[side] for side in position.sides)
        return self.marks

    def resolve(self, given: Options) -> dict[str, int | str]:
        """Return `given` checked and completed with defaults, in declared order.

        Raises OptionError for an unknown option, or a value that makes no board.
        """
        names = tuple(option.name for option in self.declared)
        for name in given:
            if name not in names:
                raise OptionError(name, given[name], names)
        for option in self.fitting(given):
            if option.name in given:
                option.check(given[option.name])
        full = self.complete(dict(given))
        flags = {option.name for option in self.declared if isinstance(option, Flag)}
        off = {name for name in flags if full.get(name) != ON}
        return {name: full[name] for name in names if name not in off}

    def fitting(self, given: Options) -> tuple[Option, ...]:
        """Return the declared options, with the limits that `given` leaves them."""
        return self.declared

    def complete(self, given: dict[str, int | str]) -> dict[str, int | str]:
        """Return `given`, which has been checked, with every default."""
        return {o.name: o.choices[0] for o in self.declared if isinstance(o, Choice)} | given

    @abstractmethod
    def start(self, options: Options, rng: Random) -> Position:
        """Return the first position for resolved `options`; chance, if any, comes from `rng`."""

    @abstractmethod
    def parse(self, text: str) -> Position:
        """Return the position that prints as `text`; raise PositionError."""

    def adjudicate(self, history: Sequence[Position]) -> Outcome | None:
        """Return how a match with these positions (oldest first) ended, None while it goes on.

        Rules about the course of a match rather than the board, such as repetition, live here.
        """
        return history[-1].outcome()

    def forced_win(self, options: Options) -> int | None:
        """Return in how many plies seat 0 wins by force, None where it doesn't or isn't known."""
        return None

    def evened(self, options: Options) -> Options:
        """Return resolved `options` with what makes the board fairer, where it favours seat 0."""
        return options

    def solved(self, options: Options) -> bool:
        """Return whether the computer can play this board perfectly by search."""
        return False
