"""The picture of a board: what it shows, how large it is, and what it costs."""

import time
from io import BytesIO
from itertools import chain
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.pictures.colours import GOLD, RECENT, TEXT
from bot.pictures.frames import animate, draw_board
from core.games import GAMES
from core.grid import Square
from core.match import Match
from core.match.diagram import Look, diagram
from core.options import Options
from tests.bot.pictures.pixels import coloured, film, opened, square
from tests.bot.playing import X_WINS, begin, names_of
from tests.core.boards import ALICE, BOB, CAROL, after

_KB = 1000
_MANY = 150
# Half of the CPU that a board may take; the rest is for a slower machine.
_SECONDS = 0.020

BOARDS: list[tuple[str, Options]] = [
    ("tictactoe", {"rows": 3, "columns": 3}),
    ("tictactoe", {"rows": 5, "columns": 5, "line": 5}),
    ("tictactoe", {"rows": 8, "columns": 3}),
    ("tictactoe", {"rows": 10, "columns": 10, "line": 10}),
    ("tictactoe", {"rows": 10, "columns": 10, "line": 10, "variant": "torus"}),
    ("nineholes", {}),
    ("tribolo", {"size": "small"}),
    ("tribolo", {"size": "medium"}),
    ("tribolo", {"size": "full"}),
]


def played(game: str, options: Options, share: float) -> Match:
    """Return a match played at random, up to a share of as many moves as it has squares."""
    players = (ALICE, BOB, CAROL)[: GAMES[game].seats]
    match, rng = Match.start(game, options, players=players, rng=Random(1)), Random(2)
    for _ in range(round(share * len(match.position.grid.squares))):
        if match.outcome is None:
            match = match.play(rng.choice(match.position.legal_moves()))
    return match


@pytest.mark.parametrize(("game", "options"), BOARDS)
def test_a_board_is_small_and_quickly_drawn(game: str, options: Options) -> None:
    """Every kind of board has less than 20 kB, whether it is empty, half full or full.

    Once a process has drawn the first one, it takes less than half of the 40 ms of CPU.
    """
    for share in (0, 0.5, 1):
        match = played(game, options, share)
        names = names_of(match)
        draw_board(match, names)
        begun = time.process_time()
        picture = draw_board(match, names)
        assert time.process_time() - begun < _SECONDS
        assert len(picture) < 20 * _KB


def test_a_board_shows_what_is_news_to_the_player_to_move() -> None:
    """With three players, all marks since their own last move stand out, as they do in emoji.

    Squares that were just taken look different from a mark that was just placed.
    """
    match = played("tribolo", {"size": "medium"}, 0.4)
    cells = list(chain.from_iterable(diagram(match)))
    new = {cell.square: cell.look for cell in cells if cell.look is not Look.PLAIN}
    assert {Look.LAST, Look.TAKEN} <= set(new.values())
    picture = opened(draw_board(match, names_of(match)))
    grid = match.position.grid
    shown = {cell.square: square(picture, cell.square, grid) for cell in cells}
    # Edges of walls and marks also have a few pixels of the colour.
    lit_up = {at for at, part in shown.items() if len(coloured(part, RECENT)) > _MANY}
    assert lit_up == set(new)
    frames = {look: set[int]() for look in (Look.LAST, Look.TAKEN)}
    for at, look in new.items():
        frames[look].add(len(coloured(shown[at], TEXT)))
    assert min(frames[Look.LAST]) > max(frames[Look.TAKEN])


def test_a_board_shows_a_hint_and_legal_moves() -> None:
    """A hint and legal moves are marked in gold, and the points of a move are written."""
    match = played("tribolo", {"size": "medium"}, 0.2)
    best, *others = match.position.legal_moves()
    grid, names = match.position.grid, names_of(match)

    def golden(**marked: Any) -> dict[Square, frozenset[tuple[int, int]]]:
        picture = opened(draw_board(match, names, **marked))
        found = {at: coloured(square(picture, at, grid), GOLD) for at in grid.squares}
        return {at: pixels for at, pixels in found.items() if pixels}

    assert set(golden(hint=best)) == {best.to}
    assert set(golden(gains=dict.fromkeys(others))) == {move.to for move in others}
    counted = golden(gains={best: 1, others[0]: 2})
    assert counted[best.to] != counted[others[0].to]


def test_a_board_is_the_last_frame_of_the_film_but_for_the_points_of_the_result() -> None:
    """The winner's line, the last move and the players look as they do in the animation.

    Nothing says there what a 1 beside a player would stand for, and the message has the result.
    """
    match = after(begin(), X_WINS)
    png = draw_board(match, names_of(match))
    with Image.open(BytesIO(png)) as picture:
        assert picture.format == "PNG" and picture.mode == "P"
    shown, filmed = opened(png), film(animate(match, names_of(match))).frames[-1]
    points = (shown.width - 40, shown.height - 110, shown.width, shown.height)
    assert shown.crop(points).tobytes() != filmed.crop(points).tobytes()
    for frame in (shown, filmed):
        frame.paste(0, points)
    assert shown.tobytes() == filmed.tobytes()
