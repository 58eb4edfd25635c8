"""A match: one playing of a game by its players."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

from core.errors import (
    BadNotation,
    HasLeft,
    Illegal,
    IllegalMove,
    MatchOver,
    NotAPlayer,
    NothingToUndo,
    NotYourTurn,
    OptionError,
    StalePly,
)
from core.game import Game
from core.games import GAMES
from core.grid import SWAP, Move
from core.match.leaving import Withdrawal, check_withdrawals, in_order, replay, staying, too_few
from core.options import Options
from core.outcome import Ending, Outcome, Termination
from core.players import Member, Player
from core.position import Position, falls


@dataclass(frozen=True, repr=False)
class Match:
    """A game in play, as an immutable and hashable value: every change returns a new match.

    `Match.start` makes one. `players[seat]` sits at each seat, and `moves` lead from the position
    `initial` to the current one. `ending` is set if the match ended away from the board.
    `withdrawals`, oldest first, occur only with more than two seats: with two, leaving ends the
    match. Everything else follows from these fields. ``str()`` draws the board.

    A match and those that follow from it share the mapping `options`, which nobody may change.
    """

    game: Game
    options: Options = field(hash=False)
    players: tuple[Player, ...]
    initial: Position
    moves: tuple[Move, ...] = ()
    ending: Ending | None = None
    withdrawals: tuple[Withdrawal, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError for withdrawals that can't have happened."""
        if self.withdrawals:
            check_withdrawals(self.game.seats, self._people, self.ply, self.withdrawals)

    def __repr__(self) -> str:
        return f"<Match {self.game.key}: {' '.join(map(str, self.moves)) or 'no moves'}>"

    def __str__(self) -> str:
        return str(self.position)

    @classmethod
    def start(
        cls,
        game: Game | str,
        options: Options | None = None,
        /,
        *,
        players: Sequence[Player] | None = None,
        rng: Random | None = None,
        **more: int | str,
    ) -> "Match":
        """Return a new match of `game`, or of the registered game with that key.

        As with `dict`, options come as a mapping, as keywords, or both. Without `players`, seat s
        is taken by ``Member(s)``. Games that draw their start by lot do so with `rng`; without it
        they start the same way every time.

        Raises OptionError for an unknown key and for options that make no board, and ValueError if
        there aren't as many players as seats.
        """
        if isinstance(game, str):
            if game not in GAMES:
                raise OptionError("game", game, tuple(GAMES))
            game = GAMES[game]
        seated = tuple(map(Member, range(game.seats)) if players is None else players)
        if len(seated) != game.seats:
            raise ValueError(f"{game.key} takes {game.seats} players, not {len(seated)}")
        resolved = game.resolve({**(options or {}), **more})
        return cls(game, resolved, seated, game.start(resolved, rng or Random(0)))

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """All positions from the initial to the current one: one more than there are moves.

        Raises IllegalMove or MatchOver if the moves can't be played, and ValueError if a seat left
        after the end.
        """
        return replay(self.initial, self.moves, self.withdrawals)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return len(self.moves)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the match ended, None while it goes on."""
        if self.ending is not None:
            outcome = self.ending.outcome(self.game.seats)
        elif too_few(self.game.seats, self._people, self.withdrawals):
            outcome = Outcome.drawn(self.game.seats, self.withdrawals[-1].termination)
        elif (found := self.game.outcome_after(self.positions)) is not None:
            outcome = found
        else:
            return None
        return outcome.behind(in_order(self.withdrawals))

    @cached_property
    def to_move(self) -> int | None:
        """The seat that moves next, None when the match is over."""
        return None if self.outcome else self.position.to_move

    @property
    def next_player(self) -> Player | None:
        """The player who moves next, None when the match is over."""
        return None if self.to_move is None else self.players[self.to_move]

    @property
    def staying(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return staying(self.game.seats, self.withdrawals)

    @property
    def deserted(self) -> bool:
        """Whether all people have left and several computers stay, so that nobody won."""
        return len(self.staying) > 1 and too_few(self.game.seats, self._people, self.withdrawals)

    @property
    def rated(self) -> bool:
        """Whether the result can count: a different person sits at each seat."""
        people = {player for player in self.players if isinstance(player, Member)}
        return len(people) == self.game.seats

    @property
    def rematch_players(self) -> tuple[Player, ...]:
        """The players of the next match of the same series: everybody moves on by one seat.

        After a match without a result, everybody keeps their seat.
        """
        if self.outcome is not None and not self.outcome.has_result:
            return self.players
        return (*self.players[1:], self.players[0])

    @property
    def _people(self) -> frozenset[int]:
        """The seats that members took, including those who have left."""
        return frozenset(s for s, p in enumerate(self.players) if isinstance(p, Member))

    def seat_of(self, player: Player) -> int:
        """Return the seat of `player`, even if they have left it; raise NotAPlayer.

        If the player has several seats, return the one to move, or else the first that hasn't left.
        """
        if self.next_player == player and self.to_move is not None:
            return self.to_move
        if player not in self.players:
            raise NotAPlayer(player)
        stay = (seat for seat in self.staying if self.players[seat] == player)
        return next(stay, self.players.index(player))

    def _seat_in_play(self, player: Player) -> int:
        """Return the seat of `player`; raise NotAPlayer, MatchOver or HasLeft."""
        seat = self.seat_of(player)
        if self.outcome is not None:
            raise MatchOver
        if seat not in self.staying:
            raise HasLeft(player)
        return seat

    def check_turn(self, by: Player, ply: int | None = None) -> None:
        """Raise unless the player `by` may move now; `ply` is the ply of the board that they saw.

        Raises the first that applies of NotAPlayer, MatchOver, HasLeft, StalePly and NotYourTurn.
        Without `ply`, no board is stale.
        """
        self._seat_in_play(by)
        if ply is not None and ply != self.ply:
            raise StalePly(ply, self.ply)
        if self.next_player != by:
            raise NotYourTurn(by)

    def play(
        self, move: Move | str, *, by: Player | None = None, ply: int | None = None
    ) -> "Match":
        """Return the match after `move`, which may be given in notation.

        The player to move makes it, unless `by` names the player who asks; `ply` is the ply of the
        board that they saw. Raises the errors of `check_turn`, BadNotation and IllegalMove.
        """
        if (player := by or self.next_player) is None:
            raise MatchOver
        # The turn comes first, so that a player out of turn isn't told that the notation is wrong.
        self.check_turn(player, ply)
        written = str(move)
        if isinstance(move, str):
            move = Move.parse(move)
        # Swaps and columns are refused here, so that games without them needn't know of them.
        if move == SWAP and SWAP not in self.position.legal_moves():
            raise IllegalMove(SWAP, Illegal.NO_SWAP)
        if move.column is not None and not falls(self.position):
            raise BadNotation(written)
        after = replace(self, moves=(*self.moves, move))
        # The cached property `positions` keeps its value there, so that no moves are replayed.
        after.__dict__["positions"] = (*self.positions, self.position.play(move))
        return after

    def undo(self, player: Player) -> "Match":
        """Return the match before the last move of `player`; raise NotAPlayer or NothingToUndo.

        Later moves of others are taken back with it. Undo reopens a match that has ended, but
        stops at the last withdrawal: a seat that left doesn't come back.
        """
        self.seat_of(player)
        settled = self.withdrawals[-1].ply if self.withdrawals else 0
        for ply in range(self.ply - 1, settled - 1, -1):
            seat = self.positions[ply].to_move
            if seat is not None and self.players[seat] == player:
                return replace(self, moves=self.moves[:ply], ending=None)
        raise NothingToUndo(player)

    def at(self, ply: int) -> "Match":
        """Return the match as it was after `ply` moves, just before the next one.

        If it has no more moves than that, return the match itself, with its ending. Raises
        ValueError for a negative `ply`.
        """
        if ply < 0:
            raise ValueError(f"ply {ply}")
        if ply >= self.ply:
            return self
        gone = tuple(withdrawal for withdrawal in self.withdrawals if withdrawal.ply <= ply)
        return replace(self, moves=self.moves[:ply], ending=None, withdrawals=gone)

    def resign(self, player: Player) -> "Match":
        """Return the match that `player` has resigned; raise NotAPlayer, MatchOver or HasLeft.

        With two seats, the player loses the match; with more, the others play on.
        """
        return self._lost_by(self._seat_in_play(player), Termination.RESIGNATION)

    def depart(self, *players: Player) -> "Match":
        """Return the match that `players` have left for good; raise what `resign` raises.

        Each loses as by `resign`. If several have left, and nobody but computers stays, the match
        is abandoned without a winner.
        """
        seats = [self._seat_in_play(player) for player in players]
        if len(seats) > 1 and self._people.isdisjoint({*self.staying} - {*seats}):
            return self._ended(Ending(Termination.ABANDONED))
        match = self
        # The seat to move leaves last. Without it, the others may have no move; then the match is
        # over, and nobody can leave any more.
        for seat in sorted(seats, key=lambda seat: seat == self.to_move):
            match = match._lost_by(seat, Termination.DEPARTURE)
        return match

    def drop(self, player: Player) -> "Match":
        """Return the match that `player` loses by being taken out of a tournament.

        Raises what `resign` raises.
        """
        return self._lost_by(self._seat_in_play(player), Termination.DROPPED)

    def time_out(self) -> "Match":
        """Return the match in which the seat to move ran out of time; raise MatchOver."""
        if self.to_move is None:
            raise MatchOver
        return self._lost_by(self.to_move, Termination.TIMEOUT)

    def _lost_by(self, seat: int, termination: Termination) -> "Match":
        if self.game.seats == 2:
            return self._ended(Ending(termination, seat))
        gone = Withdrawal(seat, self.ply, termination)
        return replace(self, withdrawals=(*self.withdrawals, gone))

    def agree_draw(self) -> "Match":
        """Return the match drawn by agreement; raise MatchOver."""
        return self._ended(Ending(Termination.AGREEMENT))

    def abort(self) -> "Match":
        """Return the match ended without a result, for a new one in its place; raise MatchOver."""
        return self._ended(Ending(Termination.RESTARTED))

    def call_off(self) -> "Match":
        """Return the match ended without a result by a moderator; raise MatchOver."""
        return self._ended(Ending(Termination.CALLED_OFF))

    def strand(self) -> "Match":
        """Return the match ended without a result, since it can't be reached; raise MatchOver."""
        return self._ended(Ending(Termination.STRANDED))

    def _ended(self, ending: Ending) -> "Match":
        if self.outcome is not None:
            raise MatchOver
        return replace(self, ending=ending)
