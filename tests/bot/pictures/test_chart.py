"""Rating charts: legible for everyone, with any numbers and names."""

import logging
import time
from collections.abc import Sequence
from random import Random

import pytest

from bot.pictures.chart import date_of, dated, draw_chart
from bot.pictures.colours import ORANGE, PANEL, SKY
from bot.pictures.model import Chart, Line, Point
from bot.times import DAY
from tests.bot.pictures.pixels import coloured, lit, opened
from tests.bot.playing import NOW

START = 1000


def plot(title: str, label: str, lines: Sequence[Line]) -> bytes:
    """Return a chart of ratings that begin at START."""
    return draw_chart(Chart(title, label, tuple(lines), START))


def walk(name: str, points: int, seed: int = 1, every: int = DAY) -> Line:
    """Return a rating that changes randomly once in `every` seconds."""
    rng, rating, found = Random(seed), 1000.0, list[Point]()
    for number in range(1, points + 1):
        rating += rng.gauss(0, 15)
        found.append(Point(number, NOW + number * every, rating))
    return Line(name, tuple(found))


def test_a_chart_has_its_size_and_is_small() -> None:
    """It has 800x400 pixels, both series, and less than 100 kB."""
    png = plot("Alice", "Rating", [walk("Tic-tac-toe", 60), walk("Nine Holes", 30, 2)])
    image = opened(png)
    assert image.size == (800, 400)
    assert len(png) < 100_000
    assert coloured(image, SKY)
    assert coloured(image, ORANGE)


def test_the_chart_is_light_on_dark() -> None:
    """The panel is opaque, so the chart looks the same on a light and on a dark page."""
    image = opened(plot("Alice", "Rating", [walk("Tic-tac-toe", 60)]))
    panel = coloured(image, PANEL)
    assert {(0, 0), (799, 0), (0, 399), (799, 399)} < panel
    assert len(panel) > 250_000
    assert 1_000 < len(lit(image)) < 60_000


def test_lines_differ_without_colour() -> None:
    """In black and white, the same line looks different as first and as second series."""
    one, other = walk("", 12, 1), walk("", 12, 2)
    as_first = lit(opened(plot("", "", [one, other])))
    as_second = lit(opened(plot("", "", [other, one])))
    assert len(as_first ^ as_second) > 300


@pytest.mark.parametrize("points", [1, 2_000])
def test_any_number_of_points(points: int) -> None:
    """One match is a dot and years of matches are a line; both take seconds at most."""
    began = time.process_time()
    png = plot("Alice", "Rating", [walk("Tic-tac-toe", points)])
    assert time.process_time() - began < 5
    assert len(coloured(opened(png), SKY)) > 20
    assert len(png) < 100_000


def test_many_lines_are_drawn() -> None:
    """Forty series of as many points as a profile has are drawn, with as many names as fit."""
    png = plot("All", "Rating", [walk(f"Game {n}", 202, n) for n in range(40)])
    assert opened(png).size == (800, 400)
    assert len(png) < 100_000


def test_a_line_that_only_falls_was_best_at_its_start() -> None:
    """The number of the best rating stands above the start, and not above the first match."""
    falls = Line("Tic-tac-toe", tuple(Point(n, NOW + n * DAY, START - 40.0 * n) for n in (1, 2)))
    drawn = coloured(opened(plot("Alice", "Rating", [falls])), SKY)
    at_start = {y for x, y in drawn if x < min(drawn)[0] + 30}
    # There is a gap between the number and the marker.
    assert {*range(min(at_start), max(at_start))} - at_start


def test_equal_ratings_and_equal_times() -> None:
    """A flat line, and matches in the same second, are drawn within the axes."""
    flat = Line("flat", tuple(Point(day, NOW + day * DAY, START) for day in range(1, 6)))
    at_once = Line("at once", (Point(1, NOW, 10.0), Point(2, NOW, 20.0)))
    for series in (flat, at_once):
        assert coloured(opened(plot("", "", [series])), SKY)


def test_matches_of_one_evening_are_a_line_across() -> None:
    """Matches are evenly spaced by their number: twelve minutes look as wide as twelve months."""
    evening, year = (walk("Tic-tac-toe", 12, every=every) for every in (60, 30 * DAY))
    wide = [
        {x for x, _ in coloured(opened(plot("", "", [series])), SKY)} for series in (evening, year)
    ]
    assert wide[0] == wide[1]
    assert max(wide[0]) - min(wide[0]) > 550


def test_a_line_begins_at_the_start_value() -> None:
    """The first match is a step from a newcomer's rating, not a dot."""
    (won,) = (Line("", (Point(1, NOW, START + 70),)),)
    seen = coloured(opened(plot("", "", [won])), SKY)
    assert max(y for _, y in seen) - min(y for _, y in seen) > 150


def test_dates_stand_below_the_matches() -> None:
    """Each number has its date, unless the number before has the same date."""
    points = [Point(n, NOW + day * DAY, START) for n, day in ((1, 0), (2, 0), (3, 0), (9, 40))]
    first, last = (date_of(point.moment) for point in (points[0], points[-1]))
    assert dated([0, 2, 3, 6, 9], points) == [
        "0\n", f"2\n{first}", "3\n", "6\n", f"9\n{last}"
    ]  # fmt: skip


@pytest.mark.parametrize("series", [[], [Line("Tic-tac-toe", ())]])
def test_a_chart_without_points(series: list[Line]) -> None:
    """Without points the axes have no numbers."""
    assert len(lit(opened(plot("", "", series)))) < 3_000


ODD = (
    "$x^2$ and $\\frac{",
    "_hidden",
    "日本語の名前 🎲",
    "a\nb\x00\u202e\ud800\u2028",
    "العربية",
    "W" * 5_000,
    "",
)


@pytest.mark.parametrize("text", ODD)
def test_any_name_is_drawn(text: str, caplog: pytest.LogCaptureFixture) -> None:
    """Any text is drawn literally and without warnings; unknown letters become boxes."""
    with caplog.at_level(logging.INFO, "matplotlib"):
        png = plot(text, text, [walk(text, 3), walk(text + "2", 3, 2)])
    assert opened(png).size == (800, 400)
    assert not caplog.records


def test_a_dollar_sign_is_literal() -> None:
    """A title with dollar signs is wider than the title without."""
    with_dollars, without = (lit(opened(plot(title, "", []))) for title in ("$iii$", "iii"))
    assert max(x for x, y in with_dollars if y < 30) > max(x for x, y in without if y < 30)
