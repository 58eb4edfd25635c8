"""Seeded matches between two ways of choosing a move, and the plain opponents."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from core.engine.levels import Level
from core.engine.player import Engine
from core.game import Game
from core.grid import Move, Square
from core.match import Match
from core.options import Options
from core.outcome import Result
from core.players import Member
from core.position import Position

# Chooses a move in the last of a match's positions.
Chooser: TypeAlias = Callable[[Sequence[Position], Random], Move]


def at_random(positions: Sequence[Position], rng: Random) -> Move:
    """Choose any legal move."""
    return rng.choice(positions[-1].legal_moves())


def one_ply(positions: Sequence[Position], rng: Random) -> Move:
    """Choose a move that wins at once, else one on a square where the other would win, else any."""
    position = positions[-1]
    moves = position.legal_moves()
    if won := [move for move in moves if wins(position, move)]:
        return rng.choice(won)
    blocks = threatened(position)
    return rng.choice([move for move in moves if move.to in blocks] or moves)


def wins(position: Position, move: Move) -> bool:
    """Return whether `move` wins at once."""
    outcome = position.play(move).outcome()
    seat = position.to_move
    return outcome is not None and seat is not None and outcome.result(seat) is Result.WIN


def threatened(position: Position) -> set[Square]:
    """Return the squares on which the other side could win at once after some move."""
    replies = (position.play(move) for move in position.legal_moves())
    return {answer.to for reply in replies for answer in reply.legal_moves() if wins(reply, answer)}


def computer(level: Level) -> Chooser:
    """Return the computer at `level`."""
    engine = Engine()
    return lambda positions, rng: engine.choose(positions[-1], level, rng, positions)


@dataclass(frozen=True)
class Tally:
    """How often the first of two choosers won, drew (or shared the first place) and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.won + self.drawn + self.lost


def play_games(
    game: Game,
    options: Options,
    one: Chooser,
    other: Chooser,
    games: int,
    seed: int,
    opening: int = 0,
) -> Tally:
    """Play `games` matches to their ends and return them as `one` sees them.

    `one` has the first seat in the first, the second in the second, and so on; `other` has all the
    rest. The first `opening` moves are random, the same for each seat of `one` in turn. The same
    seed gives the same games.
    """
    rng, results = Random(seed), Counter[Result]()
    for number in range(games):
        seat = number % game.seats
        choosers = [one if at == seat else other for at in range(game.seats)]
        chance = Random(f"{seed} {number // game.seats}")
        choosers = [_after_opening(chooser, opening, chance) for chooser in choosers]
        results[_result(game, options, choosers, seat, rng)] += 1
    return Tally(results[Result.WIN], results[Result.DRAW], results[Result.LOSS])


def _after_opening(chooser: Chooser, opening: int, chance: Random) -> Chooser:
    """Return `chooser` with random moves in the first `opening` plies."""

    def choose(positions: Sequence[Position], rng: Random) -> Move:
        if len(positions) <= opening:
            return at_random(positions, chance)
        return chooser(positions, rng)

    return choose


def _result(
    game: Game, options: Options, choosers: Sequence[Chooser], seat: int, rng: Random
) -> Result:
    """Play one match, and return its result for `seat`."""
    players = [Member(number) for number in range(len(choosers))]
    match = Match.start(game, options, players=players, rng=rng)
    while match.to_move is not None:
        move = choosers[match.to_move](match.positions, rng)
        match = match.play(move)
    assert match.outcome is not None, "nobody to move, so it is over"
    return match.outcome.result(seat)
