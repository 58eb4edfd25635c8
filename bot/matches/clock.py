"""Clocks: how long a player has for a move, and when something is due in a match. In seconds.

A clock runs for the member to move, in a match of at least two members. A player alone can't lose
on time: such a match is archived after a week without a move. A match between members that have
chosen no clock is archived after a month without one.
"""

from dataclasses import dataclass

from bot.refusals import Refusal
from bot.times import DAY, HOUR, MINUTE
from core.match import Match
from core.players import Member

SHORTEST, LONGEST = MINUTE, 7 * DAY
DEFAULT_CLOCK = 24 * HOUR
# The choices of the option; Discord takes at most 25.
CLOCKS = (
    *(count * MINUTE for count in (1, 2, 5, 10, 15, 30)),
    *(count * HOUR for count in (1, 2, 4, 8, 12, 24)),
    *(count * DAY for count in (2, 3, 5, 7)),
)

# A match against the computer is archived after this time without a move.
IDLE = 7 * DAY
# So is one between members without a clock: each of them may be waiting for the other.
IDLE_TOGETHER = 30 * DAY
# Another member may take its channel over after this time without a move.
_TAKEABLE = 30 * MINUTE
# A later reminder would leave no time for the move.
_LEAST_NOTICE = 2 * MINUTE
# A player whose match goes to another channel has this time to follow, or all of a shorter clock.
_LEAST_ELSEWHERE = 5 * MINUTE


@dataclass(frozen=True)
class Timing:
    """When the player to move loses (`deadline`), and when the next sweep acts on the match.

    `due_at` is the moment of the reminder, of the deadline, or at which a match without a deadline
    is archived; None if nothing is to happen. Both are in Unix seconds.
    """

    deadline: int | None = None
    due_at: int | None = None

    @property
    def runs_out_at(self) -> int | None:
        """When the time of the player to move runs out; None while the clock stands still."""
        return None if self.due_at is None else self.deadline


NO_TIMING = Timing()


def runs(match: Match) -> bool:
    """Return whether the player to move could lose on time."""
    return isinstance(match.next_player, Member) and not alone(match)


def takeable(match: Match, moved_at: int, now: int) -> bool:
    """Return whether others may take the channel over from one person who hasn't moved for long."""
    return not match.outcome and alone(match) and now - moved_at >= _TAKEABLE


def timing(match: Match, clock: int | None, now: int) -> Timing:
    """Return the timing of a match whose turn begins `now`; `clock` is None for no clock."""
    if match.outcome:
        return NO_TIMING
    if alone(match) or clock is None:
        # Rounded up to the full hour, so that few moves change the index.
        return Timing(due_at=(now // HOUR + 1) * HOUR + (IDLE if alone(match) else IDLE_TOGETHER))
    if not runs(match):
        return NO_TIMING
    deadline = now + clock
    notice = max(clock // 4, _LEAST_NOTICE)
    return Timing(deadline, deadline - notice if notice <= clock // 2 else deadline)


def timing_after(before: Match, was: Timing, match: Match, clock: int | None, now: int) -> Timing:
    """Return the timing of a match that changes `now`; `was` is that of the match `before`.

    While it is the same player's turn, the clock goes on. It stops when the last opponent has left.
    """
    same_turn = (match.ply, match.to_move) == (before.ply, before.to_move)
    goes_on = same_turn and runs(match) == runs(before)
    return was if goes_on else timing(match, clock, now)


def timing_elsewhere(was: Timing, clock: int | None, now: int) -> Timing:
    """Return the timing of a match that goes to another channel `now`; `was` is its timing before.

    The clock goes on: otherwise a player who may delete channels could give themselves more time as
    often as they like. But the player to move has at least a few minutes to find the match. A
    deadline that has passed stays; if nobody could move then, it is put off for that reason.
    """
    deadline = was.runs_out_at
    if clock is None or deadline is None:
        return was
    least = now + min(clock, _LEAST_ELSEWHERE)
    return Timing(least, least) if now < deadline < least else was


def checked_clock(clock: int) -> int | None:
    """Return a clock in seconds, None for 0; raise Refusal for one outside the limits."""
    if clock and not SHORTEST <= clock <= LONGEST:
        raise Refusal("refusal.clock")
    return clock or None


def alone(match: Match) -> bool:
    """Return whether one person is left, who plays computers or themselves."""
    people = {match.players[seat] for seat in match.staying}
    return sum(isinstance(player, Member) for player in people) < 2
