"""The errors of the core.

GameError
├── OptionError       an option's value makes no board; gives the values that are allowed
├── PositionError     a text isn't a position of the game (stored rows, golden files)
├── RecordError       a text isn't the record of a match; says in one line what is wrong
├── MoveError         a move was refused, and the position stays as it was
│   ├── BadNotation   the text isn't a move in notation
│   ├── IllegalMove   the rules don't allow the move here; gives the reason
│   ├── NotYourTurn   another seat is to move
│   ├── StalePly      the move was meant for an earlier ply
│   └── MatchOver     the match or the game has ended; a ValueError, too
└── MatchError        anything else that was refused in a match
    ├── NotAPlayer    the asker sits at no seat of the match
    ├── HasLeft       the asker has left the match, and the others play on
    └── NothingToUndo the asker has no move to take back

Errors carry facts, such as the asker, but no words for people: the bot's catalogue has the words.
"""

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.grid import Move


# The most characters of the message of a RecordError.
_LONGEST = 300


class GameError(Exception):
    """The core refused something."""


class OptionError(GameError):
    """An option's value makes no board, or there is no such option or game.

    `allowed` is the closed range ``(low, high)`` of a number, or the words that are allowed.
    """

    def __init__(self, option: str, value: object, allowed: tuple[int, int] | tuple[str, ...]):
        between = " to " if all(isinstance(one, int) for one in allowed) else ", "
        super().__init__(f"{option}={value!r}, allowed: {between.join(map(str, allowed))}")
        self.option = option
        self.value = value
        self.allowed = allowed


class PositionError(GameError):
    """The text isn't a position of the game."""


class RecordError(GameError):
    """The text isn't the record of a match.

    The message is one line of printable characters, cut off where it quotes a very long text.
    """

    def __init__(self, message: str):
        super().__init__(message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…")


class MoveError(GameError):
    """A move was refused."""


class BadNotation(MoveError):
    """The text isn't a move in notation."""

    def __init__(self, text: str):
        super().__init__(f"not a move: {text!r}")
        self.text = text


class Reason(StrEnum):
    """Why the rules refuse a move.

    An enum without members. `Illegal` extends it with the reasons that games share. A game with
    rules of its own extends it once more, in the module of these rules.
    """

    @property
    def game(self) -> str | None:
        """The key of the game that has this rule, None if games share it."""
        return None


class Illegal(Reason):
    """The reasons that games share."""

    OFF_BOARD = "off_board"
    TAKEN = "taken"
    NO_ORIGIN = "no_origin"
    NOT_YOUR_MAN = "not_your_man"
    NO_SWAP = "no_swap"


class IllegalMove(MoveError):
    """The rules don't allow this move in this position."""

    def __init__(self, move: "Move", reason: Reason):
        super().__init__(f"{move}: {reason}")
        self.move = move
        self.reason = reason


class NotYourTurn(MoveError):
    """The asker plays in this match, but another seat is to move."""


class StalePly(MoveError):
    """The move was meant for the ply `asked`, but the match is at `current`."""

    def __init__(self, asked: int, current: int):
        super().__init__(f"ply {asked}, the match stands at {current}")
        self.asked = asked
        self.current = current


class MatchOver(MoveError, ValueError):
    """The match has ended, or the game on this board.

    It is a ValueError too, which an `Engine` raised before it raised this.
    """


class MatchError(GameError):
    """Something other than a move was refused in a match."""


class NotAPlayer(MatchError):
    """The asker sits at no seat of this match."""


class HasLeft(MatchError):
    """The asker has left this match, and the others play on."""


class NothingToUndo(MatchError):
    """The asker has made no move, or none since somebody left the match."""
