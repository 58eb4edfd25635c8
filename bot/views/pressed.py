"""What a press says: one kind of value for each kind of button and menu."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from bot.lists import By, Period
from bot.records import OfferKind


class Verb(StrEnum):
    """What is done about an invitation."""

    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"
    JOIN = "join"
    LEAVE = "leave"
    START = "start"


class Answer(StrEnum):
    """What is said to an offer."""

    AGREE = "agree"
    DECLINE = "decline"


class Action(StrEnum):
    """What the controls under a board do."""

    UNDO = "undo"
    RESIGN = "resign"
    DRAW = "draw"
    HINT = "hint"


@dataclass(frozen=True)
class Play:
    """A move on the board of `match` as it was at `ply`, in notation."""

    tag: ClassVar = "m"
    match: int
    ply: int
    move: str


@dataclass(frozen=True)
class Pick:
    """A man picked up on `square`, or with an empty `square` put back."""

    tag: ClassVar = "p"
    match: int
    ply: int
    square: str


@dataclass(frozen=True)
class Group:
    """A page, from 0, of the moves of a row, such as 7, or of the man on a square.

    With an empty `group` it is a page of the groups.
    """

    tag: ClassVar = "w"
    match: int
    ply: int
    group: str
    page: int


@dataclass(frozen=True)
class Legal:
    """The wish to see which squares the player to move can choose from."""

    tag: ClassVar = "q"
    match: int


@dataclass(frozen=True)
class Control:
    """A button under the board."""

    tag: ClassVar = "a"
    match: int
    ply: int
    action: Action


@dataclass(frozen=True)
class Resign:
    """The second word on resigning."""

    tag: ClassVar = "s"
    match: int


@dataclass(frozen=True)
class Consent:
    """The answer to what seat `asker` offered at `ply`."""

    tag: ClassVar = "o"
    match: int
    ply: int
    kind: OfferKind
    asker: int
    answer: Answer


@dataclass(frozen=True)
class Rematch:
    """The wish to play a finished match again."""

    tag: ClassVar = "r"
    match: int


@dataclass(frozen=True)
class Analyse:
    """The wish to know how a finished match went."""

    tag: ClassVar = "y"
    match: int


class Step(StrEnum):
    """Where a replay goes; the word keeps two buttons apart that lead to the same move."""

    OPEN = "open"
    FIRST = "first"
    BACK = "back"
    NEXT = "next"
    LAST = "last"


@dataclass(frozen=True)
class Replay:
    """A finished match as it was after `ply` moves."""

    tag: ClassVar = "v"
    match: int
    ply: int
    step: Step


@dataclass(frozen=True)
class Export:
    """The wish to have a finished match as files."""

    tag: ClassVar = "x"
    match: int


@dataclass(frozen=True)
class History:
    """A page, from 0, of a member's finished matches."""

    tag: ClassVar = "h"
    user: int
    number: int


class Erasure(StrEnum):
    """The second word on deleting what is stored about oneself."""

    DELETE = "delete"


@dataclass(frozen=True)
class Erase:
    """The wish to be forgotten, by the member `user` and nobody else."""

    tag: ClassVar = "e"
    user: int
    word: Erasure


@dataclass(frozen=True)
class Dare:
    """A challenge of `user` to the usual board of a game."""

    tag: ClassVar = "d"
    user: int
    game: str


@dataclass(frozen=True)
class Reply:
    """What somebody does about a challenge or an open table."""

    tag: ClassVar = "c"
    invitation: int
    verb: Verb


@dataclass(frozen=True)
class Page:
    """A page of a leaderboard, from 0, for `asker`; an empty `game` is all games."""

    tag: ClassVar = "l"
    game: str
    period: Period
    by: By
    number: int
    asker: int


@dataclass(frozen=True)
class Games:
    """A page of a server's live matches, from 0."""

    tag: ClassVar = "n"
    number: int


Press: TypeAlias = (
    Play
    | Pick
    | Group
    | Legal
    | Control
    | Resign
    | Consent
    | Rematch
    | Analyse
    | Replay
    | Export
    | History
    | Erase
    | Dare
    | Reply
    | Page
    | Games
)
