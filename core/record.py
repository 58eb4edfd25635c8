"""A match as a text that people can read and that reads back: `write` and `read`.

::

    rowbot match 1
    game: nineholes
    options: variant=free
    seat 1: "Alice"
    seat 2: computer hard
    start: free OOO/.../.../.../XXX X
    moves: a1-b2 a5-c3
    ending: resignation 1
    result: resignation | ranks 2 1

The first line names the version of the format, and whatever was ever written stays readable. Moves
stand ten to a line. A member is the name in quotes, as a JSON string, or the word `member` where
there is none; ids are left out. Where the match did not end on the board there is the `ending`, and
of a seat that the others played on without, in the order of their going, a line like
``left: 2 after 14 resignation``. The last line repeats what follows from the others, and reading
checks that it still does.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import GameError, RecordError
from core.fields import (
    NAMELESS,
    Fields,
    read_ending,
    read_game,
    read_options,
    read_seat,
    read_start,
    read_withdrawal,
)
from core.grid import Move
from core.leaving import Withdrawal
from core.match import Match
from core.outcome import Ending
from core.players import Computer, Player

Names = Sequence[str | None]

_HEADER = "rowbot match 1"
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
    lines.extend(f"left: {w.seat + 1} after {w.ply} {w.termination}" for w in match.withdrawals)
    if match.ending is not None:
        seat = "" if match.ending.seat is None else f" {match.ending.seat + 1}"
        lines.append(f"ending: {match.ending.termination}{seat}")
    lines.append(f"result: {result_words(match)}")
    return "\n".join(lines) + "\n"


def seat_words(player: Player, name: str | None) -> str:
    """Return who sits at a seat, in one line without controls whatever they are called."""
    if isinstance(player, Computer):
        return f"computer {player.level}"
    return NAMELESS if name is None else _quoted(name)


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
    game = read_game(fields.one("game"))
    options = read_options(game, fields.one("options"))
    seats = [read_seat(n, fields.one(f"seat {n + 1}")) for n in range(game.seats)]
    players, names = zip(*seats, strict=True)
    match = Match(game, options, players, read_start(game, options, fields.one("start")))
    moves = " ".join(fields.all("moves")).split()
    match = _played(match, moves, [read_withdrawal(text) for text in fields.all("left")])
    for text in fields.all("ending"):
        match = _ended(match, read_ending(text))
    if (result := fields.one("result")) != result_words(match):
        raise RecordError(f"result is {result!r}, but the moves lead to {result_words(match)!r}")
    fields.end()
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
