"""Ratings over time as a PNG: one line per series, on an opaque panel.

Series differ in marker and dashes as well as in colour. All texts come from the caller; dates are
in numbers and in UTC, so that the chart needs no language.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator
from PIL import Image

from bot.pictures.model import Series
from bot.pictures.style import (
    DIM,
    FONT,
    GREEN,
    ORANGE,
    PANEL,
    PINK,
    RECENT,
    RED,
    SKY,
    TEXT,
    YELLOW,
    writable,
)

_INCHES, _DPI = (8, 4), 100
_PADDING = 0.12
_COLOURS_KEPT = 128
_COLOURS = (SKY, ORANGE, GREEN, RED, YELLOW, PINK, TEXT)
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
# A marker on each of many points would hide the line.
_MOST_MARKERS = 24
_MOST_NAMES = 12
_LONGEST_TITLE, _LONGEST_LABEL, _LONGEST_NAME, _LONGEST_OF_THREE = 70, 40, 28, 18
# The least an axis spans, in days and in rating, so that small changes look small; and the margin
# beyond the points, as a share of the span.
_LEAST_DAYS, _LEAST_POINTS = 1, 4
_ROOM = 0.05

# Formats of dates, from years to seconds: at a tick, at the first tick of a longer unit (the first
# of a month, say), and beside the axis.
_AT_TICKS = ["%Y", "%Y-%m", "%m-%d", "%H:%M", "%H:%M", "%H:%M:%S"]
_AT_BEGINNINGS = ["", "%Y", "%Y-%m", "%m-%d", "%H:%M", "%H:%M"]
_BESIDE = ["", "%Y", "%Y-%m", "%Y-%m-%d", "%Y-%m-%d", "%Y-%m-%d"]


def plot(title: str, label: str, series: Sequence[Series]) -> bytes:
    """Return a PNG of 800x400 pixels; `label` names the axis of ratings."""
    layout = ConstrainedLayoutEngine(w_pad=_PADDING, h_pad=_PADDING)
    figure = Figure(_INCHES, _DPI, facecolor=PANEL, layout=layout)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    shown = [one for one in series if one.points]
    lines = [_line(axes, number, one) for number, one in enumerate(shown)]
    _style(axes)
    if not shown:
        axes.tick_params(left=False, bottom=False, labelleft=False, labelbottom=False)
    else:
        _set_limits(axes, [point for one in shown for point in one.points])
        _add_legend(figure, lines, shown)
    _set_text(axes.set_title(" "), writable(title, _LONGEST_TITLE), 13)
    _set_text(axes.set_ylabel(" "), writable(label, _LONGEST_LABEL), 11)
    canvas.draw()
    return _png(canvas)


def _png(canvas: FigureCanvasAgg) -> bytes:
    """Return the canvas as a PNG with a palette, a third of the size of one in full colour."""
    drawn = Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba())
    file = BytesIO()
    few = drawn.convert("RGB").quantize(_COLOURS_KEPT, dither=Image.Dither.NONE)
    few.save(file, "PNG", optimize=True)
    return file.getvalue()


def _day(seconds: float) -> float:
    """Return Unix seconds as matplotlib's days."""
    return float(date2num(datetime.fromtimestamp(seconds, UTC)))


def _line(axes: Axes, number: int, series: Series) -> Line2D:
    """Draw a series as a line whose last point always has a marker."""
    days = [_day(seconds) for seconds, _ in series.points]
    every = -(-len(days) // _MOST_MARKERS)
    (line,) = axes.plot(
        days,
        [rating for _, rating in series.points],
        color=_COLOURS[number % len(_COLOURS)],
        linestyle=_DASHES[number % len(_DASHES)],
        linewidth=2,
        marker=_MARKERS[number % len(_MARKERS)],
        markersize=7,
        markeredgecolor=PANEL,
        markevery=((len(days) - 1) % every, every),
        clip_on=False,
    )
    return line


def _style(axes: Axes) -> None:
    """Set the colours of the axes, and their dates in numbers."""
    axes.set_facecolor(PANEL)
    axes.grid(color=RECENT, linewidth=0.6)
    axes.tick_params(colors=DIM, labelcolor=TEXT, labelsize=10)
    for spine in axes.spines.values():
        spine.set_color(DIM)
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    locator = AutoDateLocator(UTC, minticks=3, maxticks=8)
    dates = ConciseDateFormatter(locator, UTC, _AT_TICKS, _BESIDE, _AT_BEGINNINGS)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(dates)
    axes.xaxis.get_offset_text().set_color(TEXT)


def _set_limits(axes: Axes, points: Sequence[tuple[float, float]]) -> None:
    """Set the limits of the axes to show every point, with a margin."""
    days, ratings = [_day(seconds) for seconds, _ in points], [rating for _, rating in points]
    axes.set_xlim(_widened(days, _LEAST_DAYS))
    axes.set_ylim(_widened(ratings, _LEAST_POINTS))


def _widened(values: Sequence[float], least: float) -> tuple[float, float]:
    """Return the lowest and highest of `values` with a margin, at least `least` apart."""
    low, high = min(values), max(values)
    room = max((high - low) * _ROOM, (least - (high - low)) / 2)
    return low - room, high + room


def _add_legend(figure: Figure, lines: Sequence[Line2D], series: Sequence[Series]) -> None:
    """Put a legend with the names of the series below the axes."""
    names = [writable(one.name, _LONGEST_NAME) for one in series[:_MOST_NAMES]]
    columns = 3 if max(map(len, names)) <= _LONGEST_OF_THREE else 2
    legend = figure.legend(
        lines[:_MOST_NAMES],
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
    text.set_fontproperties(FontProperties(fname=FONT, size=size))
    text.set_color(TEXT)
    text.set_text(words)
