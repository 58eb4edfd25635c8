"""A match as a text that people can read and that reads back: `write` and `read`.

::

    rowbot match 1
    game: nineholes
    options: variant=free
    seat 1: "Alice"
    seat 2: computer hard
    start: free OOO/.../.../.../XXX X
    moves: a1-b2 c5-b3
    ending: resignation 1
    result: resignation | ranks 2 1

The first line names the version of the format, and whatever was ever written stays readable. Moves
stand ten to a line. A member is the name in quotes, as a JSON string, or the word `member` where
there is none; ids are left out. `ending` is there where the match did not end on the board. The
last line repeats what follows from the others, and reading checks that it still does.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from core.engine.levels import Level
from core.errors import GameError, RecordError
from core.fields import Fields
from core.game import Game, Number, Options, Position, Termination
from core.games import GAMES
from core.grid import Move
from core.match import Computer, Ending, Match, Member, Player

Names = Sequence[str | None]

_HEADER = "rowbot match 1"
_NAMELESS = "member"
_UNFINISHED = "unfinished"
_MOVES_PER_LINE = 10


@dataclass(frozen=True)
class Record:
    """What a record tells: the match, and what the member at each seat is called, if they are.

    A record knows no ids: the member at seat 0 is `Member(0)`, and so on.
    """

    match: Match
    names: tuple[str | None, ...]


def write(match: Match, names: Names | None = None) -> str:
    """Return the record of `match`; `names[seat]` may be any text, or None."""
    names = names or (None,) * match.game.seats
    options = " ".join(f"{name}={value}" for name, value in match.options.items())
    lines = [_HEADER, f"game: {match.game.key}", f"options: {options}".strip()]
    for number, (player, name) in enumerate(zip(match.players, names, strict=True), start=1):
        lines.append(f"seat {number}: {seat_words(player, name)}")
    lines.append(f"start: {match.start}")
    moves = list(map(str, match.moves))
    tens = (moves[i : i + _MOVES_PER_LINE] for i in range(0, len(moves), _MOVES_PER_LINE))
    lines.extend(f"moves: {' '.join(ten)}" for ten in tens)
    if match.ending is not None:
        seat = "" if match.ending.seat is None else f" {match.ending.seat + 1}"
        lines.append(f"ending: {match.ending.termination}{seat}")
    lines.append(f"result: {result_words(match)}")
    return "\n".join(lines) + "\n"


def seat_words(player: Player, name: str | None) -> str:
    """Return who sits at a seat, in one line without controls whatever they are called."""
    if isinstance(player, Computer):
        return f"computer {player.level}"
    return _NAMELESS if name is None else _quoted(name)


def _quoted(name: str) -> str:
    """Return `name` as a JSON string in which whatever isn't printable is escaped."""
    plain = (c if c.isprintable() and c not in '"\\' else json.dumps(c)[1:-1] for c in name)
    return f'"{"".join(plain)}"'


def result_words(match: Match) -> str:
    """Return how `match` ended: why, the rank of each seat, and the squares that decided it."""
    outcome = match.outcome
    if outcome is None:
        return _UNFINISHED
    words = f"{outcome.termination} | ranks {' '.join(map(str, outcome.ranks))}"
    if outcome.squares:
        words += f" | squares {' '.join(map(str, sorted(outcome.squares)))}"
    return words


def read(text: str) -> Record:
    """Return what the record `text` tells; raise RecordError."""
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    if not lines or lines[0] != _HEADER:
        raise RecordError(f"the first line is not {_HEADER!r}")
    fields = Fields(lines[1:])
    game = _game(fields.one("game"))
    options = _options(game, fields.one("options"))
    seats = [_seat(n, fields.one(f"seat {n + 1}")) for n in range(game.seats)]
    players, names = zip(*seats, strict=True)
    match = Match(game, options, players, _start(game, options, fields.one("start")))
    match = _played(match, " ".join(fields.all("moves")).split())
    for ending in fields.all("ending"):
        match = _ended(match, ending)
    if (result := fields.one("result")) != result_words(match):
        raise RecordError(f"result is {result!r}, but the moves lead to {result_words(match)!r}")
    fields.end()
    return Record(match, names)


def _game(key: str) -> Game:
    if key not in GAMES:
        raise RecordError(f"unknown game {key!r}")
    return GAMES[key]


def _options(game: Game, text: str) -> Options:
    """Return options; those that were not known when the record was written have their defaults."""
    numbers = {option.name for option in game.declared if isinstance(option, Number)}
    try:
        given = dict(pair.split("=") for pair in text.split())
        return game.resolve({n: int(v) if n in numbers else v for n, v in given.items()})
    except (ValueError, GameError) as error:
        raise RecordError(f"options {text!r} make no board") from error


def _seat(number: int, text: str) -> tuple[Player, str | None]:
    """Return who sits at a seat, and the name."""
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


def _start(game: Game, options: Options, text: str) -> Position:
    try:
        start = game.parse(text)
    except GameError as error:
        raise RecordError(f"no position of {game.key}: {text!r}") from error
    if start.grid != game.start(options, Random(0)).grid:
        raise RecordError(f"the start is no board of these options: {text!r}")
    return start


def _played(match: Match, moves: list[str]) -> Match:
    """Return `match` after `moves`."""
    for ply, text in enumerate(moves, start=1):
        if match.next_player is None:
            raise RecordError(f"move {ply}, {text!r}, comes after the end")
        try:
            match = match.play(match.next_player, Move.parse(text))
        except GameError as error:
            raise RecordError(f"move {ply}, {text!r}, is not legal") from error
    return match


def _ended(match: Match, text: str) -> Match:
    """Return `match`, which is not over, ended away from the board."""
    word, _, number = text.partition(" ")
    try:
        ending = Ending(Termination(word), int(number) - 1 if number else None)
    except ValueError as error:
        raise RecordError(f"no ending: {text!r}") from error
    if match.outcome is not None or ending.seat not in (None, *range(match.game.seats)):
        raise RecordError(f"the match can't have ended so: {text!r}")
    return Match(match.game, match.options, match.players, match.start, match.moves, ending)
