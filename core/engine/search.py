"""Exact search for small boards: every line of play to its end, each seat for itself (max^n)."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.game import Outcome, Position
from core.grid import Move

# Nine empty squares: the whole of 3x3. A walk through more would keep a player waiting.
LARGEST = 9
# More positions than all 3x3 variants have together; a bound, so that memory cannot grow.
_TABLE_SIZE = 50_000


@dataclass(frozen=True, slots=True)
class Value:
    """What perfect play leads to: one rank per seat, `plies` from here."""

    ranks: tuple[int, ...]
    plies: int

    def worth(self, seat: int) -> tuple[int, int, int]:
        """Return a key that is larger for what `seat` prefers.

        A better rank first, then a rank shared with fewer who are better off; the winner hurries
        and everybody else takes their time.
        """
        rank = self.ranks[seat]
        won = rank == 1 and self.ranks.count(1) == 1
        return (won, -rank, -self.plies if won else self.plies)


class Solver:
    """Perfect play by search, with a table of the positions met so far."""

    def __init__(self) -> None:
        self._table: dict[Position, Value] = {}

    def value(self, position: Position) -> Value:
        """Return what perfect play leads to.

        Raises ValueError for a position with more than nine legal moves, or with a line of play of
        more than nine plies: a game that can go in circles has no end to search to.
        """
        if len(position.legal_moves()) > LARGEST:
            raise ValueError("too large to search to the end")
        return self._value(position, LARGEST)

    def best_moves(self, position: Position) -> Sequence[Move]:
        """Return the moves that keep the best value in the fewest plies; raise ValueError.

        A loser takes the longest way.
        """
        seat = position.to_move
        if seat is None:
            raise ValueError("the game is over")
        values = {
            move: self.value(position.play(move)).worth(seat) for move in position.legal_moves()
        }
        best = max(values.values())
        return [move for move, worth in values.items() if worth == best]

    def _value(self, position: Position, plies: int) -> Value:
        if (known := self._table.get(position)) is not None:
            return known
        outcome = position.outcome()
        value = self._best_reply(position, plies) if outcome is None else _ended(outcome)
        if len(self._table) >= _TABLE_SIZE:
            self._table.clear()
        self._table[position] = value
        return value

    def _best_reply(self, position: Position, plies: int) -> Value:
        seat = position.to_move
        assert seat is not None, "an unfinished game has somebody to move"
        if plies == 0:
            raise ValueError("too long to search to the end")
        replies = (self._value(position.play(move), plies - 1) for move in position.legal_moves())
        best = max(replies, key=lambda value: value.worth(seat))
        return Value(best.ranks, best.plies + 1)


def _ended(outcome: Outcome) -> Value:
    return Value(outcome.ranks, 0)
