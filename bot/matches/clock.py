"""Clocks: the time that a player has for a move, and what becomes due in a match when. In seconds.

A clock runs for the member to move, in a match of at least two members. Against the computer nobody
loses on time; such a match is put away when nobody plays it.
"""

from dataclasses import dataclass

from core.match import Match
from core.players import Member

MINUTE, HOUR, DAY = 60, 3600, 86_400

SHORTEST, LONGEST = 5 * MINUTE, 7 * DAY
DEFAULT_CLOCK = 24 * HOUR
# What is offered; more than 25 Discord doesn't take.
CLOCKS = (
    *(count * MINUTE for count in (5, 10, 15, 30)),
    *(count * HOUR for count in (1, 2, 4, 8, 12, 24)),
    *(count * DAY for count in (2, 3, 5, 7)),
)

IDLE = 7 * DAY
# A reminder in the last moment reminds of nothing.
_LEAST_NOTICE = 2 * MINUTE
# Of its clock, a match gets one part in so many where its time ran out while the bot was away.
GRACE_PART = 10


@dataclass(frozen=True)
class Timing:
    """When the player to move has lost (`deadline`), and when the sweeper looks at the match next.

    `due_at` is the moment of the reminder, of the deadline, or at which a match without a deadline
    is put away; None where nothing is to happen.
    """

    deadline: int | None = None
    due_at: int | None = None


NO_TIMING = Timing()


def runs(match: Match) -> bool:
    """Return whether the player to move could lose on time."""
    return isinstance(match.next_player, Member) and not _alone(match)


def timing(match: Match, clock: int | None, now: int) -> Timing:
    """Return what is due in a match whose turn has just begun; `clock` is None for none."""
    if match.outcome:
        return NO_TIMING
    if _alone(match):
        # By the full hour, so that not every move against the computer changes it.
        return Timing(due_at=(now // HOUR + 1) * HOUR + IDLE)
    if clock is None or not runs(match):
        return NO_TIMING
    deadline = now + clock
    notice = max(clock // 4, _LEAST_NOTICE)
    return Timing(deadline, deadline - notice if notice <= clock // 2 else deadline)


def _alone(match: Match) -> bool:
    """Return whether one person is left, who plays with computers or with themselves."""
    people = {match.players[seat] for seat in match.staying}
    return sum(isinstance(player, Member) for player in people) < 2
