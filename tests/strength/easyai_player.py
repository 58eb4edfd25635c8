"""m,n,k as a user of easyAI would write it: the library's own TicTacToe, made larger."""

from dataclasses import dataclass

from easyAI import AI_Player, Negamax, TranspositionTable, TwoPlayerGame

from core.games.tictactoe.position import MnkPosition

WIN = 100


class MnkGame(TwoPlayerGame):  # type: ignore[misc]  # easyAI has no types
    """Squares are numbered as in `core.grid`; 0 is empty, 1 and 2 are the players."""

    def __init__(self, position: MnkPosition):
        self.players = [AI_Player(None), AI_Player(None)]
        self.current_player = 1 + position.side_to_move
        x, o = position.bitboards
        self.board = [(x >> i & 1) + 2 * (o >> i & 1) for i in range(len(position.grid.squares))]
        sets = {mask for through in position.board.through for mask in through}
        self.lines = [[i for i in range(len(self.board)) if mask >> i & 1] for mask in sorted(sets)]

    def possible_moves(self) -> list[int]:
        return [i for i, owner in enumerate(self.board) if owner == 0]

    def make_move(self, move: int) -> None:
        self.board[move] = self.current_player

    def unmake_move(self, move: int) -> None:
        self.board[move] = 0

    def lose(self) -> bool:
        """Whether the opponent has a line."""
        return any(all(self.board[i] == self.opponent_index for i in line) for line in self.lines)

    def is_over(self) -> bool:
        return self.possible_moves() == [] or self.lose()

    def scoring(self) -> int:
        return -WIN if self.lose() else 0

    def ttentry(self) -> tuple[int, ...]:
        return (self.current_player, *self.board)

    def show(self) -> None:
        print(self.board)


@dataclass(frozen=True)
class Judgement:
    """The value for the side to move, 1, 0 or -1, and the plies to a win or loss."""

    result: int
    plies: int | None


def search(position: MnkPosition) -> Judgement:
    """Search to the end with a fresh table: Negamax at full depth."""
    game = MnkGame(position)
    if game.is_over():
        return Judgement(-1, 0) if game.lose() else Judgement(0, None)
    depth = len(game.possible_moves())
    player = Negamax(depth, tt=TranspositionTable())
    player(game)
    # negamax() multiplies a final score by 1 + 0.001 for each ply of depth that is left.
    score = float(player.alpha)
    if score == 0:
        return Judgement(0, None)
    return Judgement(1 if score > 0 else -1, depth - round((abs(score) / WIN - 1) * 1000))
