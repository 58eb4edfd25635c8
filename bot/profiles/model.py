"""A member's matches: the finished ones with their sums, and those that are being played."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.gateway.components import PageNumber, Press
from bot.i18n import ChannelTexts, OwnTexts
from bot.identity import MemberId, Place, ServerId
from bot.matches.model import StoredMatch
from bot.pictures.model import Point
from bot.ratings.model import Standing
from core.engine.levels import Level
from core.outcome import Result

Results = Counter[Result]

Distinction: TypeAlias = Callable[[ServerId, MemberId, ChannelTexts], Awaitable[str | None]]
"""Returns a line on a member's successes on a server, None if there are none."""

Invited: TypeAlias = Callable[[Place, MemberId, OwnTexts], Awaitable[tuple[list[str], list[str]]]]
"""Returns a line for each invitation in which a member has a seat, as seen from a place.

The first list has the invitations that wait for the member's answer, the second those that wait for
others.
"""

Waiting: TypeAlias = Callable[[Place, MemberId, OwnTexts], Awaitable[list[str]]]
"""Returns a line for each tournament in which a member waits for a game, as seen from a place."""


class ShowHistory(Press, tag="h"):
    """Show a page, from 0, of a member's finished matches."""

    member: MemberId
    number: PageNumber


class ShowCurrent(Press, tag="k"):
    """Show a page, from 0, of the matches that the asker plays, and of their invitations."""

    number: PageNumber


@dataclass(frozen=True)
class HistoryPage:
    """A page, from 0, of a member's finished matches, the newest first.

    `on_server` says whether they are a server's matches, or a channel's outside of servers.
    """

    matches: Sequence[StoredMatch]
    number: int
    pages: int
    on_server: bool = True


@dataclass(frozen=True)
class Current:
    """The matches that a member plays, and the lines of their open invitations and `tournaments`.

    `to_move` are the matches in which it is their turn, `waiting` those in which it is another
    player's. `asked` are the invitations that wait for their answer, `offered` those that wait for
    others. The member can bring back the matches that are `archived`, and those that are
    `unreachable`: these go on in channels that they don't see, and aren't among the first two.
    """

    to_move: Sequence[StoredMatch]
    waiting: Sequence[StoredMatch]
    asked: Sequence[str] = ()
    offered: Sequence[str] = ()
    archived: Sequence[StoredMatch] = ()
    unreachable: Sequence[StoredMatch] = ()
    tournaments: Sequence[str] = ()


@dataclass(frozen=True)
class Streak:
    """A number of matches in a row with the same result."""

    result: Result
    length: int


@dataclass(frozen=True)
class Trend:
    """Some of a member's ratings at a game, each after one of its `count` rated matches, in order.

    The numbers of the `points` count the member's rated matches at all games. The first, the last
    and the best rating are always among them.
    """

    points: Sequence[Point]
    count: int

    @property
    def highest(self) -> float:
        """The best rating."""
        return max(point.rating for point in self.points)


@dataclass(frozen=True)
class Career:
    """The sums of a member's finished matches in one place.

    From rated matches alone: their results (`rated`), the latest `streak`, the `longest` run of
    wins, and the `trends` by game. From all matches: the `favourite` game, the number `played`, and
    the results `with_members`, against each of the computer's `levels`, and `against` the asker
    (None in the asker's own profile).
    """

    rated: Results
    with_members: Results
    streak: Streak | None
    longest: int
    favourite: str | None
    played: int
    levels: Mapping[Level, Results]
    against: Results | None
    trends: Mapping[str, Trend]


@dataclass(frozen=True)
class Profile:
    """The standings of a member by game, and the sums of their matches.

    `on_server` says whether it is a server's profile, or a channel's outside of servers.
    """

    standings: Mapping[str, Standing]
    career: Career
    on_server: bool = True
