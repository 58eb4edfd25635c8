"""The tablebase of Nine Holes against known figures, its own laws and the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

import pytest

from core.engine.analysis import Value
from core.engine.books import FOLDER
from core.engine.books.make.tablebases import RULES
from core.engine.levels import Level
from core.engine.player import Engine
from core.engine.retrograde import RetrogradeSearch, Tablebase, packed, shipped, solve
from core.games.nineholes.board import VARIANTS, Variant
from core.games.nineholes.position import NineHolesPosition
from core.grid import Move
from core.outcome import Result
from core.views import LoopView
from tests.core.boards import NINE_HOLES, wandered


@cache
def table_of(variant: str) -> Tablebase:
    """Return the tablebase of a variant, solved once."""
    return solve(VARIANTS[variant])


def at_random(variant: str, rng: Random) -> NineHolesPosition:
    """Return an unfinished position of random play."""
    while True:
        position = wandered(NineHolesPosition(variant), rng.randrange(30), rng)
        if position.to_move is not None:
            return position


def test_the_known_figures() -> None:
    """6,304 positions can be reached; in 234 somebody has won; no win takes more than 5 plies.

    Symmetric positions count as one: with them there are 47,536 and 972, which the slow test in
    `test_perft.py` counts.
    """
    rules, table = VARIANTS["free"], table_of("free")
    found = ahead = {NineHolesPosition("free").code}
    while ahead:
        running = [code for code in ahead if table.get(code) != 0]
        ahead = {reply for code in running for reply in rules.replies(code)} - found
        found |= ahead
    assert len(found) == 6_304
    assert sum(table.get(code) == 0 for code in found) == 234
    assert max(plies for plies in table.values() if plies % 2) == 5


def test_every_first_move_draws() -> None:
    """Each of the 27 first moves draws, by endless play."""
    first = NineHolesPosition("free")
    engine = Engine()
    assert engine.analyse(first).value == Value((1, 1), None)
    after = [engine.analyse(first.play(move)).value for move in first.legal_moves()]
    assert after == [Value((1, 1), None)] * 27


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_laws_of_the_table(variant: str) -> None:
    """A win takes a ply more than the shortest loss it leads to, a loss than the longest win.

    A finished position leads nowhere.
    """
    table, rules = table_of(variant), VARIANTS[variant]
    for code, plies in table.items():
        replies = [table.get(reply) for reply in rules.replies(code)]
        decided = [end for end in replies if end is not None]
        if plies % 2:
            assert plies == 1 + min(end for end in decided if end % 2 == 0)
        elif plies:
            assert len(decided) == len(replies)
            assert plies == 1 + max(decided)
            assert all(end % 2 for end in decided)
        else:
            assert not replies


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_that_are_not_in_the_table_are_drawn(variant: str) -> None:
    """An undecided position has a move to an undecided one, and none to a lost one."""
    table = table_of(variant)
    rng = Random(3)
    for _ in range(300):
        position = at_random(variant, rng)
        ends = [table.get(position.play(move).code) for move in position.legal_moves()]
        if position.code not in table:
            assert None in ends
            assert not any(end is not None and end % 2 == 0 for end in ends)


@pytest.mark.parametrize("variant", VARIANTS)
def test_numbers_move_as_men_do(variant: str) -> None:
    """A number's replies are the positions after legal moves, and it is a predecessor of each."""
    rules = VARIANTS[variant]
    rng = Random(1)
    for _ in range(200):
        position = at_random(variant, rng)
        after = [position.play(move) for move in position.legal_moves()]
        assert position.view.replies == tuple(p.code for p in after)
        assert set(rules.replies(position.code)) == {p.code for p in after}
        for following in after:
            assert position.code in rules.predecessors(following.code)
            over = following.outcome() is not None
            assert (table_of(variant).get(following.code) == 0) == over


@cache
def forced(position: NineHolesPosition, plies: int) -> int | None:
    """Return the plies to a forced end, None beyond `plies` of them, by the rules alone."""
    if position.outcome() is not None:
        return 0
    if plies == 0:
        return None
    ends = [forced(position.play(move), plies - 1) for move in position.legal_moves()]
    won = [end for end in ends if end is not None and end % 2 == 0]
    if won:
        return min(won) + 1
    return None if None in ends else max(end for end in ends if end is not None) + 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_short_ends_by_brute_force(variant: str) -> None:
    """Ends within three plies are exactly those that a plain search finds."""
    rng = Random(2)
    for _ in range(10):
        position = at_random(variant, rng)
        plies = table_of(variant).get(position.code)
        assert forced(position, 3) == (plies if plies is not None and plies <= 3 else None)


def test_the_best_move_is_the_shortest_win_and_the_longest_loss() -> None:
    """Every best move leads to the end as soon, or as late, as the tablebase says."""
    search = RetrogradeSearch()
    table = table_of("free")
    rng = Random(5)
    for _ in range(400):
        position = at_random("free", rng)
        if position.code not in table:
            continue
        found = search.best(position.view)
        assert found.result is (Result.WIN if table[position.code] % 2 else Result.LOSS)
        for i in found.best:
            assert table[position.view.replies[i]] == table[position.code] - 1


def test_a_drawer_sets_traps() -> None:
    """The best moves draw, and after them the most replies lose, or one fewer."""
    search = RetrogradeSearch()
    table = table_of("free")
    rng = Random(6)
    for _ in range(50):
        position = at_random("free", rng)
        if position.code in table:
            continue
        traps = {}
        for i, move in enumerate(position.legal_moves()):
            after = position.play(move)
            if after.code not in table:
                replies = {after.play(reply).code for reply in after.legal_moves()}
                traps[i] = sum(table.get(code, 0) % 2 for code in replies)
        best = search.best(position.view).best
        assert set(best) == {i for i in traps if traps[i] >= max(traps.values()) - 1}


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_drawer_goes_in_no_circles(variant: str) -> None:
    """If all drawing moves but one lead to positions met before, perfect makes that one."""
    table = table_of(variant)
    rng = Random(7)
    engine = Engine()
    for _ in range(30):
        position = at_random(variant, rng)
        after = {move: position.play(move) for move in position.legal_moves()}
        new = {
            code: move for move, following in after.items() if (code := following.code) not in table
        }
        if position.code in table or len(new) < 2:
            continue
        kept = rng.choice(list(new))
        met = [following for following in after.values() if following.code in {*new} - {kept}]
        move = engine.choose(position, Level.PERFECT, rng, [*met, position])
        assert after[move].code == kept


def test_of_new_positions_the_one_that_leads_back_least() -> None:
    """Among moves to new positions, the best are those from which fewest replies lead back."""
    position = NineHolesPosition("free")
    search = RetrogradeSearch()
    for text in ("b1-b3", "b5-a4"):
        position = position.play(Move.parse(text))
    assert position.code not in table_of("free")
    replies = {code: VARIANTS["free"].replies(code) for code in position.view.replies}
    drawing = [code for code in replies if code not in table_of("free")]
    back = replies[drawing[0]][0]
    chosen = {position.view.replies[i] for i in search.best(position.view, [back]).best}
    assert chosen
    assert all(back not in replies[code] for code in chosen)


def test_the_game_is_solved() -> None:
    """Every variant is solved, so its best level is perfect."""
    assert all(NINE_HOLES.solved({"variant": variant}) for variant in VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_shipped_tablebase_is_that_of_the_rules(variant: str) -> None:
    """Each variant has a file, with the table that solving the variant gives."""
    label = VARIANTS[variant].label
    assert RULES[label] is VARIANTS[variant]
    assert shipped(label) == table_of(variant)
    assert (FOLDER / f"{label}.tablebase").read_bytes() == packed(table_of(variant))


class Unsolvable(Variant):
    """Rules that can be played, and fail when somebody solves them."""

    def finished(self) -> Iterator[int]:
        raise AssertionError("nobody should wait for this")


@dataclass(frozen=True)
class Labelled(NineHolesPosition):
    """A position whose rules have another label and can't be solved."""

    label: str = ""

    @property
    def view(self) -> LoopView:
        codes = tuple(super(Labelled, self).play(move).code for move in self.legal_moves())
        return LoopView(Unsolvable(self.label), self.code, codes)


@pytest.mark.parametrize("level", Level)
def test_no_move_waits_for_the_game_to_be_solved(level: Level) -> None:
    """A new engine's first move is quick at every level, because it reads the tablebase."""
    position = Labelled("free", label="nineholes-free")
    engine = Engine()
    assert not engine.searches(position, level)
    assert engine.choose(position, level, Random(1)) in position.legal_moves()


@pytest.mark.parametrize("level", Level)
def test_without_a_tablebase_every_move_takes_a_search(level: Level) -> None:
    """Rules without a file have to be solved first, which takes too long for an event loop."""
    unsolved = Labelled("free", label="of-no-game")
    assert Engine().searches(unsolved, level)
    assert not Engine().analyses_quickly(unsolved)
