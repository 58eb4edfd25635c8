"""The two tables of `docs/engine.md`, as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import attrgetter
from statistics import median

CAP_SECONDS = 10.0

MOVES_HEAD = ("board", "positions", "exact", "median ms", "p99 ms", "max ms", "limit ms")
RIVALS = ("easyAI", "OpenSpiel")
RIVALS_HEAD = (
    *("board", "positions", "exact"),
    *(head for rival in RIVALS for head in (f"{rival} ms", "/ ours")),
)


@dataclass(frozen=True)
class MovesRow:
    """The seconds that our moves took, and the number of them whose value was exact."""

    board: str
    seconds: Sequence[float]
    exact: int
    limit: float

    def cells(self) -> tuple[str, ...]:
        """Return the row as text."""
        ordered = sorted(self.seconds)
        p99 = ordered[int(0.99 * (len(ordered) - 1))]
        return (
            self.board,
            str(len(ordered)),
            f"{self.exact / len(ordered):.0%}",
            *(_ms(value) for value in (median(ordered), p99, ordered[-1])),
            f"{self.limit:g}",
        )


@dataclass(frozen=True)
class Race:
    """The seconds that another player and ours took for each of the same positions.

    `exact` counts the positions whose value ours knows; theirs knows it or is given up.
    """

    board: str
    rival: str
    positions: str
    ours: Sequence[float]
    theirs: Sequence[float]
    exact: int

    @property
    def share(self) -> str:
        """The share of positions whose value ours knows."""
        return f"{self.exact / len(self.ours):.0%}"

    def cells(self) -> tuple[str, str]:
        """Return their time and its ratio to ours; a median of given-up moves is a lower bound."""
        ours, theirs = median(self.ours), median(self.theirs)
        bound = "> " if theirs >= CAP_SECONDS else ""
        shown = min(theirs, CAP_SECONDS)
        return f"{bound}{_ms(shown)}", f"{bound}{_figures(shown / ours)}"


def rivals_rows(races: Iterable[Race]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each board and its positions, with empty cells for a rival not measured."""
    key = attrgetter("board", "positions")
    for (board, positions), group in groupby(sorted(races, key=key), key):
        beside = {race.rival: race for race in group}
        shares = " ".join(sorted({race.share for race in beside.values()}))
        times = (beside[rival].cells() if rival in beside else ("", "") for rival in RIVALS)
        yield board, positions, shares, *chain.from_iterable(times)


def _ms(seconds: float) -> str:
    """Return seconds as milliseconds."""
    return _figures(seconds * 1000)


def _figures(number: float) -> str:
    """Return a number with three significant digits, thousands in full."""
    return f"{number:.3g}" if number < 1000 else f"{number:,.0f}"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; all columns but the first are numbers, to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(map(markdown_row, lines))


def markdown_row(cells: Sequence[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"
