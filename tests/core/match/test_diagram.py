"""Boards as values: each square with its letter and, behind it, a sign of how it stands out."""

from core.grid import Move, Square
from core.match import Match
from core.match.diagram import Diagram, Look, diagram, film, moves_men
from tests.core.boards import ALICE, BOB, CAROL, NINE_HOLES, TRIBOLO, after, begin

SIGNS = {
    Look.PLAIN: "",
    Look.LAST: "!",
    Look.TAKEN: "<",
    Look.CHANGED: "~",
    Look.DECIDING: "*",
    Look.PICKED: "^",
    Look.TARGET: "?",
    Look.HINTED: "+",
}


def shown(board: Diagram) -> str:
    """Return the rows of a board, separated by a slash; a gain stands behind the sign."""
    return " / ".join(
        " ".join(
            f"{cell.content.letter}{SIGNS[cell.look]}{'' if cell.gain is None else cell.gain}"
            for cell in row
        )
        for row in board
    )


def test_a_board_shows_the_last_move() -> None:
    """Between two players only the other's last move is news."""
    match = begin()
    assert shown(diagram(match)) == ". . . / . . . / . . ."
    assert shown(diagram(after(match, "b2"))) == ". . . / . X! . / . . ."
    assert shown(diagram(after(match, "b2 a1 c3"))) == ". . X! / . X . / O . ."


def test_the_end_of_a_match_shows_what_decided_it() -> None:
    """That is the line, or the last move if there is none."""
    won = after(begin(), "a1 a2 b1 b2 c1")
    assert shown(diagram(won)) == ". . . / O O . / X* X* X*"
    drawn = after(begin(), "b2 a1").agree_draw()
    assert shown(diagram(drawn)) == ". . . / . X . / O! . ."


def test_a_film_shows_each_move() -> None:
    """It begins with the board at the start; at the end, what decided takes the last move's place.

    A match that hasn't ended shows the last move also in its last picture.
    """
    match = after(begin(), "a1 a2 b1 b2 c1")
    *before, last = map(shown, film(match))
    assert before == [
        ". . . / . . . / . . .",
        ". . . / . . . / X! . .",
        ". . . / O! . . / X . .",
        ". . . / O . . / X X! .",
        ". . . / O O! . / X X .",
    ]
    assert last == shown(diagram(match))
    assert [*map(shown, film(match.at(4)))] == before


def test_men_that_move_leave_a_square() -> None:
    """A man's former square stands out by itself: at home nobody enters it again."""
    match = after(begin(game=NINE_HOLES), "a1-a2 c5-c4")
    assert shown(diagram(match)) == "O O -~ / . . O! / . . . / X . . / - X X"
    played_on = after(match, "a2-b3")
    assert shown(diagram(played_on)) == "O O - / . . O / . X! . / .~ . . / - X X"


def test_a_man_that_is_picked_up_shows_its_targets() -> None:
    """Nothing else stands out then, not even the last move."""
    match = after(begin(game=NINE_HOLES, options={"variant": "step"}), "a1-a2 a5-a4 b1-b2 b5-b4")
    match = after(match, "c1-c3 c5-c2")
    assert moves_men(match) and not moves_men(begin())
    picked = diagram(match, pick=Square.parse("c3"))
    assert shown(picked) == "- - - / O O .? / . .? X^ / X X O / - - -"


def test_a_hint_shows_beside_the_last_move() -> None:
    """It marks where the move lands and, if it moves a man, the man."""
    match = after(begin(), "b2")
    assert shown(diagram(match, hint=Move.parse("c3"))) == ". . .+ / . X! . / . . ."
    men = after(begin(game=NINE_HOLES), "a1-a2 c5-c4")
    hinted = diagram(men, hint=Move.parse("c1-c2"))
    assert shown(hinted) == "O O -~ / . . O! / . . . / X . .+ / - X X^"
    falling = after(Match.start("connectfour", rows=5, columns=5), "c")
    *_, second, lowest = shown(diagram(falling, hint=Move.parse("c"))).split(" / ")
    assert (second, lowest) == (". . .+ . .", ". . X! . .")


def test_gains_mark_the_moves_that_bring_them() -> None:
    """A move may be marked without a number, in a game without points."""
    match = after(begin(), "b2")
    gains = {Move.parse("a1"): None, Move.parse("c3"): 0}
    assert shown(diagram(match, gains=gains)) == ". . .?0 / . X! . / .? . ."


def test_squares_that_changed_hands() -> None:
    """The square of a move and those that it took differ, and news may be several moves."""
    start = TRIBOLO.parse("BR./RB./GR. B")
    match = Match(TRIBOLO, {"size": "small"}, (ALICE, BOB, CAROL), start)
    boards = []
    for move in ("c3", "c2", "c1"):
        match = after(match, move)
        boards.append(shown(diagram(match)))
    assert boards == [
        "B B< B! / R B . / G R .",
        "B B< B! / R R< R! / G R .",  # green, who moves next, has seen neither move
        "B B B / R R R / G G< G!",
    ]
