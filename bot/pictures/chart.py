"""Ratings by match as a PNG: one line per game, on an opaque panel.

Matches are evenly spaced, however many fall on one day, with their numbers and dates below. Each
line begins at a newcomer's rating, and has its best rating written beside it. Lines differ in
marker and dashes as well as in colour. All texts come from the caller; dates are in numbers and in
UTC, so that the chart needs no language.
"""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator
from PIL import Image

from bot.pictures.canvas import png
from bot.pictures.colours import DIM, GREEN, ORANGE, PANEL, PINK, RECENT, RED, SKY, TEXT, YELLOW
from bot.pictures.fonts import families, writable
from bot.pictures.model import Chart, Line, Point

_INCHES, _DPI = (8, 4), 100
_PADDING = 0.12
_COLOURS_KEPT = 128
_COLOURS = (SKY, ORANGE, GREEN, RED, YELLOW, PINK, TEXT)
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
# A marker on each of many points would hide the line.
_MOST_MARKERS = 24
_MOST_NAMES = 12
# Characters: of the title, of the axis, of a line's name, and of one beside two others.
_LONGEST_TITLE = 70
_LONGEST_LABEL = 40
_LONGEST_NAME = 28
_LONGEST_OF_THREE = 18
# The least span of the axes, in matches and in rating, so that small changes look small; and the
# margin beyond the points, as a share of the span.
_LEAST_MATCHES, _LEAST_POINTS = 2, 4
_ROOM = 0.07
_MOST_TICKS = 7


def draw_chart(chart: Chart) -> bytes:
    """Return a PNG of 800x400 pixels."""
    layout = ConstrainedLayoutEngine(w_pad=_PADDING, h_pad=_PADDING)
    figure = Figure(_INCHES, _DPI, facecolor=PANEL, layout=layout)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    shown = [one for one in chart.lines if one.points]
    drawn = [_line(axes, number, one, chart.start) for number, one in enumerate(shown)]
    _style(axes)
    if not shown:
        axes.tick_params(left=False, bottom=False, labelleft=False, labelbottom=False)
    else:
        axes.axhline(chart.start, color=DIM, linewidth=1, linestyle=":")
        _set_scale(axes, sorted(point for one in shown for point in one.points), chart.start)
        _add_legend(figure, drawn, shown)
    _set_text(axes.set_title(" "), writable(chart.title, _LONGEST_TITLE), 13)
    _set_text(axes.set_ylabel(" "), writable(chart.label, _LONGEST_LABEL), 11)
    canvas.draw()
    return _png(canvas)


def _png(canvas: FigureCanvasAgg) -> bytes:
    """Return the canvas as a PNG with a palette, which has a third of the size of full colour."""
    drawn = Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba())
    return png(drawn.convert("RGB").quantize(_COLOURS_KEPT, dither=Image.Dither.NONE))


def _line(axes: Axes, number: int, line: Line, start: float) -> Line2D:
    """Draw a line from `start` on, with its best rating in numbers.

    Its last point always has a marker.
    """
    first = line.points[0]
    colour = _COLOURS[number % len(_COLOURS)]
    numbers = [first.number - 1, *(point.number for point in line.points)]
    ratings = [start, *(point.rating for point in line.points)]
    every = -(-len(numbers) // _MOST_MARKERS)
    best = max(ratings)
    at, above = (numbers[ratings.index(best)], best), (0, 7)
    told = axes.annotate(" ", at, above, textcoords="offset points", ha="center")
    _set_text(told, f"{best:.0f}", 10)
    told.set_color(colour)
    (drawn,) = axes.plot(
        numbers,
        ratings,
        color=colour,
        linestyle=_DASHES[number % len(_DASHES)],
        linewidth=2,
        marker=_MARKERS[number % len(_MARKERS)],
        markersize=7,
        markeredgecolor=PANEL,
        markevery=((len(numbers) - 1) % every, every),
        clip_on=False,
    )
    return drawn


def _style(axes: Axes) -> None:
    """Set the colours of the axes, and let both count in whole numbers."""
    axes.set_facecolor(PANEL)
    axes.grid(color=RECENT, linewidth=0.6)
    axes.tick_params(colors=DIM, labelcolor=TEXT, labelsize=10)
    for spine in axes.spines.values():
        spine.set_color(DIM)
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(_MOST_TICKS, integer=True))


def _set_scale(axes: Axes, points: Sequence[Point], start: float) -> None:
    """Set the limits of the axes to show every point, with a margin, and date the matches.

    `points` are in the order of their numbers.
    """
    ratings = [start, *(point.rating for point in points)]
    axes.set_xlim(_widened([points[0].number - 1, points[-1].number], _LEAST_MATCHES))
    lowest, highest = _widened(ratings, _LEAST_POINTS)
    axes.set_ylim(lowest, highest + (highest - lowest) * _ROOM)  # for the number of the best
    low, high = axes.get_xlim()
    ticks = [int(tick) for tick in axes.get_xticks() if low <= tick <= high]
    axes.set_xticks(ticks, dated(ticks, points))


def dated(numbers: Sequence[int], points: Sequence[Point]) -> list[str]:
    """Return the labels of matches: the number, and below it the date, if the last one's differs.

    A match that isn't among `points` has the date of the match before it.
    """
    known = [point.number for point in points]
    labels = list[str]()
    last = ""
    for number in numbers:
        before = bisect_right(known, number) - 1
        date = date_of(points[before].moment) if before >= 0 else ""
        labels.append(f"{number}\n{'' if date == last else date}")
        last = date or last
    return labels


def date_of(moment: float) -> str:
    """Return the date of a moment in Unix seconds."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")


def _widened(values: Sequence[float], least: float) -> tuple[float, float]:
    """Return the lowest and highest of `values` with a margin, at least `least` apart."""
    low, high = min(values), max(values)
    room = max((high - low) * _ROOM, (least - (high - low)) / 2)
    return low - room, high + room


def _add_legend(figure: Figure, drawn: Sequence[Line2D], lines: Sequence[Line]) -> None:
    """Put a legend with the names of the lines below the axes."""
    names = [writable(one.name, _LONGEST_NAME) for one in lines[:_MOST_NAMES]]
    columns = 3 if max(map(len, names)) <= _LONGEST_OF_THREE else 2
    legend = figure.legend(
        drawn[:_MOST_NAMES],
        [" "] * len(names),  # matplotlib hides names that begin with _
        loc="outside lower center",
        ncols=min(columns, len(names)),
        frameon=False,
        handlelength=3.5,
    )
    for text, name in zip(legend.get_texts(), names, strict=True):
        _set_text(text, name, 10)


def _set_text(text: Text, words: str, size: float) -> None:
    """Set `words` literally: a $ begins no formula."""
    text.set_parse_math(False)
    text.set_fontproperties(FontProperties(family=families(), size=size))
    text.set_color(TEXT)
    text.set_text(words)
