"""Perft: counts that two other programs agree on (golden/perft.json)."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.games import GAMES
from core.position import Position
from tests.core.boards import NINE_HOLES, TICTACTOE, TRIBOLO, reachable, start

TABLES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "perft.json").read_text("utf-8")
)


def frontiers(first: Position) -> Iterator[Counter[Position]]:
    """Yield, for 1, 2, 3 ... plies until the end, the positions and their numbers of paths."""
    frontier = Counter([first])
    while frontier:
        ahead: Counter[Position] = Counter()
        for position, ways in frontier.items():
            for move in position.legal_moves():
                ahead[position.play(move)] += ways
        frontier = ahead
        yield frontier


@pytest.mark.parametrize("most", [60_000, pytest.param(10**9, marks=pytest.mark.slow)])
@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table['game']} {table['options']}")
def test_sequences_of_plies(table: dict[str, Any], most: int) -> None:
    """The numbers of sequences of 1, 2, 3 ... plies are those of the table, in CI up to `most`."""
    first = start(GAMES[table["game"]], table["options"])
    counts = [count for count in table["perft"] if count <= most]
    depths = zip(counts, frontiers(first), strict=False)
    assert [frontier.total() for _, frontier in depths] == counts


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (
            "BRB...../..#G.#G./...BG.../G...R.RB/#..#..../.......R R",
            [2, 5, 14, 32, 113, 350],
        ),
        (
            "G#.#G.RR..G./..BB.B.GBGG./B.....#..BR./.#G........./..#........B/"
            "R....R...R../....B..G#.../.R.#.#..R... B",
            [6, 36, 153, 896],
        ),
    ],
    ids=["small", "medium"],
)
def test_sequences_of_plies_from_drawn_boards(text: str, counts: list[int]) -> None:
    """Tribolo with passes: a plain implementation of the rules counts the same."""
    depths = zip(counts, frontiers(TRIBOLO.parse(text)), strict=False)
    assert [frontier.total() for _, frontier in depths] == counts


def test_complete_games_on_nine_squares() -> None:
    """255,168 games of tic-tac-toe: X wins 131,184, O wins 77,904, and 46,080 are draws."""
    games: Counter[tuple[int, ...]] = Counter()
    for frontier in frontiers(start(TICTACTOE, {})):
        for position, ways in frontier.items():
            if (outcome := position.outcome()) is not None:
                games[outcome.ranks] += ways
    assert games == {(1, 2): 131_184, (2, 1): 77_904, (1, 1): 46_080}
    assert games.total() == 255_168


def test_positions_on_nine_squares() -> None:
    """5,478 positions; 958 are final: X has won 626, O 316, and 16 are draws."""
    positions = reachable(start(TICTACTOE, {}))
    ended = Counter(o.ranks for position in positions if (o := position.outcome()) is not None)
    assert len(positions) == 5478
    assert ended == {(1, 2): 626, (2, 1): 316, (1, 1): 16}


@pytest.mark.slow
def test_nine_holes_is_drawn_by_endless_play() -> None:
    """47,536 positions, 972 won; all 27 first moves draw; no forced win takes more than 5 plies."""
    first = start(NINE_HOLES, {})
    following = {p: [p.play(m) for m in p.legal_moves()] for p in reachable(first)}
    # Plies to a forced end; odd: the seat to move wins. Round n decides those of n plies.
    forced = {p: 0 for p in following if p.outcome() is not None}
    assert (len(following), len(forced)) == (47_536, 972)
    for plies in range(1, 12):
        for position, after in following.items():
            if position in forced:
                continue
            if plies % 2 and any(forced.get(p, 1) % 2 == 0 for p in after):
                forced[position] = plies  # a move to a position lost for the opponent
            elif plies % 2 == 0 and all(forced.get(p, 0) % 2 for p in after):
                forced[position] = plies  # every move leads to a win for the opponent
    assert max(forced.values()) == 5
    assert not any(position in forced for position in following[first])
