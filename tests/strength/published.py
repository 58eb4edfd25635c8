"""Print what is known of test sets of connect four: `python -m tests.strength.published FILE…`.

A line of a set has a position's columns and its score, as in `tests/golden/engine/connectfour.txt`.
Seconds are those that a move takes an ordinary core, as in `times`.
"""

import sys
from functools import partial
from pathlib import Path

from core.engine.drops.search import DropSearch
from core.engine.player import DEFAULT_WORK
from tests.benchmarks.tables import markdown
from tests.core.engine.drops.scored import agrees, position_of, scored
from tests.strength.times import ordinary_seconds

HEAD = ("set", "positions", "result known", "distance known", "wrong", "mean s", "longest s")


def cells(path: Path) -> tuple[str, ...]:
    """Solve the positions of a set, each by a new search, and return its row."""
    cases, seconds, known, measured, wrong = scored(path.read_text().splitlines()), [], 0, 0, 0
    for columns, score in cases:
        best = DropSearch(DEFAULT_WORK).best
        found, taken = ordinary_seconds(partial(best, position_of(columns).view))
        seconds.append(taken)
        known += found.result is not None
        measured += found.result is not None and (score == 0 or found.plies is not None)
        wrong += not agrees(found, columns, score)
    counts = (len(cases), known, measured, wrong)
    times = (sum(seconds) / len(seconds), max(seconds))
    return (path.name, *map(str, counts), *(f"{value:.2f}" for value in times))


if __name__ == "__main__":
    print(markdown(HEAD, (cells(Path(name)) for name in sys.argv[1:])))
