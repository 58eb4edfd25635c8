"""The settings of a server for its matches. Members who manage channels choose them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.forms import Form
from bot.gateway.interactions import Interaction
from bot.i18n import ChannelTexts, Texts
from bot.identity import ChannelId, ServerId
from bot.matches.clock import DEFAULT_CLOCK

MOST_CHANNELS = 25
"""The most channels that can be chosen for games, on a server or for a tournament."""


@dataclass(frozen=True)
class ServerSettings:
    """The choices of a server's moderators.

    Games may be played in `channels`; none means everywhere. `clock` is in seconds, for matches
    without a clock of their own, None for no clock. Challenges lapse after `challenge_seconds`,
    None for the host's setting. `boards_stay` says whether final boards stay when the next match
    begins. `boards` is the form of boards for members who have chosen none. `language` is the
    locale of what channels are shown, None for the server's own on Discord.
    """

    channels: tuple[ChannelId, ...] = ()
    clock: int | None = DEFAULT_CLOCK
    challenge_seconds: int | None = None
    boards_stay: bool = True
    boards: Form = Form.EMOJI
    language: str | None = None


FormOf: TypeAlias = Callable[[Interaction], Awaitable[Form]]
"""Returns the form of boards that the asker wants."""

TextsHere: TypeAlias = Callable[[Interaction], Awaitable[ChannelTexts]]
"""Returns the texts for what everybody in this channel sees."""

TextsOf: TypeAlias = Callable[[ServerId], Awaitable[ChannelTexts]]
"""Returns the texts for the channels of a server."""

CheckHere: TypeAlias = Callable[[Interaction], Awaitable[ServerSettings]]
"""Returns the server's settings; raises Refusal in a channel in which no games may be played."""

Elsewhere: TypeAlias = Callable[[Interaction, Texts], Awaitable[list[str]]]
"""Returns the line that says where games are played; none where they are played."""

Sees: TypeAlias = Callable[[ChannelId], bool]
"""Tells whether all whom an answer reaches see a channel of the server, as far as is known."""
