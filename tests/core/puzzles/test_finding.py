"""Puzzles have one right move, by the values of an independent solver."""

from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import ClassVar

import pytest

from core.engine.analysis import Value
from core.engine.player import Engine
from core.games import GAMES
from core.games.nineholes.position import MARKS
from core.grid import Grid, Move, Square
from core.marks import Mark
from core.match import Match
from core.outcome import Outcome, Termination
from core.position import Blank, Position
from core.puzzles import finding
from core.puzzles.finding import Difficulty, Goal, Puzzle, find
from tests.core.boards import moves
from tests.core.engine.test_rules_alone import Taking

WON, DRAWN, LOST = 1, 0, -1


@cache
def worth(position: Position, seat: int) -> int:
    """Return the value of a position for a seat, by trying everything."""
    outcome = position.outcome()
    if outcome is not None:
        return DRAWN if len(set(outcome.ranks)) == 1 else WON if outcome.ranks[seat] == 1 else LOST
    values = [worth(position.play(move), seat) for move in position.legal_moves()]
    return max(values) if position.to_move == seat else min(values)


def wins_at_once(position: Position) -> bool:
    seat = position.to_move or 0
    after = (position.play(move) for move in position.legal_moves())
    return any(one.outcome() is not None and worth(one, seat) == WON for one in after)


def check(puzzle: Puzzle) -> None:
    """Assert that every step has one right move, and that each refutation refutes."""
    position, seat = puzzle.start, puzzle.start.to_move
    assert seat is not None
    aim = WON if puzzle.goal is Goal.WIN else DRAWN
    for step in puzzle.steps:
        assert worth(position, seat) == aim
        right = [m for m in position.legal_moves() if worth(position.play(m), seat) == aim]
        assert right == [step.answer]
        assert {*step.refutations} == {*position.legal_moves()} - {step.answer}
        for move, line in step.refutations.items():
            after = position.play(move)
            value = worth(after, seat)
            assert value < aim
            for reply in line:
                after = after.play(reply)
            assert worth(after, seat) == value
        position = position.play(step.answer)
        if step.reply is not None:
            position = position.play(step.reply)
    for move in puzzle.rest:
        position = position.play(move)
    if puzzle.goal is Goal.WIN:
        assert position.outcome() is not None and worth(position, seat) == WON
        assert len(puzzle.line) >= puzzle.plies


@pytest.mark.parametrize(
    ("board", "most"),
    [
        ({}, 7),
        ({"variant": "misere"}, 6),
        ({"rows": 4, "columns": 4, "line": 4}, 5),
    ],
    ids=str,
)
def test_exactly_the_puzzles_are_found(board: dict[str, int | str], most: int) -> None:
    """A position of a random game is a puzzle if one move is right, and no win is at hand."""
    rng = Random(1)
    found, seen = 0, 0
    for _ in range(5):
        match = Match.start("tictactoe", board)
        while match.outcome is None:
            position = match.position
            open_ = position.legal_moves()
            if 3 <= len(open_) <= most and not wins_at_once(position):
                seat = position.to_move or 0
                puzzle = find(position)
                best = worth(position, seat)
                right = [m for m in open_ if worth(position.play(m), seat) == best]
                assert (puzzle is not None) == (best > LOST and len(right) == 1)
                seen += 1
                if puzzle is not None:
                    found += 1
                    assert puzzle == find(position), "it depends on the position alone"
                    check(puzzle)
            match = match.play(rng.choice(open_))
    assert 0 < found < seen


@pytest.mark.parametrize(
    ("game", "position", "goal", "difficulty", "line"),
    [
        ("tictactoe", "classic 3 XOX/.../O..", "win 3", "medium", "c1 b2 c2"),
        ("tictactoe", "classic 3 .XX/.O./...", "save 2", "easy", "a3 c1 c2"),
        ("tictactoe", "classic 4 .O.../..X.X/..X../.X.../.OO..", "win 3", "medium", "d1 a1 e1"),
        ("nineholes", "step ---/.X./XXO/O.O/--- O", "win 3", "medium", "c2-b2 a3-a4 c3-c2"),
        ("nineholes", "step --O/.../XXO/..O/--X X", "save 2", "easy", "c1-c4"),
        (
            "tictactoe",
            "classic 4 XXOX../.O.OXO/XXOO../..XXO./XO.OXO/...OX.",
            "save 2",
            "medium",
            "c5 a3 f4 e4 f3 b3 e6",
        ),
    ],
)
def test_some_puzzles(game: str, position: str, goal: str, difficulty: str, line: str) -> None:
    """Forks, blocks and moves of men are puzzles, each with this goal, difficulty and line.

    So are four saves in a row, which take most of the analyses allowed.
    """
    puzzle = find(GAMES[game].parse(position))
    assert puzzle is not None
    assert (f"{puzzle.goal} {puzzle.plies}", puzzle.difficulty) == (goal, Difficulty(difficulty))
    assert list(puzzle.line) == moves(line)


@pytest.mark.parametrize(
    ("game", "position", "why"),
    [
        ("tictactoe", "classic 3 XX./OO./...", "a win at once"),
        ("tictactoe", "classic 3 .../.X./...", "four moves draw"),
        ("tictactoe", "classic 3 XO./XO./O.X", "few moves are left"),
        ("tictactoe", "classic 3 X../.../... swap", "sides may be changed"),
        ("tictactoe", "classic 5 " + "/".join(["." * 10] * 10), "nothing is proved"),
        ("tribolo", "BR./RG./GB. B", "three seats"),
        ("tictactoe", "classic 3 XXX/OO./...", "the game is over"),
    ],
)
def test_no_puzzles(game: str, position: str, why: str) -> None:
    """A position is no puzzle if no single right move is proved, or if there is nothing to find."""
    assert find(GAMES[game].parse(position)) is None, why


def test_three_seats_have_no_puzzle() -> None:
    """Not even where one move alone wins by proof: the last of seven squares wins here."""
    position = Taking(7, seats=3, most=3)
    assert Engine().analyse(position).value == Value((1, 2, 2), 4)
    assert find(position) is None
    assert find(replace(position, seats=2)) is not None


def test_a_puzzle_takes_only_so_many_analyses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position that would take more is none; this one takes about twenty."""
    position = GAMES["tictactoe"].parse("classic 3 XOX/.../O..")
    assert find(position) is not None
    monkeypatch.setattr(finding, "_MOST_ANALYSES", 10)
    assert find(position) is None


@dataclass(frozen=True)
class _Tree(Position):
    """A game by its tree: seat 0 makes two moves, seat 1 the third, each a1, b1 or c1.

    Seat 0 must play a1 both times, and then only a1 saves seat 1 a draw. All else loses.
    """

    grid: ClassVar[Grid] = Grid(3, 1)
    marks: ClassVar[tuple[Mark, ...]] = MARKS

    notation: str = ""

    @property
    def to_move(self) -> int | None:
        return None if self.outcome() else (0, 0, 1)[len(self.notation)]

    def content(self, square: Square) -> Blank:
        return Blank.OPEN

    def legal_moves(self) -> tuple[Move, ...]:
        return () if self.outcome() else self.grid.drops

    def play(self, move: Move) -> "_Tree":
        return _Tree(self.notation + str(move)[0])

    def outcome(self) -> Outcome | None:
        if self.notation.strip("a"):
            return Outcome.won(int(len(self.notation) < 3), 2, Termination.BLOCKED)
        return Outcome.drawn(2, Termination.FULL) if len(self.notation) == 3 else None


def test_a_puzzle_ends_where_its_side_moves_twice() -> None:
    """The second move isn't taken for the reply, nor the other side's move for the next one."""
    puzzle = find(_Tree())
    assert puzzle is not None
    assert (puzzle.goal, puzzle.line) == (Goal.SAVE, (Move(Square(0, 0)),))
