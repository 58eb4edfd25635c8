"""Books of held positions: the second side never loses by them."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from core.engine.bitboards import split
from core.engine.books import FOLDER
from core.engine.books.make.generator import Marks, Recipe, searched
from core.engine.books.make.held import BOOKS
from core.engine.levels import Level
from core.engine.lines.evaluation import LinePosition
from core.engine.lines.geometry import geometry
from core.engine.lines.held import held_positions, packed
from core.engine.lines.pairing import PairingSearch
from core.engine.player import DEFAULT_WORK, Engine
from core.games.tictactoe.board import board
from core.games.tictactoe.position import MnkPosition
from core.grid import Move
from core.outcome import Result
from tests.core.boards import empty
from tests.strength.yardstick import yardstick

RECIPES = pytest.mark.parametrize("recipe", BOOKS.values(), ids=BOOKS)
# The nodes that a move of the usual budget spends on pairs, as in core.engine.lines.search.
NODES = DEFAULT_WORK // 200
FIRST_MARKS = "a1 b1 c1 d1 b2 c2 d2 c3 d3 d4".split()


def attacked(recipe: Recipe, one_in: int = 1) -> Iterator[Marks]:
    """Yield the positions after each mark in each position of a book, or only one in `one_in`."""
    here = geometry(recipe.board)
    squares = here.symmetry.squares
    for number in sorted(held_positions(recipe.board))[::one_in]:
        attacker, defender = number >> squares, number & here.full
        for bit in split(here.full & ~(attacker | defender))[::one_in]:
            yield attacker | bit, defender


@RECIPES
def test_a_book_is_for_the_board_of_its_name(recipe: Recipe) -> None:
    """The maker's board has the sets and the symmetries that the game shows, and is drawn."""
    shown = board(recipe.columns, recipe.rows, recipe.line, "classic").lines
    assert shown.drawn
    assert (recipe.label, recipe.board.symmetries) == (shown.label, shown.symmetries)
    assert set(recipe.board.sets) == set(shown.sets)


@RECIPES
def test_a_book_is_small(recipe: Recipe) -> None:
    """It takes some kilobytes, and is written as it is read."""
    file = (FOLDER / f"{recipe.label}.held").read_bytes()
    assert len(file) < 10_000
    assert packed(recipe.board, held_positions(recipe.board)) == file


@RECIPES
def test_the_first_marks_are_answered_by_the_book(recipe: Recipe) -> None:
    """The book has every best move of the opening, so these moves still need no search."""
    here, held = geometry(recipe.board), held_positions(recipe.board)
    for first in split(here.full):
        position = LinePosition(here, 0, first)
        assert set(position.canonical_after(position.opening())) <= held


@RECIPES
@pytest.mark.parametrize("one_in", [24, pytest.param(1, marks=pytest.mark.slow)])
def test_every_mark_has_an_answer(recipe: Recipe, one_in: int) -> None:
    """It leads back into the book, or pairs are found after it, however the board is turned."""
    here, held = geometry(recipe.board), held_positions(recipe.board)
    for attacker, defender in attacked(recipe, one_in):
        free = split(here.full & ~(attacker | defender))
        if held.isdisjoint(here.symmetry.canonical_successors(attacker, defender, free)):
            for turned in zip(
                here.symmetry.images(attacker), here.symmetry.images(defender), strict=True
            ):
                assert PairingSearch(here, NODES).reply(*turned)


@RECIPES
def test_no_answer_is_one_after_which_the_attacker_is_not_held(
    recipe: Recipe, holding_program: Path
) -> None:
    """The program that made the book proves this again for some of its positions."""
    some = list(attacked(recipe, 12))
    assert min(searched(recipe.board, some, holding_program)) >= 0


def test_random_attacks_never_break_through() -> None:
    """In 20 games of marks in nearly complete sets there is a reply until all sets are blocked."""
    (recipe,) = BOOKS.values()
    here, held = geometry(recipe.board), held_positions(recipe.board)
    for seed in range(20):
        rng = Random(seed)
        attacker, defender = 0, 0
        while alive := here.alive(defender):
            nearest = sorted(alive, key=lambda mask: -(mask & attacker).bit_count())[:6]
            attacker |= rng.choice(split(rng.choice(nearest) & ~attacker))
            position = LinePosition(here, defender, attacker)
            moves = split(position.free)
            after = zip(moves, position.canonical_after(moves), strict=True)
            known = [bit for bit, number in after if number in held]
            reply = known[0] if known else PairingSearch(here, NODES).reply(attacker, defender)
            assert reply, f"game {seed}"
            defender |= reply


def after(played: str) -> MnkPosition:
    """Return the position after these moves on 7x7 with a line of five."""
    position = empty(7, 7, 5)
    for text in played.split():
        position = position.play(Move.parse(text))
    return position


def test_the_best_level_keeps_to_what_holds() -> None:
    """Without the book its search would answer e5, which isn't proved to hold."""
    position = after("c3 d4 d2")
    view = position.view
    held, here = held_positions(view.board), geometry(view.board)
    assert held
    for move in Engine().analyse(position).best:
        following = position.play(move).view
        assert PairingSearch(here, NODES, held).holds(following.mine, following.theirs)


@pytest.mark.slow
@pytest.mark.parametrize("first", FIRST_MARKS)
def test_the_best_level_never_loses_as_second_player(first: str) -> None:
    """Whatever the first mark is, alpha-beta of four and six plies doesn't beat it on 7x7."""
    engine = Engine()
    rng = Random(first)
    for depth in (4, 6):
        attacker = yardstick(depth)
        positions = [after(first)]
        while (seat := positions[-1].to_move) is not None:
            if seat == 0:
                move = attacker(positions, rng)
            else:
                move = engine.choose(positions[-1], Level.STRONG, rng)
            positions.append(positions[-1].play(move))
        outcome = positions[-1].outcome()
        assert outcome is not None
        assert outcome.result(1) is not Result.LOSS
