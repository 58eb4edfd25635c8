"""What may be set about a game: options, and the kinds of them that a game declares."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from core.errors import OptionError

Options: TypeAlias = Mapping[str, int | str]

# The values of a flag.
OFF, ON = "off", "on"


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
