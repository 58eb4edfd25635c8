"""Puzzles as lines of text, and the shipped puzzles."""

import pytest

from core.errors import RecordError
from core.games import GAMES
from core.puzzles import read, shipped, write
from core.puzzles.finding import Difficulty, find
from tests.core.puzzles.written import BLOCKS, FORK, HOLES


def test_the_shipped_ones_read_back() -> None:
    """Every line has the key, game and difficulty of its puzzle, and no position comes twice."""
    for one in shipped():
        found = read(one.line)
        assert write(found) == one.line and found.key == one.key
        assert (found.game.key, found.puzzle.difficulty) == (one.game, one.difficulty)
    assert len({one.key for one in shipped()}) == len(shipped())


def test_there_are_enough_shipped_puzzles() -> None:
    """There is one for each day of a year, besides the fifth kept for members who want more.

    There are some of each difficulty, and of each game whose usual board is solved.
    """
    assert len(shipped()) * 4 // 5 >= 365
    assert {one.difficulty for one in shipped()} == {*Difficulty}
    solved = {key for key, game in GAMES.items() if game.solved(game.resolve({}))}
    assert {one.game for one in shipped()} == solved, "python -m core.puzzles.make makes them"


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", sorted({one.board for one in shipped()}))
def test_the_shipped_ones_are_proved_again(kind: str, every: int) -> None:
    """The engine still finds them, each with the same difficulty and the same replies.

    CI tries one in eight of each board.
    """
    for one in [one for one in shipped() if one.board == kind][::every]:
        found = read(one.line)
        assert find(found.puzzle.start) == found.puzzle


@pytest.mark.parametrize("line", [BLOCKS, FORK, HOLES])
def test_a_puzzle_round_trips(line: str) -> None:
    """Its match begins with the position of the puzzle."""
    puzzle = read(line)
    assert write(puzzle) == line
    assert (puzzle.match().initial, puzzle.match().moves) == (puzzle.puzzle.start, ())


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (FORK, "tictactoe", "chess"),
        (FORK, "rows=3", "rows=x"),
        (FORK, "XOX/", "XO/"),
        (FORK, "rows=3", "rows=4"),
        (FORK, "variant=classic", "variant=torus"),
        (HOLES, "variant=drop-first", "variant=free"),
        (FORK, "win 3", "lose 3"),
        (FORK, "win 3 medium", "win three medium"),
        (FORK, "c1 b2:", "c1:"),
        (FORK, "c1 b2:", "c1 c1:"),
        (FORK, "c1 b2:", "c1 b2 a2:"),
        (FORK, "c1 b2:", ":"),
        (FORK, "a2 c2 b1 > b2;", "a2 > b2;"),
        (FORK, "b2 > c1", "b2 > b2"),
        (FORK, "> c2 | ", "> c2 | a1"),
        (FORK, " | c1 b2: a2 c2 b1 > b2; b2 > c1 | c2: a2 b1 > c2 | ", " | "),
        (BLOCKS, "| c2:", "| c2 a1:"),
    ],
)
def test_lines_that_are_no_puzzle_are_refused(line: str, old: str, new: str) -> None:
    """A line that is no valid puzzle is refused, whatever is wrong with it."""
    assert old in line
    with pytest.raises(RecordError):
        read(line.replace(old, new))
