"""The forms that a board can take."""

from enum import StrEnum

from core.grid import Grid

# More emoji in a row wrap on a phone.
_WIDEST_IN_EMOJI = 10


class Form(StrEnum):
    """The form of boards that a member has chosen, or a server for members who have chosen none.

    EMOJI stands for emoji if they fit on a phone, and for a picture if they don't.
    """

    EMOJI = "emoji"
    PICTURE = "picture"
    WORDS = "words"


def fits_in_emoji(grid: Grid) -> bool:
    """Return whether a board in emoji can be read on a phone."""
    return grid.columns <= _WIDEST_IN_EMOJI
