"""The forms that a board can take."""

from enum import StrEnum


class Form(StrEnum):
    """How a member wants to see boards, or a server's moderators for those who haven't said.

    EMOJI stands for emoji where they fit on a phone, and a picture where they don't.
    """

    EMOJI = "emoji"
    PICTURE = "picture"
    WORDS = "words"
