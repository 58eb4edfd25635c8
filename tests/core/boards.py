"""Shortcuts for writing games, positions, moves and matches in tests."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar, cast

from core.engine.levels import Level
from core.game import Game
from core.games.nineholes import NineHoles
from core.games.tictactoe import TicTacToe
from core.games.tictactoe.position import MnkPosition
from core.games.tribolo import Tribolo
from core.grid import Move, Square
from core.match import Match
from core.options import Options
from core.players import Computer, Member, Player
from core.position import Position

P = TypeVar("P", bound=Position)

TICTACTOE = TicTacToe()
NINE_HOLES = NineHoles()
TRIBOLO = Tribolo()

ALICE, BOB, CAROL = Member(1), Member(2), Member(3)
ROBOT = Computer(Level.HARD)


def squares(text: str) -> frozenset[Square]:
    """Parse squares separated by blanks."""
    return frozenset(Square.parse(word) for word in text.split())


def moves(text: str) -> list[Move]:
    """Parse moves separated by blanks."""
    return [Move.parse(word) for word in text.split()]


def start(game: Game, options: Options) -> Position:
    """Return the first position; omitted options have their defaults."""
    return game.start(game.resolve(options), Random(0))


def empty(rows: int, columns: int, line: int, variant: str = "classic") -> MnkPosition:
    """Return the empty tic-tac-toe board of this size."""
    options: Options = {"rows": rows, "columns": columns, "line": line, "variant": variant}
    return TICTACTOE.start(TICTACTOE.resolve(options), Random(0))


def begin(*players: Player, game: Game = TICTACTOE, options: Options | None = None) -> Match:
    """Return a new match of `players` (default: alice, bob and so on), by default on 3x3."""
    seated = players or tuple(map(Member, range(1, game.seats + 1)))
    return Match.start(game, options, players=seated)


def some_moves(match: Match, plies: int) -> Match:
    """Return `match` after the first legal move, played this many times."""
    for _ in range(plies):
        assert match.next_player is not None
        match = match.play(match.position.legal_moves()[0])
    return match


def every_move(position: Position) -> Sequence[Move]:
    """Return the legal moves."""
    return position.legal_moves()


def reachable(
    first: Position, moves_of: Callable[[Position], Sequence[Move]] = every_move
) -> set[Position]:
    """Return every position that can be reached from `first`, itself included."""
    known, new = {first}, [first]
    while new:
        position = new.pop()
        following = {position.play(move) for move in moves_of(position)} - known
        known |= following
        new.extend(following)
    return known


def wandered(position: P, plies: int, rng: Random) -> P:
    """Return the position after `plies` random moves, or the last one if the game ends before."""
    for _ in range(plies):
        if position.to_move is None:
            break
        position = cast("P", position.play(rng.choice(position.legal_moves())))
    return position


def after(match: Match, text: str) -> Match:
    """Return `match` after moves separated by blanks."""
    for move in text.split():
        match = match.play(move)
    return match
