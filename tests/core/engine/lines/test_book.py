"""Books of first moves against a search without them, and against the program that makes them."""

from collections.abc import Iterable, Iterator
from random import Random

import pytest

from core.engine.books import FOLDER
from core.engine.books.make import generator
from core.engine.books.make.generator import BOOKS, LENGTHS, Marks, canonical_positions, undecided
from core.engine.lines.book import UNKNOWN, book_of, packed
from core.engine.lines.geometry import geometry
from core.engine.lines.search import LineSearch
from core.games.tictactoe.board import board
from core.outcome import Result
from core.views import LineBoard, LineView
from tests.core.engine.lines.samples import unbooked

WITH_LENGTHS = [label for label, recipe in BOOKS.items() if recipe.program == LENGTHS]
WITHOUT_LENGTHS = sorted(set(BOOKS) - set(WITH_LENGTHS))
_ALL = 99
_FEW = {
    "classic-4-5x5": 2,
    "classic-4-10x3": 1,  # on its side it takes four times as long
}


def slow_if_large(labels: Iterable[str]) -> list[object]:
    """Return the labels; a search takes seconds for those of 36 squares."""
    slow = pytest.mark.slow
    return [pytest.param(x, marks=slow) if BOOKS[x].board.squares == 36 else x for x in labels]


def fewer_if_large(labels: Iterable[str]) -> Iterator[object]:
    """Yield each label with its number of samples to search: CI takes few of the dearest boards."""
    for label in labels:
        dear = label in _FEW or BOOKS[label].board.squares >= 30
        yield pytest.param(label, _ALL, marks=pytest.mark.slow if dear else ())
    yield from _FEW.items()


@pytest.mark.parametrize("label", BOOKS)
def test_a_book_is_made_for_the_board_of_its_name(label: str) -> None:
    """The maker builds its boards without the game, and they equal the boards of the game."""
    recipe = BOOKS[label]
    made, shown = recipe.board, board(recipe.columns, recipe.rows, recipe.line, "classic").lines
    assert (made.label, made.squares, set(made.sets), made.symmetries) == (
        shown.label,
        shown.squares,
        set(shown.sets),
        shown.symmetries,
    )


@pytest.mark.parametrize(("label", "most"), [*fewer_if_large(WITH_LENGTHS)])
def test_books_say_what_a_search_says(label: str, most: int) -> None:
    """Samples of every book have the value and distance that the search finds without it."""
    marks, playing = BOOKS[label].marks, BOOKS[label].board
    book = book_of(playing)
    assert book is not None
    assert book.marks == marks
    search = LineSearch(20_000_000)
    symmetry = geometry(playing).symmetry
    for mine, theirs in [*sampled(playing, marks)][-most:]:
        found = search.best(LineView(unbooked(playing), mine, theirs))
        told = book.value(symmetry.canonical(mine, theirs))
        assert told == (found.result, found.plies), (mine, theirs)


@pytest.mark.parametrize("label", slow_if_large(WITHOUT_LENGTHS))
def test_a_book_without_lengths_says_what_a_search_says(label: str) -> None:
    """Results that the search finds within a second or two are those of the book."""
    marks, playing = BOOKS[label].marks, BOOKS[label].board
    book = book_of(playing)
    assert book is not None
    search = LineSearch(2_000_000)
    symmetry = geometry(playing).symmetry
    compared = 0
    for mine, theirs in [(0, 0), *sampled(playing, marks)]:
        found = search.best(LineView(unbooked(playing), mine, theirs))
        told = book.value(symmetry.canonical(mine, theirs))
        if found.result is not None:
            compared += 1
            assert told == (found.result, None), (mine, theirs)
    assert compared


@pytest.mark.parametrize("label", BOOKS)
def test_a_book_holds_what_its_moves_lead_to(label: str) -> None:
    """Each value follows from those of the positions after each move, and none is missing."""
    marks, playing = BOOKS[label].marks, BOOKS[label].board
    book = book_of(playing)
    assert book is not None
    for count in range(min(marks, 4)):
        every = list(canonical_positions(playing, count))
        for mine, theirs in Random(5).sample(every, min(len(every), 200)):
            told = book.values[book.index(mine << playing.squares | theirs)]
            assert told == generator.followed(playing, book, mine, theirs) != UNKNOWN, (
                mine,
                theirs,
            )


@pytest.mark.parametrize("label", [label for label in BOOKS if label.startswith("classic-3")])
def test_play_by_a_book_and_beyond(label: str) -> None:
    """With the book, and one mark before its end, values are those of the search without it.

    Among them are positions with two marks side by side, lost in two plies at the book's very edge.
    """
    playing = BOOKS[label].board
    rng = Random(2)
    search = LineSearch(2_000_000)
    symmetry = geometry(playing).symmetry
    samples = [pair for marks in (2, 3) for pair in generator.positions(symmetry, marks)]
    for mine, theirs in rng.sample(samples, 80):
        found, told = (
            search.best(LineView(here, mine, theirs)) for here in (unbooked(playing), playing)
        )
        assert (told.result, told.plies) == (found.result, found.plies), (mine, theirs)
        assert told.best


def sampled(playing: LineBoard, marks: int) -> Iterator[Marks]:
    """Yield positions of a book, most of them with its greatest number of marks."""
    rng = Random(4)
    squares = playing.squares
    for count in [*range(3, marks), *[marks] * 4]:
        chosen = rng.sample(range(squares), min(count, squares - 1))
        pair = [sum(1 << i for i in chosen[k::2]) for k in (1, 0)]
        if undecided(playing, (pair[0], pair[1])):
            yield pair[0], pair[1]


def test_first_moves_by_a_book_without_lengths() -> None:
    """X wins the empty 6x6 with four in a row; the search finds that its sixth mark does it."""
    playing = board(6, 6, 4, "classic").lines
    book = book_of(playing)
    symmetry = geometry(playing).symmetry
    assert book is not None
    found = LineSearch(8_000_000).best(LineView(playing, 0, 0))
    assert (found.result, found.plies) == (Result.WIN, 11)
    assert found.best
    for number in found.best:
        assert book.value(symmetry.canonical(0, 1 << number)) == (Result.LOSS, None)


def test_a_book_can_be_made_again() -> None:
    """Made anew, the book of 3x3 is the same."""
    label = "classic-3-3x3"
    made = packed(generator.make(BOOKS[label]))
    assert (FOLDER / f"{label}.book").read_bytes() == made


def test_books_are_small() -> None:
    """All books together are smaller than a megabyte."""
    assert sum(path.stat().st_size for path in FOLDER.glob("*.book")) < 1_000_000
