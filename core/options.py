"""Options of games: numbers, choices and flags, as games declare them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from core.errors import OptionError

Options: TypeAlias = Mapping[str, int | str]

# The values of a flag.
OFF, ON = "off", "on"


@dataclass(frozen=True)
class Number:
    """An option that is a whole number from `low` to `high`; the game works out its default."""

    name: str
    low: int
    high: int

    def check(self, value: object) -> None:
        """Raise OptionError unless `value` is a number in range."""
        if not isinstance(value, int) or not self.low <= value <= self.high:
            raise OptionError(self.name, value, (self.low, self.high))


@dataclass(frozen=True)
class Choice:
    """An option that is one of `choices`; the first is the default."""

    name: str
    choices: tuple[str, ...]

    def check(self, value: object) -> None:
        """Raise OptionError unless `value` is one of the choices."""
        if value not in self.choices:
            raise OptionError(self.name, value, self.choices)


@dataclass(frozen=True)
class Flag:
    """An option that is on or off, off by default.

    Resolved options hold it only if it is on, so a match without it is stored as before the option
    existed.
    """

    name: str

    def check(self, value: object) -> None:
        """Raise OptionError unless `value` is OFF or ON."""
        if value not in (OFF, ON):
            raise OptionError(self.name, value, (OFF, ON))


Option: TypeAlias = Number | Choice | Flag
