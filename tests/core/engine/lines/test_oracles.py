"""The computer's exact values against those of two public libraries, easyAI and OpenSpiel."""

from random import Random

import pytest

from core.engine.analysis import Analysis
from core.engine.player import Engine
from core.games.tictactoe.position import MnkPosition
from tests.core.engine.lines.samples import late

BOARDS = [(3, 3, 3), (3, 4, 3), (4, 4, 3), (4, 4, 4), (5, 5, 4), (5, 5, 5), (6, 6, 4), (4, 6, 5)]
POSITIONS = 3


def late_positions(rows: int, columns: int, line: int) -> list[MnkPosition]:
    """Return seeded positions of random play."""
    rng = Random(1)
    return [late((rows, columns, line, "classic"), rng) for _ in range(POSITIONS)]


def result(position: MnkPosition, analysis: Analysis) -> int:
    """Return the value for the side to move: 1, 0 or -1."""
    assert analysis.value is not None, f"not searched to the end: {position.notation}"
    mine, theirs = (
        analysis.value.ranks[s] for s in (position.side_to_move, 1 - position.side_to_move)
    )
    return theirs - mine


@pytest.mark.parametrize(("rows", "columns", "line"), BOARDS)
def test_values_lengths_and_moves_agree_with_easyai(rows: int, columns: int, line: int) -> None:
    """Near the end, value and distance are those of easyAI's Negamax.

    After one of our best moves it finds the same value, one ply nearer.
    """
    pytest.importorskip("easyAI")
    from tests.strength.easyai_player import search

    engine = Engine()
    rng = Random(2)
    for position in late_positions(rows, columns, line):
        analysis, theirs = engine.analyse(position), search(position)
        assert result(position, analysis) == theirs.result, position.notation
        assert analysis.value is not None
        assert analysis.value.plies == theirs.plies, position.notation
        move = rng.choice(analysis.best)
        after = search(position.play(move))
        assert after.result == -theirs.result, f"{move} in {position.notation}"
        assert after.plies == (theirs.plies and theirs.plies - 1), f"{move} in {position.notation}"


@pytest.mark.slow  # CI doesn't install OpenSpiel, which is in the extra `bench`
@pytest.mark.parametrize(("rows", "columns", "line"), BOARDS)
def test_values_are_those_of_openspiel(rows: int, columns: int, line: int) -> None:
    """Near the end, the value is that of OpenSpiel's alpha-beta search."""
    pytest.importorskip("pyspiel")
    from tests.strength.openspiel_player import search

    engine = Engine()
    for position in late_positions(rows, columns, line):
        assert result(position, engine.analyse(position)) == search(position), position.notation
