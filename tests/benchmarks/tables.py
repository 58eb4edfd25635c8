"""The two tables of `docs/engine.md`, as Markdown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

CAP_SECONDS = 10.0

MOVES_HEAD = ("board", "positions", "exact", "median ms", "p99 ms", "max ms", "limit ms")
RIVALS_HEAD = ("board", "player", "positions", "exact", "ours ms", "theirs ms", "theirs / ours")


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
class RivalsRow:
    """The seconds that another player and ours took for each position.

    `exact` counts the positions whose value ours knows; theirs knows it or is given up.
    """

    board: str
    player: str
    positions: str
    ours: Sequence[float]
    theirs: Sequence[float]
    exact: int

    def cells(self) -> tuple[str, ...]:
        """Return the row as text; a median of given-up moves is a lower bound."""
        ours, theirs = median(self.ours), median(self.theirs)
        bound = "> " if theirs >= CAP_SECONDS else ""
        return (
            self.board,
            self.player,
            self.positions,
            f"{self.exact / len(self.ours):.0%}",
            _ms(ours),
            f"{bound}{_ms(min(theirs, CAP_SECONDS))}",
            f"{bound}{_figures(min(theirs, CAP_SECONDS) / ours)}",
        )


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
