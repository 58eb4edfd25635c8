"""What the computer player says of a position: the best moves, their value, and a line of play."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from core.game import Game
from core.grid import Move
from core.position import Position, mover_of

# An estimate says little about moves far ahead, and each of them costs a search.
_ESTIMATED_PLIES = 5


@dataclass(frozen=True, slots=True)
class Value:
    """What best play by everybody leads to: one rank per seat, in `plies` plies from here.

    `plies` is None for a draw, whose end nobody can force, and for an unknown distance.
    """

    ranks: tuple[int, ...]
    plies: int | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The best moves of a position (at least one), and what they lead to.

    `value` is exact, or None if the position is too large to be searched to its end. `outlook` has
    a number for each seat, from 0 (lost) over 0.5 (even) to 1 (won): that of the value if there is
    one, otherwise an estimate. `line` is the principal variation as far as the search kept it: the
    moves of best play by everybody, beginning with the first of the best ones. It may be empty.
    """

    best: tuple[Move, ...]
    value: Value | None
    outlook: tuple[float, ...]
    line: tuple[Move, ...] = ()

    def proves(self, value: Value) -> bool:
        """Return whether this is an exact value with the same ranks as `value`."""
        return self.value is not None and self.value.ranks == value.ranks

    def in_match(self, game: Game, history: Sequence[Position]) -> "Analysis":
        """Return this analysis of a match's last position as it holds in the match.

        `history` has all its positions, oldest first: the engine knows only the last one. A win
        that comes too late for the match is a draw. A win that the loser can escape by repetition
        isn't known any more: there may be a longer one. If only some moves win nevertheless, those
        are the best.
        """
        value = self.value
        if value is None or value.plies is None:
            return self
        if game.ply_limit is not None and len(history) - 1 + value.plies > game.ply_limit:
            return replace(self, value=Value((1,) * game.seats, None), outlook=_even(game))
        if len(set(history)) == len(history):
            return self
        return self._with_repetitions(game, history, value.ranks.index(1), value.plies)

    def _with_repetitions(
        self, game: Game, history: Sequence[Position], winner: int, plies: int
    ) -> "Analysis":
        """Return this analysis of a win in `plies` where some position has come more than once."""
        last = history[-1]
        unknown = replace(self, value=None, outlook=_even(game))
        if last.to_move != winner:
            return self if _wins_within(game, history, winner, plies) else unknown
        best = _winning(game, history, self.best, plies)
        if not best:
            others = (move for move in last.legal_moves() if move not in self.best)
            best = _winning(game, history, others, plies)
        if best == self.best:
            return self
        return replace(self, best=best, line=()) if best else unknown


def _even(game: Game) -> tuple[float, ...]:
    return (0.5,) * game.seats


Analyse: TypeAlias = Callable[[Position], Analysis]
"""Analyses a position of a game that goes on."""


def principal_variation(
    position: Position, first: Analysis, analyse: Analyse, plies: int
) -> tuple[Move, ...]:
    """Return a line of best play from `position`, of at most `plies` moves and at least one.

    `first` is the analysis of `position`; `analyse` finds the moves beyond what it kept. If its
    value is exact, the line keeps to its ranks, move by move, and ends where they can't be proved
    any more; but a seat that loses anyway may make any move. Where `analyse` proves a win without
    its distance, the win may come later than in `first`. An estimated line is at most five moves
    long.
    """
    at, known = position, first
    line = list[Move]()
    if first.value is None:
        plies = min(plies, _ESTIMATED_PLIES)
    while True:
        for move in (known.line or known.best[:1])[: plies - len(line)]:
            at = at.play(move)
            line.append(move)
        if len(line) >= plies or at.to_move is None:
            return tuple(line)
        known = analyse(at)
        if first.value and not known.proves(first.value):
            if not _loses(first.value, at.to_move):
                return tuple(line)
            # Of an estimated line only the loser's move may be made: the winner's next is unproved.
            known = replace(known, line=())


def _loses(value: Value, seat: int) -> bool:
    """Return whether `seat` loses: it has the last rank, and that isn't the first one too."""
    return value.ranks[seat] == max(value.ranks) > 1


def _winning(
    game: Game, history: Sequence[Position], moves: Iterable[Move], plies: int
) -> tuple[Move, ...]:
    """Return those of `moves` by which the seat to move wins within `plies` plies, the move too."""
    last = history[-1]
    seat = mover_of(last)
    after = ((move, [*history, last.play(move)]) for move in moves)
    return tuple(move for move, to in after if _wins_within(game, to, seat, plies - 1))


def _wins_within(game: Game, history: Sequence[Position], seat: int, plies: int) -> bool:
    """Return whether `seat` wins by force within `plies` plies in a match with this `history`.

    It tries all moves, so it is for wins of a few plies.
    """
    if (outcome := game.outcome_after(history)) is not None:
        return outcome.winner == seat
    position = history[-1]
    after = (
        plies > 0 and _wins_within(game, [*history, position.play(move)], seat, plies - 1)
        for move in position.legal_moves()
    )
    return any(after) if position.to_move == seat else all(after)
