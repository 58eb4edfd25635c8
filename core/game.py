"""What a game is, for any number of seats: its rules, and the options that it declares.

Everything above the core (commands, boards, the computer player, storage) works from this contract
and that of its positions (`core.position`), and never from one particular game. Which seat begins
only the position says.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

from core.errors import OptionError
from core.options import ON, Choice, Flag, Option, Options
from core.outcome import Outcome
from core.position import Position, Sided


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
