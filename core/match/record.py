"""A match as a text that people can read and that reads back: `write` and `read`.

::

    rowbot match 1
    game: tictactoe
    options: rows=4 columns=4 line=4 variant=classic
    seat 1: "Alice"
    seat 2: computer hard
    start: classic 4 ..../..../..../....
    moves: b2 c2 b3
    ending: resignation 1
    result: resignation | ranks 2 1

The first line gives the version of the format; all versions ever written stay readable. There are
ten moves to a line. A member is a name in quotes, as a JSON string, or the word `member` if the
name isn't known; ids are left out. Lines such as ``left: 2 after 14 resignation`` name the seats
that left while the others played on, in order of time. The `ending` is there if the match ended
away from the board. The result follows from the other lines, and `read` checks that it does. The
result has no ranks if nobody won or drew; in earlier records it has ranks even then.

Each kind of line has a function that writes it and one that reads it. The functions that read raise
RecordError.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.engine.levels import Level
from core.errors import GameError, RecordError
from core.game import Game
from core.games import GAMES
from core.match.leaving import Withdrawal
from core.match.match import Match
from core.options import Number, Options
from core.outcome import LEAVING, UNCOUNTED, Ending, Outcome, Termination
from core.players import Computer, Member, Player
from core.position import Position

Names = Sequence[str | None]

_HEADER = "rowbot match 1"
_MOVES_PER_LINE = 10
_NAMELESS = "member"
_UNFINISHED = "unfinished"
_LEFT = re.compile(r"([0-9]{1,3}) after ([0-9]{1,5}) (\w+)")
# The endings away from the board.
_AWAY = LEAVING | UNCOUNTED | {Termination.AGREEMENT}


@dataclass(frozen=True)
class Record:
    """The content of a record: the match, and the name of the member at each seat, if known.

    Records hold no ids: the member at seat 0 becomes `Member(0)`, and so on.
    """

    match: Match
    names: tuple[str | None, ...]


def write(match: Match, names: Names | None = None) -> str:
    """Return the record of `match`; `names[seat]` may be any text, or None."""
    names = names or (None,) * match.game.seats
    lines = [_HEADER, f"game: {match.game.key}", f"options: {options_words(match.options)}".strip()]
    for number, (player, name) in enumerate(zip(match.players, names, strict=True), start=1):
        lines.append(f"seat {number}: {seat_words(player, name)}")
    lines.append(f"start: {match.initial.notation}")
    moves = list(map(str, match.moves))
    tens = (moves[i : i + _MOVES_PER_LINE] for i in range(0, len(moves), _MOVES_PER_LINE))
    lines.extend(f"moves: {' '.join(ten)}" for ten in tens)
    lines.extend(f"left: {_withdrawal_words(w)}" for w in match.withdrawals)
    if match.ending is not None:
        lines.append(f"ending: {_ending_words(match.ending)}")
    lines.append(f"result: {result_words(match.outcome)}")
    return "\n".join(lines) + "\n"


def read(text: str) -> Record:
    """Return the content of the record `text`; raise RecordError."""
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    if not lines or lines[0] != _HEADER:
        raise RecordError(f"the first line is not {_HEADER!r}")
    rest = _Lines(lines[1:])
    game = read_game(rest.one("game"))
    options = read_options(game, rest.one("options"))
    seats = [_read_seat(n, rest.one(f"seat {n + 1}")) for n in range(game.seats)]
    players, names = zip(*seats, strict=True)
    match = Match(game, options, players, _read_start(game, options, rest.one("start")))
    moves = " ".join(rest.all("moves")).split()
    match = _played(match, moves, [_read_withdrawal(text) for text in rest.all("left")])
    for text in rest.all("ending"):
        match = _ended(match, _read_ending(text))
    result, found = result_words(match.outcome), rest.one("result")
    if found not in (result, _with_ranks(match.outcome)):
        raise RecordError(f"result is {found!r}, but the moves lead to {result!r}")
    rest.end()
    return Record(match, names)


class _Lines:
    """The lines that have not been read yet."""

    def __init__(self, lines: list[str]):
        self._rest = lines

    def one(self, key: str) -> str:
        """Return the value of the next line, which must have this key."""
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
        """Raise RecordError if a line is left."""
        if self._rest:
            raise RecordError(f"nothing should follow the result, found {self._rest[0]!r}")


def _played(match: Match, moves: Sequence[str], withdrawals: Sequence[Withdrawal]) -> Match:
    """Return `match` after `moves`, with the `withdrawals` between them."""
    for ply, text in enumerate(moves):
        match = _left(match, [gone for gone in withdrawals if gone.ply == ply])
        if match.next_player is None:
            raise RecordError(f"move {ply + 1}, {text!r}, comes after the end")
        try:
            match = match.play(text)
        except GameError as error:
            raise RecordError(f"move {ply + 1}, {text!r}, is not legal") from error
    return _left(match, withdrawals[len(match.withdrawals) :])


def _left(match: Match, gone: Sequence[Withdrawal]) -> Match:
    """Return `match` with the withdrawals `gone` added."""
    if not gone:
        return match
    try:
        left = replace(match, withdrawals=(*match.withdrawals, *gone))
        _ = left.outcome  # replays the moves
    except ValueError as error:
        raise RecordError(f"withdrawals that can't have happened: {gone}") from error
    return left


def _ended(match: Match, ending: Ending) -> Match:
    """Return `match`, which must still be going on, with this `ending`."""
    if match.outcome is not None or ending.seat not in (None, *range(match.game.seats)):
        raise RecordError(f"an ending that can't have happened: {ending}")
    return replace(match, ending=ending)


def read_game(key: str) -> Game:
    """Return the game with this key; raise RecordError."""
    if key not in GAMES:
        raise RecordError(f"unknown game {key!r}")
    return GAMES[key]


def options_words(options: Options) -> str:
    """Return options as ``name=value``, separated by spaces."""
    return " ".join(f"{name}={value}" for name, value in options.items())


def board_words(game: Game, options: Options) -> str:
    """Return the key of a game and resolved options, separated by a space."""
    return f"{game.key} {options_words(options)}".strip()


def read_options(game: Game, text: str) -> Options:
    """Return resolved options; raise RecordError.

    Options that the game got after the record was written have their defaults.
    """
    try:
        return game.resolve(_read_given(game, text))
    except (ValueError, GameError) as error:
        raise RecordError(f"options {text!r} make no board") from error


def _read_given(game: Game, text: str) -> Options:
    """Return the options that are written as `text`; raise ValueError."""
    numbers = {option.name for option in game.declared if isinstance(option, Number)}
    pairs = (pair.split("=") for pair in text.split())
    given: dict[str, int | str] = {
        name: int(value) if name in numbers else value for name, value in pairs
    }
    if options_words(given).split() != text.split():  # a name comes twice, or 03 for 3
        raise ValueError(text)
    return given


def seat_words(player: Player, name: str | None) -> str:
    """Return the player at a seat in one line of printable characters, whatever the name is."""
    if isinstance(player, Computer):
        return f"computer {player.level}"
    return _NAMELESS if name is None else _quoted(name)


def _quoted(name: str) -> str:
    """Return `name` as a JSON string in which everything unprintable is escaped."""
    plain = (c if c.isprintable() and c not in '"\\' else json.dumps(c)[1:-1] for c in name)
    return f'"{"".join(plain)}"'


def _read_seat(number: int, text: str) -> tuple[Player, str | None]:
    """Return the player at seat `number`, and the name if there is one."""
    if text == _NAMELESS:
        return Member(number), None
    try:
        if text.startswith('"'):
            return Member(number), str(json.loads(text))
        kind, _, level = text.partition(" ")
        if kind == "computer":
            return Computer(Level(level)), None
    except ValueError as error:
        raise RecordError(f"not a player: {text!r}") from error
    raise RecordError(f"not a player: {text!r}")


def _read_start(game: Game, options: Options, text: str) -> Position:
    """Return the first position, which must be of the options; raise RecordError."""
    try:
        start = game.parse(text)
    except GameError as error:
        raise RecordError(f"no position of {game.key}: {text!r}") from error
    if not game.can_occur(start, options):
        raise RecordError(f"the start is no position of these options: {text!r}")
    return start


def _withdrawal_words(withdrawal: Withdrawal) -> str:
    return f"{withdrawal.seat + 1} after {withdrawal.ply} {withdrawal.termination}"


def _read_withdrawal(text: str) -> Withdrawal:
    found = _LEFT.fullmatch(text)
    try:
        if found is not None:
            return Withdrawal(int(found[1]) - 1, int(found[2]), Termination(found[3]))
    except ValueError as error:
        raise RecordError(f"not a withdrawal: {text!r}") from error
    raise RecordError(f"not a withdrawal: {text!r}")


def _ending_words(ending: Ending) -> str:
    seat = "" if ending.seat is None else f" {ending.seat + 1}"
    return f"{ending.termination}{seat}"


def _read_ending(text: str) -> Ending:
    word, _, number = text.partition(" ")
    try:
        ending = Ending(Termination(word), int(number) - 1 if number else None)
    except ValueError as error:
        raise RecordError(f"not an ending: {text!r}") from error
    lost = ending.termination in LEAVING
    known = lost is bool(number) or ending.termination is Termination.ADJUDICATION
    if ending.termination not in _AWAY or not known or _ending_words(ending) != text:
        raise RecordError(f"not an ending: {text!r}")
    return ending


def result_words(outcome: Outcome | None) -> str:
    """Return why a match ended, the rank of each seat, and the squares that decided it.

    If it ended without a result, return only why; if it goes on, return `unfinished`.
    """
    if outcome is not None and not outcome.has_result:
        return outcome.termination
    return _with_ranks(outcome)


def _with_ranks(outcome: Outcome | None) -> str:
    """Return the result as earlier records had it, where every ended match has ranks."""
    if outcome is None:
        return _UNFINISHED
    words = f"{outcome.termination} | ranks {' '.join(map(str, outcome.ranks))}"
    if outcome.squares:
        words += f" | squares {' '.join(map(str, sorted(outcome.squares)))}"
    return words
