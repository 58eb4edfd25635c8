"""Board games of the n-in-a-row family and a computer player, in the standard library alone.

Games, positions and matches are immutable values: a move returns a new one. Squares and moves are
written as on a chess board.

>>> from random import Random
>>> from core import Engine, Level, Match
>>> match = Match.start("tictactoe", rows=3)
>>> match = match.play("a1").play("b2").play("c1")
>>> print(match)
 3 . . .
 2 . O .
 1 X . X
   a b c
>>> print(Engine().choose(match.position, Level.PERFECT, Random(1)))
b1
>>> match.play("b2")
Traceback (most recent call last):
core.errors.IllegalMove: b2: taken
>>> match.play("c3").play("b1").outcome.winner
0

`core.games.GAMES` has all games by key, with the options that they declare; a `Game` of your own
needn't be among them to be played. `levels_of` returns the computer's levels on a board,
`Engine.analyse` says what a position is worth, and `core.match.record` writes matches as text and
reads them back. All values can be pickled. An `Engine` runs one search at a time, so each thread
needs its own.
"""

from core import games
from core.engine.analysis import Analysis, Value
from core.engine.levels import Level, levels_of
from core.engine.player import Engine
from core.errors import (
    BadNotation,
    GameError,
    HasLeft,
    Illegal,
    IllegalMove,
    MatchError,
    MatchOver,
    MoveError,
    NotAPlayer,
    NothingToUndo,
    NotYourTurn,
    OptionError,
    PositionError,
    Reason,
    RecordError,
    StalePly,
)
from core.game import Example, Game
from core.grid import SWAP, Grid, Move, Square
from core.marks import Mark, Shape
from core.match import Match, Withdrawal
from core.options import Choice, Flag, Number, Options
from core.outcome import Ending, Outcome, Result, Termination
from core.players import Computer, Member, Player
from core.position import Blank, Position

__all__ = [
    "SWAP",
    "Analysis",
    "BadNotation",
    "Blank",
    "Choice",
    "Computer",
    "Ending",
    "Engine",
    "Example",
    "Flag",
    "Game",
    "GameError",
    "Grid",
    "HasLeft",
    "Illegal",
    "IllegalMove",
    "Level",
    "Mark",
    "Match",
    "MatchError",
    "MatchOver",
    "Member",
    "Move",
    "MoveError",
    "NotAPlayer",
    "NotYourTurn",
    "NothingToUndo",
    "Number",
    "OptionError",
    "Options",
    "Outcome",
    "Player",
    "Position",
    "PositionError",
    "Reason",
    "RecordError",
    "Result",
    "Shape",
    "Square",
    "StalePly",
    "Termination",
    "Value",
    "Withdrawal",
    "games",
    "levels_of",
]
