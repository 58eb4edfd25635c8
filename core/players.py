"""The players of a match: members and the computer."""

from dataclasses import dataclass
from typing import TypeAlias

from core.engine.levels import Level


@dataclass(frozen=True)
class Member:
    """A person, by an id that never changes."""

    id: int


@dataclass(frozen=True)
class Computer:
    """The computer, playing at a level."""

    level: Level


Player: TypeAlias = Member | Computer
