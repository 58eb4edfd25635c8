"""The marks of a game: a letter for texts, and a shape for boards that people see."""

from dataclasses import dataclass
from enum import StrEnum


class Shape(StrEnum):
    """The shape of a mark. Marks of one game differ in shape, never in colour alone.

    The bot has an emoji and a drawing for each shape, so a game only chooses among them.
    """

    CROSS = "cross"
    DISC = "disc"
    TRIANGLE = "triangle"
    HEART = "heart"


@dataclass(frozen=True)
class Mark:
    """The mark of a seat, which it puts on the board, or which its men carry.

    `letter` stands for it in the notation of positions and on printed boards. Two games may use the
    same letter for different shapes.
    """

    letter: str
    shape: Shape

    def __str__(self) -> str:
        return self.letter
