"""Solved positions of connect four, by their columns and their scores."""

from collections.abc import Iterable
from pathlib import Path

from core.engine.search import Findings
from core.games.connectfour.position import ConnectFourPosition
from core.outcome import Result
from core.views import DropBoard

USUAL = DropBoard(columns=7, rows=6, line=4)
GOLDEN = Path(__file__).parents[3] / "golden" / "engine" / "connectfour.txt"

_SIGNS = {Result.WIN: 1, Result.DRAW: 0, Result.LOSS: -1}


def scored(lines: Iterable[str]) -> list[tuple[str, int]]:
    """Return the positions and scores of lines such as ``4453 -2``; comments begin with `#`."""
    cases = (line.split() for line in lines if not line.startswith("#"))
    return [(columns, int(score)) for columns, score in cases]


def golden() -> list[tuple[str, int]]:
    """Return the solved positions: their columns and the score, as `drops.c` writes it."""
    return scored(GOLDEN.read_text("utf-8").splitlines())


def bitboards(columns: str) -> tuple[int, int]:
    """Return the pieces of the side to move and all pieces, after moves such as ``4453``."""
    mine = taken = 0
    for column in columns:
        bit = USUAL.playable(taken) & USUAL.files[int(column) - 1]
        mine, taken = mine ^ taken, taken | bit
    return mine, taken


def position_of(columns: str) -> ConnectFourPosition:
    """Return the position after moves such as ``4453``."""
    mine, taken = bitboards(columns)
    pieces = (mine ^ taken, mine) if len(columns) % 2 else (mine, mine ^ taken)
    return ConnectFourPosition(USUAL, pieces)


def plies_of(columns: str, score: int) -> int | None:
    """Return the number of plies from a position with this score to the end; None for a draw."""
    if score == 0:
        return None
    winner = len(columns) % 2 if score > 0 else 1 - len(columns) % 2
    # The winner has 21 pieces, of which abs(score) - 1 are left at the end.
    used = 22 - abs(score)
    return 2 * used - (1 - winner) - len(columns)


def agrees(found: Findings, columns: str, score: int) -> bool:
    """Return whether a search found the right result and distance, or left them open."""
    if found.result is None:
        return True
    sign = (score > 0) - (score < 0)
    return _SIGNS[found.result] == sign and found.plies in (None, plies_of(columns, score))
