"""Print how far test sets of connect four are solved: `python -m tests.strength.published FILE…`.

A line of a set has a position's columns and its score, as in `tests/golden/engine/connectfour.txt`,
or its squares and result, as J. Tromp's `connect-4.data` in the UCI Machine Learning Repository.
Seconds are those that a move takes an ordinary core, as in `times`.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from core.engine.bitboards import split
from core.engine.drops.search import DropSearch
from core.engine.player import DEFAULT_WORK
from core.engine.search import Findings
from core.games.connectfour.position import ConnectFourPosition
from core.outcome import Result
from tests.core.engine.drops.scored import USUAL, agrees, position_of, scored
from tests.strength.tables import markdown
from tests.strength.times import ordinary_seconds

HEAD = ("set", "positions", "result known", "distance known", "wrong", "mean s", "longest s")


def cells(path: Path) -> tuple[str, ...]:
    """Solve the positions of a set, each by a new search, and return its row."""
    seconds, known, measured, wrong = [], 0, 0, 0
    for line in path.read_text().splitlines():
        position, holds = (by_squares if "," in line else by_columns)(line)
        found, taken = ordinary_seconds(partial(DropSearch(DEFAULT_WORK).best, position.view))
        seconds.append(taken)
        known += found.result is not None
        measured += found.result is Result.DRAW or found.plies is not None
        wrong += found.result is not None and not holds(found)
    counts = (len(seconds), known, measured, wrong)
    times = (sum(seconds) / len(seconds), max(seconds))
    return (path.name, *map(str, counts), *(f"{value:.2f}" for value in times))


def by_columns(line: str) -> tuple[ConnectFourPosition, Callable[[Findings], bool]]:
    """Return the position of a line such as ``4453 -2``, and a check of a search's findings."""
    [(columns, score)] = scored([line])
    return position_of(columns), lambda found: agrees(found, columns, score)


def by_squares(line: str) -> tuple[ConnectFourPosition, Callable[[Findings], bool]]:
    """Return the position of a line such as ``b,b,…,x,o,b,win``, and a check of findings.

    Its squares are in the order of `DropBoard`: upwards in each column. `x` moves first, and next.
    """
    *squares, result = line.split(",")
    pieces = [
        sum(bit for bit, found in zip(split(USUAL.full), squares, strict=True) if found == side)
        for side in "xo"
    ]
    position = ConnectFourPosition(USUAL, (pieces[0], pieces[1]))
    return position, lambda found: found.result == result


if __name__ == "__main__":
    print(markdown(HEAD, (cells(Path(name)) for name in sys.argv[1:])))
