"""The course of a match: what is kept of it, and whatever follows from replaying that.

Kept are its game, options, start position, players, moves, who left it when and, where it did not
end on the board, its ending.
"""

from dataclasses import dataclass
from functools import cached_property

from core.errors import NotAPlayer
from core.game import Game
from core.grid import Move
from core.leaving import Withdrawal, check_withdrawals, deserted, replay, staying
from core.options import Options
from core.outcome import Ending, Outcome
from core.players import Member, Player
from core.position import Position


@dataclass(frozen=True)
class Course:
    """How `game` was played: `players[seat]` sits at each seat; `moves` lead from `start` to now.

    `withdrawals`, oldest first, are for more than two seats: with two, whoever goes ends the match.
    """

    game: Game
    options: Options
    players: tuple[Player, ...]
    start: Position
    moves: tuple[Move, ...] = ()
    ending: Ending | None = None
    withdrawals: tuple[Withdrawal, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError for withdrawals that can't have been."""
        if self.withdrawals:
            check_withdrawals(self.game.seats, self._people, self.ply, self.withdrawals)

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """Every position from the start to now, so one more than moves.

        Raises IllegalMove or MatchOver where the moves are not a playing of the game, and
        ValueError where somebody left when it was over.
        """
        return replay(self.start, self.moves, self.withdrawals)

    @property
    def position(self) -> Position:
        """The board as it stands."""
        return self.positions[-1]

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.moves)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the match ended, None while it is played."""
        if self.ending is not None:
            outcome = self.ending.outcome(self.game.seats)
        elif deserted(self.game.seats, self._people, self.withdrawals):
            outcome = Outcome.drawn(self.game.seats, self.withdrawals[-1].termination)
        elif (found := self.game.adjudicate(self.positions)) is not None:
            outcome = found
        else:
            return None
        return outcome.behind([withdrawal.seat for withdrawal in self.withdrawals])

    @property
    def staying(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return staying(self.game.seats, self.withdrawals)

    @property
    def _people(self) -> frozenset[int]:
        """The seats at which members sit, or sat."""
        return frozenset(s for s, p in enumerate(self.players) if isinstance(p, Member))

    @cached_property
    def to_move(self) -> int | None:
        """The seat that moves next, None when the match is over."""
        return None if self.outcome else self.position.to_move

    @property
    def next_player(self) -> Player | None:
        """Who moves next, None when the match is over."""
        return None if self.to_move is None else self.players[self.to_move]

    @property
    def rated(self) -> bool:
        """Whether the result counts: different people at all the seats."""
        people = {player for player in self.players if isinstance(player, Member)}
        return len(people) == self.game.seats

    def seat_of(self, player: Player) -> int:
        """Return the seat of `player`, who may have left it.

        Where they have several, the one to move, else one that has not left. Raises NotAPlayer.
        """
        if self.next_player == player and self.to_move is not None:
            return self.to_move
        if player not in self.players:
            raise NotAPlayer
        stay = (seat for seat in self.staying if self.players[seat] == player)
        return next(stay, self.players.index(player))
