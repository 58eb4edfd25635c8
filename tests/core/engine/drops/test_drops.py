"""Connect four's computer: proofs, the book, and the moves of each level."""

from functools import cache
from random import Random

import pytest

from core.engine.bitboards import split
from core.engine.books import content
from core.engine.drops.book import book_of, packed
from core.engine.drops.depth import DepthSearch
from core.engine.drops.evaluation import estimate_of
from core.engine.drops.geometry import Geometry, geometry, safe
from core.engine.drops.search import DropSearch
from core.engine.drops.solver import Solver
from core.engine.levels import Level, levels_of
from core.engine.player import DEFAULT_WORK, Engine
from core.engine.search import DECIDED, WIN
from core.engine.stop import NEVER
from core.games import GAMES
from core.games.connectfour.position import ConnectFourPosition
from core.match import Match
from core.outcome import Result
from core.views import DropBoard
from tests.core.boards import after, start, wandered

from .scored import USUAL, agrees, bitboards, golden, position_of

CONNECT_FOUR = GAMES["connectfour"]
PLENTY = 10**9


def unsummed(number: int) -> tuple[int, int]:
    """Return the mover's pieces and all pieces of a position in the book."""
    mine = taken = 0
    for column in range(USUAL.columns):
        at = column * (USUAL.rows + 1)
        part = number >> at & (1 << USUAL.rows + 1) - 1
        pieces = (1 << (part + 1).bit_length() - 1) - 1
        mine, taken = mine | part - pieces << at, taken | pieces << at
    return mine, taken


@cache
def naive(position: ConnectFourPosition) -> int:
    """Return the score of a position by the rules alone."""
    outcome = position.outcome()
    if outcome is not None:
        left = len(position.grid.squares) - position.taken.bit_count()
        return 0 if len(set(outcome.ranks)) == 1 else -left - 1
    return max(-naive(position.play(move)) for move in position.legal_moves())


def random_position(options: dict[str, int], free: int, rng: Random) -> ConnectFourPosition:
    """Return an unfinished position of random play with `free` free squares."""
    first = start(CONNECT_FOUR, options)
    assert isinstance(first, ConnectFourPosition)
    while True:
        position = wandered(first, len(first.grid.squares) - free, rng)
        if position.to_move is not None:
            return position


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rows": 5, "columns": 5},
        {"rows": 5, "columns": 6},
        {"rows": 7, "columns": 5},
        {"rows": 5, "columns": 8, "line": 5},
        {"rows": 6, "columns": 6, "line": 5},
    ],
)
def test_proofs_agree_with_the_rules_alone(options: dict[str, int]) -> None:
    """They prove the score of positions with few free squares, on even and odd heights."""
    rng = Random(7)
    for _ in range(10):
        position = random_position(options, rng.randrange(2, 11), rng)
        view = position.view
        score = naive(position)
        solver = Solver(geometry(view.board), PLENTY)
        taken = view.mine | view.theirs
        assert solver.reaches(view.mine, taken, score)
        assert not solver.reaches(view.mine, taken, score + 1)


@pytest.mark.parametrize("free", [1, 2, 3, 4])
@pytest.mark.parametrize("rows", [5, 6])
@pytest.mark.parametrize("count", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_the_last_squares(count: int, rows: int, free: int) -> None:
    """An analysis knows result and distance, even if the very last square completes a line."""
    engine = Engine()
    rng = Random(free)
    scores = set[int]()
    for _ in range(count):
        position = random_position({"rows": rows, "columns": 5}, free, rng)
        score = naive(position)
        scores.add(score)
        value = engine.analyse(position).value
        assert value is not None
        ranks = value.ranks if position.to_move == 0 else value.ranks[::-1]
        assert ranks[1] - ranks[0] == (score > 0) - (score < 0), position.notation
        assert value.plies == (free + 1 - abs(score) if score else None), position.notation
    assert scores >= {0, 1 if free % 2 else -1}


def test_a_win_in_three_plies_takes_one_node() -> None:
    """It does for three in a row with both ends free, and for a threat above the reply's square."""
    for columns in ("3344", "33223221"):
        mine, taken = bitboards(columns)
        assert Solver(geometry(USUAL), 1).reaches(mine, taken, 1), columns


def test_there_are_a_thousand_solved_positions() -> None:
    """They have from one piece to 40; the first moves have the values known since 1988."""
    known = dict(golden())
    assert len(known) > 1000 and {len(columns) for columns in known} >= {1, *range(8, 41)}
    assert [-known[column] for column in "1234567"] == [-2, -1, 0, 1, 0, -1, -2]


LATE = [case for case in golden() if len(case[0]) >= 18]


@pytest.mark.parametrize("count", [60, pytest.param(len(LATE), marks=pytest.mark.slow)])
def test_solved_positions(count: int) -> None:
    """With at least 18 pieces, a search finds the result, and the distance or none.

    Random positions with fewer pieces may take longer than a move may.
    """
    search = DropSearch(DEFAULT_WORK)
    for columns, score in Random(3).sample(LATE, count):
        found = search.best(position_of(columns).view)
        assert found.result is not None and agrees(found, columns, score), columns


def test_the_book_is_what_is_known_about_the_first_moves() -> None:
    """The first player wins by the middle column; the columns beside it draw, the others lose."""
    engine = Engine()
    start = Match.start("connectfour")
    assert [str(move) for move in engine.analyse(start.position).best] == ["d"]
    values = {}
    for column in "abcdefg":
        value = engine.analyse(start.play(column).position).value
        assert value is not None
        values[column] = value.ranks
    first, drawn, second = (1, 2), (1, 1), (2, 1)
    assert [*values.values()] == [second, second, drawn, first, drawn, second, second]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_perfect_level_never_gives_anything_away(seat: int) -> None:
    """From its first move to the last, it knows the result, which never gets worse for it."""
    search = DropSearch(DEFAULT_WORK)
    order = [Result.LOSS, Result.DRAW, Result.WIN]
    engine = Engine()
    for seed in range(2):
        rng = Random(seed)
        match = Match.start("connectfour")
        least = 0
        while match.to_move is not None:
            moves = match.position.legal_moves()
            if match.to_move != seat:
                level = rng.choice((Level.MEDIUM, Level.HARD))
                match = match.play(engine.choose(match.position, level, rng))
                continue
            assert isinstance(match.position, ConnectFourPosition)
            found = search.best(match.position.view)
            assert found.result is not None and order.index(found.result) >= least
            least = order.index(found.result)
            match = match.play(moves[found.best[0]])
        assert match.outcome is not None
        assert order.index(match.outcome.result(seat)) >= least


def test_a_packed_book_is_the_file_that_was_read() -> None:
    """So the command that makes the book writes what the search reads."""
    book = book_of(USUAL)
    entries = {number: entry for number in book.numbers if (entry := book.get(number))}
    assert packed(USUAL, entries) == content(f"{USUAL.label}.drops")


def test_the_book_agrees_with_proofs() -> None:
    """In its late positions, the best move keeps the score of the book."""
    book = book_of(USUAL)
    board = geometry(USUAL)
    late = 0
    assert len(book) == 90124
    for number in Random(5).sample(list(book.numbers), 200):
        mine, taken = unsummed(number)
        if taken.bit_count() < 23:
            continue
        late += 1
        entry = book.get(mine + taken)
        assert entry is not None
        move = board.playable(taken) & USUAL.files[entry.column]
        solver = Solver(board, PLENTY)
        assert not solver.reaches(mine, taken, entry.score + 1) or entry.score == 1
        if entry.score > -1:
            assert not solver.reaches(mine ^ taken, taken | move, 1 - entry.score)
    assert late > 5


def plain(board: Geometry, mine: int, taken: int, ply: int = 1) -> int:
    """Return the score of a position after the root's move, by rules and by estimates alone.

    One forced move is played on, to the second ply.
    """
    theirs, free, playable = mine ^ taken, board.full ^ taken, board.playable(taken)
    own, other = board.threats(mine, taken), board.threats(theirs, taken)
    if own & playable:
        return WIN - ply - 1
    moves = safe(playable, other)
    if not moves:
        return ply + 2 - WIN if free else 0
    if ply == 2 or moves & (moves - 1):
        return estimate_of(board)(mine, theirs, free.bit_count(), own, other)
    return -plain(board, theirs, taken | moves, ply + 1)


@pytest.mark.parametrize("size", [(5, 5, 4), (6, 6, 5)])
def test_a_search_to_the_last_square_needs_no_estimate(size: tuple[int, int, int]) -> None:
    """Then its score is that of the rules alone: a win or loss with its distance, or a draw."""
    options = dict(zip(("rows", "columns", "line"), size, strict=True))
    rng = Random(8)
    found = set[int]()
    for _ in range(30):
        position = random_position(options, 5, rng)
        view, taken = position.view, position.taken
        board = geometry(view.board)
        moves = split(safe(board.playable(taken), board.threats(view.theirs, taken)))
        if moves and not board.threats(view.mine, taken) & board.playable(taken):
            _, score = DepthSearch(board, PLENTY, NEVER).choose(view.mine, taken, moves, 9)
            left = naive(position)  # squares at the end, and one more
            sign = (left > 0) - (left < 0)
            assert score == sign * (WIN - (5 + 1 - abs(left)))
            found.add(sign)
    assert len(found) > 1


@pytest.mark.parametrize("size", [(7, 6, 4), (5, 5, 4), (6, 5, 4), (8, 7, 5)])
def test_a_threat_counts_most_for_the_side_that_fills_its_square(
    size: tuple[int, int, int],
) -> None:
    """That is the side which gets the square if it lies in the last column to be filled."""
    board = DropBoard(*size)
    estimate = estimate_of(geometry(board))
    cells = board.columns * board.rows
    for row, bit in enumerate(split(board.files[0])):
        first_fills = (cells - board.rows + row) % 2 == 0
        first, second = (estimate(0, 0, left, bit, 0) for left in (cells, cells - 1))
        assert (first > second) == first_fills
        assert (estimate(0, 0, cells, 0, bit) < estimate(0, 0, cells - 1, 0, bit)) != first_fills


@pytest.mark.parametrize("size", [(5, 5, 4), (6, 7, 4), (8, 8, 4), (6, 6, 5)])
def test_an_estimate_is_made_after_a_forced_move(size: tuple[int, int, int]) -> None:
    """It doesn't matter whether another forced move follows; the depth is one ply here."""
    options = dict(zip(("rows", "columns", "line"), size, strict=True))
    rng = Random(5)
    cells = size[0] * size[1]
    for _ in range(150):
        view = random_position(options, rng.randrange(cells // 2, cells - 4), rng).view
        board, taken = geometry(view.board), view.mine | view.theirs
        if board.threats(view.mine, taken) & board.playable(taken):
            continue
        moves = split(safe(board.playable(taken), board.threats(view.theirs, taken)))
        if moves:
            _, score = DepthSearch(board, PLENTY, NEVER).choose(view.mine, taken, moves, 1)
            assert score == max(-plain(board, view.theirs, taken | move) for move in moves)


@pytest.mark.parametrize(
    "notation",
    [
        "4 X..../X..../O.OO./O.OX./X.XO./O.XX.",
        "4 ...O..O/...X..X/...O..O/...X..X/O..OXOO/XOXXOXX",
    ],
)
def test_no_long_line_of_forced_moves_hides_a_sooner_end(notation: str) -> None:
    """Some of these moves lead to a forced end, others to a sooner one."""
    position = CONNECT_FOUR.parse(notation)
    assert isinstance(position, ConnectFourPosition)
    view = position.view
    board, taken = geometry(view.board), position.taken
    moves = split(safe(board.playable(taken), board.threats(view.theirs, taken)))
    _, found = DepthSearch(board, 20_000, NEVER).choose(view.mine, taken, moves, board.cells)
    assert abs(found) > DECIDED
    left = board.cells + 1 - taken.bit_count() - (WIN - abs(found))
    score = left if found > 0 else -left
    solver = Solver(board, PLENTY)
    assert solver.reaches(view.mine, taken, score)
    assert not solver.reaches(view.mine, taken, score + 1)


@pytest.mark.parametrize("options", [{}, {"rows": 8, "columns": 8}, {"rows": 10, "columns": 10}])
def test_every_level_blocks_or_wins_as_far_as_it_sees(options: dict[str, int]) -> None:
    """Medium, hard and the best level complete a line, and stop one."""
    engine = Engine(100_000)
    best = levels_of(CONNECT_FOUR, CONNECT_FOUR.resolve(options))[-1]
    match = Match.start("connectfour", options)
    wins, blocks = after(match, "a b a b a b"), after(match, "a b a c a")
    for level in (Level.MEDIUM, Level.HARD, best):
        for seed in range(3):
            assert str(engine.choose(wins.position, level, Random(seed))) == "a"
            assert str(engine.choose(blocks.position, level, Random(seed))) == "a"


def test_large_boards_have_an_estimate_and_find_forced_wins() -> None:
    """An empty board that isn't solved has an estimate; a double threat is found there."""
    match = Match.start("connectfour", {"rows": 9, "columns": 9})
    engine = Engine(100_000)
    assert engine.analyse(match.position).value is None
    found = engine.analyse(after(match, "d d e e").position)
    assert found.value is not None and found.value.ranks == (1, 2) and found.value.plies == 3
    assert {str(move) for move in found.best} <= {"c", "f"}


def test_a_loss_at_the_next_ply_is_seen_where_no_proof_is_tried() -> None:
    """Three in a row have both ends free, so blocking one is as good as blocking the other."""
    found = Engine(100_000).analyse(
        after(Match.start("connectfour", rows=9, columns=9), "d a e a f").position
    )
    assert found.value is not None and (found.value.ranks, found.value.plies) == ((1, 2), 2)
    assert list(map(str, found.best)) == ["c", "g"]


@pytest.mark.parametrize(
    "size", [(7, 6, 4), (5, 8, 4), (10, 5, 4), (7, 9, 5), (6, 6, 5), (10, 10, 5)], ids=str
)
def test_lines_and_threats_are_those_of_the_grid(size: tuple[int, int, int]) -> None:
    """Shifted bitboards find them all, also at the edges, however pieces are piled up."""
    board = DropBoard(*size)
    here = geometry(board)
    lines = [sum(map(board.bit, run)) for run in board.grid.runs(board.line)]
    rng = Random(4)
    for share in (0.3, 0.5, 0.8) * 10:
        heights = [rng.randint(0, board.rows) for _ in board.files]
        piles = [split(file)[:h] for file, h in zip(board.files, heights, strict=True)]
        taken = sum(map(sum, piles))
        own = sum(bit for bit in split(taken) if rng.random() < share)
        lacking = [line & ~own for line in lines]
        threats = {bit for bit in lacking if bit.bit_count() == 1 and not bit & taken}
        assert set(split(here.threats(own, taken))) == threats
        assert bool(here.has_line(own)) == bool(board.completed(own)) == (0 in lacking)


def test_a_line_of_another_length_is_refused() -> None:
    """The engine knows lines of four and five; a line of three isn't taken for one of five."""
    with pytest.raises(KeyError, match="3"):
        geometry(DropBoard(columns=7, rows=6, line=3))
