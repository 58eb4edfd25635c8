"""The computer player: its four steps by diagram, and perfect play against every opponent."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random

import pytest

from core.engine.levels import Engine, Level, levels_of
from core.engine.search import Solver
from core.game import Game, Position, Result
from core.games import GAMES
from core.games.mnk_board import VARIANTS
from core.grid import Move
from tests.core.boards import NINE_HOLES, TICTACTOE, begin, every_move, moves, reachable, start

EASY, MEDIUM, HARD, PERFECT, _STRONG = Level
WEAKER = (EASY, MEDIUM, HARD)


def chosen(game: Game, text: str, level: Level) -> set[Move]:
    """Return every move that the computer makes in this position, over many games."""
    position = game.parse(text)
    return {Engine().choose(position, level, Random(seed)) for seed in range(200)}


@pytest.mark.parametrize("level", WEAKER)
@pytest.mark.parametrize(
    ("game", "text", "winning"),
    [
        (TICTACTOE, "classic 3 XX./OO./...", "c3"),
        (TICTACTOE, "classic 3 XX./OO./X..", "c2"),
        (TICTACTOE, "classic 3 X.X/OO./O.X", "b3 c2"),
        (TICTACTOE, "corners 4 X..X/OO../O.../X...", "d1"),
        (TICTACTOE, "torus 3 .X./OOX/...", "a1"),
        (NINE_HOLES, "free OOO/.../XX./.../--X X", "c1-c3"),
        (NINE_HOLES, "free --O/OO./XX./.../--X X", "c1-c3"),
        (NINE_HOLES, "free O--/O../O../.XX/X-- O", "a5-a2"),
        (NINE_HOLES, "step ---/OO./OXX/X../--- X", "c3-c4"),
    ],
)
def test_it_wins_when_it_can(game: Game, text: str, winning: str, level: Level) -> None:
    """At every level a move that wins at once is made, by a line or by shutting the other in."""
    assert chosen(game, text, level) == set(moves(winning))


@pytest.mark.parametrize("level", [MEDIUM, HARD])
@pytest.mark.parametrize(
    ("game", "text", "blocking"),
    [
        (TICTACTOE, "classic 3 X../OO./X..", "c2"),
        (TICTACTOE, "classic 3 XX./.O./...", "c3"),
        (TICTACTOE, "classic 4 XXX./O.../..../.O..", "d4"),
        (TICTACTOE, "corners 4 O..O/XX../..X./O...", "d1"),
        (TICTACTOE, "torus 3 X.../OO../..../..X.", "c3 d3"),
        (NINE_HOLES, "free --O/OO./.../X../-XX X", "a2-c4 b1-c4 c1-c4"),
        (NINE_HOLES, "drop-first --O/OO./.../X../-XX X", "b1-c4 c1-c4"),
        (NINE_HOLES, "step ---/X.O/OO./.XX/--- X", "c2-c3"),
    ],
)
def test_it_blocks_when_it_must(game: Game, text: str, blocking: str, level: Level) -> None:
    """From medium on, a square on which the other would win next is taken."""
    assert chosen(game, text, level) == set(moves(blocking))


def test_easy_sees_no_threat() -> None:
    """The easy level makes any move that neither wins nor loses on the spot."""
    text = "classic 3 X../OO./X.."
    assert chosen(TICTACTOE, text, EASY) == set(TICTACTOE.parse(text).legal_moves())


@pytest.mark.parametrize(
    ("game", "text", "developing"),
    [
        (TICTACTOE, "classic 3 .../.../...", "b2"),
        (TICTACTOE, "classic 3 .../.X./...", "a1 c1 a3 c3"),
        (TICTACTOE, "classic 3 X../.../...", "b2"),
        (TICTACTOE, "misere 3 .../.../...", "b1 a2 c2 b3"),
    ],
)
def test_hard_develops(game: Game, text: str, developing: str) -> None:
    """With nothing to win or block, hard takes good squares and brings men from home."""
    assert chosen(game, text, HARD) == set(moves(developing))


def test_hard_brings_every_man_from_home() -> None:
    """All men at home count, a1's too, and no other man moves before them."""
    text = "free -OO/.O./.../..X/XX- X"
    assert {str(m.origin) for m in chosen(NINE_HOLES, text, HARD)} == {"a1", "b1"}
    assert {str(m.origin) for m in chosen(NINE_HOLES, text, MEDIUM)} == {"a1", "b1", "c2"}


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (TICTACTOE, "classic 3 XOX/XOO/OX."),
        (NINE_HOLES, "free ---/O.X/XO./.XO/--- X"),
    ],
)
def test_else_any_move_will_do(game: Game, text: str) -> None:
    """With nothing to win, block or develop, every legal move is made now and then."""
    assert chosen(game, text, HARD) == set(game.parse(text).legal_moves())


@pytest.mark.parametrize("level", Level)
def test_a_line_that_loses_is_kept_away_from(level: Level) -> None:
    """In misere nobody completes a line as long as there is another move, and then they must."""
    assert Move.parse("c3") not in chosen(TICTACTOE, "misere 3 XX./OO./...", level)
    assert chosen(TICTACTOE, "misere 3 XOX/OXO/OX.", level) == set(moves("c1"))


@pytest.mark.parametrize("options", [{}, {"variant": "misere"}, {"rows": 5, "variant": "torus"}])
def test_each_level_plays_the_same_for_the_same_chance(options: dict[str, int | str]) -> None:
    """The computer has no chance of its own: the same seed gives the same playing."""
    for level in WEAKER:
        first, second = (self_play(start(TICTACTOE, options), level, Random(7)) for _ in range(2))
        assert first == second


def self_play(position: Position, level: Level, rng: Random) -> list[Move]:
    """Return the moves of the computer against itself."""
    played = []
    engine = Engine()
    while position.outcome() is None:
        played.append(engine.choose(position, level, rng))
        position = position.play(played[-1])
    return played


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
@pytest.mark.parametrize("level", WEAKER)
def test_every_game_is_played_by_the_rules(game: Game, level: Level) -> None:
    """The computer's moves are legal from the first to the last, in every game."""
    match, rng, engine = begin(game=game), Random(3), Engine()
    while (player := match.next_player) is not None:
        match = match.play(player, engine.choose(match.position, level, rng))
    assert match.outcome is not None


@pytest.mark.parametrize("level", Level)
def test_nobody_moves_when_the_game_is_over(level: Level) -> None:
    """Asking for a move on a finished board is an error of the caller."""
    with pytest.raises(ValueError, match="over"):
        Engine().choose(TICTACTOE.parse("classic 3 XXX/OO./..."), level, Random(0))


@pytest.mark.parametrize(
    ("game", "options"),
    [(TICTACTOE, {"rows": 4}), (TICTACTOE, {"rows": 3, "columns": 4}), (NINE_HOLES, {})],
)
def test_what_is_too_large_has_no_value(game: Game, options: dict[str, int | str]) -> None:
    """Where a board isn't solved no value is claimed, and the best level is strong."""
    resolved = game.resolve(options)
    assert levels_of(game, resolved)[-1] is Level.STRONG
    assert Engine().analyse(start(game, options)).value is None


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seat", [0, 1])
def test_perfect_never_does_worse_than_the_value(variant: str, seat: int) -> None:
    """Against every opponent, whichever of its best moves it makes, it gets at least its due.

    On nine squares that is a draw, but for the torus, which X wins in 7 plies.
    """
    first = start(TICTACTOE, {"variant": variant})
    assert TICTACTOE.solved({"rows": 3, "columns": 3, "line": 3, "variant": variant})
    due = [Result.WIN, Result.LOSS] if variant == "torus" else [Result.DRAW, Result.DRAW]
    order = [Result.LOSS, Result.DRAW, Result.WIN]
    solver = Solver()

    def replies(position: Position) -> Sequence[Move]:
        """Return its best moves, and all of the opponent's."""
        return (solver.best_moves if position.to_move == seat else every_move)(position)

    ends = [end for p in reachable(first, replies) if (end := p.outcome()) is not None]
    assert min(order.index(end.result(seat)) for end in ends) == order.index(due[seat])
    assert solver.value(first).plies == (7 if variant == "torus" else 9)


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
    """Return what comes of `cells` for who is to move (1, 0 or -1) and in how many plies.

    Written from the rules alone: a winner hurries, a loser and a drawer take their time.
    """
    mover, other = "XO" if cells.count("X") == cells.count("O") else "OX"
    if any(all(cells[i] == other for i in three) for three in SETS[variant]):
        return (1 if variant == "misere" else -1), 0
    replies = [
        brute_force(cells[:i] + mover + cells[i + 1 :], variant)
        for i, cell in enumerate(cells)
        if cell == "."
    ]
    mine = [(-value, plies + 1) for value, plies in replies]
    return max(mine, key=lambda it: (it[0], -it[1] if it[0] == 1 else it[1]), default=(0, 0))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_solver_agrees_with_brute_force_everywhere(variant: str) -> None:
    """In every position of nine squares, result and length are those of a plain minimax."""
    solver = Solver()
    positions = reachable(start(TICTACTOE, {"variant": variant}))
    assert len(positions) > 5000
    for position in positions:
        value = solver.value(position)
        cells = str(position).split(" ")[2].replace("/", "")
        mover = (9 - cells.count(".")) % 2
        result = value.ranks[1 - mover] - value.ranks[mover]
        assert (result, value.plies) == brute_force(cells, variant), str(position)
