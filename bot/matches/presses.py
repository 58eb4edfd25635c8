"""What a press about a match says, while it is played and afterwards: a value for each button."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from bot.matches.model import OfferKind


class Action(StrEnum):
    """What the controls under a board do."""

    UNDO = "undo"
    RESIGN = "resign"
    DRAW = "draw"
    HINT = "hint"


class Answer(StrEnum):
    """What is said to an offer."""

    AGREE = "agree"
    DECLINE = "decline"


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


MatchPress: TypeAlias = (
    Play | Pick | Group | Legal | Control | Resign | Consent | Rematch | Analyse | Replay | Export
)
