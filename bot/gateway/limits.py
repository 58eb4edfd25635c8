"""Limits of costly requests: how many a member may make, and until when one can be answered."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto

from cachetools import TTLCache
from discord.app_commands import Cooldown

from bot.gateway.interactions import Interaction, arrived_at
from bot.identity import MemberId
from bot.refusals import Refusal

# Discord takes answers to a request for a quarter of an hour. A piece of work takes a minute at
# most, so it has to begin within this time.
_BEGUN_WITHIN_SECONDS = 15 * 60 - 75.0
_REMEMBERED = 10_000


class Kind(Enum):
    """A kind of request that takes work, or other members' patience."""

    HINT = auto()
    REVIEW = auto()
    EXPORT = auto()
    PROFILE = auto()
    OWN_DATA = auto()
    PAGE = auto()
    LEADERBOARD = auto()  # posted anew, for everybody in the channel
    BOARD = auto()  # of others' match, posted again: they have to look for it in its new place
    THREAD = auto()  # everybody in the channel sees that it was opened
    ASKING = auto()  # a challenge or an offer that came to nothing: each notifies others


# How many requests a member may make in how many seconds.
_RATES = {
    Kind.HINT: (10, 60),
    Kind.REVIEW: (3, 60),
    Kind.EXPORT: (3, 60),
    Kind.PROFILE: (5, 60),
    Kind.OWN_DATA: (3, 300),
    Kind.PAGE: (30, 60),
    Kind.LEADERBOARD: (5, 60),
    Kind.BOARD: (5, 60),
    Kind.THREAD: (5, 300),
    Kind.ASKING: (5, 300),
}
# discord.py doesn't let a member ask again in the second in which the wait ends.
_AFTER_WAIT = 1
_LONGEST = max(seconds for _, seconds in _RATES.values()) + _AFTER_WAIT


class Limits:
    """Counts the requests of each member; `now` gives Unix seconds.

    It remembers a bounded number of members, and each only until they may ask again.
    """

    def __init__(self, now: Callable[[], int]):
        self._now = now
        self._cooldowns: TTLCache[tuple[Kind, MemberId], Cooldown]
        self._cooldowns = TTLCache(_REMEMBERED, _LONGEST, timer=now)
        self._running: set[tuple[Kind, MemberId]] = set()

    def count(self, kind: Kind, member_id: MemberId) -> None:
        """Count a request; raise Refusal if the member has made too many."""
        self.check(kind, member_id)
        self.spend(kind, member_id)

    def check(self, kind: Kind, member_id: MemberId) -> None:
        """Raise Refusal if the member has made too many requests to make another one."""
        now = self._now()
        cooldown = self._cooldowns.get((kind, member_id))
        if cooldown is None or cooldown.get_tokens(now) > 0:
            return
        moment = now + int(cooldown.get_retry_after(now)) + _AFTER_WAIT
        raise Refusal("refusal.cooldown", moment=moment)

    def spend(self, kind: Kind, member_id: MemberId) -> None:
        """Count a request that isn't refused, however many the member has made."""
        key = (kind, member_id)
        cooldown = self._cooldowns.get(key) or Cooldown(*_RATES[kind])
        self._cooldowns[key] = cooldown  # stored again, so that the cache keeps it longer
        cooldown.update_rate_limit(self._now())

    @contextmanager
    def one_at_a_time(self, kind: Kind, member_id: MemberId) -> Iterator[None]:
        """Count a request that is under way in this context.

        Raises Refusal if the member has another one of this kind under way, or has made too many.
        """
        key = (kind, member_id)
        if key in self._running:
            raise Refusal("refusal.one_at_a_time")
        self.count(kind, member_id)
        self._running.add(key)
        try:
            yield
        finally:
            self._running.discard(key)


def answer_until(interaction: Interaction) -> float:
    """Return the event loop's time by which work has to begin for its result to come in time."""
    return arrived_at(interaction) + _BEGUN_WITHIN_SECONDS
