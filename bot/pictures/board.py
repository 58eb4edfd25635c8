"""A match as it stands, as a PNG."""

from collections.abc import Sequence
from io import BytesIO

from bot.pictures.frames import Frames
from core.match import Match


def draw_board(match: Match, names: Sequence[str]) -> bytes:
    """Return a picture of `match` as it stands; `names` holds any text per seat."""
    file = BytesIO()
    Frames(match, names).at(match.ply).save(file, "PNG")
    return file.getvalue()
