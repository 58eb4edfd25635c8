"""The picture of a board: what it shows, how large it is, and what it costs."""

import time
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from bot.pictures.animation import animate
from bot.pictures.board import draw_board
from core.games import GAMES
from core.match import Match
from core.options import Options
from tests.bot.pictures.pixels import film
from tests.bot.playing import X_WINS, begin, names_of
from tests.core.boards import ALICE, BOB, CAROL, after

_KB = 1000
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


def test_a_board_is_the_last_frame_of_the_film() -> None:
    """The winner's line, the last move and the players look as they do in the animation."""
    match = after(begin(), X_WINS)
    with Image.open(BytesIO(draw_board(match, names_of(match)))) as picture:
        assert picture.format == "PNG" and picture.mode == "P"
        shown = picture.convert("RGB")
    assert shown.tobytes() == film(animate(match, names_of(match))).frames[-1].tobytes()
