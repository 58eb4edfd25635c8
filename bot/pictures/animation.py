"""A match as an animated GIF: the start, then one frame per ply, the last frame longer."""

from collections.abc import Sequence
from io import BytesIO

from bot.pictures.frames import Frames
from core.match import Match

# Milliseconds: all plies together, one ply at most and at least, and the last frame.
_ALL_PLIES = 30_000
_SLOWEST, _FASTEST = 1_000, 300
_LAST_FRAME = 4_000


def animate(match: Match, names: Sequence[str]) -> bytes:
    """Return `match` as a GIF that loops for ever; `names` holds any text per seat."""
    frames = iter(Frames(match, names))
    each = min(_SLOWEST, max(_FASTEST, _ALL_PLIES // max(1, match.ply)))
    durations = [each] * match.ply + [_LAST_FRAME]
    file = BytesIO()
    # Frames are made one at a time: all those of a large board together would take 30 MB.
    next(frames).save(file, "GIF", save_all=True, append_images=frames, duration=durations, loop=0)
    return file.getvalue()
