"""The forms that a board can take."""

from enum import StrEnum

from core.grid import Grid

# More emoji in a row wrap on a phone.
_WIDEST_IN_EMOJI = 10


class Form(StrEnum):
    """How a member wants to see boards, or a server's moderators for those who haven't said.

    EMOJI stands for emoji where they fit on a phone, and a picture where they don't.
    """

    EMOJI = "emoji"
    PICTURE = "picture"
    WORDS = "words"


def fits_in_emoji(grid: Grid) -> bool:
    """Return whether a board in emoji can be read on a phone."""
    return grid.columns <= _WIDEST_IN_EMOJI
