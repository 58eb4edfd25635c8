"""The computer at Tribolo: its levels, its budget, and its equal view of all seats."""

from itertools import islice
from random import Random
from statistics import fmean

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.engine.bitboards import split
from core.engine.levels import Greed, Level, levels_of
from core.engine.player import Engine
from core.engine.territory.evaluation import chance, leads
from core.engine.territory.max_n import greedy, two_ply
from core.engine.territory.paranoid import Paranoid
from core.engine.territory.search import TerritorySearch
from core.game import Game
from core.games.tribolo.position import TriboloPosition
from core.views import Territory, TerritoryRules, TerritoryView
from tests.core.boards import TRIBOLO
from tests.core.engine.counting import StopAfter

EASY, MEDIUM, HARD, STRONG = levels_of(TRIBOLO, {"size": "small"})
# Blue takes three on e1, two on b3.
CHOICE = "......./......./..RRB../...#.../BRRR... B"
# Blue takes one on e3, or one on a6, in the corner.
TIED = ".RB.../....../....../..BR../....../.GR... B"

NODES = 3_500


def chosen(text: str, level: Level, game: Game = TRIBOLO) -> set[str]:
    """Return every move that the computer makes in this position, over many games."""
    position = game.parse(text)
    engine = Engine()
    return {str(engine.choose(position, level, Random(seed))) for seed in range(40)}


def some_position(seed: int, plies: int, size: str) -> TriboloPosition:
    """Return the position after `plies` plies of random play, or the last unfinished one."""
    rng = Random(seed)
    position = TRIBOLO.start({"size": size}, rng)
    for _ in range(plies):
        after = position.play(rng.choice(position.legal_moves()))
        if after.to_move is None:
            break
        position = after
    return position


def test_the_levels_of_tribolo() -> None:
    """There are four levels, and the best is called strong."""
    assert levels_of(TRIBOLO, {"size": "full"}) == (EASY, MEDIUM, HARD, STRONG)
    assert STRONG is Level.STRONG


def test_medium_takes_most() -> None:
    """Medium makes the move that takes most; easy makes it every other time, else any other."""
    assert chosen(CHOICE, MEDIUM) == {"e1"}
    assert chosen(CHOICE, EASY) == set(map(str, TRIBOLO.parse(CHOICE).legal_moves()))


def test_hard_prefers_what_cant_be_taken_from_it() -> None:
    """Of two moves that take one square, hard and strong make the one into the corner."""
    assert chosen(TIED, MEDIUM) == {"a6", "e3"}
    assert chosen(TIED, HARD) == chosen(TIED, STRONG) == {"a6"}


def test_easy_has_no_eye_for_danger() -> None:
    """Of two moves that take as much, easy's greedy half makes the one that leaves it worse."""
    view = TRIBOLO.parse(TIED).view
    assert len(TerritorySearch().quick_moves(view, Greed.GREEDY)) == 2
    (worst,) = TerritorySearch().quick_moves(view, Greed.RASH)
    assert str(TRIBOLO.parse(TIED).legal_moves()[worst]) == "e3"


def test_easy_leaves_out_the_moves_that_take_most() -> None:
    """Easy's careless half leaves out the moves that take most, unless there are no others."""
    view, moves = TRIBOLO.parse(CHOICE).view, TRIBOLO.parse(CHOICE).legal_moves()
    others = [number for number, move in enumerate(moves) if str(move) != "e1"]
    assert TerritorySearch().quick_moves(view, Greed.CARELESS) == others
    assert TerritorySearch().quick_moves(TRIBOLO.parse("BRR.G B").view, Greed.CARELESS) == [0]


@pytest.mark.parametrize("level", [HARD, STRONG])
def test_a_move_that_ends_the_game_and_wins_is_made(level: Level) -> None:
    """The computer makes a move after which nobody can move and it is ahead."""
    assert chosen("BRR.G B", level) == {"d1"}


class Counted:
    """The rules of a board, counting the moves made on it."""

    def __init__(self, rules: TerritoryRules):
        self.rules = rules
        self.made = 0
        self.exposed, self.open = rules.exposed, rules.open
        self.near, self.targets, self.taken = rules.near, rules.targets, rules.taken

    def after(self, state: Territory, bit: int) -> Territory:
        self.made += 1
        return self.rules.after(state, bit)


@pytest.mark.parametrize("size", ["small", "full"])
def test_the_budget_is_kept(size: str) -> None:
    """A search meets no more positions than allowed, and fewer if it sees everything."""
    for plies in (0, 10, 25):
        view = some_position(plies, plies, size).view
        counted = Counted(view.rules)
        Paranoid(TerritoryView(counted, view.state), NODES).best()
        assert counted.made <= NODES
    counted = Counted(TRIBOLO.parse("BR.GB../....... B").view.rules)
    Paranoid(TerritoryView(counted, TRIBOLO.parse("BR.GB../....... B").view.state), NODES).best()
    assert counted.made < 100


def test_a_search_ends_when_it_is_asked_to() -> None:
    """It gives the best move so far, even with budget left."""
    view = some_position(2, 6, "small").view
    stop = StopAfter(300)
    assert 0 <= Paranoid(view, NODES, stop).best() < view.state.targets.bit_count()
    assert stop.looks > 300


def test_even_a_tiny_budget_gives_a_move() -> None:
    """A budget that is too small for all first moves still gives one of them."""
    view = some_position(3, 6, "full").view
    for nodes in (0, 1, 2, 50):
        assert 0 <= Paranoid(view, nodes).best() < view.state.targets.bit_count()


def empty(rules: TerritoryRules, state: Territory) -> int:
    """Return how many squares nobody owns."""
    return rules.open.bit_count() - sum(owned.bit_count() for owned in state.owned)


def fate(rules: TerritoryRules, state: Territory, me: int) -> float:
    """Return the final chance of `me`: a fifth of a reply's value is the worst, the rest likely."""
    if state.mover is None:
        return chance(rules, state, me)
    values = {bit: fate(rules, rules.after(state, bit), me) for bit in split(state.targets)}
    if state.mover == me:
        return max(values.values())
    takes_most = fmean(values[bit] for bit in greedy(rules, state))
    sees_on = fmean(values[bit] for bit in two_ply(rules, state, rules.after))
    share = 0.35 if empty(rules, state) >= 3 else 0
    return 0.2 * min(values.values()) + 0.8 * (share * sees_on + (1 - share) * takes_most)


@given(st.integers(0, 2**32))
@settings(max_examples=25)
def test_near_the_end_strong_sees_everything(seed: int) -> None:
    """Pruning loses nothing: its move is as good as any in the whole tree."""
    view = some_position(seed, 26, "small").view
    assume(empty(view.rules, view.state) <= 7)
    mover = view.state.mover
    assert mover is not None
    ends = [
        fate(view.rules, view.rules.after(view.state, bit), mover)
        for bit in split(view.state.targets)
    ]
    assert ends[Paranoid(view, 1_000_000).best()] == pytest.approx(max(ends))


@given(st.integers(0, 2**32), st.integers(0, 30), st.permutations(range(3)))
@settings(max_examples=60)
def test_seats_are_looked_at_alike(seed: int, plies: int, seats: list[int]) -> None:
    """Seats are alike: with colours exchanged, the estimates are exchanged.

    So no seat can be anybody's favourite or victim; and the engine isn't told who is a person.
    """
    position = some_position(seed, plies, "small")
    owned, mover, targets, _ = position.state
    assert mover is not None
    moved = [0, 0, 0]
    for seat, to in enumerate(seats):
        moved[to] = owned[seat]
    exchanged = Territory(tuple(moved), seats[mover], targets)
    plain = leads(position.field, position.state)
    other = leads(position.field, exchanged)
    assert [other[to] for to in seats] == pytest.approx(plain)


@pytest.mark.parametrize("size", ["small", "full"])
def test_levels_that_search_at_tribolo(size: str) -> None:
    """Easy and medium are quick; strong searches unless there is only one move."""
    engine = Engine()
    position = some_position(1, 3, size)
    assert len(position.legal_moves()) > 1
    assert [engine.searches(position, level) for level in (EASY, MEDIUM)] == [False, False]
    assert engine.searches(position, STRONG)
    assert not engine.searches(TRIBOLO.parse("BR. B"), STRONG)
    assert not engine.searches(TRIBOLO.parse("BRG -"), STRONG)


@given(st.integers(0, 2**32), st.integers(0, 30))
@settings(max_examples=8)
def test_an_analysis_is_an_estimate(seed: int, plies: int) -> None:
    """It has legal moves, no exact value, and a chance for each seat."""
    position = some_position(seed, plies, "small")
    analysis = Engine(work=20_000).analyse(position)
    assert set(analysis.best) <= set(position.legal_moves())
    assert analysis.value is None
    assert len(analysis.outlook) == 3
    assert all(0 <= chance <= 1 for chance in analysis.outlook)


def test_a_seat_that_is_out_wins_nothing() -> None:
    """In a finished game the winner leads by far, even if a seat that left owns more squares."""
    view = TRIBOLO.parse("RRRRRRBBBG - -R").view
    blue, red, green = leads(view.rules, view.state)
    assert blue > 100 and max(red, green) < -100
    tied = TRIBOLO.parse("RRRRRRBBGG - -R").view
    blue, red, green = leads(tied.rules, tied.state)
    assert blue == green > -100 > red


def test_every_level_plays_on_after_a_seat_has_left() -> None:
    """Every level plays on after a seat has left."""
    position = some_position(4, 4, "small").without(1)
    engine = Engine()
    for level in islice(Level, 3):
        assert engine.choose(position, level, Random(0)) in position.legal_moves()
    assert engine.choose(position, STRONG, Random(0)) in position.legal_moves()
