"""The computer player: what each level sees, by diagram, and its laws in every game."""

from collections import Counter
from random import Random
from typing import cast

import pytest

from core.engine.levels import Level
from core.engine.player import Engine
from core.errors import MatchOver
from core.game import Game
from core.games import GAMES
from core.grid import Move
from core.position import Position
from tests.core.boards import NINE_HOLES, TICTACTOE, TRIBOLO, begin, moves, start

EASY, MEDIUM, HARD, PERFECT, STRONG = Level
WEAKER = (EASY, MEDIUM, HARD)
SMALL_WORK = 20_000


GAMES_PLAYED = 100


def counted(game: Game, text: str, level: Level) -> Counter[Move]:
    """Return how often the computer makes each move in this position, over many games."""
    position = game.parse(text)
    engine = Engine()
    return Counter(engine.choose(position, level, Random(seed)) for seed in range(GAMES_PLAYED))


def chosen(game: Game, text: str, level: Level) -> set[Move]:
    """Return every move that the computer makes in this position, over many games."""
    return set(counted(game, text, level))


@pytest.mark.parametrize("level", [MEDIUM, HARD])
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
def test_from_medium_on_a_level_wins_when_it_can(
    game: Game, text: str, winning: str, level: Level
) -> None:
    """From medium on, a level wins at once if it can, by a line or by blocking the other side."""
    assert chosen(game, text, level) == set(moves(winning))


@pytest.mark.parametrize(
    ("game", "text", "winning"),
    [
        (NINE_HOLES, "free OOO/.../XX./.../--X X", "c1-c3"),
        (NINE_HOLES, "step ---/OO./OXX/X../--- X", "c3-c4"),
    ],
)
def test_easy_wins_at_nine_holes(game: Game, text: str, winning: str) -> None:
    """Where pieces go in circles, easy overlooks no win of its own."""
    assert chosen(game, text, EASY) == set(moves(winning))


@pytest.mark.parametrize(
    ("text", "winning", "least", "most"),
    [
        ("classic 3 XX./OO./...", "c3", 55, 80),
        ("torus 3 .X./OOX/...", "a1", 55, 85),
        ("classic 3 X../OO./X..", "c2", 25, 55),
        ("corners 4 O..O/XX../..X./O...", "d1", 10, 40),
        ("classic 4 XXX./.O../..../OO..", "d4", 55, 85),
        ("classic 4 XXX./O.../..../.O..", "d4", 15, 45),
    ],
)
def test_easy_overlooks_wins_and_blocks_now_and_then(
    text: str, winning: str, least: int, most: int
) -> None:
    """Easy makes most of its wins and few of the blocks it needs, never all or none."""
    assert least <= counted(TICTACTOE, text, EASY)[Move.parse(winning)] <= most


LINE_BLOCKS = (
    ("classic 3 X../OO./X..", "c2"),
    ("classic 3 XX./.O./...", "c3"),
    ("classic 4 XXX../O..../...../...../.O...", "d5"),
    ("corners 4 O...O/XX.../..X../...../O....", "e1"),
    ("torus 3 X.../OO../..../..X.", "c3 d3"),
)


@pytest.mark.parametrize(("text", "blocking"), LINE_BLOCKS)
def test_hard_blocks_when_it_must(text: str, blocking: str) -> None:
    """Hard takes a square on which the other would complete a line next."""
    assert chosen(TICTACTOE, text, HARD) <= set(moves(blocking))


@pytest.mark.parametrize(("text", "blocking"), LINE_BLOCKS)
def test_hard_blocks_without_a_budget(text: str, blocking: str) -> None:
    """A search whose budget is spent at once, as by a stop, still sees that square."""
    position = TICTACTOE.parse(text)
    for seed in range(10):
        assert Engine(work=0).choose(position, HARD, Random(seed)) in moves(blocking)


@pytest.mark.parametrize(("text", "blocking"), LINE_BLOCKS)
def test_medium_overlooks_a_block_now_and_then(text: str, blocking: str) -> None:
    """In two of three moves or more medium takes that square, otherwise any."""
    found = counted(TICTACTOE, text, MEDIUM)
    assert 3 * GAMES_PLAYED // 5 < sum(found[move] for move in moves(blocking)) < GAMES_PLAYED


@pytest.mark.parametrize(("level", "least", "most"), [(MEDIUM, 50, 75), (HARD, 70, 90)])
@pytest.mark.parametrize(
    ("text", "blocking"),
    [("classic 4 XXX./O.../..../.O..", "d4"), ("corners 4 O..O/XX../..X./O...", "d1")],
)
def test_threats_are_overlooked_where_lines_span_the_board(
    text: str, blocking: str, level: Level, least: int, most: int
) -> None:
    """Only threats decide a game there, so medium and hard miss some.

    Medium minds them in four of seven moves and hard in three of four; the others block by chance.
    """
    assert least <= counted(TICTACTOE, text, level)[Move.parse(blocking)] <= most


@pytest.mark.parametrize("level", [MEDIUM, HARD])
@pytest.mark.parametrize(
    ("text", "blocking"),
    [
        ("free --O/OO./.../X../-XX X", "a2-c4 b1-c4 c1-c4"),
        ("drop-first --O/OO./.../X../-XX X", "b1-c4 c1-c4"),
        ("step ---/X.O/OO./.XX/--- X", "c2-c3"),
    ],
)
def test_from_medium_on_a_level_blocks_at_nine_holes(
    text: str, blocking: str, level: Level
) -> None:
    """From medium on, the computer lands where the other would win next."""
    assert chosen(NINE_HOLES, text, level) <= set(moves(blocking))


def test_easy_sees_no_threat() -> None:
    """If only the other side is about to win, easy may make any move."""
    text = "classic 3 X../OO./X.."
    assert chosen(TICTACTOE, text, EASY) == set(TICTACTOE.parse(text).legal_moves())


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("misere 3 .../.../...", "b2"),
        # Two lines at once, one way or another.
        ("classic 3 ..../.X../..O./....", "b2 c3"),
        ("classic 4 ...../.X.X./..O../..O../.....", "c4"),
    ],
)
def test_hard_takes_good_squares_and_forks(text: str, best: str) -> None:
    """In half of its moves or more, hard sees a win in three plies and has an eye for squares."""
    found = counted(TICTACTOE, text, HARD)
    assert GAMES_PLAYED // 2 <= sum(found[move] for move in moves(best)) < GAMES_PLAYED


def test_hard_often_falls_into_a_fork_on_the_smallest_board() -> None:
    """In two of five moves its eye takes a corner that loses to a fork; the rest are by chance."""
    found = counted(TICTACTOE, "classic 3 X../.O./..X", HARD)
    assert 45 <= sum(found[move] for move in moves("a1 c3")) <= 72


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("classic 4 ..../.X../..../....", "a1 d4"),
        ("classic 5 ...../...../..X../...../.....", "a1 b2 d2 e1 b4 d4 a5 e5"),
    ],
)
def test_hard_mostly_has_an_eye_where_lines_span_the_board(text: str, best: str) -> None:
    """Forks rarely arise there, so hard would mostly draw with medium if it had no eye."""
    found = counted(TICTACTOE, text, HARD)
    assert 65 <= sum(found[move] for move in moves(best)) <= 90


def test_medium_misses_the_fork_of_another() -> None:
    """It may make a move that loses to a fork in four plies."""
    position = TICTACTOE.parse("classic 3 X../.O./..X")
    assert Move.parse("a1") in chosen(TICTACTOE, position.notation, MEDIUM)


@pytest.mark.parametrize("level", [MEDIUM, HARD, PERFECT])
def test_a_line_that_loses_is_kept_away_from(level: Level) -> None:
    """In misère, medium and better levels complete no line as long as there is another move."""
    assert Move.parse("c3") not in chosen(TICTACTOE, "misere 3 XX./OO./...", level)
    assert chosen(TICTACTOE, "misere 3 XOX/OXO/OX.", level) == set(moves("c1"))


def test_easy_completes_a_line_that_loses_now_and_then() -> None:
    """In misère easy pays no heed to lines in one of four moves."""
    lost = counted(TICTACTOE, "misere 3 XX./OO./...", EASY)[Move.parse("c3")]
    assert 0 < lost < GAMES_PLAYED // 8


UNSOLVED: dict[str, int | str] = {"rows": 7, "line": 4}


@pytest.mark.parametrize("options", [UNSOLVED, {**UNSOLVED, "variant": "misere"}])
def test_earlier_searches_shape_no_move(options: dict[str, int | str]) -> None:
    """Position, level and seed give the same move and analysis, whatever was searched before.

    The budget is too small for these positions, so an engine that kept what it found in one of them
    would get further in the next, which is often one move later.
    """
    rng = Random(4)
    position = start(TICTACTOE, options)
    asked = list[Position]()
    while position.outcome() is None:
        asked.append(position)
        position = position.play(rng.choice(position.legal_moves()))
    asked = asked[2:8] * 2
    rng.shuffle(asked)
    busy = Engine(SMALL_WORK)
    for seed, position in enumerate(asked):
        for level in (*WEAKER, PERFECT):
            expected = Engine(SMALL_WORK).choose(position, level, Random(seed))
            assert busy.choose(position, level, Random(seed)) == expected
        assert busy.analyse(position) == Engine(SMALL_WORK).analyse(position)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
@pytest.mark.parametrize("level", WEAKER)
def test_every_game_is_played_by_the_rules(game: Game, level: Level) -> None:
    """The computer's moves are legal from the first to the last, in every game."""
    match = begin(game=game)
    rng = Random(3)
    engine = Engine()
    while match.next_player is not None:
        match = match.play(engine.choose(match.position, level, rng))
    assert match.outcome is not None


@pytest.mark.parametrize("level", Level)
def test_nobody_moves_when_the_game_is_over(level: Level) -> None:
    """Asking for a move in a finished game is refused as playing one is."""
    with pytest.raises(MatchOver, match="over") as refused:
        Engine().choose(TICTACTOE.parse("classic 3 XXX/OO./..."), level, Random(0))
    assert isinstance(refused.value, ValueError), "as callers of version 1.0.0 expect"


@pytest.mark.parametrize("level", WEAKER)
def test_a_level_may_be_given_as_text(level: Level) -> None:
    """Callers that aren't type-checked get the level of that name, or an error."""
    position = start(TICTACTOE, UNSOLVED).play(Move.parse("d4"))
    text = cast("Level", str(level))
    engine = Engine()
    for seed in range(20):
        move = engine.choose(position, level, Random(seed))
        assert engine.choose(position, text, Random(seed)) == move
    with pytest.raises(ValueError, match="godlike"):
        engine.choose(position, cast("Level", "godlike"), Random(0))


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (TICTACTOE, "classic 3 .../.../..."),
        (TICTACTOE, "misere 4 .OXO/X.../.OX./OX.X"),
        (NINE_HOLES, "free OOO/.../.../.../XXX X"),
    ],
)
def test_advice_at_once(game: Game, text: str) -> None:
    """With few moves, and with a tablebase, advice takes no search that others would feel."""
    assert Engine().analyses_quickly(game.parse(text))


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (TICTACTOE, "classic 5 " + "/".join(["......."] * 7)),
        (TRIBOLO, "BR....../........ B"),
    ],
)
def test_advice_for_a_quick_move_may_take_a_search(game: Game, text: str) -> None:
    """A first move on a large board and an only move in Tribolo need none; a line of play does."""
    position = game.parse(text)
    assert not Engine().searches(position, STRONG)
    assert not Engine().analyses_quickly(position)
