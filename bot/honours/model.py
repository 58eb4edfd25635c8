"""Honours as values: the end of a season, and the rules for roles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

from bot.identity import ChannelId, MemberId, Place, RoleId, ServerId
from bot.ratings.model import Leaders


class Trouble(StrEnum):
    """Why the bot doesn't give a role."""

    PERMISSION = "permission"  # it lacks Manage Roles
    HIGHER = "higher"  # the role isn't below the bot's own
    MANAGED = "managed"  # nobody gives it by hand
    DANGEROUS = "dangerous"  # it has permissions for moderators
    GONE = "gone"


@dataclass(frozen=True)
class Rule:
    """A role for a settled `rating` or more in any game, None for the winner of the last season."""

    role_id: RoleId
    rating: int | None
    trouble: Trouble | None = None


@dataclass(frozen=True)
class HonourSettings:
    """A server's choices; `rules` say which roles are given.

    `season_channel` hears of the end of each season, None for no channel. `tells_achievements` says
    that channels hear of achievements, `everywhere` that the server takes part in the leaderboard
    of all servers.
    """

    season_channel: ChannelId | None = None
    tells_achievements: bool = False
    everywhere: bool = False
    rules: Sequence[Rule] = ()


class NewHonourSettings(TypedDict, total=False):
    """The fields of HonourSettings that moderators change, with their new values.

    `season_told` is the last season that has been told, or needn't be.
    """

    season_channel: ChannelId | None
    season_told: str
    tells_achievements: bool
    everywhere: bool


@dataclass(frozen=True)
class DueSeason:
    """The end of a season, such as 2026-10, that a channel is to hear of."""

    server_id: ServerId
    channel_id: ChannelId
    period: str

    @property
    def place(self) -> Place:
        """The channel, with its server."""
        return Place(self.server_id, self.channel_id)


@dataclass(frozen=True)
class Season:
    """How a season ended: the first three by wins, and who was best by rating at each game."""

    period: str
    first: Leaders
    best: Mapping[str, Leaders]

    @property
    def named(self) -> list[MemberId]:
        """The members who are named: fewer than a hundred, whom one request asks for."""
        return [one.user_id for some in (self.first, *self.best.values()) for one in some.named]


class RoleHolder(StrEnum):
    """Who gets a role."""

    LEADER = "leader"  # the winner of the last season
    RATING = "rating"
    NOBODY = "nobody"


@dataclass(frozen=True)
class GivenRole:
    """A role that a member has from the bot; not `held` until Discord has confirmed it."""

    role_id: RoleId
    member_id: MemberId
    held: bool = False
