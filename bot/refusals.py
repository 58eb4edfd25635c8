"""What the bot refuses, over and above what the core does.

Refusal          answered privately, in the catalogue's words, with a way to the board
└── LaggingView  the pressed message shows an older state, but is the newest there is: show anew
"""

from typing import TypeAlias

from bot.matches.model import StoredMatch
from core.errors import GameError

Value: TypeAlias = str | int | tuple[int, ...]


class Refusal(Exception):
    """Something that is not done, for `reason`: a core error, or a key of the catalogue.

    `board` is the match whose board the answer links to; `values` fill the text, several ids being
    those of channels.
    """

    def __init__(self, reason: str | GameError, board: StoredMatch | None = None, **values: Value):
        super().__init__(str(reason))
        self.reason = reason
        self.board = board
        self.values = values


class LaggingView(Refusal):
    """The board that was pressed is the last one posted, but the match has gone on since."""

    def __init__(self, board: StoredMatch):
        super().__init__("refusal.old_board", board)
        self.current = board
