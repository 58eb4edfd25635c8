"""Tables of `docs/measurements.md`, as Markdown."""

from collections.abc import Iterable, Sequence


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]] = ()) -> str:
    """Return a Markdown table; all columns but the first are numbers, to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(map(markdown_row, lines))


def markdown_row(cells: Sequence[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def in_ms(seconds: float) -> str:
    """Return seconds as milliseconds."""
    return figures(seconds * 1000)


def figures(number: float) -> str:
    """Return a number with three significant digits, thousands in full."""
    return f"{number:.3g}" if number < 1000 else f"{number:,.0f}"
