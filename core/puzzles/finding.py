"""Puzzles: positions in which exactly one move wins, or exactly one doesn't lose, by proof.

Every legal move is analysed, and a position is only a puzzle if the engine knows the exact value
after each of them. So a game has no puzzles if the engine proves no values in it. A game for three
players is one: there, what a move leads to depends on which rival the others help.

The other side answers a right move with the defence that holds out longest. The puzzle goes on as
long as exactly one move is right again, and ends where several are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from core.engine.analysis import Analysis, Value
from core.engine.levels import Level
from core.engine.player import Engine
from core.grid import SWAP, Move
from core.outcome import Outcome, Result, result_of
from core.position import Position, mover_of

WORK = 40_000
"""The budget of each analysis for a puzzle: 30 ms of one core, a thirtieth of a move."""

# With fewer legal moves there is little to find.
_FEWEST_MOVES = 3
_MOST_STEPS = 5
# The longest line that refutes a wrong move, and the longest with which a puzzle ends.
_REFUTATION_PLIES, _REST_PLIES = 5, 9
# The analyses that one position may take; most positions take one.
_MOST_ANALYSES = 160
# How often each of the weaker levels is asked, to see whether the wrong moves tempt it.
_ASKED = 8
_TESTERS = (Level.MEDIUM, Level.HARD)
_DEEP = 5


class Goal(StrEnum):
    """The result that the right move alone secures."""

    WIN = "win"
    SAVE = "save"  # it draws, every other move loses


class Difficulty(StrEnum):
    """How hard a puzzle is for a person."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"

    @property
    def rank(self) -> int:
        """Its place among the difficulties, from 0 for the easiest."""
        return tuple(Difficulty).index(self)


@dataclass(frozen=True)
class Step:
    """One move to be found: the only right one, the best defence, and what refutes the others.

    `reply` is None in the last step. `refutations` has the line that follows each wrong move, which
    may be empty.
    """

    answer: Move
    reply: Move | None
    refutations: Mapping[Move, tuple[Move, ...]]


@dataclass(frozen=True)
class Puzzle:
    """A position with one right move.

    `plies` is the distance to the end: of the win, or of the longest loss after a wrong move. There
    is at least one step. `rest` is the line of play after the last step, as far as it is known.
    """

    start: Position
    goal: Goal
    plies: int
    difficulty: Difficulty
    steps: tuple[Step, ...]
    rest: tuple[Move, ...] = ()

    def moves(self, steps: int) -> tuple[Move, ...]:
        """Return the moves of the first `steps` steps, the replies among them."""
        made = ((step.answer, step.reply) for step in self.steps[:steps])
        return tuple(move for pair in made for move in pair if move is not None)

    @property
    def line(self) -> tuple[Move, ...]:
        """The main line: all steps, and the rest."""
        return (*self.moves(len(self.steps)), *self.rest)


class _Unproved(Exception):
    """The engine doesn't know a value for certain, or has been asked too often."""


def find(position: Position, work: int = WORK) -> Puzzle | None:
    """Return the puzzle that a position is, None if it is none or can't be proved to be one.

    A position with a win at once is no puzzle. The result depends on the arguments alone. `work`
    bounds each analysis, of which there are at most `_MOST_ANALYSES`.
    """
    moves = position.legal_moves()
    if len(position.marks) != 2 or len(moves) < _FEWEST_MOVES or SWAP in moves:
        return None
    try:
        return _Finder(position, work).puzzle()
    except _Unproved:
        return None


class _Finder:
    """Finds the puzzle in a position whose seat to move has several moves."""

    def __init__(self, position: Position, work: int):
        self._start = position
        self._seat = mover_of(position)
        self._engine = Engine(work)
        self._left = _MOST_ANALYSES
        self._values: dict[str, Value] = {}

    def puzzle(self) -> Puzzle | None:
        """Return the puzzle, None if several moves are right or all are wrong; raise _Unproved."""
        found = self._analysed(self._start)
        value = found.value
        if value is None or len(found.best) > 1 or value.plies == 1:
            return None
        result = result_of(value.ranks, self._seat)
        answer = None if result is Result.LOSS else self._only(self._start, result)
        if answer is None:
            return None
        goal = Goal.WIN if result is Result.WIN else Goal.SAVE
        plies = self._length(self._start)
        if plies is None:
            return None
        steps, rest, difficulty = self._steps(answer, result)
        return Puzzle(self._start, goal, plies, difficulty, steps, rest)

    def _analysed(self, position: Position) -> Analysis:
        """Return the analysis of a position in which the game goes on; raise _Unproved."""
        self._left -= 1
        if self._left < 0:
            raise _Unproved
        return self._engine.analyse(position)

    def _value(self, position: Position) -> Value:
        """Return the exact value of a position; raise _Unproved."""
        if (known := self._values.get(position.notation)) is not None:
            return known
        if (outcome := position.outcome()) is not None:
            value = _ended(outcome)
        else:
            found = self._analysed(position).value
            if found is None:
                raise _Unproved
            value = found
        self._values[position.notation] = value
        return value

    def _only(self, position: Position, result: Result) -> Move | None:
        """Return the only move to `result`, None if there are several or none; raise _Unproved."""
        right: Move | None = None
        for move in position.legal_moves():
            if result_of(self._value(position.play(move)).ranks, self._seat) is result:
                if right is not None:
                    return None
                right = move
        return right

    def _steps(
        self, answer: Move | None, result: Result
    ) -> tuple[tuple[Step, ...], tuple[Move, ...], Difficulty]:
        """Return the steps from `answer` on, the rest, and the hardest step's difficulty."""
        steps = list[Step]()
        hardest = Difficulty.EASY
        position = self._start
        while answer is not None:
            before, position = position, position.play(answer)
            reply, following = self._next_step(position, result, len(steps) + 1)
            steps.append(Step(answer, reply, self._refutations(before, answer)))
            difficulty = self._difficulty(before, steps[-1])
            hardest = max(hardest, difficulty, key=lambda one: one.rank)
            if reply is not None:
                position = position.play(reply)
            answer = following
        rest = self._line(position, _REST_PLIES) if result is Result.WIN else ()
        return tuple(steps), rest, hardest

    def _next_step(
        self, position: Position, result: Result, found: int
    ) -> tuple[Move | None, Move | None]:
        """Return the best defence after `found` steps, and the only right move after it.

        Both are None where the puzzle ends: the game is over, the sides don't alternate, there are
        enough steps, or the next right move isn't the only one or isn't known.
        """
        if position.to_move in (None, self._seat):
            return None, None
        reply = self._analysed(position).best[0]
        after = position.play(reply)
        if after.to_move != self._seat or found == _MOST_STEPS or len(after.legal_moves()) < 2:
            return None, None
        try:
            following = self._only(after, result)
        except _Unproved:
            return None, None
        return (None, None) if following is None else (reply, following)

    def _refutations(self, position: Position, answer: Move) -> dict[Move, tuple[Move, ...]]:
        """Return the line that follows each wrong move."""
        wrong = (move for move in position.legal_moves() if move != answer)
        return {move: self._refutation(position.play(move)) for move in wrong}

    def _refutation(self, position: Position) -> tuple[Move, ...]:
        """Return the line by which the other side wins; if it only draws, return its first move."""
        if result_of(self._value(position).ranks, self._seat) is Result.DRAW:
            return self._line(position, 1)
        return self._line(position, _REFUTATION_PLIES)

    def _line(self, position: Position, plies: int) -> tuple[Move, ...]:
        """Return a line of best play from here, empty if the game is over."""
        if position.outcome() is not None:
            return ()
        self._left -= plies // 4  # each move of the line costs a quarter of an analysis
        first = self._analysed(position)
        return self._engine.line(position, first, plies)

    def _length(self, position: Position) -> int | None:
        """Return in how many plies a position is won, or lost after the longest of wrong moves.

        None if that isn't known.
        """
        value = self._value(position)
        won = result_of(value.ranks, self._seat) is Result.WIN
        return value.plies if won else self._longest_loss(position)

    def _longest_loss(self, position: Position) -> int | None:
        """Return how long the loss takes after the wrong move that holds out longest."""
        values = [self._value(position.play(move)) for move in position.legal_moves()]
        plies = [v.plies for v in values if result_of(v.ranks, self._seat) is Result.LOSS]
        known = [distance for distance in plies if distance is not None]
        return 1 + max(known) if len(known) == len(plies) else None

    def _difficulty(self, position: Position, step: Step) -> Difficulty:
        """Return how hard a step is: by its depth, and by who falls for the wrong moves.

        A win at once is easy, and so is a forced block: after every other move, the other side wins
        with its next one. A later step of unknown length is easy as well: by what is known, it
        makes the puzzle no harder.
        """
        plies = self._length(position)
        if plies is None or plies <= 2 or self._is_forced_block(position, step):
            return Difficulty.EASY
        found = self._found_by(position, step.answer)
        if plies >= _DEEP and found[Level.HARD] * 2 <= _ASKED:
            return Difficulty.HARD
        easily = all(times * 4 >= 3 * _ASKED for times in found.values())
        return Difficulty.EASY if easily and plies < _DEEP else Difficulty.MEDIUM

    def _is_forced_block(self, position: Position, step: Step) -> bool:
        """Return whether each wrong move loses to a win at once."""
        after = (self._value(position.play(move)) for move in step.refutations)
        return all(value.plies == 1 for value in after)

    def _found_by(self, position: Position, answer: Move) -> dict[Level, int]:
        """Return how often each of the weaker levels makes the right move."""
        return {
            level: sum(
                self._engine.choose(position, level, Random(seed)) == answer
                for seed in range(_ASKED)
            )
            for level in _TESTERS
        }


def _ended(outcome: Outcome) -> Value:
    """Return the value of a finished position."""
    drawn = len(set(outcome.ranks)) == 1
    return Value(outcome.ranks, None if drawn else 0)
