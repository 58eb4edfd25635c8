"""Relevance zones: the squares on which a forced win depends.

A proof that the attacker wins names the squares that it uses. A defender's reply elsewhere changes
nothing in it, so only replies in the zone have to be searched (T. Thomsen, *Lambda-search in game
trees*, 2000; I-C. Wu and P.-H. Lin, *Relevance-zone-oriented proof search for Connect6*, 2010).
"""

from typing import NamedTuple

from core.engine.lines.geometry import Geometry

UNLIMITED = 1_000
"""More moves than any board has: a win at any distance."""


class ForcedWin(NamedTuple):
    """A way to force a set: its first `move`, and the squares on which it depends.

    `zone` holds all of these squares, `replies` those on which the defender may get marks on the
    way. `quiet` is the greatest number of quiet moves of the attacker in any line of play: moves
    that threaten nothing, after which the defender may move anywhere.
    """

    move: int
    zone: int
    replies: int
    quiet: int

    def after_threat(self, bit: int, forced: int) -> "ForcedWin":
        """Return the win that begins with a threat on `bit`, answered on `forced`."""
        return ForcedWin(bit, self.zone | bit | forced, self.replies | forced, self.quiet)

    def after_quiet_move(self, bit: int) -> "ForcedWin":
        """Return the win that begins with a quiet move on `bit`."""
        return ForcedWin(bit, self.zone | bit, self.replies, self.quiet + 1)

    def against(self, reply: int, other: "ForcedWin") -> "ForcedWin":
        """Return the win that goes on as `other` after `reply`, and as this one otherwise."""
        zone, replies = self.zone | other.zone, self.replies | other.replies
        return ForcedWin(self.move, zone | reply, replies | reply, max(self.quiet, other.quiet))


UNANSWERED = ForcedWin(0, 0, 0, 0)
"""The win after a quiet move as long as no reply to it has been searched."""


def completion(squares: int) -> ForcedWin:
    """Return the win that completes a set at once, on one of `squares`."""
    bit = squares & -squares
    return ForcedWin(bit, bit, 0, 0)


def fork(bit: int, threats: int) -> ForcedWin:
    """Return the win by a mark on `bit` that threatens to complete sets on several squares."""
    one = threats & -threats
    others = threats ^ one
    two = one | others & -others
    return ForcedWin(bit, bit | two, two, 0)


def must_play(geometry: Geometry, attacker: int, defender: int, win: ForcedWin) -> int:
    """Return the free squares on which the defender, moving first, could refute `win`.

    They are the zone of `win`, and the squares of sets that the defender could threaten to complete
    in time, by this move, the replies in the win, and one mark more for each quiet move of the
    attacker.
    """
    zone = win.zone
    marks = defender | win.replies
    spare = 2 + win.quiet
    for mask in geometry.sets:
        if not mask & attacker and (mask & ~marks).bit_count() <= spare:
            zone |= mask
    return zone & geometry.full & ~(attacker | defender)
