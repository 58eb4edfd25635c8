"""Positions print as boards for people, and can be pickled."""

import pickle
from random import Random

import pytest

from core.engine.levels import Level
from core.engine.player import Engine
from core.game import Game
from core.games import GAMES
from core.match import Match
from core.views import LineView

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
def test_a_pickled_match_is_the_same_match(game: Game) -> None:
    """The copy plays on as the original does, even though a search has met the original."""
    match = Match.start(game, rng=Random(3))
    match = match.play(Engine().choose(match.position, Level.HARD, Random(3)))
    copied: Match = pickle.loads(pickle.dumps(match))
    assert copied == match
    assert copied.position == match.position
    move = match.position.legal_moves()[0]
    assert copied.play(move) == match.play(move)


def test_a_pickled_line_board_is_not_prepared_anew() -> None:
    """A copy shares its board, since to prepare sets and patterns anew takes up to a second."""
    position = Match.start("tictactoe", rows=10, line=5).play("e5").position
    view, copied = position.view, pickle.loads(pickle.dumps(position)).view
    assert isinstance(view, LineView)
    assert isinstance(copied, LineView)
    assert copied.board is view.board
    assert len(pickle.dumps(position)) < 1_000
