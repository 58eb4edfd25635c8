"""One playing of a game: who sits where, the moves so far, and how it ended.

A match is a value. It is stored as its game, options, start position, players, moves, who left it
when and, where it did not end on the board, its ending; everything else follows from replaying.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import TypeAlias

from core.engine.levels import Level
from core.errors import HasLeft, MatchOver, NotAPlayer, NothingToUndo, NotYourTurn, StalePly
from core.game import Game
from core.grid import Move
from core.leaving import Withdrawal, check_withdrawals, deserted, replay, staying, without
from core.options import Options
from core.outcome import Outcome, Termination
from core.position import Position


@dataclass(frozen=True)
class Member:
    """A person, by an id that never changes."""

    id: int


@dataclass(frozen=True)
class Computer:
    """The computer, playing at a level."""

    level: Level


Player: TypeAlias = Member | Computer


@dataclass(frozen=True)
class Ending:
    """How a match ended away from the board: `seat` is who lost it, None where nobody did."""

    termination: Termination
    seat: int | None = None

    def outcome(self, seats: int) -> Outcome:
        """Return the outcome for a match of `seats` players."""
        if self.seat is None:
            return Outcome.drawn(seats, self.termination)
        return Outcome.lost(self.seat, seats, self.termination)


@dataclass(frozen=True)
class Match:
    """A match of `game`: `players[seat]` sits at each seat; `moves` lead from `start` to now.

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

    @classmethod
    def begin(cls, game: Game, options: Options, players: Sequence[Player], rng: Random) -> "Match":
        """Return a new match; `options` are resolved first.

        Raises OptionError, and ValueError unless there is a player for each seat.
        """
        if len(players) != game.seats:
            raise ValueError(f"{game.key} takes {game.seats} players, not {len(players)}")
        resolved = game.resolve(options)
        return cls(game, resolved, tuple(players), game.start(resolved, rng))

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
