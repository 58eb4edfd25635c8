"""Cross-tables and brackets: small enough for a phone, with any names, and marked where cut."""

import time
from itertools import pairwise
from math import ceil

from bot.pictures.bracket import draw_bracket
from bot.pictures.canvas import width_of
from bot.pictures.colours import GOLD, GREEN, PANEL, RECENT
from bot.pictures.crosstable import draw_crosstable
from bot.pictures.model import Bracket, Cell, Crosstable, Row, Side
from tests.bot.pictures.pixels import coloured, lit, opened

ANY_NAME = "Ǻ\u202e\ud800 محمد李 $x$ " + "W" * 400


def table(size: int, results: str = "1", name: str = "Alice", *, cut: bool = False) -> Crosstable:
    """Return the cross-table of a round robin in which everybody has these results."""
    cells = tuple(None if at == 0 else Cell(results) for at in range(size))
    rows = tuple(
        Row(str(at + 1), name, cells[-at:] + cells[:-at], "15½", gone=at == 1, leads=at == 0)
        for at in range(size)
    )
    return Crosstable(tuple(row.number for row in rows), rows, cut)


def bracket(rounds: int, name: str = "Alice") -> Bracket:
    """Return a bracket of as many rounds, in which the upper side has always won."""
    tie = (Side("1", name, "1", won=True), Side("256", name, "½", won=False, gone=True))
    return Bracket(tuple((tie,) * (1 << at) for at in reversed(range(rounds))))


def test_sixteen_players_fit_a_phone() -> None:
    """A phone 390 pixels wide shows two pixels of the picture as one; its letters are 18 high."""
    assert opened(draw_crosstable(table(16))).width <= 680
    assert opened(draw_bracket(bracket(4))).width <= 680


def test_a_crosstable_marks_the_leader_wins_and_meetings_with_oneself() -> None:
    image = opened(draw_crosstable(table(3)))
    assert coloured(image, GOLD) and coloured(image, GREEN) and coloured(image, RECENT)
    assert coloured(image, PANEL) > {(0, 0), (image.width - 1, image.height - 1)}


def test_two_results_make_columns_wider() -> None:
    one, two = (opened(draw_crosstable(table(6, results))) for results in ("1", "1½"))
    assert two.width > one.width


def test_an_opponents_number_stands_apart_from_the_result() -> None:
    """The number 11 and the result ½ don't look like one number."""
    row = Row("1", "Alice", (Cell("½", against="11"),), "½")
    image = opened(draw_crosstable(Crosstable(("1",), (row,))))
    right = 8 + 30 + 148 + 50
    cell = image.crop((right - 49, 8 + 30 + 2, right - 1, 8 + 2 * 30 - 2))
    columns = sorted({x for x, _ in lit(cell)})
    gaps = [after - x - 1 for x, after in pairwise(columns)]
    assert max(gaps) >= 4


def test_an_ellipsis_says_that_rows_or_ties_are_left_out() -> None:
    whole, cut = (opened(draw_crosstable(table(4, cut=cut))) for cut in (False, True))
    assert cut.height > whole.height
    last = cut.crop((0, whole.height - 8, cut.width, cut.height))
    assert len(last.getcolors() or ()) > 1, "something is drawn there"
    shown = bracket(2)
    part = Bracket(shown.rounds, before=True, after=True, above=True, below=True)
    small, large = (opened(draw_bracket(one)) for one in (shown, part))
    assert (large.width - small.width, large.height - small.height) == (44, 44)
    for box in (
        (0, 0, large.width, 22),
        (0, large.height - 22, large.width, large.height),
        (0, 0, 22, large.height),
        (large.width - 22, 0, large.width, large.height),
    ):
        assert len(large.crop(box).getcolors() or ()) > 1, "something is drawn there"


def test_the_winner_of_a_tie_has_a_bar_as_well_as_a_colour() -> None:
    image = opened(draw_bracket(bracket(1)))
    golden = coloured(image, GOLD)
    bar = {(x, y) for x in range(8, 11) for y in range(14, 28)}
    assert bar <= golden
    assert not {(x, y + 26) for x, y in bar} & golden


def test_a_long_name_leaves_room_for_the_points() -> None:
    """The points of a tie with several games are not written over the name."""
    sides = Side("1", "W" * 40, "1½", won=True), Side("2", "W" * 40, "½", won=False)
    image = opened(draw_bracket(Bracket(((sides,),))))
    for number, side in enumerate(sides):
        left, top = image.width - 12 - ceil(width_of(side.points, 18)), 8 + 26 * number
        assert lit(image.crop((left, top + 4, image.width, top + 22))), "the points are there"
        assert not lit(image.crop((left - 5, top + 4, left - 1, top + 22)))


def test_any_name_can_be_drawn() -> None:
    opened(draw_crosstable(table(3, name=ANY_NAME)))
    opened(draw_bracket(bracket(2, name=ANY_NAME)))


def test_the_largest_pictures_are_drawn_in_time() -> None:
    """Each takes less than five of the twenty seconds allowed, and less than 100 kB."""
    began = time.process_time()
    pictures = [draw_crosstable(table(32, "½½", cut=True)), draw_bracket(bracket(5))]
    assert time.process_time() - began < 10
    assert max(map(len, pictures)) < 100_000
