"""The games, by key: `GAMES["tictactoe"]`.

`Match.start` takes a game or its key, and the `declared` options of the game. A new game is one
more line here.
"""

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
