"""What can be wrong with what somebody asked of the core, and who is at fault.

GameError
├── OptionError       options that make no board; names the option and its limits
├── PositionError     a text that is no position of the game (stored rows, golden files)
├── RecordError       a text that is no record of a match; says in one line what is wrong
└── MoveError         one asked move; the position stays as it was
    ├── BadNotation   the text is no move at all
    ├── IllegalMove   a move, but not one that the rules allow here; says why
    ├── NotYourTurn   a player of the match, but another seat is to move
    ├── StalePly      the move was meant for an earlier ply
    └── MatchOver     the match takes no more moves
MatchError
├── NotAPlayer        somebody who sits at no seat of the match
├── HasLeft           somebody who has left the match, which the others play on
└── NothingToUndo     the asker has made no move that could be taken back

Errors carry what happened, not the words for it: the bot's catalogue has those.
"""

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.grid import Move


class GameError(Exception):
    """Whatever the core refuses."""


class OptionError(GameError):
    """An option whose value makes no board.

    `allowed` is the closed range ``(low, high)`` of a number, or the choices of a word.
    """

    def __init__(self, option: str, value: object, allowed: tuple[int, int] | tuple[str, ...]):
        super().__init__(f"{option}={value!r}, allowed: {allowed}")
        self.option = option
        self.value = value
        self.allowed = allowed


class PositionError(GameError):
    """A text that is not a position of the game."""


class RecordError(GameError):
    """A text that is not the record of a match; its message is one line, without controls."""


class MoveError(GameError):
    """A move that was not made."""


class BadNotation(MoveError):
    """The text is not a move in notation."""

    def __init__(self, text: str):
        super().__init__(f"not a move: {text!r}")
        self.text = text


class Illegal(StrEnum):
    """Why the rules refuse a move."""

    OFF_BOARD = "off_board"
    TAKEN = "taken"
    NO_ORIGIN = "no_origin"
    NOT_YOUR_MAN = "not_your_man"
    NOT_A_HOLE = "not_a_hole"
    MEN_AT_HOME = "men_at_home"
    NOT_ADJACENT = "not_adjacent"
    TAKES_NOTHING = "takes_nothing"
    WALL = "wall"
    NO_SWAP = "no_swap"


class IllegalMove(MoveError):
    """A well-formed move that the rules don't allow in this position."""

    def __init__(self, move: "Move", reason: Illegal):
        super().__init__(f"{move}: {reason}")
        self.move = move
        self.reason = reason


class NotYourTurn(MoveError):
    """The asker plays in this match, but another seat is to move."""


class StalePly(MoveError):
    """The move was meant for a ply that is not the match's current one."""

    def __init__(self, asked: int, current: int):
        super().__init__(f"ply {asked}, the match stands at {current}")
        self.asked = asked
        self.current = current


class MatchOver(MoveError):
    """The match has ended."""


class MatchError(GameError):
    """Something else than a move that can't be done in this match."""


class NotAPlayer(MatchError):
    """The asker sits at no seat of this match."""


class HasLeft(MatchError):
    """The asker has left this match while the others play on."""


class NothingToUndo(MatchError):
    """The asker has made no move, or none since somebody left the match."""
