"""What a press about a server's players says: invitations, what is stored about them, lists."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from bot.leaderboard.lists import By, Period


class Verb(StrEnum):
    """What is done about an invitation."""

    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"
    JOIN = "join"
    LEAVE = "leave"
    START = "start"


@dataclass(frozen=True)
class Reply:
    """What somebody does about a challenge or an open table."""

    tag: ClassVar = "c"
    invitation: int
    verb: Verb


@dataclass(frozen=True)
class Dare:
    """A challenge of `user` to the usual board of a game."""

    tag: ClassVar = "d"
    user: int
    game: str


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
class History:
    """A page, from 0, of a member's finished matches."""

    tag: ClassVar = "h"
    user: int
    number: int


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


ServerPress: TypeAlias = Reply | Dare | Erase | History | Page | Games
