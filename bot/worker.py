"""What a search process runs: it knows the core, and nothing of Discord or the database.

What comes in and goes out is small: a game, which has no state, texts, numbers, an `Analysis`.
"""

from random import Random

from core.engine.analysis import Analysis
from core.engine.levels import Level
from core.engine.player import Engine
from core.game import Game

_engines: dict[type[Engine], Engine] = {}


def _engine(kind: type[Engine]) -> Engine:
    """Return this process's own engine: what it has found out serves the next search."""
    if kind not in _engines:
        _engines[kind] = kind()
    return _engines[kind]


def choose(
    kind: type[Engine],
    game: Game,
    position: str,
    level: str,
    seed: int,
    history: tuple[str, ...],
) -> str:
    """Return a move in notation for a position, and those before it, in their game's text."""
    past = [game.parse(text) for text in history]
    return str(_engine(kind).choose(game.parse(position), Level(level), Random(seed), past))


def analyse(kind: type[Engine], game: Game, position: str) -> Analysis:
    """Return what the engine knows about a position in its game's text."""
    return _engine(kind).analyse(game.parse(position))
