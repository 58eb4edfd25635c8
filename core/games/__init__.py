"""The registry of games: an explicit literal with one line per game."""

from core.game import Game
from core.games.connectfour import ConnectFour
from core.games.nineholes import NineHoles
from core.games.tictactoe import TicTacToe
from core.games.tribolo import Tribolo

GAMES: dict[str, Game] = {
    game.key: game
    for game in (
        TicTacToe(),
        ConnectFour(),
        NineHoles(),
        Tribolo(),
    )
}
