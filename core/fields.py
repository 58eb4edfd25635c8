"""What the lines of a record say, each kind of them written and read.

What reads raises RecordError where the text is not what it should be.
"""

import json
import re
from random import Random

from core.engine.levels import Level
from core.errors import GameError, RecordError
from core.game import Game
from core.games import GAMES
from core.leaving import Withdrawal
from core.options import Number, Options
from core.outcome import Ending, Outcome, Termination
from core.players import Computer, Member, Player
from core.position import Position

# What stands for a member without a name.
_NAMELESS = "member"
_UNFINISHED = "unfinished"

_LEFT = re.compile(r"([0-9]{1,3}) after ([0-9]{1,5}) (\w+)")

# The endings away from the board, and whether somebody lost by them.
_LOST_BY_A_SEAT = {
    Termination.RESIGNATION: True,
    Termination.TIMEOUT: True,
    Termination.DEPARTURE: True,
    Termination.AGREEMENT: False,
    Termination.CALLED_OFF: False,
}


def read_game(key: str) -> Game:
    """Return the game of that key."""
    if key not in GAMES:
        raise RecordError(f"unknown game {key!r}")
    return GAMES[key]


def options_words(options: Options) -> str:
    """Return options by name, none being nothing at all."""
    return " ".join(f"{name}={value}" for name, value in options.items())


def read_options(game: Game, text: str) -> Options:
    """Return options; those that were not known when the record was written have their defaults."""
    numbers = {option.name for option in game.declared if isinstance(option, Number)}
    try:
        given = dict(pair.split("=") for pair in text.split())
        return game.resolve({n: int(v) if n in numbers else v for n, v in given.items()})
    except (ValueError, GameError) as error:
        raise RecordError(f"options {text!r} make no board") from error


def seat_words(player: Player, name: str | None) -> str:
    """Return who sits at a seat, in one line without controls whatever they are called."""
    if isinstance(player, Computer):
        return f"computer {player.level}"
    return _NAMELESS if name is None else _quoted(name)


def _quoted(name: str) -> str:
    """Return `name` as a JSON string in which whatever isn't printable is escaped."""
    plain = (c if c.isprintable() and c not in '"\\' else json.dumps(c)[1:-1] for c in name)
    return f'"{"".join(plain)}"'


def read_seat(number: int, text: str) -> tuple[Player, str | None]:
    """Return who sits at seat `number`, and the name."""
    if text == _NAMELESS:
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


def withdrawal_words(withdrawal: Withdrawal) -> str:
    """Return who left, after how many moves, and how."""
    return f"{withdrawal.seat + 1} after {withdrawal.ply} {withdrawal.termination}"


def read_withdrawal(text: str) -> Withdrawal:
    """Return who left, after how many moves, and how."""
    found = _LEFT.fullmatch(text)
    try:
        if found is not None:
            return Withdrawal(int(found[1]) - 1, int(found[2]), Termination(found[3]))
    except ValueError as error:
        raise RecordError(f"nobody left so: {text!r}") from error
    raise RecordError(f"nobody left so: {text!r}")


def ending_words(ending: Ending) -> str:
    """Return how a match ended away from the board."""
    seat = "" if ending.seat is None else f" {ending.seat + 1}"
    return f"{ending.termination}{seat}"


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


def result_words(outcome: Outcome | None) -> str:
    """Return how a match ended: why, the rank of each seat, and the squares that decided it."""
    if outcome is None:
        return _UNFINISHED
    words = f"{outcome.termination} | ranks {' '.join(map(str, outcome.ranks))}"
    if outcome.squares:
        words += f" | squares {' '.join(map(str, sorted(outcome.squares)))}"
    return words
