"""Boards in words: every square is told once, and alt texts are plain and short enough."""

import re
from itertools import product
from random import Random

import pytest

from bot.i18n import texts_for
from bot.render.spoken import MAX_ALT, alt_text, row_lines
from core.match import Match
from tests.bot.playing import X_WINS, begin
from tests.core.boards import ALICE, BOB, CAROL, after
from tests.core.playthroughs import play_at_random

TEXTS = texts_for("en")
_WORDS = {"B": "circle", "R": "triangle", "G": "heart", "#": "wall", ".": "empty"}


def full(seed: int) -> Match:
    """Return a match on the largest board, played at random to its end."""
    match = Match.start("tribolo", {"size": "full"}, players=[ALICE, BOB, CAROL], rng=Random(seed))
    return play_at_random(match, Random(seed))


def read(line: str) -> dict[str, str]:
    """Return the contents of a row in words, by the letter of the column."""
    told = line.removesuffix(".").partition(": ")[2]
    if told.startswith("all "):
        return dict.fromkeys("abcdefghijklmnop", told.removeprefix("all "))
    found: dict[str, str] = {}
    for part in told.split(", "):
        content, _, columns = part.partition(" ")
        for run in re.findall(r"(\w) to (\w)|(\w)", columns):
            first, last = (run[0], run[1]) if run[0] else (run[2], run[2])
            found |= {chr(code): content for code in range(ord(first), ord(last) + 1)}
    return found


@pytest.mark.parametrize("seed", range(3))
def test_the_rows_tell_every_square(seed: int) -> None:
    """Reading them gives the board back."""
    match = full(seed)
    for ply in range(0, match.ply, 9):
        position = match.at(ply).position
        for row, line in zip(position.rows(), row_lines(match.at(ply), TEXTS), strict=True):
            assert read(line) == {
                chr(ord("a") + at): _WORDS[letter] for at, letter in enumerate(row)
            }


def test_alt_texts_fit() -> None:
    """Discord takes 1,024 characters: the largest board fits, with the longest names."""
    names = ["W" * 32] * 3
    for seed, step in product(range(5), range(8)):
        match = full(seed)
        alt = alt_text(match.at(match.ply * step // 7), names, TEXTS)
        assert len(alt) <= MAX_ALT and not alt.endswith("…")


def test_alt_texts_tell_move_turn_and_end() -> None:
    """The last move comes first, then the turn or the result, in plain text."""
    match = after(begin(), X_WINS)
    told = alt_text(match.at(3), ["Ann", "Ben"], TEXTS)
    assert told == (
        "Last move: X b1. circle to move: Ben. Row 3: circle a, empty b c. "
        "Row 2: all empty. Row 1: X a b, empty c."
    )
    assert alt_text(match, ["Ann", "Ben"], TEXTS).startswith("Last move: X c1. 🏆 X: Ann wins")
