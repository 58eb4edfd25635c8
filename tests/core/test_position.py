"""Positions print as boards for people."""

import pytest

from core.game import Game
from core.games import GAMES

PRINTED = {
    ("tictactoe", "classic 3 ..O./.X../X...",): """\
 3 . . O .
 2 . X . .
 1 X . . .
   a b c d""",
    ("tictactoe", "classic 3 .../.X./... swapped"): """\
 3 . . .
 2 . X .
 1 . . .
   a b c""",
    ("connectfour", "5 ...../...../..X../..O../..XO."): """\
 5 . . . . .
 4 . . . . .
 3 . . X . .
 2 . . O . .
 1 . . X O .
   a b c d e""",
    ("nineholes", "free O-O/O.X/.../.../-XX X"): """\
 5 O - O
 4 O . X
 3 . . .
 2 . . .
 1 - X X
   a b c""",
    ("tribolo", "BR.#G B -R"): """\
 1 B R . # G
   a b c d e""",
}  # fmt: skip


@pytest.mark.parametrize(("game", "notation"), PRINTED)
def test_a_position_prints_as_a_board(game: str, notation: str) -> None:
    """Rows are numbered from the bottom and columns lettered; each seat has its mark's letter."""
    assert str(GAMES[game].parse(notation)) == PRINTED[game, notation]


def test_row_numbers_are_aligned() -> None:
    """Numbers are padded to the widest."""
    game = GAMES["tictactoe"]
    lines = str(game.parse("classic 3 " + "/".join(["." * 10] * 10))).splitlines()
    assert [len(line) for line in lines] == [22] * 11
    assert lines[0].startswith("10 .") and lines[-1].startswith("   a")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_marks_differ_in_letter_and_shape(game: Game) -> None:
    """In text as on boards, the seats of a game can be told apart."""
    marks = game.marks
    assert len({mark.letter for mark in marks}) == len({mark.shape for mark in marks}) == len(marks)
