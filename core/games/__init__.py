"""The games that there are: an explicit literal, one line per game."""

from core.game import Game
from core.games.mnk import TicTacToe
from core.games.nine_holes import NineHoles
from core.games.tribolo import Tribolo

GAMES: dict[str, Game] = {game.key: game for game in (TicTacToe(), NineHoles(), Tribolo())}
