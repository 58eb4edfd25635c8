"""Retrograde analysis: perfect play in games for two that can go in circles.

The table is built from the finished positions backwards. A position is won if one of its moves
leads to a lost position, and lost if all of its moves lead to won positions. A position that stays
undecided is a draw by endless play, and isn't stored. Endgame tablebases are built like this (K.
Thompson, *Retrograde Analysis of Certain Endgames*, ICCA Journal 9/3, 1986).

Tablebases are made in advance (`core.engine.books.make`), because solving a game takes as long as a
search, and reading its tablebase a millisecond.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from core.engine.books import content
from core.engine.search import Findings
from core.outcome import Result
from core.views import LoopRules, LoopView

Tablebase: TypeAlias = dict[int, int]
"""The plies to the end of each decided position: odd if the seat to move wins, even if it loses."""

_ENTRY_BYTES = 5  # four for the position, one for its plies


def solve(rules: LoopRules) -> Tablebase:
    """Return the tablebase of a game; positions that it doesn't hold are drawn.

    The winner takes the shortest way and the loser the longest.
    """
    plies = dict.fromkeys(rules.finished(), 0)
    last = list(plies)
    depth = 0
    escapes: dict[int, int] = {}
    while last:
        reached = []
        lost = depth % 2 == 0
        depth += 1
        for before in chain.from_iterable(map(rules.predecessors, last)):
            if before in plies:
                continue
            if not lost:  # one escape fewer; without any the position is lost
                escapes[before] = escapes.get(before, len(rules.replies(before))) - 1
            if lost or not escapes[before]:
                plies[before] = depth
                reached.append(before)
        last = reached
    return plies


@lru_cache(maxsize=64)
def shipped(label: str) -> Tablebase | None:
    """Return the tablebase made in advance for the rules with this label, None if there is none."""
    packed_table = content(f"{label}.tablebase")
    if packed_table is None:
        return None
    unpacked = zlib.decompress(packed_table)
    count = len(unpacked) // _ENTRY_BYTES
    codes = struct.unpack_from(f">{count}I", unpacked)
    return dict(zip(codes, unpacked[-count:], strict=True))


def packed(tablebase: Tablebase) -> bytes:
    """Return a tablebase in the form of its file, which `shipped` reads."""
    codes = sorted(tablebase)
    plies = bytes(tablebase[code] for code in codes)
    return zlib.compress(struct.pack(f">{len(codes)}I", *codes) + plies, 9)


@lru_cache(maxsize=64)
def _tablebase(rules: LoopRules) -> Tablebase:
    """Return the shipped tablebase of the rules; if there is none, solve them."""
    return shipped(rules.label) or solve(rules)


class RetrogradeSearch:
    """Moves by the tablebase of the rules; without a shipped one it is built when first asked for.

    A tablebase is exact, so keeping it can't make a move depend on what was asked before.
    """

    def quick_moves(self, view: LoopView, plies: int, *, positional: bool = False) -> list[int]:
        """Return the indices of the moves that are equally good as far as `plies` plies ahead.

        With `positional`, only those of them after which the most replies lose, by the tablebase.
        """
        known = _tablebase(view.rules)
        seen = {code: end for code in view.replies if (end := known.get(code, plies)) < plies}
        best = _best(view.replies, seen)
        return _trapping(view, best) if positional else best

    def best(self, view: LoopView, met: Iterable[int] = ()) -> Findings:
        """Return the best moves and their exact value.

        If the position is a draw, the best moves are those that lead back least often to positions
        in `met`.
        """
        known = _tablebase(view.rules)
        best = _best(view.replies, known)
        plies = known.get(view.code)
        if plies is None:
            best = _least_repeating(view, best, Counter(met))
            return Findings(_trapping(view, best), Result.DRAW)
        return Findings(_trapping(view, best), Result.WIN if plies % 2 else Result.LOSS, plies)


def _trapping(view: LoopView, moves: list[int]) -> list[int]:
    """Return those of equally good `moves` that set most traps, or one trap fewer than most.

    A trap is a reply that loses. The moves with one trap fewer are there for variety: if the answer
    were always the same, the game would go in circles.
    """
    known = _tablebase(view.rules)
    traps = {
        code: sum(known.get(after, 0) % 2 for after in view.rules.replies(code))
        for code in {view.replies[i] for i in moves}
    }
    least = max(traps.values()) - 1
    return [i for i in moves if traps[view.replies[i]] >= least]


def _least_repeating(view: LoopView, moves: list[int], times: Counter[int]) -> list[int]:
    """Return the `moves` to positions met least often and, of these, with fewest replies back.

    `times` counts how often each position was met.
    """

    def repetitions(i: int) -> tuple[int, int]:
        code = view.replies[i]
        return times[code], sum(times[after] for after in view.rules.replies(code))

    repeating = {i: repetitions(i) for i in moves}
    least = min(repeating.values())
    return [i for i, again in repeating.items() if again == least]


def _best(replies: tuple[int, ...], tablebase: Tablebase) -> list[int]:
    """Return the indices of the replies that are best for the seat that moves to them."""
    preferences = [_preference(tablebase.get(code)) for code in replies]
    best = max(preferences)
    return [i for i, preference in enumerate(preferences) if preference == best]


def _preference(plies: int | None) -> tuple[int, int]:
    """Return a key that is the greater, the better a move is to a position with this entry."""
    if plies is None:
        return 0, 0
    return (-1, plies) if plies % 2 else (1, -plies)
