"""One playing of a game: what its players may do in it, each change being a new match.

A match is a value, and it is its course (`core.course`): a change makes a longer course, a shorter
one, or one that has ended.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from core.course import Course
from core.errors import HasLeft, MatchOver, NothingToUndo, NotYourTurn, StalePly
from core.game import Game
from core.grid import Move
from core.leaving import Withdrawal, without
from core.options import Options
from core.outcome import Ending, Termination
from core.players import Player
from core.position import Position


@dataclass(frozen=True)
class Match(Course):
    """A course that players can change: they begin it, move, take back, leave, and go on."""

    @classmethod
    def begin(cls, game: Game, options: Options, players: Sequence[Player], rng: Random) -> "Match":
        """Return a new match; `options` are resolved first.

        Raises OptionError, and ValueError unless there is a player for each seat.
        """
        if len(players) != game.seats:
            raise ValueError(f"{game.key} takes {game.seats} players, not {len(players)}")
        resolved = game.resolve(options)
        return cls(game, resolved, tuple(players), game.start(resolved, rng))

    def check_turn(self, player: Player, ply: int | None = None) -> None:
        """Raise unless `player` may move now.

        NotAPlayer, MatchOver, HasLeft, StalePly or NotYourTurn, the first that holds; `ply` is the
        one that the move was meant for, None for whatever is current.
        """
        self._seat_in_play(player)
        if ply is not None and ply != self.ply:
            raise StalePly(ply, self.ply)
        if self.next_player != player:
            raise NotYourTurn

    def _seat_in_play(self, player: Player) -> int:
        """Return the seat at which `player` plays; raise NotAPlayer, MatchOver or HasLeft."""
        seat = self.seat_of(player)
        if self.outcome is not None:
            raise MatchOver
        if seat not in self.staying:
            raise HasLeft
        return seat

    def play(self, player: Player, move: Move, ply: int | None = None) -> "Match":
        """Return the match after `move`; raise as `check_turn` does, or IllegalMove."""
        self.check_turn(player, ply)
        after = replace(self, moves=(*self.moves, move))
        return _knowing(after, (*self.positions, self.position.play(move)))

    def undo(self, player: Player) -> "Match":
        """Return the match as it was before the last move of `player`.

        One ply where one person sits at all seats; answers of others go with it. An ended match
        is played again, but nobody who left comes back: what was played before somebody left
        stays. Raises NotAPlayer, NothingToUndo.
        """
        self.seat_of(player)
        settled = self.withdrawals[-1].ply if self.withdrawals else 0
        for ply in range(self.ply - 1, settled - 1, -1):
            seat = self.positions[ply].to_move
            if seat is not None and self.players[seat] == player:
                return replace(self, moves=self.moves[:ply], ending=None)
        raise NothingToUndo

    def at(self, ply: int) -> "Match":
        """Return the match as it was after `ply` moves, 0 to all of them; all is the match itself.

        Whoever left before the next move has left by then.
        """
        if ply >= self.ply:
            return self
        gone = tuple(withdrawal for withdrawal in self.withdrawals if withdrawal.ply <= ply)
        return replace(self, moves=self.moves[:ply], ending=None, withdrawals=gone)

    def resign(self, player: Player) -> "Match":
        """Return the match lost by `player`, or left to the others where there are more than one.

        Raises NotAPlayer, MatchOver, HasLeft.
        """
        return self._lost_by(self._seat_in_play(player), Termination.RESIGNATION)

    def depart(self, player: Player) -> "Match":
        """Return the match lost, or left, by a player who is gone for good; raise as `resign`."""
        return self._lost_by(self._seat_in_play(player), Termination.DEPARTURE)

    def time_out(self) -> "Match":
        """Return the match lost, or left, by the seat to move, as `resign`; raise MatchOver."""
        if self.to_move is None:
            raise MatchOver
        return self._lost_by(self.to_move, Termination.TIMEOUT)

    def _lost_by(self, seat: int, termination: Termination) -> "Match":
        if self.game.seats == 2:
            return self._ended(Ending(termination, seat))
        gone = Withdrawal(seat, self.ply, termination)
        after = replace(self, withdrawals=(*self.withdrawals, gone))
        return _knowing(after, (*self.positions[:-1], without(self.position, seat)))

    def agree_draw(self) -> "Match":
        """Return the match drawn by agreement; raise MatchOver."""
        return self._ended(Ending(Termination.AGREEMENT))

    def _ended(self, ending: Ending) -> "Match":
        if self.outcome is not None:
            raise MatchOver
        return replace(self, ending=ending)

    def restart(self, rng: Random) -> "Match":
        """Return a match with the same players and settings, and no moves."""
        return Match.begin(self.game, self.options, self.players, rng)

    def rematch(self, rng: Random) -> "Match":
        """Return a restart in which everybody has moved on by one seat."""
        players = (*self.players[1:], self.players[0])
        return Match.begin(self.game, self.options, players, rng)


def _knowing(match: Match, positions: tuple[Position, ...]) -> Match:
    """Return `match`, told the positions, which are known, instead of replaying them."""
    match.__dict__["positions"] = positions
    return match


if __name__ == "__main__":  # python -m core.match FILE: read a record, and print the match
    from core.printout import main

    raise SystemExit(main())
