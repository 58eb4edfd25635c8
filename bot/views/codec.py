"""Custom ids: what a button says when it is pressed. Identity, never state.

What is chosen in a select completes its custom id, so a choice reads like a button of its own. A
custom id has at most 100 characters and comes back from the outside, so it is parsed as strictly
as any other input: numbers that fit the database, moves that look like moves.
"""

import re
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar, TypeAlias

from bot.records import By, OfferKind, Period
from core.grid import SWAP

_NUMBER = r"[0-9]{1,18}"
_SNOWFLAKE = r"[0-9]{1,18}|[1-8][0-9]{18}"  # of 63 bits, as the database takes them
_SQUARE = r"[a-z][1-9][0-9]?"


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


def _one_of(words: type[StrEnum]) -> str:
    return "|".join(words)


# The shape of each field; how it is read follows from the field's type.
_SHAPES: dict[type[Press], tuple[str, ...]] = {
    Play: (_NUMBER, "[0-9]{1,4}", f"{_SQUARE}(?:-{_SQUARE})?|{SWAP}"),
    Pick: (_NUMBER, "[0-9]{1,4}", f"(?:{_SQUARE})?"),
    Group: (_NUMBER, "[0-9]{1,4}", f"(?:[1-9][0-9]?|{_SQUARE})?", "[0-9]{1,3}"),
    Legal: (_NUMBER,),
    Control: (_NUMBER, "[0-9]{1,4}", _one_of(Action)),
    Resign: (_NUMBER,),
    Consent: (_NUMBER, "[0-9]{1,4}", _one_of(OfferKind), "[0-9]", _one_of(Answer)),
    Rematch: (_NUMBER,),
    Analyse: (_NUMBER,),
    Replay: (_NUMBER, "[0-9]{1,4}", _one_of(Step)),
    Export: (_NUMBER,),
    History: (_SNOWFLAKE, "[0-9]{1,6}"),
    Erase: (_SNOWFLAKE, _one_of(Erasure)),
    Dare: (_SNOWFLAKE, "[a-z]{1,20}"),
    Reply: (_NUMBER, _one_of(Verb)),
    Page: ("[a-z]{0,20}", _one_of(Period), _one_of(By), "[0-9]{1,6}", _SNOWFLAKE),
    Games: ("[0-9]{1,6}",),
}
_PATTERNS = {
    kind: re.compile(":".join([kind.tag, *(f"({shape})" for shape in shapes)]), re.ASCII)
    for kind, shapes in _SHAPES.items()
}
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in _SHAPES}
_BY_TAG = {kind.tag: kind for kind in _SHAPES}


def encode(press: Press) -> str:
    """Return the custom id of a button."""
    return ":".join([press.tag, *(str(getattr(press, name)) for name in _FIELDS[type(press)])])


def decode(custom_id: str) -> Press | None:
    """Return what was pressed, None for a custom id that none of our buttons has."""
    kind = _BY_TAG.get(custom_id.partition(":")[0])
    found = _PATTERNS[kind].fullmatch(custom_id) if kind else None
    if kind is None or found is None:
        return None
    values = [
        _read(field.type, text) for field, text in zip(fields(kind), found.groups(), strict=True)
    ]
    return kind(*values)


def _read(kind: Any, text: str) -> Any:
    """Return `text` as a field's type: a number, a word of an enumeration, or itself."""
    return kind(text)
