"""A game: its rules for any number of seats, and the options that it declares.

Everything above the core (commands, boards, storage) and the computer player use this contract and
that of positions (`core.position`). None of them knows a particular game.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from core.errors import OptionError
from core.marks import Mark
from core.options import OFF, ON, Choice, Flag, Option, Options
from core.outcome import Outcome, Termination
from core.position import Position


@dataclass(frozen=True)
class Example:
    """An example of the rules at a glance: the notation of a position, and moves from there.

    The board is that of the default options, but a match needn't begin with this position.
    """

    start: str
    moves: tuple[str, ...]


class Game(ABC):
    """The rules of one game.

    A game has no state, so all matches share one instance, and all instances of a class are equal.
    `key` names the game in commands, stored matches and the catalogue. `marks` has the mark of each
    seat at the start, `example` shows the rules at a glance, and `declared` are the options. Seat 0
    moves first, unless `first_by_lot` says that the first seat is drawn. With `skips`, a seat
    misses its turn only if it can't move, and boards say so. A match that is still open after
    `ply_limit` moves is drawn.
    """

    key: str
    marks: tuple[Mark, ...]
    example: Example
    declared: tuple[Option, ...] = ()
    first_by_lot: bool = False
    skips: bool = False
    ply_limit: int | None = None

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    @property
    def seats(self) -> int:
        """The number of players in a match."""
        return len(self.marks)

    def resolve(self, given: Options) -> dict[str, int | str]:
        """Return `given` checked and completed with defaults, in declared order.

        A flag may be True or False, too. Raises OptionError for an unknown option or a value that
        makes no board.
        """
        names = tuple(option.name for option in self.declared)
        flags = {option.name for option in self.declared if isinstance(option, Flag)}
        given = {
            name: (OFF, ON)[value] if name in flags and isinstance(value, bool) else value
            for name, value in given.items()
        }
        for name in given:
            if name not in names:
                raise OptionError(name, given[name], names)
        for option in self.fitting(given):
            if option.name in given:
                option.check(given[option.name])
        full = self.complete(dict(given))
        off = {name for name in flags if full.get(name) != ON}
        return {name: full[name] for name in names if name not in off}

    def fitting(self, given: Options) -> tuple[Option, ...]:
        """Return the declared options, within the limits that the values in `given` leave."""
        return self.declared

    def complete(self, given: dict[str, int | str]) -> dict[str, int | str]:
        """Return `given`, already checked, with all defaults filled in."""
        return {o.name: o.choices[0] for o in self.declared if isinstance(o, Choice)} | given

    @abstractmethod
    def start(self, options: Options, rng: Random) -> Position:
        """Return the first position for resolved `options`; all randomness comes from `rng`."""

    @abstractmethod
    def parse(self, notation: str) -> Position:
        """Return the position with this `notation`; raise PositionError if there is none."""

    def can_occur(self, position: Position, options: Options) -> bool:
        """Return whether `position` has what resolved `options` fix, such as the size.

        It needn't check whether moves lead there. Override it if options fix more than the
        size of the board.
        """
        return position.grid == self.start(options, Random(0)).grid

    def outcome_after(self, history: Sequence[Position]) -> Outcome | None:
        """Return how a match with these positions (oldest first) ended, None while it goes on.

        Override it for more rules about the course of a match than `ply_limit`, such as repetition.
        """
        outcome = history[-1].outcome()
        if outcome is None and self.ply_limit is not None and len(history) > self.ply_limit:
            return Outcome.drawn(self.seats, Termination.PLY_LIMIT)
        return outcome

    def forced_win(self, options: Options) -> int | None:
        """Return the plies in which seat 0 wins by force, None if no such win is known."""
        return None

    def drawn(self, options: Options) -> bool:
        """Return whether best play is known to lead to a draw; False may mean that nobody knows."""
        return False

    def one_sided(self, options: Options) -> bool:
        """Return whether one seat is known to win by force, so that the choice of seats decides.

        A board on which a rule makes the chances even, as far as people can tell, isn't one-sided.
        """
        return self.forced_win(options) is not None

    def worse_seat(self, options: Options) -> int:
        """Return the seat, of two, that has the worse chances if nobody plays perfectly.

        That is seat 1 unless a game says otherwise: moving first is an advantage in most games.
        """
        return 1

    def evened(self, options: Options) -> Options:
        """Return resolved `options`; if seat 0 wins by force, with a rule to even the chances."""
        return options

    def solved(self, options: Options) -> bool:
        """Return whether the computer plays perfectly with resolved `options`."""
        return False
