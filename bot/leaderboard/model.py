"""A page of a leaderboard, and the press that turns to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.gateway.components import Key, PageNumber, Press
from bot.identity import MemberId
from bot.ratings.model import By, Leaders, Listing, Standing


class Period(StrEnum):
    """The time that a leaderboard covers; a month is a season."""

    ALL = "all"
    MONTH = "month"
    WEEK = "week"


@dataclass(frozen=True)
class LeaderboardPage:
    """A page of a list, from 0, of `pages`.

    `own` is the asker's line, None without results. `champions` are the first three of the last
    season, on the page of a month; nobody elsewhere.
    """

    listing: Listing
    standings: Sequence[Standing]
    number: int
    pages: int
    own: Standing | None
    champions: Leaders


class Scope(StrEnum):
    """Which results a leaderboard has."""

    SERVER = "server"
    EVERYWHERE = "everywhere"  # of all servers that take part


class TurnPage(Press, tag="l"):
    """Show a page of a leaderboard, from 0, to `asker`; an empty `game` stands for all games."""

    game: Key
    period: Period
    by: By
    number: PageNumber
    asker: MemberId


class TurnEverywhere(TurnPage, tag="le"):
    """Show a page of the leaderboard of all servers."""
