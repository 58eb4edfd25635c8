"""Plans that force a win, and what they depend on."""

from typing import NamedTuple

FOREVER = 1_000
"""More moves than any board has: a win however long it takes."""


class Plan(NamedTuple):
    """A plan that forces a win: its first `move`, and the squares on which it depends.

    `zone` are all of them, `answers` those on which the defender may have put marks meanwhile, and
    `quiet` counts the moves of the plan that leave the defender free to move anywhere.
    """

    move: int
    zone: int
    answers: int
    quiet: int

    def after(self, bit: int, forced: int) -> "Plan":
        """Return the plan that begins by `bit`, and goes on like this one after a forced reply."""
        return Plan(bit, self.zone | bit | forced, self.answers | forced, self.quiet)

    def against(self, reply: int, other: "Plan") -> "Plan":
        """Return the plan that goes on like `other` after `reply`, and like this one otherwise."""
        zone, answers = self.zone | other.zone, self.answers | other.answers
        return Plan(self.move, zone | reply, answers | reply, max(self.quiet, other.quiet))

    def quietly(self, bit: int) -> "Plan":
        """Return the plan that begins by `bit`, which threatens nothing, and goes on like this."""
        return Plan(bit, self.zone | bit, self.answers, self.quiet + 1)


NO_PLAN = Plan(0, 0, 0, 0)
"""Where no reply has been met yet."""


def completion(squares: int) -> Plan:
    """Return the plan that completes a set at once, on one of the squares."""
    bit = squares & -squares
    return Plan(bit, bit, 0, 0)


def fork(bit: int, threats: int) -> Plan:
    """Return the plan of a mark on `bit` that threatens to complete sets on two squares or more."""
    two = (threats & -threats) | (rest := threats & (threats - 1)) & -rest
    return Plan(bit, bit | two, two, 0)
