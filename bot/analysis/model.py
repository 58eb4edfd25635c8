"""The value of a position to each seat, and the moves that gave something away."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from bot.gateway.components import PageNumber, Ply, Press
from bot.identity import MatchId
from bot.matches.presses import Step
from core.engine.analysis import Analysis
from core.grid import Move
from core.match import Match
from core.outcome import Outcome, Result, Termination, result_of
from core.position import mover_of

# A move is a swing if it lowers the mover's chances by this much, and the results aren't certain.
_SWING = 0.3
_ORDER = (Result.LOSS, Result.DRAW, Result.WIN)
# The ends away from the board that players bring about themselves.
_OWN_ENDS = (
    Termination.RESIGNATION,
    Termination.TIMEOUT,
    Termination.DEPARTURE,
    Termination.AGREEMENT,
)


class Export(Press, tag="x"):
    """Hand out a finished match as files."""

    match: MatchId


class ShowReview(Press, tag="y"):
    """Show a page, from 0, of the review of a finished match."""

    match: MatchId
    number: PageNumber


class ShowLine(Press, tag="v"):
    """Show the best line of play from the position after `ply` moves, `number` moves along it."""

    match: MatchId
    ply: Ply
    number: Annotated[int, "[0-9]{1,2}"]
    step: Step
    what: Literal["line"] = "line"


@dataclass(frozen=True)
class BestLine:
    """The best line of play from a position of a match, with the position's analysis."""

    analysis: Analysis
    moves: tuple[Move, ...]

    @classmethod
    def in_match(cls, match: Match, analysis: Analysis, moves: tuple[Move, ...]) -> Self:
        """Return the line from the current position of a match, as far as the match goes.

        The match may be drawn on the way, by repetition or by the number of plies. If the match's
        history makes other moves best than the board alone does, the line is the first of these
        moves.
        """
        known = analysis.in_match(match.game, match.positions)
        reached = match
        if known.best != analysis.best and moves[0] not in known.best:
            moves = known.best[:1]
        for number, move in enumerate(moves):
            if reached.outcome is not None:
                return cls(known, moves[:number])
            reached = reached.play(move)
        return cls(known, moves)


@dataclass
class ReviewProgress:
    """How many of a review's positions are analysed."""

    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class Verdict:
    """The value of a position to one seat.

    `result` is the result of best play, None if unknown. `turns` is the number of moves that the
    seat to move still makes until the end, 0 when the game is over, None for a draw. `outlook` is
    the seat's chance from 0 to 1, an estimate if there is no result; None if nothing is known.
    """

    result: Result | None = None
    turns: int | None = None
    outlook: float | None = None


def judge(analysis: Analysis) -> tuple[Verdict, ...]:
    """Return what an analysed position is worth to each seat."""
    value = analysis.value
    if value is None:
        return tuple(Verdict(outlook=outlook) for outlook in analysis.outlook)
    turns = None if value.plies is None else -(-value.plies // len(value.ranks))
    return tuple(
        Verdict(result_of(value.ranks, seat), turns, outlook)
        for seat, outlook in enumerate(analysis.outlook)
    )


@dataclass(frozen=True)
class ReviewedMove:
    """One move of a match, the `ply`-th.

    `before` is the value to the mover of the position before the move, `values` are the values to
    each seat of the position after it. `better` is the best move, None if it is unknown or was
    made. `reached` says whether there was time for the position before it.
    """

    ply: int
    seat: int
    move: Move
    before: Verdict
    values: tuple[Verdict, ...]
    better: Move | None
    reached: bool

    @property
    def after(self) -> Verdict:
        """The value to the mover of the position after the move."""
        return self.values[self.seat]

    @property
    def mistake(self) -> bool:
        """Whether the move gave something away, certainly or as it seems."""
        return self.turning or self.swing

    @property
    def turning(self) -> bool:
        """Whether the mover certainly gave away a better result."""
        return _is_worse(self.after.result, self.before.result)

    @property
    def swing(self) -> bool:
        """Whether the mover's estimated chances fell while the result was open."""
        before, after = self.before, self.after
        if before.outlook is None or after.outlook is None or self.better is None:
            return False
        certain = before.result is not None and after.result is not None
        return not certain and before.outlook - after.outlook >= _SWING


@dataclass(frozen=True)
class GivenUp:
    """A seat's certain result `before` the end, and the worse one in which it ended the match."""

    seat: int
    before: Result
    after: Result


def given_up(match: Match, steps: Sequence[ReviewedMove]) -> list[GivenUp]:
    """Return what the players of a reviewed match gave away away from the board.

    They resigned, let their time run out, left, or agreed to a draw. Withdrawals from a match of
    three aren't among these: positions are analysed without the seats that have left, so it isn't
    known what those gave away.
    """
    outcome = match.outcome
    if match.ending is None or outcome is None or outcome.termination not in _OWN_ENDS:
        return []
    last = steps[-1].values if steps else ()
    return [
        GivenUp(seat, value.result, after)
        for seat, value in enumerate(last)
        if value.result and _is_worse(after := outcome.result(seat), value.result)
    ]


def _is_worse(after: Result | None, before: Result | None) -> bool:
    """Return whether a result is worse than the one before; False if one of them is unknown."""
    if before is None or after is None:
        return False
    return _ORDER.index(after) < _ORDER.index(before)


def positions_to_analyse(match: Match) -> int:
    """Return how many positions of a finished match, from its start, have legal moves."""
    return match.ply + (match.ending is not None)


def review(match: Match, analyses: Sequence[Analysis | None]) -> tuple[ReviewedMove, ...]:
    """Return the moves of a finished match, given the analyses of its first positions."""
    known = [
        found and found.in_match(match.game, match.positions[:ply])
        for ply, found in enumerate(analyses, 1)
    ]
    known += [None] * (match.ply + 1 - len(known))
    reached = len(analyses)
    return tuple(_step(match, ply, known, reached=ply < reached) for ply in range(match.ply))


def is_incomplete(steps: Sequence[ReviewedMove]) -> bool:
    """Return whether searches have failed in a review, or there was no time for them."""
    return any(step.before == Verdict() for step in steps)


def _step(
    match: Match, ply: int, known: Sequence[Analysis | None], *, reached: bool
) -> ReviewedMove:
    seat, move = mover_of(match.positions[ply]), match.moves[ply]
    # If somebody leaves, everybody's chances change, and no move is to blame.
    left = any(withdrawal.ply == ply + 1 for withdrawal in match.withdrawals)
    before = known[ply]
    after = None if left else known[ply + 1]
    values = judge(after) if after else (Verdict(),) * match.game.seats
    if ply + 1 == match.ply and match.ending is None and match.outcome and not left:
        values = _ended(match.outcome)
    better = before.best[0] if before and move not in before.best else None
    known_before = judge(before)[seat] if before else Verdict()
    return ReviewedMove(ply + 1, seat, move, known_before, values, better, reached)


def _ended(outcome: Outcome) -> tuple[Verdict, ...]:
    results = [outcome.result(seat) for seat in range(len(outcome.ranks))]
    return tuple(
        Verdict(result, None if result is Result.DRAW else 0, _ORDER.index(result) / 2)
        for result in results
    )
