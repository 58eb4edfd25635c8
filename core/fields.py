"""The lines of a record, taken one after the other, and what each kind of them says.

All functions raise RecordError where the text is not what it should be.
"""

import json
import re
from collections.abc import Iterator
from random import Random

from core.engine.levels import Level
from core.errors import GameError, RecordError
from core.game import Game
from core.games import GAMES
from core.leaving import Withdrawal
from core.options import Number, Options
from core.outcome import Ending, Termination
from core.players import Computer, Member, Player
from core.position import Position

# What stands for a member without a name.
NAMELESS = "member"

_LEFT = re.compile(r"([0-9]{1,3}) after ([0-9]{1,5}) (\w+)")

# The endings away from the board, and whether somebody lost by them.
_LOST_BY_A_SEAT = {
    Termination.RESIGNATION: True,
    Termination.TIMEOUT: True,
    Termination.DEPARTURE: True,
    Termination.AGREEMENT: False,
    Termination.CALLED_OFF: False,
}


class Fields:
    """Lines that have not been taken yet."""

    def __init__(self, lines: list[str]):
        self._rest = lines

    def one(self, key: str) -> str:
        """Return the value of the next line, which has this key; raise RecordError."""
        for value in self._taken(key):
            return value
        found = repr(self._rest[0]) if self._rest else "the end"
        raise RecordError(f"expected a line '{key}: …', found {found}")

    def all(self, key: str) -> list[str]:
        """Return the values of the next lines with this key, none or more."""
        return list(self._taken(key))

    def _taken(self, key: str) -> Iterator[str]:
        while self._rest and (self._rest[0] + " ").startswith(f"{key}: "):
            yield self._rest.pop(0)[len(key) + 1 :].strip()

    def end(self) -> None:
        """Raise RecordError unless every line is taken."""
        if self._rest:
            raise RecordError(f"nothing should follow the result, found {self._rest[0]!r}")


def read_game(key: str) -> Game:
    """Return the game of that key."""
    if key not in GAMES:
        raise RecordError(f"unknown game {key!r}")
    return GAMES[key]


def read_options(game: Game, text: str) -> Options:
    """Return options; those that were not known when the record was written have their defaults."""
    numbers = {option.name for option in game.declared if isinstance(option, Number)}
    try:
        given = dict(pair.split("=") for pair in text.split())
        return game.resolve({n: int(v) if n in numbers else v for n, v in given.items()})
    except (ValueError, GameError) as error:
        raise RecordError(f"options {text!r} make no board") from error


def read_seat(number: int, text: str) -> tuple[Player, str | None]:
    """Return who sits at seat `number`, and the name."""
    if text == NAMELESS:
        return Member(number), None
    try:
        if text.startswith('"'):
            return Member(number), str(json.loads(text))
        kind, _, level = text.partition(" ")
        if kind == "computer":
            return Computer(Level(level)), None
    except ValueError as error:
        raise RecordError(f"nobody sits so: {text!r}") from error
    raise RecordError(f"nobody sits so: {text!r}")


def read_start(game: Game, options: Options, text: str) -> Position:
    """Return the first position, which fits the options."""
    try:
        start = game.parse(text)
    except GameError as error:
        raise RecordError(f"no position of {game.key}: {text!r}") from error
    if start.grid != game.start(options, Random(0)).grid:
        raise RecordError(f"the start is no board of these options: {text!r}")
    return start


def read_withdrawal(text: str) -> Withdrawal:
    """Return who left, after how many moves, and how."""
    found = _LEFT.fullmatch(text)
    try:
        if found is not None:
            return Withdrawal(int(found[1]) - 1, int(found[2]), Termination(found[3]))
    except ValueError as error:
        raise RecordError(f"nobody left so: {text!r}") from error
    raise RecordError(f"nobody left so: {text!r}")


def read_ending(text: str) -> Ending:
    """Return how a match ended away from the board."""
    word, _, number = text.partition(" ")
    try:
        ending = Ending(Termination(word), int(number) - 1 if number else None)
    except ValueError as error:
        raise RecordError(f"no ending: {text!r}") from error
    if _LOST_BY_A_SEAT.get(ending.termination) is not bool(number):
        raise RecordError(f"no ending: {text!r}")
    return ending
