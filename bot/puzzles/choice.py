"""Chooses a shipped puzzle: the game first, then one of its boards, then a puzzle of that board.

A plain choice would prefer the games and boards of which most puzzles were made.
"""

from collections.abc import Sequence
from random import Random

from core.games import GAMES
from core.match.record import board_words
from core.puzzles import PuzzleLine
from core.puzzles.finding import Difficulty

# How many times as often a game is chosen as one that isn't named here.
_WEIGHTS = {"tictactoe": 4, "connectfour": 2}
# A server's first puzzles are easy, and the very first is of the board that everybody knows.
_FEWEST_BEFORE_HARD = 7
_FIRST_GAME = GAMES["tictactoe"]
_FIRST_BOARD = board_words(_FIRST_GAME, _FIRST_GAME.resolve({}))


def choose(left: Sequence[PuzzleLine], had: int, rng: Random) -> PuzzleLine:
    """Return one of the puzzles `left`, of which there is one at least.

    `had` is how many puzzles the server has had.
    """
    easy = [one for one in left if one.difficulty is Difficulty.EASY]
    if had < _FEWEST_BEFORE_HARD and easy:
        left = easy
    if had == 0:
        left = [one for one in left if one.board == _FIRST_BOARD] or left
    games = sorted({one.game for one in left})
    (game,) = rng.choices(games, [_WEIGHTS.get(one, 1) for one in games])
    board = rng.choice(sorted({one.board for one in left if one.game == game}))
    return rng.choice([one for one in left if one.board == board])
