"""A match as it stands, as a PNG."""

from collections.abc import Sequence
from io import BytesIO

from bot.pictures.frames import Frames
from core.grid import Move
from core.match import Match
from core.match.diagram import Gains


def draw_board(
    match: Match, names: Sequence[str], hint: Move | None = None, gains: Gains | None = None
) -> bytes:
    """Return a picture of `match` as it stands; `names` holds any text per seat.

    `hint` and `gains` are marked as `core.match.diagram` says.
    """
    file = BytesIO()
    Frames(match, names).last(hint, gains).save(file, "PNG")
    return file.getvalue()
