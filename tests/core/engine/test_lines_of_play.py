"""Lines of play: best play by everybody, move by move, as far as it is known."""

from collections.abc import Iterator
from threading import Timer

import pytest

from core.engine.analysis import Analysis, Value, principal_variation
from core.engine.player import Engine
from core.game import Game
from core.grid import Move
from core.position import Position
from tests.core.boards import NINE_HOLES, TICTACTOE, TRIBOLO, empty, start

MOST = 12


def line_from(position: Position, plies: int = MOST, engine: Engine | None = None) -> list[Move]:
    engine = engine or Engine()
    return [*engine.line(position, engine.analyse(position), plies)]


def along(position: Position, line: list[Move]) -> Iterator[Position]:
    """Yield the positions of a line, the first one included."""
    yield position
    for move in line:
        position = position.play(move)
        yield position


@pytest.mark.parametrize(
    ("game", "text", "lines"),
    [
        (TICTACTOE, "classic 3 XX./OO./...", "c3"),
        (TICTACTOE, "classic 3 X../OO./X..", "c2 c3|c2 b3|c2 c1|c2 b1"),
        (TICTACTOE, "classic 3 ..O/.X./XO.", "a2 a3 c2|a2 c2 a3|a3 a2 c1"),
        (TICTACTOE, "misere 3 XOX/OXO/OX.", "c1"),
        (NINE_HOLES, "free --O/OO./XX./.../--X X", "c1-c3"),
    ],
)
def test_a_short_line_is_known(game: Game, text: str, lines: str) -> None:
    """A win at once, a forced block, a fork: the line is the one that people know."""
    said = " ".join(map(str, line_from(game.parse(text))))
    assert any(said.startswith(line) for line in lines.split("|"))


@pytest.mark.parametrize(
    "position",
    [
        pytest.param(empty(4, 4, 3), id="by search"),
        pytest.param(empty(3, 3, 3, "torus"), id="by search on a torus"),
        pytest.param(
            TICTACTOE.parse("classic 4 ....../....../...O../..X.../....../......"), id="by proof"
        ),
        pytest.param(TICTACTOE.parse("classic 5 ...../...../..X../...O./....."), id="by book"),
        pytest.param(TICTACTOE.parse("misere 3 .../.X./O.X"), id="misere"),
        pytest.param(NINE_HOLES.parse("free O-O/.O./.X./X../-X- X"), id="by tablebase"),
    ],
)
def test_an_exact_line_keeps_to_its_value(position: Position) -> None:
    """Every move leads to the same value; towards a win, one ply nearer each time.

    So the winner hurries and the loser holds out longest, down to the last move.
    """
    engine = Engine()
    first = engine.analyse(position)
    assert first.value is not None
    line = line_from(position, 40)
    left = first.value.plies
    for at in along(position, line):
        if at.to_move is None:
            outcome = at.outcome()
            assert outcome is not None
            assert outcome.ranks == first.value.ranks
            continue
        value = engine.analyse(at).value
        assert value == Value(first.value.ranks, left)
        left = left and left - 1
    assert first.value.plies in (None, len(line))


def test_a_line_in_misere_is_as_long_as_its_value_says() -> None:
    """It is the search's own; a search of the next position finds the win, but not its distance."""
    position = TICTACTOE.parse("misere 3 ..X./..OO/..../X..X")
    value, line = Engine().analyse(position).value, line_from(position)
    outcome = [*along(position, line)][-1].outcome()
    assert value is not None and outcome is not None
    assert (outcome.ranks, len(line)) == (value.ranks, value.plies)


def test_a_drawn_line_is_played_to_the_end() -> None:
    """Tic-tac-toe ends in a full board without a line."""
    final = [*along(empty(3, 3, 3), line_from(empty(3, 3, 3)))][-1]
    outcome = final.outcome()
    assert outcome is not None
    assert outcome.ranks == (1, 1)


def test_a_line_has_at_most_as_many_moves_as_asked_for() -> None:
    """A line of one move is the best move; a longer one begins with it."""
    position = empty(4, 4, 3)
    best = Engine().analyse(position).best[0]
    assert line_from(position, 1) == [best]
    assert line_from(position, 3)[0] == best
    assert len(line_from(position, 3)) == 3


@pytest.mark.parametrize(
    "position", [empty(7, 7, 5, "misere"), start(TRIBOLO, {"size": "small"})], ids=str
)
def test_an_estimated_line_is_short_and_always_the_same(position: Position) -> None:
    """Where nothing is proved, a line is five moves of the search, the same ones each time."""
    line = line_from(position, MOST, Engine(work=100_000))
    assert len(line) == 5
    assert line == line_from(position, MOST, Engine(work=100_000))
    assert [*along(position, line)][-1].to_move is not None


def test_a_line_ends_at_a_stop() -> None:
    """It keeps the moves that were found before, and none of a search that was cut off."""
    position = empty(7, 7, 5, "misere")
    first = Analysis(tuple(position.legal_moves()[:1]), None, (0.5, 0.5))
    engine = Engine(work=10_000_000)
    stopper = Timer(0.2, engine.stop)
    stopper.start()
    assert engine.line(position, first, MOST) == first.best


WON = Value((1, 2), 5)
DRAWN = Value((1, 1), None)


@pytest.mark.parametrize(
    ("first", "then", "plies"),
    [
        # The seat that loses may make any move; the winner's next move has to be proved.
        pytest.param(WON, [None, None], 2, id="no proof of a win"),
        pytest.param(WON, [None, WON, None, WON, None], 6, id="proofs for the winner alone"),
        pytest.param(DRAWN, [None], 1, id="no proof of a draw"),
        pytest.param(DRAWN, [DRAWN, WON], 2, id="another value"),
    ],
)
def test_a_line_ends_where_its_value_is_not_proved(
    first: Value, then: list[Value | None], plies: int
) -> None:
    """A line never holds a move that might give the result away."""
    values = iter(then)

    def analyse(position: Position, value: Value | None = None) -> Analysis:
        return Analysis(tuple(position.legal_moves()[:1]), value or next(values), (0.5, 0.5))

    position = empty(3, 5, 5)
    found = principal_variation(position, analyse(position, first), analyse, 6)
    assert found == tuple(position.legal_moves()[:plies])


def test_a_seat_that_loses_anyway_makes_one_move_of_an_estimate() -> None:
    """The estimate's next move is the winner's, and has to be proved."""
    position = empty(3, 5, 5)
    moves = tuple(position.legal_moves())

    def analyse(at: Position) -> Analysis:
        left = tuple(at.legal_moves())
        return Analysis(left[:1], None, (0.5, 0.5), left[:4])

    first = Analysis(moves[:1], WON, (1.0, 0.0))
    assert principal_variation(position, first, analyse, 6) == moves[:2]


def test_an_estimated_line_is_not_kept_beside_a_proof() -> None:
    """The line that led to a proved result was an estimate, so it needn't lead there."""
    text = "classic 4 ......./......./....O../..XXO../....X../......./......."
    analysis = Engine(work=200_000).analyse(TICTACTOE.parse(text))
    assert analysis.value == Value((1, 2), None)
    assert analysis.line == ()


def test_the_line_that_the_search_kept_is_not_searched_again() -> None:
    """The analysis's own line comes first, and only positions beyond it are analysed."""
    position = empty(3, 5, 5)
    kept = tuple(position.legal_moves()[:3])
    asked = list[Position]()

    def analyse(at: Position) -> Analysis:
        asked.append(at)
        return Analysis(tuple(at.legal_moves()[:1]), None, (0.5, 0.5))

    first = Analysis(kept[:1], None, (0.5, 0.5), kept)
    assert principal_variation(position, first, analyse, 4) == tuple(position.legal_moves()[:4])
    assert principal_variation(position, first, analyse, 2) == kept[:2]
    assert asked == [position.play(kept[0]).play(kept[1]).play(kept[2])]
