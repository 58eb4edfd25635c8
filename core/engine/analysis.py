"""The analysis of a position: its best moves, their value, and a line of play."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from core.game import Game
from core.grid import Move
from core.position import Position, mover_of

# The most moves of an estimated line. Later ones would say little, and each costs a search.
_ESTIMATED_PLIES = 5


@dataclass(frozen=True, slots=True)
class Value:
    """The end of best play by everybody: one rank per seat, in `plies` plies from here.

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
        """Return this analysis, of the last position of a match, as it holds in the match.

        `history` has all positions of the match, oldest first; the engine knows only the last one.
        A win that comes after the ply limit becomes a draw. If the loser can escape by repetition,
        the value becomes unknown, since there may be a longer win. If only some of the moves win
        in spite of repetition, they are the best ones.
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


Analyse: TypeAlias = Callable[[Position], Analysis | None]
"""Analyses a position of a game that goes on; returns None if there is no more time for it."""


def principal_variation(
    position: Position, first: Analysis, analyse: Analyse, plies: int
) -> tuple[Move, ...]:
    """Return a line of best play from `position`, of at most `plies` moves and at least one.

    `first` is the analysis of `position`; `analyse` finds the moves beyond the line that `first`
    kept, as long as it returns anything. If the value of `first` is exact, every position of the
    line keeps its ranks, and the line ends where these can't be proved any more. But a seat that
    loses anyway may make any move. Where `analyse` proves a win without its distance, the win may
    come later than in `first`. An estimated line is at most five moves long.
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
        if (further := analyse(at)) is None:
            return tuple(line)
        known = further
        if first.value and not known.proves(first.value):
            if not _loses(first.value, at.to_move):
                return tuple(line)
            # Only the loser's move of the estimated line may be made: the winner's next move is
            # unproved.
            known = replace(known, line=())


def _loses(value: Value, seat: int) -> bool:
    """Return whether `seat` loses: it has the last rank, and that isn't the first one too."""
    return value.ranks[seat] == max(value.ranks) > 1


def _winning(
    game: Game, history: Sequence[Position], moves: Iterable[Move], plies: int
) -> tuple[Move, ...]:
    """Return the `moves` by which the seat to move wins within `plies` plies, the move included."""
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
