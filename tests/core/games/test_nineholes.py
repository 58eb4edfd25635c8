"""Nine Holes by diagram: ``variant rank5/.../rank1 mover``. The holes are ranks 2 to 4."""

import pytest

from core.errors import Illegal, IllegalMove, MatchOver, OptionError, PositionError, Reason
from core.games.nineholes.board import VARIANTS
from core.games.nineholes.position import NineHolesReason
from core.grid import Move
from core.outcome import Outcome, Termination
from tests.core.boards import NINE_HOLES, after, begin, moves, squares, start

START = "free OOO/.../.../.../XXX X"
STUCK = "---/O../XO./XXO/---"
DRAWN = (1, 1)


def played(before: str, move: str) -> Outcome | None:
    """Return the outcome after `move`."""
    return NINE_HOLES.parse(before).play(Move.parse(move)).outcome()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_first_position(variant: str) -> None:
    """X's men are on rank 1 and O's on rank 5; X moves. The default variant is `free`."""
    assert start(NINE_HOLES, {"variant": variant}).notation == START.replace("free", variant)
    assert start(NINE_HOLES, {}).notation == START


@pytest.mark.parametrize(
    ("before", "move", "ranks", "line"),
    [
        ("free OOO/.../XX./.../--X X", "c1-c3", (1, 2), "a3 b3 c3"),
        ("free O-O/.../O../XX./--X X", "c1-c2", (1, 2), "a2 b2 c2"),
        ("free OOO/XX./.../X../--- X", "a2-c4", (1, 2), "a4 b4 c4"),
        ("free OOO/X../X../.../--X X", "c1-a2", (1, 2), "a4 a3 a2"),
        ("free -O-/.O./.O./X../-XX O", "b5-b2", (2, 1), "b4 b3 b2"),
        ("free ---/X.O/X../.OO/X-- O", "b2-c3", (2, 1), "c4 c3 c2"),
    ],
)
def test_a_rank_or_a_file_of_the_holes_wins(
    before: str, move: str, ranks: tuple[int, int], line: str
) -> None:
    """A third man in a rank or file of the nine holes wins for the mover."""
    assert played(before, move) == Outcome(Termination.LINE, ranks, squares(line))


@pytest.mark.parametrize(
    ("before", "move"),
    [
        ("free OOO/X../.X./.../--X X", "c1-c2"),
        ("free OOO/..X/.X./.../X-- X", "a1-a2"),
        ("free OOO/.../X../..X/X-- X", "c2-a2"),
        ("free -OO/.../O../X../-XX O", "a3-a4"),
        ("free OOO/X.X/.../.../--X X", "c1-b3"),
    ],
)
def test_diagonals_and_home_squares_are_no_line(before: str, move: str) -> None:
    """Three men in a diagonal, at home, or in a file that includes a home square don't win."""
    assert played(before, move) is None


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("b2", Illegal.NO_ORIGIN),
        ("c1-d2", Illegal.OFF_BOARD),
        ("c1-c6", Illegal.OFF_BOARD),
        ("d1-c2", Illegal.OFF_BOARD),
        ("b5-b4", Illegal.NOT_YOUR_MAN),
        ("a4-b4", Illegal.NOT_YOUR_MAN),
        ("b2-b3", Illegal.NOT_YOUR_MAN),
        ("b1-a1", NineHolesReason.NOT_A_HOLE),
        ("b1-a5", NineHolesReason.NOT_A_HOLE),
        ("a2-a1", NineHolesReason.NOT_A_HOLE),
        ("b1-a4", Illegal.TAKEN),
        ("b1-a2", Illegal.TAKEN),
        ("b1-b1", NineHolesReason.NOT_A_HOLE),
        ("a2-a2", Illegal.TAKEN),
    ],
)
def test_an_illegal_move_has_a_reason(variant: str, move: str, reason: Reason) -> None:
    """A player's own men move into empty holes; no variant has captures or moves home."""
    position = NINE_HOLES.parse(f"{variant} -OO/O../.../X../-XX X")
    with pytest.raises(IllegalMove) as refused:
        position.play(Move.parse(move))
    assert (refused.value.move, refused.value.reason) == (Move.parse(move), reason)


HOME = "OO-/..O/.../X../-XX X"
IN_HOLES = "---/.OO/XO./X.X/--- X"


@pytest.mark.parametrize(
    ("diagram", "move", "refused_by"),
    [
        (HOME, "b1-b4", {}),
        (HOME, "c1-c2", {}),
        (
            HOME,
            "a2-a3",
            {"drop-first": NineHolesReason.MEN_AT_HOME, "step": NineHolesReason.MEN_AT_HOME},
        ),
        (
            HOME,
            "a2-c3",
            {"drop-first": NineHolesReason.MEN_AT_HOME, "step": NineHolesReason.MEN_AT_HOME},
        ),
        (IN_HOLES, "c2-b2", {}),
        (IN_HOLES, "a3-a4", {}),
        (IN_HOLES, "c2-c3", {}),
        (IN_HOLES, "c2-a4", {"step": NineHolesReason.NOT_ADJACENT}),
        (IN_HOLES, "a3-b2", {"step": NineHolesReason.NOT_ADJACENT}),
        (IN_HOLES, "a2-a4", {"step": NineHolesReason.NOT_ADJACENT}),
    ],
)
def test_variants_differ_in_how_men_move(
    diagram: str, move: str, refused_by: dict[str, Reason]
) -> None:
    """drop-first: all men enter first. step: then to an adjacent hole, never diagonally."""
    for variant in VARIANTS:
        position = NINE_HOLES.parse(f"{variant} {diagram}")
        if variant in refused_by:
            with pytest.raises(IllegalMove) as refused:
                position.play(Move.parse(move))
            assert refused.value.reason is refused_by[variant]
        else:
            assert Move.parse(move) in position.legal_moves()


def test_a_player_who_cannot_step_has_lost() -> None:
    """In `step`, a mover whose men are all blocked loses, and no squares decide."""
    assert played("step ---/.O./XO./XXO/--- O", "b4-a4") == Outcome(Termination.BLOCKED, (2, 1))
    stuck = NINE_HOLES.parse(f"step {STUCK} X")
    assert (stuck.to_move, stuck.legal_moves()) == (None, ())
    with pytest.raises(MatchOver):
        stuck.play(Move.parse("a2-b4"))


@pytest.mark.parametrize("text", [f"free {STUCK} X", f"drop-first {STUCK} X", f"step {STUCK} O"])
def test_blocked_men_lose_in_step_only(text: str) -> None:
    """In the other variants men jump, and in `step` the player who isn't to move may be blocked."""
    position = NINE_HOLES.parse(text)
    assert position.outcome() is None
    assert position.legal_moves()


def test_the_move_count_of_the_seed_article() -> None:
    """After a1-c4, b5-a4 the article counts 21 moves for X: three men, seven empty holes."""
    match = after(begin(game=NINE_HOLES), "a1-c4 b5-a4")
    assert match.position.notation == "free O-O/O.X/.../.../-XX X"
    assert len(match.position.legal_moves()) == 21
    assert len(begin(game=NINE_HOLES).position.legal_moves()) == 27


def test_a_man_from_any_home_square_may_move() -> None:
    """All three home squares have moves, including a1, which the article's code forgets."""
    position = NINE_HOLES.parse("free OOO/.../.../.../XXX X")
    assert {str(move.origin) for move in position.legal_moves()} == {"a1", "b1", "c1"}


def test_the_third_occurrence_is_a_draw() -> None:
    """The third occurrence of a position, with the same player to move, ends the match."""
    match = after(begin(game=NINE_HOLES), "a1-a2 a5-a4")
    match = after(match, "a2-b2 a4-b4 b2-a2 b4-a4 a2-b2 a4-b4 b2-a2")
    assert match.outcome is None
    match = after(match, "b4-a4")
    assert match.outcome == Outcome.drawn(2, Termination.REPETITION)
    assert (match.to_move, match.next_player) == (None, None)


def test_occurrences_need_the_same_player_to_move() -> None:
    """The same board with the other player to move is another position."""
    with_x, with_o = (NINE_HOLES.parse(f"free OO-/O../.../X../-XX {mover}") for mover in "XO")
    assert NINE_HOLES.outcome_after([with_x, with_o, with_x]) is None
    assert NINE_HOLES.outcome_after([with_x, with_o, with_x, with_o, with_x]) == Outcome(
        Termination.REPETITION, DRAWN
    )


def test_a_hundred_plies_are_a_draw() -> None:
    """A match is drawn after ply 100 and not after ply 99; a line at ply 100 still wins."""
    first = start(NINE_HOLES, {})
    last = NINE_HOLES.parse("free OO-/O../.../X../-XX X")
    won = NINE_HOLES.parse("free OO-/O../.../XXX/--- O")
    assert NINE_HOLES.outcome_after([first] * 99 + [last]) is None
    assert NINE_HOLES.outcome_after([first] * 100 + [last]) == Outcome(Termination.PLY_LIMIT, DRAWN)
    assert NINE_HOLES.outcome_after([first] * 100 + [won]) == won.outcome()


def test_legal_moves_are_in_board_order() -> None:
    """Moves are ordered by man and then by target, from a1."""
    position = NINE_HOLES.parse("free ---/XO./.OX/.XO/--- X")
    assert list(position.legal_moves()) == moves(
        "b2-a2 b2-a3 b2-c4 c3-a2 c3-a3 c3-c4 a4-a2 a4-a3 a4-c4"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "free",
        "OOO/.../.../.../XXX X",
        "free OOO/.../.../.../XXX",
        "free OOO/.../.../.../XXX x",
        "free OOO/.../.../.../XXX XO",
        "free OOO/.../.../.../XXX X ",
        "free OOO/.../.../.../XXX X\n",
        "chess OOO/.../.../.../XXX X",
        "free ooo/.../.../.../xxx X",
        "free OOO/.../.../XXX X",
        "free OOO/.../.../.../XXX/... X",
        "free OOO/..../.../.../XXX X",
        "free OOO/---/.../.../XXX X",
        "free OO./O../.../.../XXX X",
        "free OO-/.../.../.../XXX X",
        "free OOO/O../.../.../XXX X",
        "free OOO/.../.../X../XXX X",
        "free XXX/.../.../.../OOO X",
        "free OOX/O../.../.../XX- X",
        "free OOO/XXX/.../.../--- X",
        "free ---/XXX/OOO/.../--- O",
    ],
)
def test_malformed_positions_are_refused(text: str) -> None:
    """Malformed texts, wrong numbers of men, men on the wrong home rank, and lines of the mover."""
    with pytest.raises(PositionError):
        NINE_HOLES.parse(text)


@pytest.mark.parametrize("given", [{"variant": "chess"}, {"variant": 1}, {"rows": 5}])
def test_invalid_options_are_refused(given: dict[str, int | str]) -> None:
    """The variant is one of three, and there is no other option."""
    with pytest.raises(OptionError) as refused:
        NINE_HOLES.resolve(given)
    assert refused.value.allowed == (tuple(VARIANTS) if "variant" in given else ("variant",))
