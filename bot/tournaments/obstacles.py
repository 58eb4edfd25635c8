"""What keeps the games of a tournament from being opened, as its message tells it."""

from dataclasses import dataclass
from enum import StrEnum

import discord

from bot.gateway.errors import is_full_of_threads, may_pass


class ObstacleKind(StrEnum):
    """The kind of an obstacle; its text has this key."""

    MISSING = "missing"  # permissions
    FULL = "full"  # the server has as many active threads as Discord allows
    SLOW = "slow"  # Discord takes no more threads there for some minutes
    REFUSED = "refused"  # for another reason, such as a word that AutoMod blocks


@dataclass(frozen=True)
class Obstacle:
    """An obstacle, with the `permissions` that the bot lacks, or Discord's own `reason`."""

    kind: ObstacleKind
    permissions: tuple[str, ...] = ()
    reason: str = ""


def obstacle_of(failure: BaseException | None) -> Obstacle | None:
    """Return what has kept a game from being opened; None if that passes without a word."""
    if failure is None:
        return None
    if is_full_of_threads(failure):
        return Obstacle(ObstacleKind.FULL)
    if isinstance(failure, discord.RateLimited):
        return Obstacle(ObstacleKind.SLOW)
    if isinstance(failure, discord.HTTPException) and not may_pass(failure):
        return Obstacle(ObstacleKind.REFUSED, reason=failure.text)
    return None
