"""Books of first moves: what they say, against a search without them and against their maker."""

from collections.abc import Iterator
from random import Random

import pytest

from core.engine.book import UNKNOWN, book_of, packed
from core.engine.geometry import geometry
from core.engine.lines import LineSearch
from core.games.tictactoe.board import Board, board
from core.outcome import Result
from core.views import LineView
from tests.core import books


@pytest.mark.parametrize("label", sorted(set(books.BOOKS) - books.WITHOUT_LENGTHS))
def test_books_say_what_a_search_says(label: str) -> None:
    """Samples of every book have the result and length that the search finds without it."""
    shape, marks = books.BOOKS[label]
    playing = board(*shape)
    book = book_of(playing.lines)
    assert book is not None
    assert book.marks == marks
    search, mirrors = LineSearch(20_000_000, use_book=False), geometry(playing.lines).mirrors
    for mine, theirs in sampled(playing, marks):
        found = search.best(LineView(playing.lines, mine, theirs))
        told = book.value(mirrors.canonical(mine, theirs))
        assert told == (found.result, found.plies), (mine, theirs)


@pytest.mark.parametrize("label", sorted(books.WITHOUT_LENGTHS))
def test_a_book_without_lengths_says_what_a_search_says(label: str) -> None:
    """Where the search finds a result in a second or two it is the one in the book."""
    shape, marks = books.BOOKS[label]
    playing = board(*shape)
    book = book_of(playing.lines)
    assert book is not None
    search, mirrors = LineSearch(2_000_000, use_book=False), geometry(playing.lines).mirrors
    compared = 0
    for mine, theirs in [(0, 0), *sampled(playing, marks)]:
        found = search.best(LineView(playing.lines, mine, theirs))
        told = book.value(mirrors.canonical(mine, theirs))
        if found.result is not None:
            compared += 1
            assert told == (found.result, None), (mine, theirs)
    assert compared


@pytest.mark.parametrize("label", books.BOOKS)
def test_a_book_holds_what_its_moves_lead_to(label: str) -> None:
    """What it says of a position follows from what it says of those after each move: none lacks."""
    shape, marks = books.BOOKS[label]
    playing = board(*shape)
    book = book_of(playing.lines)
    assert book is not None
    for count in range(min(marks, 4)):
        every = list(books.kinds_of(playing, count))
        for mine, theirs in Random(5).sample(every, min(len(every), 200)):
            told = book.values[book.index(mine << playing.lines.squares | theirs)]
            assert told == books.followed(playing, book, mine, theirs) != UNKNOWN, (mine, theirs)


@pytest.mark.parametrize("label", [label for label in books.BOOKS if label.startswith("classic-3")])
def test_play_by_a_book_and_beyond(label: str) -> None:
    """Where the book says the value, and one mark before that, the search knows no better.

    Among them are positions with two men side by side, lost at the book's very edge in two plies.
    """
    playing, rng = board(*books.BOOKS[label][0]), Random(2)
    by_book = LineSearch(2_000_000)
    search = LineSearch(2_000_000, use_book=False)
    mirrors = geometry(playing.lines).mirrors
    samples = [pair for marks in (2, 3) for pair in books.positions(mirrors, marks)]
    for mine, theirs in rng.sample(samples, 80):
        view = LineView(playing.lines, mine, theirs)
        found, told = search.best(view), by_book.best(view)
        assert (told.result, told.plies) == (found.result, found.plies), (mine, theirs)
        assert told.best


def sampled(playing: Board, marks: int) -> Iterator[books.Marks]:
    """Yield positions of a book, most of them with as many marks as it knows."""
    rng, squares = Random(4), playing.lines.squares
    for count in [*range(3, marks), *[marks] * 4]:
        chosen = rng.sample(range(squares), min(count, squares - 1))
        pair = [sum(1 << i for i in chosen[k::2]) for k in (1, 0)]
        if books.undecided(playing, (pair[0], pair[1])):
            yield pair[0], pair[1]


def test_first_moves_by_a_book_without_lengths() -> None:
    """X wins on the empty 6x6 with four in a row, by its sixth mark as the search finds out."""
    playing = board(6, 6, 4, "classic")
    book, mirrors = book_of(playing.lines), geometry(playing.lines).mirrors
    assert book is not None
    found = LineSearch(2_000_000).best(LineView(playing.lines, 0, 0))
    assert (found.result, found.plies) == (Result.WIN, 11)
    assert found.best
    for number in found.best:
        assert book.value(mirrors.canonical(0, 1 << number)) == (Result.LOSS, None)


def test_a_book_can_be_made_again() -> None:
    """The program that made the books makes the same book of 3x3."""
    label = "classic-3-3x3"
    made = packed(books.make(*books.BOOKS[label]))
    assert (books.FOLDER / f"{label}.book").read_bytes() == made


def test_books_are_small() -> None:
    """All books together stay below the megabyte that the package can afford."""
    assert sum(path.stat().st_size for path in books.FOLDER.glob("*.book")) < 1_000_000
