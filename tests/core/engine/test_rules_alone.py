"""Games that only have their rules are played at every level, by any number of seats."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from core.engine.analysis import Value
from core.engine.levels import Level
from core.engine.max_n import MaxN
from core.engine.monte_carlo import MonteCarlo
from core.engine.player import DEFAULT_WORK, Engine
from core.engine.rules_alone import RulesSearch
from core.engine.stop import Stop
from core.games.tictactoe.position import MnkPosition
from core.grid import Grid, Move, Square
from core.marks import Mark, Shape
from core.outcome import Outcome, Termination
from core.position import Blank, Position
from tests.core.boards import TICTACTOE, empty, moves, reachable, start
from tests.strength.contest import play_games

EASY, MEDIUM, HARD, _PERFECT, STRONG = Level


@dataclass(frozen=True)
class Taking(Position):
    """Squares in a row, taken from the left, up to `most` at once; taking the last one wins."""

    squares: int
    seats: int = 2
    most: int = 1
    taken: int = 0
    mover: int = 0

    @property
    def grid(self) -> Grid:
        return Grid(self.squares, 1)

    @property
    def marks(self) -> tuple[Mark, ...]:
        return (Mark("X", Shape.CROSS),) * self.seats

    @property
    def notation(self) -> str:
        return f"{self.taken} {self.mover}"

    @property
    def to_move(self) -> int | None:
        return None if self.taken == self.squares else self.mover

    def content(self, square: Square) -> int | Blank:
        return Blank.CLOSED if square.column < self.taken else Blank.OPEN

    def legal_moves(self) -> Sequence[Move]:
        end = min(self.squares, self.taken + self.most)
        return tuple(Move(Square(column, 0)) for column in range(self.taken, end))

    def play(self, move: Move) -> "Taking":
        assert move in self.legal_moves()
        following = (self.mover + 1) % self.seats
        return replace(self, taken=move.to.column + 1, mover=following)

    def outcome(self) -> Outcome | None:
        if self.taken < self.squares:
            return None
        return Outcome.won((self.mover - 1) % self.seats, self.seats, Termination.EXHAUSTED)


@dataclass(frozen=True)
class Collecting(Taking):
    """The same game, whose `scores` give a seat a point for each square that it has taken."""

    points: tuple[int, ...] = (0, 0)

    def play(self, move: Move) -> "Collecting":
        after = super().play(move)
        assert isinstance(after, Collecting)
        points = list(self.points)
        points[self.mover] += after.taken - self.taken
        return replace(after, points=tuple(points))

    def scores(self) -> tuple[int, ...]:
        return self.points


@dataclass(frozen=True)
class Judging(Taking):
    """Three squares for three seats; by the last, or one beyond it, seat 2 says who is second."""

    def legal_moves(self) -> Sequence[Move]:
        last = self.taken == self.squares - 1
        return tuple(Move(Square(self.taken + beyond, 0)) for beyond in range(1 + last))

    @property
    def to_move(self) -> int | None:
        return None if self.taken >= self.squares else self.mover

    def outcome(self) -> Outcome | None:
        if self.taken < self.squares:
            return None
        ranks = (2, 3, 1) if self.taken == self.squares else (3, 2, 1)
        return Outcome(Termination.EXHAUSTED, ranks)


@dataclass(frozen=True)
class Circling(Taking):
    """A game without end: its moves take nothing."""

    def play(self, move: Move) -> "Circling":
        return replace(self, mover=(self.mover + 1) % self.seats)


@dataclass(frozen=True)
class Tree(Taking):
    """A game by a random tree: who is to move, how many moves there are, and the ranks at an end.

    It ends after `squares` plies at the latest. A seat may move several times running.
    """

    seed: int = 0
    path: str = ""

    @property
    def _rng(self) -> Random:
        return Random(f"{self.seed} {self.path}")

    @property
    def notation(self) -> str:
        return f"{self.seed} {self.path}"

    @property
    def to_move(self) -> int | None:
        return None if self.outcome() else self._rng.randrange(self.seats)

    def legal_moves(self) -> Sequence[Move]:
        return () if self.outcome() else self.grid.drops[: 1 + self._rng.randrange(3)]

    def play(self, move: Move) -> "Tree":
        return replace(self, path=self.path + str(move.to.column))

    def outcome(self) -> Outcome | None:
        rng = Random(f"end {self.notation}")
        if rng.random() > 0.2 and len(self.path) < self.squares:
            return None
        points = [rng.randrange(3) for _ in range(self.seats)]
        ranks = tuple(1 + sum(other > own for other in points) for own in points)
        return Outcome(Termination.EXHAUSTED, ranks)


@dataclass(frozen=True)
class RulesAlone(Position):
    """A position of tic-tac-toe that shows the engine nothing but its rules."""

    shown: MnkPosition

    @property
    def grid(self) -> Grid:
        return self.shown.grid

    @property
    def marks(self) -> tuple[Mark, ...]:
        return self.shown.marks

    @property
    def notation(self) -> str:
        return self.shown.notation

    @property
    def to_move(self) -> int | None:
        return self.shown.to_move

    def content(self, square: Square) -> int | Blank:
        return self.shown.content(square)

    def legal_moves(self) -> Sequence[Move]:
        return self.shown.legal_moves()

    def play(self, move: Move) -> "RulesAlone":
        return RulesAlone(self.shown.play(move))

    def outcome(self) -> Outcome | None:
        return self.shown.outcome()


def test_three_squares_take_one_last_wins() -> None:
    """Every ply has one move, and seat 0 wins with the third."""
    analysis = Engine().analyse(Taking(3))
    assert analysis.best == (Move.parse("a1"),)
    assert analysis.value == Value((1, 2), 3)
    assert analysis.outlook == (1.0, 0.0)
    for level in (EASY, MEDIUM, HARD, STRONG):
        assert Engine().choose(Taking(3), level, Random(0)) == Move.parse("a1")


@pytest.mark.parametrize(("squares", "winner"), [(1, 0), (2, 1), (3, 2), (4, 0), (8, 1)])
def test_three_seats_take_one_last_wins(squares: int, winner: int) -> None:
    """Each seat has its own value, and only one seat wins."""
    analysis = Engine().analyse(Taking(squares, seats=3))
    ranks = tuple(1 if seat == winner else 2 for seat in range(3))
    assert analysis.value == Value(ranks, squares)
    assert analysis.outlook == tuple(float(seat == winner) for seat in range(3))


@pytest.mark.parametrize("squares", range(1, 13))
def test_taking_one_or_two_is_solved(squares: int) -> None:
    """Leaving a multiple of three wins; the winner hurries, and the loser takes its time."""
    analysis = Engine().analyse(Taking(squares, most=2))
    assert analysis.value is not None
    assert analysis.value.ranks == ((2, 1) if squares % 3 == 0 else (1, 2))
    assert analysis.value.plies == _plies(squares)
    if squares % 3:
        assert [move.to.column + 1 for move in analysis.best] == [squares % 3]


def _plies(left: int) -> int:
    """Return the plies to the end of a row by best play, by the rules alone."""
    if left == 0:
        return 0
    ends = [_plies(left - taken) for taken in (1, 2) if taken <= left]
    lost = [end for end in ends if end % 2 == 0]
    return 1 + (min(lost) if lost else max(ends))


def test_with_three_seats_everybody_plays_for_themselves() -> None:
    """Four squares, one or two at a time: if seat 0 takes two, seat 1 takes the rest and wins.

    If it takes one, seat 2 takes the squares that seat 1 leaves. Seat 0 loses either way, and puts
    the loss off.
    """
    analysis = Engine().analyse(Taking(4, seats=3, most=2))
    assert analysis.value is not None
    assert analysis.value.ranks == (2, 2, 1)
    assert analysis.best == (Move.parse("a1"),)


def test_with_three_seats_the_worst_of_equal_wins_is_expected() -> None:
    """Seat 2 wins as soon by either move, so seat 0 doesn't count on being second."""
    analysis = Engine().analyse(Judging(3, seats=3))
    assert analysis.value == Value((3, 2, 1), 3)


def chosen(position: Position, level: Level, work: int = DEFAULT_WORK) -> set[str]:
    """Return every move that the computer makes in a position, over many games."""
    engine = Engine(work)
    games = 40 if level in (EASY, MEDIUM) else 4
    return {str(engine.choose(position, level, Random(seed))) for seed in range(games)}


def test_levels_see_one_two_and_three_plies() -> None:
    """Each level wins as far as it sees, and makes any move where it sees no difference."""
    assert chosen(Taking(2, most=2), EASY) == {"b1"}
    # A move must leave more than the other can take at once: four squares here.
    assert chosen(Taking(5, most=3), EASY) == {"a1", "b1", "c1"}
    assert chosen(Taking(5, most=3), MEDIUM) == {"a1"}
    # With four left every move loses at once.
    assert chosen(Taking(4, most=3), MEDIUM) == {"a1", "b1", "c1"}
    # Hard also sees its own next move, but not that taking two of eight wins by the fifth ply.
    # Random games tell it.
    assert chosen(Taking(8, most=2), HARD) == {"b1"}
    assert chosen(Taking(8, most=2), STRONG) == {"b1"}


def _preference(ranks: tuple[int, ...], plies: int, seat: int) -> tuple[float, int, int]:
    """Return what `seat` prefers: to win soon; to draw; else a better rank, as late as can be."""
    if ranks[seat] > 1:
        return 0, -ranks[seat], plies
    return (1, -1, -plies) if ranks.count(1) == 1 else (0.5, -1, 0)


def _by_max_n(position: Position, me: int) -> tuple[tuple[int, ...], int]:
    """Return the ranks and the plies to the end if everybody plays for themselves."""
    if (outcome := position.outcome()) is not None:
        return outcome.ranks, 0
    seat = position.to_move
    assert seat is not None
    ends = [_by_max_n(position.play(move), me) for move in position.legal_moves()]

    def worth(end: tuple[tuple[int, ...], int]) -> tuple[float, ...]:
        against_me = (-part for part in _preference(*end, me))
        return *_preference(*end, seat), *against_me

    ranks, plies = max(ends, key=worth)
    return ranks, plies + 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_max_n_agrees_with_a_plain_search(seats: int) -> None:
    """What it doesn't search changes nothing: neither the value nor the best moves."""
    for seed in range(150):
        position = Tree(5, seats=seats, seed=seed)
        me = position.to_move
        if me is None:
            continue
        ends = [_by_max_n(position.play(move), me) for move in position.legal_moves()]
        preferences = [_preference(ranks, plies + 1, me) for ranks, plies in ends]
        best = [i for i, value in enumerate(preferences) if value == max(preferences)]
        search = MaxN(position, 10_000, Stop(), points=False)
        search.deepen()
        assert (search.best, search.worth.ranks) == (best, ends[best[0]][0]), seed
        assert search.worth.plies == ends[best[0]][1] + 1


def test_points_decide_among_moves_that_see_no_end() -> None:
    """In a game with points, hard takes the most; easy makes any move."""
    assert chosen(Collecting(60, most=5), EASY) == {"a1", "b1", "c1", "d1", "e1"}
    assert chosen(Collecting(60, most=5), HARD) == {"e1"}
    for points, best in ((True, [4]), (False, [0, 1, 2, 3, 4])):
        near = MaxN(Collecting(60, most=5), 1_000, Stop(), points=points)
        near.deepen(3)
        assert near.best == best


def test_levels_that_search_by_rules_alone() -> None:
    """Rules may be slow, so all levels but easy search if there are two moves or more."""
    engine = Engine()
    few, many = Taking(9, most=3), Taking(99, most=50)
    assert [engine.searches(few, level) for level in (EASY, MEDIUM, HARD)] == [False, True, True]
    assert [engine.searches(many, level) for level in (EASY, MEDIUM, HARD)] == [False, True, True]
    assert engine.searches(few, STRONG)
    assert not engine.searches(Taking(9), STRONG)
    assert not engine.searches(Taking(9, taken=9), STRONG)
    assert not engine.analyses_quickly(Taking(9)), "a line may lead to positions with more moves"


def test_the_budget_is_kept() -> None:
    """A search whose budget is spent still gives a move and an outlook."""
    position = Taking(100, seats=3, most=3)
    search = MaxN(position, 500, Stop(), points=True)
    search.deepen()
    assert search.best == [0, 1, 2]
    analysis = Engine(work=65_000).analyse(position)
    assert analysis.value is None
    assert sum(analysis.outlook) == pytest.approx(1)
    found = RulesSearch(0, Stop()).best(position)
    assert (len(found.best), found.result) == (1, None)
    assert Engine(work=0).analyse(position).outlook == (0.5, 0.5, 0.5)


def test_a_game_that_never_ends_is_played_on() -> None:
    """A search in circles ends with its budget, and its outlook is even."""
    analysis = Engine(work=130_000).analyse(Circling(3, most=3))
    assert analysis.value is None
    assert analysis.outlook == (0.5, 0.5)


@pytest.mark.parametrize(("squares", "seats"), [(11, 2), (13, 2), (14, 2), (14, 3)])
def test_random_games_tell_what_no_proof_reaches(squares: int, seats: int) -> None:
    """Random games find the winning move of two seats, where a move takes one to three squares.

    It leaves a multiple of four. With two or three seats, the outlooks add up to 1.
    """
    position = Taking(squares, seats=seats, most=3)
    games = MonteCarlo(position, range(3), Stop())
    games.search(3_000)
    assert sum(games.outlook) == pytest.approx(1)
    if seats == 2:
        assert games.best == squares % 4 - 1
        assert games.outlook[0] > 0.5


@pytest.mark.parametrize("plies", range(6))
def test_a_level_may_see_any_number_of_plies(plies: int) -> None:
    """Without any, all moves are equally good; with one or more, only the win is."""
    position = _alone(TICTACTOE.parse("classic 3 XX./OO./..."))
    seen = RulesSearch(DEFAULT_WORK, Stop()).quick_moves(position, plies)
    good = moves("c3") if plies else position.legal_moves()
    assert [position.legal_moves()[index] for index in seen] == list(good)


def test_a_search_that_is_stopped_tells_the_best_so_far() -> None:
    """A stop ends it at the next position, but it still gives a legal move."""
    stop = Stop()
    stop.ask()
    position = RulesAlone(empty(7, 7, 4))
    assert len(RulesSearch(10**9, stop).best(position).best) == 1
    assert len(RulesSearch(10**9, stop).quick_moves(position, 3)) > 0


@pytest.mark.slow
def test_random_games_beat_plain_max_n() -> None:
    """On a board too large for max^n to see its end, random games win most of twelve games."""

    def by_max_n(positions: Sequence[Position], rng: Random) -> Move:
        search = MaxN(_alone(positions[-1]), 20_000, Stop(), points=True)
        search.deepen()
        return positions[-1].legal_moves()[rng.choice(search.best)]

    def by_games(positions: Sequence[Position], rng: Random) -> Move:
        return Engine().choose(_alone(positions[-1]), STRONG, rng)

    options = TICTACTOE.resolve({"rows": 7, "line": 4})
    tally = play_games(TICTACTOE, options, by_games, by_max_n, 12, 1, opening=2)
    assert tally.won >= 9, tally


def _alone(position: Position) -> Position:
    assert isinstance(position, MnkPosition)
    return RulesAlone(position)


def test_nobody_moves_when_the_game_is_over() -> None:
    """Asking for a move in a finished game is an error of the caller."""
    for ask in (Engine().analyse, lambda p: Engine().choose(p, EASY, Random(0))):
        with pytest.raises(ValueError, match="over"):
            ask(Taking(3, taken=3))


def test_by_rules_alone_tic_tac_toe_has_the_same_values() -> None:
    """Value and outlook are as by the search that knows the board; its best moves are best here."""
    engine = Engine()
    positions = [p for p in reachable(start(TICTACTOE, {})) if p.to_move is not None]
    late = [p for p in positions if len(p.legal_moves()) <= 7]
    for position in Random(3).sample(sorted(late, key=str), 150):
        assert isinstance(position, MnkPosition)
        known, found = engine.analyse(position), engine.analyse(RulesAlone(position))
        assert found.value == known.value, str(position)
        assert found.outlook == known.outlook
        assert set(known.best) <= set(found.best), str(position)
