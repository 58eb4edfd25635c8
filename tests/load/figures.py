"""Summaries of measurements, in words and in tables."""

from collections.abc import Iterable, Iterator, Sequence


def percentile(times: Sequence[float], percent: float) -> float:
    """Return a percentile by the nearest rank; 0 if there are no times."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0


def in_ms(times: Sequence[float]) -> str:
    """Return the median, the 99th percentile and the longest of times in seconds, in words."""
    median, late, longest = (1000 * percentile(times, percent) for percent in (50, 99, 100))
    return f"{median:.1f} ms (median), {late:.1f} ms (99th percentile), at most {longest:.1f} ms"


def columns(head: Sequence[str], rows: Iterable[Sequence[str | int | float]]) -> Iterator[str]:
    """Yield the lines of a table; fractions have two digits, and all columns end to the right."""
    texts = [[f"{one:.2f}" if isinstance(one, float) else str(one) for one in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *texts, strict=True)]
    for row in (head, *texts):
        yield "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
