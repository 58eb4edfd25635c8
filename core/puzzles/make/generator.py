"""Generates puzzles: games of the weaker levels against each other, searched for puzzles.

Those levels overlook things, so their games have positions in which something is to be found. Each
game gives at most one puzzle, and no two puzzles are symmetric.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from core.engine.levels import Level
from core.engine.lines.geometry import geometry
from core.engine.player import Engine
from core.games import GAMES
from core.grid import Move
from core.match import Match
from core.match.record import board_words
from core.options import Options
from core.position import Position
from core.puzzles.finding import Difficulty, Puzzle, find
from core.puzzles.record import GamePuzzle, write
from core.views import DropView, LineView, LoopView

_LEVELS = (Level.EASY, Level.MEDIUM)
# The most games of a kind, and the most plies of a game.
_GAMES, _LONGEST = 150, 60


@dataclass(frozen=True)
class Kind:
    """A board, and how many puzzles of each difficulty are wanted of it.

    In each game, positions are searched from ply `first` on.
    """

    game: str
    options: Options
    wanted: int
    first: int

    @property
    def words(self) -> str:
        """The board as the lines of its puzzles name it."""
        game = GAMES[self.game]
        return board_words(game, game.resolve(self.options))


def _line(rows: int, columns: int, line: int, wanted: int, variant: str = "classic") -> Kind:
    board: Options = {"rows": rows, "columns": columns, "line": line, "variant": variant}
    return Kind("tictactoe", board, wanted, first=line - 1)


KINDS = (
    Kind("nineholes", {"variant": "free"}, 44, first=4),
    Kind("nineholes", {"variant": "drop-first"}, 36, first=4),
    Kind("nineholes", {"variant": "step"}, 44, first=4),
    _line(3, 3, 3, 6),
    _line(4, 3, 3, 8),
    _line(3, 3, 3, 10, "misere"),
    _line(4, 4, 3, 10),
    _line(4, 4, 4, 14),
    _line(4, 4, 3, 10, "torus"),
    _line(4, 4, 4, 10, "torus"),
    _line(4, 4, 4, 8, "misere"),
    _line(5, 5, 4, 14),
    _line(5, 5, 3, 6),
    Kind("connectfour", {}, 24, first=20),
    Kind("connectfour", {"rows": 5, "columns": 6}, 10, first=12),
    _line(5, 4, 4, 10),
    _line(5, 3, 3, 8),
    _line(5, 5, 4, 10, "torus"),
    _line(6, 6, 4, 10),
    Kind("connectfour", {"rows": 5, "columns": 7}, 10, first=14),
    Kind("connectfour", {"rows": 6, "columns": 6}, 10, first=16),
)


def generate(kind: Kind, seed: int) -> list[str]:
    """Return the lines of puzzles of this kind, ordered by difficulty; the seed decides all."""
    game = GAMES[kind.game]
    options = game.resolve(kind.options)
    missing = Counter(dict.fromkeys(Difficulty, kind.wanted))
    seen: set[object] = set()
    found: list[GamePuzzle] = []
    for number in range(_GAMES):
        rng = Random(f"{seed} {game.key} {sorted(options.items())} {number}")
        for puzzle in _puzzles(Match.start(game, options, rng=rng), kind.first, rng):
            image = _image(puzzle.start)
            if missing[puzzle.difficulty] and image not in seen:
                missing[puzzle.difficulty] -= 1
                seen.add(image)
                found.append(GamePuzzle(game, options, puzzle))
                break
        if not missing.total():
            break
    return [write(one) for one in sorted(found, key=lambda one: one.puzzle.difficulty.rank)]


def _puzzles(match: Match, first: int, rng: Random) -> Iterator[Puzzle]:
    """Play a match, and yield the puzzles in it, the latest position first."""
    engine = Engine(100_000)
    while match.outcome is None and match.ply < _LONGEST:
        match = match.play(_move(match, engine, rng))
    last = len(match.positions) - 1
    for position in reversed(match.positions[first:last]):
        if (puzzle := find(position)) is not None:
            yield puzzle


def _move(match: Match, engine: Engine, rng: Random) -> Move:
    moves = match.position.legal_moves()
    if match.ply < 2:
        return rng.choice(moves)
    return engine.choose(match.position, rng.choice(_LEVELS), rng, match.positions[:-1])


def _image(position: Position) -> object:
    """Return a value that symmetric positions share.

    If the symmetries of a position aren't known, return its notation, which it shares with none.
    """
    view = position.view
    if isinstance(view, LoopView):
        return view.code
    if isinstance(view, DropView):
        rows = position.rows()
        return tuple(min(rows, [row[::-1] for row in rows]))
    if isinstance(view, LineView):
        return geometry(view.board).symmetry.canonical(view.mine, view.theirs)
    return position.notation
