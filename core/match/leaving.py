"""Leaving a match of more than two seats while the others play on.

A seat that leaves keeps its squares and is passed over. The match stores a `Withdrawal`, which is
replayed between the moves.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from core.grid import Move
from core.outcome import LEAVING, Termination
from core.position import Position


@dataclass(frozen=True)
class Withdrawal:
    """A seat that left after `ply` moves, by one of the terminations in `LEAVING`."""

    seat: int
    ply: int
    termination: Termination = Termination.RESIGNATION


def staying(seats: int, withdrawals: Sequence[Withdrawal]) -> tuple[int, ...]:
    """Return those of a match's `seats` seats that haven't left."""
    if not withdrawals:
        return tuple(range(seats))
    left = {withdrawal.seat for withdrawal in withdrawals}
    return tuple(seat for seat in range(seats) if seat not in left)


def too_few(seats: int, people: Collection[int], withdrawals: Sequence[Withdrawal]) -> bool:
    """Return whether too many have left to play on: all but one seat, or all the `people`."""
    stay = staying(seats, withdrawals)
    return bool(withdrawals) and (len(stay) < 2 or not any(seat in people for seat in stay))


def in_order(withdrawals: Sequence[Withdrawal]) -> list[list[int]]:
    """Return the seats that left, in groups by order of time.

    Departures between the same two moves are one group, because they are only found out later and
    nobody knows their order. Every other seat is a group of its own.
    """

    def when(withdrawal: Withdrawal) -> tuple[int, int]:
        departed = withdrawal.termination is Termination.DEPARTURE
        return withdrawal.ply, -1 if departed else withdrawals.index(withdrawal)

    return [[gone.seat for gone in together] for _, together in groupby(withdrawals, when)]


def check_withdrawals(
    seats: int, people: Collection[int], plies: int, withdrawals: Sequence[Withdrawal]
) -> None:
    """Raise ValueError unless a match of `plies` moves can have these `withdrawals`."""
    times = [withdrawal.ply for withdrawal in withdrawals]
    left = {withdrawal.seat for withdrawal in withdrawals}
    in_turn = [0, *times, plies]
    fitting = (
        (seats > 2 or not withdrawals)
        and in_turn == sorted(in_turn)
        and len(left) == len(withdrawals)
        and left <= set(range(seats))
        and all(w.termination in LEAVING for w in withdrawals)
    )
    # Once too many have left, the match is over, and nobody leaves or moves any more.
    left_later = too_few(seats, people, withdrawals[:-1])
    moved_later = too_few(seats, people, withdrawals) and times[-1] < plies
    if not fitting or left_later or moved_later:
        raise ValueError(f"{seats} seats, {plies} plies, {withdrawals}")


def replay(
    initial: Position, moves: Sequence[Move], withdrawals: Sequence[Withdrawal]
) -> tuple[Position, ...]:
    """Return all positions from `initial` to the last: one more than there are moves.

    Seats that left after n moves are already out in the position after n moves. Raises IllegalMove
    or MatchOver if the moves can't be played, and ValueError if a seat left after the end.
    """
    positions = [_after_leaving(initial, 0, withdrawals)]
    for ply, move in enumerate(moves, start=1):
        positions.append(_after_leaving(positions[-1].play(move), ply, withdrawals))
    return tuple(positions)


def _after_leaving(position: Position, ply: int, withdrawals: Sequence[Withdrawal]) -> Position:
    for seat in (withdrawal.seat for withdrawal in withdrawals if withdrawal.ply == ply):
        if position.to_move is None:
            raise ValueError(f"seat {seat} has left after {position.notation}")
        position = position.without(seat)
    return position
