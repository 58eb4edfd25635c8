"""The four-step player of the Nine Holes text: win, else block, else develop, else any move.

Source: the article "How do you make a video game?" (shared/seeds), its `AI` object, for any game
that can say which moves win at once and which develop.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Protocol, TypeGuard

from core.game import Outcome, Position, Result
from core.grid import Move


class Tactical(Position, Protocol):
    """What a game gives the four-step player beyond its rules."""

    def wins(self, seat: int) -> Sequence[Move]:
        """Return the moves with which `seat`, were it to move, would win at once."""

    def developing(self) -> Sequence[Move]:
        """Return the moves of the seat to move that bring its men or marks to good squares."""


def win(position: Tactical, seat: int) -> Sequence[Move]:
    """Return the moves that win at once."""
    return position.wins(seat)


def block(position: Tactical, seat: int) -> Sequence[Move]:
    """Return the moves onto squares on which the next player would win."""
    threatened = {move.to for move in position.wins(_next_seat(position, seat))}
    return [move for move in position.legal_moves() if move.to in threatened]


def develop(position: Tactical, _seat: int) -> Sequence[Move]:
    """Return the developing moves."""
    return position.developing()


ALL_STEPS: tuple[Callable[[Tactical, int], Sequence[Move]], ...] = (win, block, develop)


def tactical_moves(position: Position, steps: int) -> Sequence[Move]:
    """Return the moves of the first of `steps` steps that has any, or else all legal moves.

    Moves that lose on the spot are left out as long as there is another. Raises ValueError when
    the game is over, TypeError for a game that gives no tactics.
    """
    seat = position.to_move
    if seat is None:
        raise ValueError("the game is over")
    if not _gives_tactics(position):
        raise TypeError(f"{type(position).__name__} gives no tactics")
    for step in ALL_STEPS[:steps]:
        found = _sound(position, step(position, seat), seat)
        if found:
            return found
    legal = position.legal_moves()
    return _sound(position, legal, seat) or legal


def _gives_tactics(position: Position) -> TypeGuard[Tactical]:
    return _is_tactical(type(position))


@cache
def _is_tactical(kind: type[Position]) -> bool:
    # What isinstance asks of a protocol, asked once per game: Python 3.11 is slow at it.
    return all(hasattr(kind, name) for name in ("wins", "developing"))


def _sound(position: Position, moves: Sequence[Move], seat: int) -> list[Move]:
    """Return those of `moves` that don't lose on the spot."""
    return [move for move in moves if not _loses(position.play(move).outcome(), seat)]


def _loses(outcome: Outcome | None, seat: int) -> bool:
    return outcome is not None and outcome.result(seat) is Result.LOSS


def _next_seat(position: Position, seat: int) -> int:
    """Return the seat that follows `seat`, as the position itself would have it."""
    turns = (position.play(move).to_move for move in position.legal_moves())
    return next((turn for turn in turns if turn is not None), seat)
