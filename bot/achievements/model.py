"""The achievements that a match has brought its players, as a value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.achievements.rules import Achievement
from bot.identity import MemberId
from bot.matches.model import StoredMatch


@dataclass(frozen=True)
class Award:
    """A match, and the achievements that its players have earned in it, new on the server.

    `told` says that the channel is to hear of it.
    """

    stored: StoredMatch
    earned: Mapping[MemberId, Sequence[Achievement]]
    told: bool
