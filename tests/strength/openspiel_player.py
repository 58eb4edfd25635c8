"""m,n,k by OpenSpiel: its game, and its alpha-beta search in Python."""

import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search

from core.games.tictactoe.position import MnkPosition

NINE = "tic_tac_toe"


def search(position: MnkPosition) -> int:
    """Search to the end; return the value for the side to move: 1, 0 or -1."""
    rows, columns, line = position.grid.rows, position.grid.columns, position.board.line
    name = NINE if (rows, columns, line) == (3, 3, 3) else f"mnk(m={columns},n={rows},k={line})"
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    squares = len(position.grid.squares)
    marks = [[i for i in range(squares) if mine >> i & 1] for mine in position.bitboards]
    for ply in range(sum(len(mine) for mine in marks)):
        state.apply_action(marks[ply % 2][ply // 2])
    value, _ = alpha_beta_search(game, state=state, maximum_depth=squares + 1)
    return int(value)
