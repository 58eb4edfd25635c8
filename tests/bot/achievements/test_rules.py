"""The achievements of matches, by diagrams and records, and matches that fall short of them."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from bot.achievements.rules import (
    MARATHON_PLIES,
    Achievement,
    in_one_match,
    lost_once,
    may_bring,
    over_all,
    proves_loss,
    threats,
)
from core.engine.levels import Level
from core.engine.player import Engine
from core.games import GAMES
from core.games.tribolo import Tribolo
from core.match import Match
from core.options import Options
from core.players import Computer, Player
from tests.bot.playing import DRAWN, X_WINS, begin
from tests.core.boards import ALICE, BOB, CAROL, after

FOUR = {"rows": 4, "columns": 4, "line": 4}
PERFECT = Computer(Level.PERFECT)


def played(
    moves: str, game: str = "tictactoe", options: Options | None = None, *players: Player
) -> Match:
    """Return a match of alice, X, that ended on the board."""
    return after(begin(*players, game=game, options=options), moves)


def long_match(plies: int) -> Match:
    """Return a match on 10x10, with lines of ten, that X wins with the last of `plies` moves.

    X fills the odd rows but for their last squares, O the even ones.
    """
    own = [f"{column}{row}" for row in (1, 3, 5, 7) for column in "abcdefghi"][: plies // 2]
    others = [f"{column}{row}" for row in (2, 4, 6, 8) for column in "abcdefghi"][: plies // 2]
    pairs = [move for pair in zip(own, others, strict=True) for move in pair]
    return played(" ".join([*pairs, "j1"]), options={"rows": 10, "columns": 10, "line": 10})


def long_tribolo(seed: int) -> Match:
    """Return a match of Tribolo on the full board, played to its end at random."""
    match, rng = begin(game="tribolo", options={"size": "full"}), Random(seed)
    while match.outcome is None:
        match = match.play(str(rng.choice(match.position.legal_moves())))
    return match


def tribolo(board: str) -> Match:
    """Return a match of Tribolo that ended with this board."""
    match = begin(ALICE, BOB, CAROL, game="tribolo")
    return replace(match, initial=GAMES["tribolo"].parse(board))


FORK, STRAIGHT, LAST = Achievement.FORK, Achievement.STRAIGHT, Achievement.LAST_SQUARE


MATCHES: list[tuple[Match, set[Achievement]]] = [
    # X forks with a3: a2 and c1 win. Neither is a fork if O could have won first (b3), if O
    # has overlooked a single threat, or where the owner of a line loses.
    (played("a1 b1 b2 c3 a3 c1 a2"), {FORK}),
    (played("a1 b2 c3 b1 a3 a2 b3"), set()),
    (played(X_WINS), set()),
    # Three pieces in the lowest row with both ends free; with one end taken.
    (played("d d e e c c f", "connectfour"), {FORK, STRAIGHT}),
    (played("d b e e c c f", "connectfour"), {STRAIGHT}),
    # A line of four with no other mark; with another; and a line of three.
    (played("a1 a2 b1 b2 c1 c2 d1", options=FOUR), {STRAIGHT}),
    (played("a1 a2 d4 b2 b1 c2 c1 a4 d1", options=FOUR), set()),
    # Four corners are no line, and of two lines each has marks beside it.
    (played("a1 b1 d1 b2 a4 b3 d4", options=FOUR | {"variant": "corners"}), set()),
    (played("a1 a2 b1 b2 c1 c2 d2 a3 d3 b3 d4 c3 d1", options=FOUR), set()),
    # The ninth mark makes the line; the ninth mark doesn't; the eighth does.
    (played("c1 b1 b2 a1 b3 c3 c2 a3 a2"), {LAST}),
    (played(DRAWN), set()),
    (long_match(MARATHON_PLIES + 1), {Achievement.MARATHON}),
    (long_match(MARATHON_PLIES - 1), set()),
    (played("a b b c c d c d d a d", "connectfour"), {Achievement.DIAGONAL}),
    (played("g f f e e d e d d g d", "connectfour"), {Achievement.DIAGONAL}),
    (
        played("a1-a2 a5-c4 b1-b2 b5-c3 c1-c2", "nineholes"),
        {Achievement.ONCE},
    ),
    (played("a1-a3 a5-c4 a3-a2 b5-c3 b1-b2 c5-a4 c1-c2", "nineholes"), set()),
    (tribolo("BBBRG -"), {Achievement.MAJORITY}),
    (tribolo("BBRG -"), set()),
    (played(DRAWN, "tictactoe", None, ALICE, PERFECT), {Achievement.PERFECT_DRAW}),
    (played(DRAWN, "tictactoe", None, ALICE, Computer(Level.HARD)), set()),
    (played(X_WINS, "tictactoe", None, ALICE, PERFECT), {Achievement.PERFECT}),
]


@pytest.mark.parametrize(("match", "earned"), MATCHES)
def test_achievements_of_one_match(match: Match, earned: set[Achievement]) -> None:
    """X earns exactly these, and a loser nothing."""
    assert match.outcome is not None and may_bring(match, 0)
    assert in_one_match(match, 0) == earned
    if match.outcome.ranks[1] > 1:
        assert not may_bring(match, 1)
        assert in_one_match(match, 1) == set()


def test_a_majority_is_one_of_tribolo() -> None:
    """Only of Tribolo, as its text says: in a game of two with points, every win would be one."""

    class Duel(Tribolo):
        key = "duel"

    assert in_one_match(replace(tribolo("BBBRG -"), game=Duel()), 0) == set()


def test_a_line_that_loses_brings_nothing() -> None:
    """Where the owner of a line loses, the other player hasn't won by it."""
    lost = played("c1 b1 b2 a1 b3 c3 c2 a3 a2", options={"variant": "misere"})
    assert may_bring(lost, 1) and in_one_match(lost, 1) == set()


@pytest.mark.parametrize(("variant", "count"), [("classic", 1), ("misere", 0)])
def test_a_threat_is_a_move_that_would_win(variant: str, count: int) -> None:
    match = begin(options={"variant": variant}).play("a1").play("c3").play("a2")
    assert threats(match.position, 0) == count


def test_levels_are_in_the_order_of_their_strength() -> None:
    """It is the order of profiles, and of the menu in which a level is chosen."""
    assert [one.level for one in Achievement if one.level] == [*Level]


@pytest.mark.parametrize("level", Level)
def test_each_level_is_beaten_alone(level: Level) -> None:
    """A win against the computer counts only for its level, and a draw for none."""
    won = in_one_match(played(X_WINS, "tictactoe", None, ALICE, Computer(level)), 0)
    assert [one.level for one in won] == [level]
    drawn = in_one_match(played(DRAWN, "tictactoe", None, ALICE, Computer(level)), 0)
    assert all(one.level is None for one in drawn)
    both = begin(ALICE, Computer(level), Computer(Level.EASY), game="tribolo")
    mixed = replace(both, initial=GAMES["tribolo"].parse("BBRG -"))
    assert {one.level for one in in_one_match(mixed, 0)} == (
        {level} if level is Level.EASY else set()
    )


@pytest.mark.parametrize(
    "match",
    [
        begin().play("a1").play("b2").resign(BOB),
        begin().play("a1").play("b2").time_out(),
        begin().play("a1").play("b2").agree_draw(),
        begin().play("a1").play("b2").depart(BOB),
        begin().abort(),
        begin(),
        played(X_WINS, "tictactoe", None, ALICE, ALICE),
        begin(ALICE, PERFECT, PERFECT, game="tribolo").resign(ALICE),
    ],
)
def test_matches_without_achievements(match: Match) -> None:
    """Only a match between different players that ends on the board brings something."""
    assert not any(may_bring(match, seat) for seat in range(match.game.seats))


@pytest.mark.parametrize(
    ("moves", "came_back"),
    [
        ("b1 a1 b3 b2 a3 c1 c3", True),  # after b2, a3 loses to c3
        ("b3 c3 c1 a2 c2 a1 b2 b1 a3", True),
        ("b2 a3 c3 b3 c2 a1 c1", False),  # X was never lost
        (X_WINS, False),
        ("a1 b1 a2 b2 c3 b3", False),  # O has won, and X has lost
    ],
)
def test_a_comeback_is_proved(moves: str, came_back: bool) -> None:
    """A comeback is a win of X although O could have forced one, by the engine's exact value."""
    match, engine = played(moves), Engine()
    searched = [history[-1] for history in lost_once(match, 0)]
    assert any(proves_loss(engine.analyse(one), 0) for one in searched) == came_back
    assert len(searched) <= 3
    assert not any(threats(one, 0) for one in searched)


def test_no_proof_is_looked_for_where_a_man_could_win_at_once() -> None:
    """A position with a win at once can't have been lost, also in Nine Holes, where men move."""
    match = played("a1-a2 a5-b2 b1-a3 b5-c2 c1-a4", "nineholes")
    assert [len(history) - 1 for history in lost_once(match, 0)] == [2, 0]


def test_neither_a_marathon_nor_a_comeback_is_won_by_three() -> None:
    """All matches of Tribolo are long, and most positions are lost for one of its players."""
    match = long_tribolo(1)
    assert match.outcome is not None and match.ply > MARATHON_PLIES
    winner = match.outcome.ranks.index(1)
    assert Achievement.MARATHON not in in_one_match(match, winner)
    assert not any(lost_once(match, winner))


def wins(game: str, **options: list[str]) -> list[tuple[str, Mapping[str, int | str]]]:
    """Return a win for each value of an option of a game; without one, a single win."""
    resolve = GAMES[game].resolve
    if not options:
        return [(game, resolve({}))]
    return [(game, resolve({name: value})) for name, values in options.items() for value in values]


WINS: list[tuple[list[tuple[str, Mapping[str, int | str]]], set[Achievement]]] = [
    ([], set()),
    (wins("tribolo", size=["small", "medium"]), set()),
    (wins("tribolo", size=["small", "medium", "full"]), {Achievement.EVERY_BOARD}),
    (wins("nineholes", variant=["free", "step"]) + wins("tictactoe"), set()),
    (
        wins("nineholes", variant=["free", "step", "drop-first"]),
        {Achievement.EVERY_BOARD},
    ),
    ([win for game in list(GAMES)[1:] for win in wins(game)], set()),
    ([win for game in GAMES for win in wins(game)], {Achievement.EVERY_GAME}),
]


@pytest.mark.parametrize(("won", "earned"), WINS)
def test_achievements_of_several_wins(
    won: list[tuple[str, Mapping[str, int | str]]], earned: set[Achievement]
) -> None:
    """Wins of every variant or size of a game, or of every game; connect four has no variants."""
    assert over_all(won) == earned


def test_every_achievement_is_earned_here() -> None:
    """A new achievement needs a rule, and a match above; comebacks and levels have own tests."""
    earned = {one for _, found in (*MATCHES, *WINS) for one in found} | {Achievement.COMEBACK}
    assert [one for one in Achievement if one.level is None and one not in earned] == []
