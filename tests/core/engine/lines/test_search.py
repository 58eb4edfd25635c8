"""The search of line games against a table of known values and a plain minimax."""

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from operator import attrgetter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.analysis import Value
from core.engine.books.make.generator import undecided
from core.engine.levels import Level, levels_of
from core.engine.lines.bounds import bounds
from core.engine.lines.budget import Searches
from core.engine.lines.candidates import Candidates
from core.engine.lines.search import LineSearch
from core.engine.player import DEFAULT_WORK, Engine
from core.engine.stop import Stop
from core.games.tictactoe.board import VARIANTS, Board, board
from core.games.tictactoe.position import MnkPosition
from core.grid import Move
from core.options import Options
from core.outcome import Result
from core.position import Position
from core.views import LineBoard, LineView
from tests.core.boards import TICTACTOE, empty, moves, reachable, start, wandered
from tests.core.engine.counting import CountingStop, StopAfter
from tests.core.engine.lines.samples import OPEN, Shape, late, sampled

DRAW = Value((1, 1), None)


def x_wins(plies: int) -> Value:
    """Return the value of a position that X wins."""
    return Value((1, 2), plies)


@pytest.mark.parametrize(
    ("rows", "columns", "line", "value"),
    [
        (3, 3, 3, DRAW),
        (3, 4, 3, x_wins(7)),
        (4, 4, 3, x_wins(5)),
        (4, 4, 4, DRAW),
        (5, 5, 3, x_wins(5)),
        (5, 5, 4, DRAW),
        (5, 5, 5, DRAW),
        (6, 6, 3, x_wins(5)),
        (9, 4, 3, x_wins(5)),
        (6, 6, 5, DRAW),
        (6, 6, 6, DRAW),
    ],
)
def test_the_values_of_the_rules(rows: int, columns: int, line: int, value: Value) -> None:
    """Empty boards have the values and distances that two other solvers have found.

    All but 6x6 with a line of five are solved.
    """
    first = empty(rows, columns, line)
    assert Engine().analyse(first).value == value
    options: Options = {"rows": rows, "columns": columns, "line": line, "variant": "classic"}
    assert TICTACTOE.solved(options) == ((rows, line) != (6, 5))


def test_a_first_mark_in_the_corner_loses_late() -> None:
    """The first mark that is dearest to answer is proved on the largest board that is solved."""
    options: Options = {"rows": 10, "columns": 9, "line": 3, "variant": "classic"}
    assert levels_of(TICTACTOE, options)[-1] is Level.PERFECT
    analysis = Engine().analyse(empty(10, 9, 3).play(Move.parse("a1")))
    assert analysis.value == Value((1, 2), 10)


def collinear(*, wrap: bool) -> list[tuple[int, ...]]:
    """Return the triples of nine squares in a line; squares are numbered row by row."""
    # Three points of the affine plane over F3 are in a line when they add up to nothing.
    affine = [
        three
        for three in combinations(range(9), 3)
        if sum(i % 3 for i in three) % 3 == sum(i // 3 for i in three) % 3 == 0
    ]
    broken = {(0, 5, 7), (1, 3, 8), (1, 5, 6), (2, 3, 7)}
    return [three for three in affine if wrap or three not in broken]


FLAT = collinear(wrap=False)
SETS = {
    "classic": FLAT,
    "misere": FLAT,
    "corners": [*FLAT, (0, 2, 6, 8)],
    "torus": collinear(wrap=True),
}


@cache
def brute_force(cells: str, variant: str) -> tuple[int, int]:
    """Return the value of `cells` for the side to move (1, 0 or -1), and the plies to the end.

    Written from the rules alone.
    """
    mover, other = "XO" if cells.count("X") == cells.count("O") else "OX"
    if any(all(cells[i] == other for i in three) for three in SETS[variant]):
        return (1 if variant == "misere" else -1), 0
    return best_of(
        brute_force(cells[:i] + mover + cells[i + 1 :], variant)
        for i, cell in enumerate(cells)
        if cell == "."
    )


def best_of(replies: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return the value of the best move, by the values of the positions after each move.

    A winner hurries, a loser and a drawer take their time. Without a move it is a draw.
    """
    mine = map(before, replies)
    return max(mine, key=lambda it: (it[0], -it[1] if it[0] == 1 else it[1]), default=(0, 0))


def worth(position: Position, variant: str) -> tuple[int, int]:
    """Return the value of a position of nine squares by brute force."""
    return brute_force(position.notation.split(" ")[2].replace("/", ""), variant)


def before(value: tuple[int, int]) -> tuple[int, int]:
    """Return the value of a move that leads to `value` for the other side."""
    return -value[0], value[1] + 1


@cache
def unfinished(variant: str) -> list[Position]:
    """Return every position of nine squares that has a move."""
    found = [p for p in reachable(start(TICTACTOE, {"variant": variant})) if p.legal_moves()]
    return sorted(found, key=attrgetter("notation"))


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_position_of_nine_squares(variant: str, every: int) -> None:
    """Value, distance and best moves are those of a plain minimax; `pytest -m slow` tries all."""
    engine = Engine()
    positions = unfinished(variant)
    assert len(positions) > 3500
    for position in positions[::every]:
        result, plies = worth(position, variant)
        analysis = engine.analyse(position)
        assert analysis.value is not None
        ranks = analysis.value.ranks if position.to_move == 0 else analysis.value.ranks[::-1]
        assert ranks[1] - ranks[0] == result, position.notation
        assert analysis.value.plies == (plies if result else None), position.notation
        for move in analysis.best:
            won, length = before(worth(position.play(move), variant))
            assert won == result, f"{move} in {position.notation}"
            assert length == plies or not result, f"{move} in {position.notation}"


@pytest.mark.parametrize("leaves", [3, 5, 11])
def test_sets_may_have_two_squares(leaves: int) -> None:
    """A mark that is in a set with each of the free squares can't be stopped.

    Two free squares at once would complete a set, which the searches for a result don't look for.
    """
    playing = LineBoard("", leaves + 1, tuple(1 | 2 << i for i in range(leaves)), True, ())
    found = LineSearch(DEFAULT_WORK).best(LineView(playing, mine=0, theirs=1))
    assert (found.result, found.plies) == (Result.LOSS, 2)


def wrong_replies(position: Position, variant: str) -> int:
    """Return how many moves lose."""
    replies = position.legal_moves()
    return sum(before(worth(position.play(move), variant))[0] < 0 for move in replies)


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("variant", ["classic", "corners"])  # on a torus no position is drawn
def test_a_drawer_sets_traps(variant: str, every: int) -> None:
    """Among the moves that draw, the best ones are those after which the most replies lose."""
    engine = Engine()
    for position in unfinished(variant)[::every]:
        if worth(position, variant)[0]:
            continue
        traps = {
            move: wrong_replies(position.play(move), variant)
            for move in position.legal_moves()
            if worth(position.play(move), variant)[0] == 0
        }
        best = engine.analyse(position).best
        assert {traps[move] for move in best} == {max(traps.values())}, position.notation


def test_two_threats_at_once_are_the_best_trap() -> None:
    """Every reply loses after c3, which threatens on b3 and b4; b3 threatens on c3 alone."""
    position = TICTACTOE.parse("classic 3 ...X/O..O/X..O/X..X")
    assert isinstance(position, MnkPosition)
    best = LineSearch(DEFAULT_WORK).quick_moves(position.view, 2, positional=True)
    assert [str(position.legal_moves()[i]) for i in best] == ["c3"]


@pytest.mark.parametrize("plies", [2, 3, 5])
def test_one_of_two_threats_is_blocked_all_the_same(plies: int) -> None:
    """O completes a line on b1 or c3 whatever X does, but X doesn't leave it both."""
    position = TICTACTOE.parse("classic 3 X../XOX/O.O")
    assert isinstance(position, MnkPosition)
    found = LineSearch(DEFAULT_WORK).quick_moves(position.view, plies)
    assert [str(position.legal_moves()[i]) for i in found] == ["b1", "c3"]


SHAPES: list[Shape] = [
    (3, 4, 3, "classic"),
    (4, 4, 3, "classic"),
    (4, 4, 4, "classic"),
    (4, 5, 4, "classic"),
    (5, 5, 4, "classic"),
    (3, 5, 3, "corners"),
    (4, 4, 4, "corners"),
    (4, 4, 3, "torus"),
    (4, 4, 4, "torus"),
    (3, 4, 4, "torus"),
    (3, 5, 4, "torus"),
    (5, 5, 4, "torus"),
    (4, 4, 3, "misere"),
    (5, 5, 4, "misere"),
]


def minimax(position: MnkPosition, known: dict[Position, tuple[int, int]]) -> tuple[int, int]:
    """Return the value for the side to move and the plies to the end, by the rules alone."""
    if position not in known:
        outcome = position.outcome()
        if outcome is not None:
            mover = position.side_to_move
            known[position] = outcome.ranks[1 - mover] - outcome.ranks[mover], 0
        else:
            moves = position.legal_moves()
            known[position] = best_of(minimax(position.play(move), known) for move in moves)
    return known[position]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_late_positions_of_larger_boards(shape: Shape) -> None:
    """With eight open squares, value, distance and best moves are those of a plain minimax."""
    rng = Random(1)
    engine = Engine()
    for _ in range(2):
        position = late(shape, rng)
        known: dict[Position, tuple[int, int]] = {}
        result, plies = minimax(position, known)
        value = engine.analyse(position).value
        assert value is not None
        assert value.ranks[1 - position.side_to_move] - value.ranks[position.side_to_move] == result
        assert value.plies == (plies if result else None), position.notation
        for move in engine.analyse(position).best:
            won, length = before(known[position.play(move)])
            assert won == result
            assert length == plies or not result


@pytest.mark.parametrize("shape", [(4, 4, 3, "classic"), (3, 5, 4, "torus"), (4, 4, 4, "corners")])
def test_a_move_sees_as_far_as_its_plies(shape: Shape) -> None:
    """It tells all wins and losses that a plain minimax finds so far ahead, and none beyond."""
    rng = Random(3)
    for _ in range(3):
        position = late(shape, rng)
        known: dict[Position, tuple[int, int]] = {}
        minimax(position, known)
        worths = {move: before(known[position.play(move)]) for move in position.legal_moves()}
        for plies in range(1, OPEN):
            seen = {m: (won, -end) if end <= plies else (0, 0) for m, (won, end) in worths.items()}
            best = max(seen.values())
            if best[0] >= 0:
                found = LineSearch(DEFAULT_WORK).quick_moves(position.view, plies)
                expected = [i for i, m in enumerate(seen) if seen[m] == best]
                assert found == expected, (position.notation, plies)


@given(st.randoms(use_true_random=False), st.sampled_from(["classic", "corners", "torus"]))
def test_a_mirrored_position_is_worth_the_same(chance: Random, variant: str) -> None:
    """Symmetric positions have the same value."""
    playing = board(4, 4, 4, variant)
    squares = chance.sample(range(16), 8)
    mine, theirs = (sum(1 << i for i in squares[k::2]) for k in (0, 1))
    if not undecided(playing.lines, (mine, theirs)):
        return
    mirror = chance.choice(playing.lines.symmetries)
    images = [sum(1 << mirror[i] for i in squares[k::2]) for k in (0, 1)]
    values = {_value(playing, mine, theirs), _value(playing, *images)}
    assert len(values) == 1


def _value(playing: Board, mine: int, theirs: int) -> tuple[Result | None, int | None]:
    found = LineSearch(2_000_000).best(LineView(playing.lines, mine, theirs))
    return found.result, found.plies


@pytest.mark.parametrize(
    ("rows", "columns", "line", "variant"),
    [
        (4, 6, 4, "classic"),
        (3, 10, 4, "corners"),
        (7, 7, 4, "classic"),
        (10, 10, 5, "classic"),
        (10, 10, 5, "torus"),
        (6, 6, 4, "misere"),
    ],
)
def test_a_board_that_is_not_solved(rows: int, columns: int, line: int, variant: str) -> None:
    """The best level of a board that is too large is strong, and its analysis an estimate."""
    options: Options = {"rows": rows, "columns": columns, "line": line, "variant": variant}
    assert levels_of(TICTACTOE, options)[-1] is Level.STRONG
    analysis = Engine(work=100_000).analyse(empty(rows, columns, line, variant))
    assert analysis.value is None
    assert 0 < analysis.outlook[0] < 1
    assert sum(analysis.outlook) == pytest.approx(1)
    assert analysis.best


@pytest.mark.parametrize(
    ("rows", "columns", "line", "variant"),
    [(4, 10, 5, "classic"), (4, 10, 5, "corners"), (7, 7, 7, "torus"), (10, 10, 10, "classic")],
)
def test_a_large_board_that_is_solved(rows: int, columns: int, line: int, variant: str) -> None:
    """A board with few sets is proved from the first mark on, however many squares it has."""
    options: Options = {"rows": rows, "columns": columns, "line": line, "variant": variant}
    assert levels_of(TICTACTOE, options)[-1] is Level.PERFECT
    begun = empty(rows, columns, line, variant)
    for position in (begun, begun.play(Move.parse("a1"))):
        assert Engine().analyse(position).value == DRAW


@pytest.mark.parametrize(("columns", "line"), [(4, 4), (5, 4), (5, 5)])
def test_a_small_board_is_solved_however_many_sets_it_has(columns: int, line: int) -> None:
    """A torus three squares wide has up to 45 sets, and all its positions are proved."""
    options: Options = {"rows": 3, "columns": columns, "line": line, "variant": "torus"}
    assert levels_of(TICTACTOE, options)[-1] is Level.PERFECT
    playing = board(columns, 3, line, "torus").lines
    for marks in range(10):
        for pair in sampled(playing, marks, 1):
            assert LineSearch(DEFAULT_WORK).best(LineView(playing, *pair)).result, pair


@pytest.mark.parametrize(
    ("notation", "plies", "kept"),
    [
        ("classic 3 .../.../X..", 2, "b1 c1 a2 b2 c2 a3 b3 c3"),
        ("classic 3 O../.O./XX.", 0, "c1 a2 c2 b3 c3"),
        ("classic 3 O../.O./XX.", 1, "c1"),
        ("classic 3 X../.O./X..", 1, "b1 c1 a2 c2 b3 c3"),
        ("classic 3 X../.O./X..", 2, "a2"),
        ("classic 3 X.X/.O./X.O", 2, "a2 b3"),
    ],
)
def test_sets_are_seen_up_to_two_plies_ahead(notation: str, plies: int, kept: str) -> None:
    """One ply ahead is a set that the mover completes, two plies ahead one that the other does."""
    position = TICTACTOE.parse(notation)
    indices = LineSearch(DEFAULT_WORK).quick_moves(position.view, plies)
    assert [position.legal_moves()[i] for i in indices] == moves(kept)


@pytest.mark.parametrize(
    ("text", "best", "plies"),
    [
        # An open three of four wins on both ends, and is found from two.
        ("classic 4 ......./......./......./..XX.../.O...O./......./.......", "b4 e4", 3),
        ("classic 5 ......./......./.O...O./..XXX../......./..O..../.......", "b4 f4", 3),
    ],
)
def test_threats_are_found_on_boards_that_are_not_solved(text: str, best: str, plies: int) -> None:
    """On a board of any size a forced win is exact, and played the shortest way."""
    analysis = Engine().analyse(TICTACTOE.parse(text))
    assert analysis.value == x_wins(plies)
    assert set(analysis.best) <= set(moves(best))


@pytest.mark.parametrize(
    ("rows", "line", "variant", "mine", "theirs"),
    [(6, 5, "classic", 1 << 22 | 1 << 7, 1 << 17 | 1 << 11), (5, 4, "corners", 0, 1 << 12)],
)
def test_a_proof_is_given_up_in_time(
    rows: int, line: int, variant: str, mine: int, theirs: int
) -> None:
    """Few sets don't buy many nodes: each costs Python's overhead, too."""
    stop = CountingStop()
    view = LineView(board(rows, rows, line, variant).lines, mine, theirs)
    LineSearch(DEFAULT_WORK, stop).best(view)
    assert stop.looks <= 18_000


def test_no_move_is_searched_where_the_other_side_could_not_even_win_by_moving_now() -> None:
    """A mark more of one's own never helps the other side, so all moves are safe."""
    searches = Searches(bounds(board(6, 6, 4, "classic").lines), Stop())
    candidates = Candidates(searches, 1 << 14, 1 << 21, nodes=1_000)
    before = candidates.moves()
    assert candidates.safe(before, 2) == before
    assert searches.nodes < len(before)


@pytest.mark.parametrize("looks", [1, 6, 40, 300])
def test_a_search_ends_when_it_is_asked_to(looks: int) -> None:
    """It ends even while it proves who wins, where it once changed sides for ever."""
    position = TICTACTOE.parse("corners 4 .OX.X/O.XO./X.OXX/OOOXX")
    assert LineSearch(DEFAULT_WORK, StopAfter(looks)).best(position.view).best


@pytest.mark.parametrize(("rows", "line", "plies"), [(6, 4, 3), (10, 5, 6)])
def test_a_search_of_a_large_board_ends_when_it_is_asked_to(
    rows: int, line: int, plies: int
) -> None:
    """A search by proof numbers or by depth then gives the best move so far."""
    position = wandered(empty(rows, rows, line), plies, Random(2))
    stop = StopAfter(300)
    assert LineSearch(DEFAULT_WORK, stop).best(position.view).best
    assert stop.looks > 300
