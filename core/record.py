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

The first line names the version of the format, and whatever was ever written stays readable. Moves
stand ten to a line. A member is the name in quotes, as a JSON string, or the word `member` where
there is none; ids are left out. Where the match did not end on the board there is the `ending`, and
of a seat that the others played on without, in the order of their going, a line like
``left: 2 after 14 resignation``. The last line repeats what follows from the others, and reading
checks that it still does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core import fields
from core.errors import GameError, RecordError
from core.grid import Move
from core.leaving import Withdrawal
from core.match import Match
from core.outcome import Ending

Names = Sequence[str | None]

_HEADER = "rowbot match 1"
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
    options = fields.options_words(match.options)
    lines = [_HEADER, f"game: {match.game.key}", f"options: {options}".strip()]
    for number, (player, name) in enumerate(zip(match.players, names, strict=True), start=1):
        lines.append(f"seat {number}: {fields.seat_words(player, name)}")
    lines.append(f"start: {match.start}")
    moves = list(map(str, match.moves))
    tens = (moves[i : i + _MOVES_PER_LINE] for i in range(0, len(moves), _MOVES_PER_LINE))
    lines.extend(f"moves: {' '.join(ten)}" for ten in tens)
    lines.extend(f"left: {fields.withdrawal_words(w)}" for w in match.withdrawals)
    if match.ending is not None:
        lines.append(f"ending: {fields.ending_words(match.ending)}")
    lines.append(f"result: {fields.result_words(match.outcome)}")
    return "\n".join(lines) + "\n"


class _Lines:
    """The lines that have not been taken yet."""

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


def read(text: str) -> Record:
    """Return what the record `text` tells; raise RecordError."""
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    if not lines or lines[0] != _HEADER:
        raise RecordError(f"the first line is not {_HEADER!r}")
    rest = _Lines(lines[1:])
    game = fields.read_game(rest.one("game"))
    options = fields.read_options(game, rest.one("options"))
    seats = [fields.read_seat(n, rest.one(f"seat {n + 1}")) for n in range(game.seats)]
    players, names = zip(*seats, strict=True)
    match = Match(game, options, players, fields.read_start(game, options, rest.one("start")))
    moves = " ".join(rest.all("moves")).split()
    match = _played(match, moves, [fields.read_withdrawal(text) for text in rest.all("left")])
    for text in rest.all("ending"):
        match = _ended(match, fields.read_ending(text))
    if (found := rest.one("result")) != (result := fields.result_words(match.outcome)):
        raise RecordError(f"result is {found!r}, but the moves lead to {result!r}")
    rest.end()
    return Record(match, names)


def _played(match: Match, moves: Sequence[str], withdrawals: Sequence[Withdrawal]) -> Match:
    """Return `match` after `moves`, without those who left meanwhile."""
    for ply, text in enumerate(moves):
        match = _left(match, [gone for gone in withdrawals if gone.ply == ply])
        if match.next_player is None:
            raise RecordError(f"move {ply + 1}, {text!r}, comes after the end")
        try:
            match = match.play(match.next_player, Move.parse(text))
        except GameError as error:
            raise RecordError(f"move {ply + 1}, {text!r}, is not legal") from error
    return _left(match, withdrawals[len(match.withdrawals) :])


def _left(match: Match, gone: Sequence[Withdrawal]) -> Match:
    """Return `match` without those who are `gone` as well."""
    if not gone:
        return match
    try:
        left = replace(match, withdrawals=(*match.withdrawals, *gone))
        _ = left.outcome  # replays the moves
    except ValueError as error:
        raise RecordError(f"nobody can have left so: {gone}") from error
    return left


def _ended(match: Match, ending: Ending) -> Match:
    """Return `match`, which is not over, ended away from the board."""
    if match.outcome is not None or ending.seat not in (None, *range(match.game.seats)):
        raise RecordError(f"the match can't have ended so: {ending}")
    return replace(match, ending=ending)
