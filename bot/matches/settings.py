"""The settings for matches: those of a server, which its moderators choose, and a member's own."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypedDict

from bot.forms import Form
from bot.identity import ChannelId, RoleId
from bot.matches.clock import DEFAULT_CLOCK
from bot.ratings.model import Visibility


@dataclass(frozen=True)
class ServerSettings:
    """The choices of a server's moderators.

    Games may be played in `channels`; none means everywhere. `clock` is in seconds, for matches
    without a clock of their own, None for no clock. Challenges lapse after `challenge_seconds`,
    None for the host's setting. `boards_stay` says whether final boards stay when the next match
    begins. `boards` is the form of boards for members who have chosen none. `language` is the
    locale of messages in channels, None for the server's own on Discord. Members need `begin_role`
    to begin a match, None for no role.
    """

    channels: tuple[ChannelId, ...] = ()
    clock: int | None = DEFAULT_CLOCK
    challenge_seconds: int | None = None
    boards_stay: bool = True
    boards: Form = Form.EMOJI
    language: str | None = None
    begin_role: RoleId | None = None


class NewSettings(TypedDict, total=False):
    """The fields of ServerSettings that moderators change, with their new values."""

    channels: tuple[ChannelId, ...]
    clock: int | None
    challenge_seconds: int | None
    boards_stay: bool
    boards: Form
    language: str | None
    begin_role: RoleId | None


class Challengers(StrEnum):
    """Who may challenge a member: notify them of a match that they haven't asked for."""

    EVERYBODY = "everybody"
    NOBODY = "nobody"


@dataclass(frozen=True)
class OwnSettings:
    """The choices of a member, for all servers.

    `board` is the form of boards, None for each server's. `shown` is how the member is listed on
    the leaderboard of all servers; `challengers` may challenge them.
    """

    board: Form | None = None
    shown: Visibility = Visibility.UNNAMED
    challengers: Challengers = Challengers.EVERYBODY


class NewOwnSettings(TypedDict, total=False):
    """The fields of OwnSettings that a member changes, with their new values."""

    board: Form | None
    shown: Visibility
    challengers: Challengers
