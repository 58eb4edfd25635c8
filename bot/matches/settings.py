"""The settings of a server for its matches. Members who manage channels choose them."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TypeAlias

import discord
from discord import app_commands

from bot.forms import Form
from bot.gateway.commands import CommandBuilder
from bot.gateway.responses import Interaction
from bot.i18n import ChannelTexts
from bot.identity import ChannelId, ServerId
from bot.matches.clock import CLOCKS, DEFAULT_CLOCK
from bot.refusals import Refusal
from bot.render.words import clock_words

_CHANNEL = re.compile(r"<#([0-9]{1,20})>|([0-9]{15,20})", re.ASCII)


@dataclass(frozen=True)
class ServerSettings:
    """The choices of a server's moderators.

    Games may be played in `channels`; none means everywhere. `clock` is in seconds, for matches
    without a clock of their own, None for no clock. Challenges lapse after `challenge_seconds`,
    None for the host's setting. `boards_stay` tells whether final boards outlive the next match.
    `boards` is the form of boards for members who have chosen none. `language` is the locale of
    what channels are shown, None for the one that the server has at Discord.
    """

    channels: tuple[ChannelId, ...] = ()
    clock: int | None = DEFAULT_CLOCK
    challenge_seconds: int | None = None
    boards_stay: bool = True
    boards: Form = Form.EMOJI
    language: str | None = None


class Shown(StrEnum):
    """How a member is listed on the leaderboard of all servers."""

    NAMED = "named"
    UNNAMED = "unnamed"  # for other servers
    HIDDEN = "hidden"


FormOf: TypeAlias = Callable[[Interaction], Awaitable[Form]]
"""Returns the form of boards that the asker wants."""

TextsHere: TypeAlias = Callable[[Interaction], Awaitable[ChannelTexts]]
"""Returns the texts for what everybody in this channel sees."""

CheckHere: TypeAlias = Callable[[Interaction], Awaitable[ServerSettings]]
"""Returns the server's settings; raises Refusal in a channel in which no games may be played."""

SettingsOf: TypeAlias = Callable[[ServerId | None], Awaitable[ServerSettings]]
"""Returns a server's settings; the defaults elsewhere than on servers."""


def clock_choices(build: CommandBuilder) -> list[app_commands.Choice[int]]:
    """Return the choices of an option `clock`, in seconds, the shortest first; 0 is no clock."""
    return [
        app_commands.Choice(name=build.words(partial(clock_words, clock)), value=clock or 0)
        for clock in (*CLOCKS, None)
    ]


def read_channels(
    interaction: Interaction,
    typed: str,
    unread: str = "refusal.settings.word",
    kind: str = "refusal.settings.kind",
) -> list[ChannelId]:
    """Return the channels of this server that a member has typed; raise Refusal.

    `unread` is the key of the refusal of a word that names no channel, `kind` that of the refusal
    of a channel that holds no games.
    """
    words = typed.replace(",", " ").replace("><", "> <").split()
    return [_read_channel(interaction, word, unread, kind) for word in words]


def _read_channel(interaction: Interaction, word: str, unread: str, kind: str) -> ChannelId:
    guild = interaction.guild
    if (found := _CHANNEL.fullmatch(word)) is not None:
        channel_id = ChannelId(int(found[1] or found[2]))
    elif (named := _named(guild, word)) is not None:
        channel_id = named
    else:
        raise Refusal(unread, word=word)
    channel = guild.get_channel_or_thread(channel_id) if guild else None
    if channel is None:
        raise Refusal("refusal.settings.foreign", channel=channel_id)
    if isinstance(channel, discord.Thread):
        raise Refusal("refusal.settings.thread", channels=(channel_id,))
    if not isinstance(channel, discord.TextChannel | discord.ForumChannel):
        raise Refusal(kind, channels=(channel_id,))
    return channel_id


def _named(guild: discord.Guild | None, word: str) -> ChannelId | None:
    """Return the channel that `#word` names, None if none or several have that name.

    Discord's clients send a mention only for a channel that was chosen from their list.
    """
    if guild is None or not word.startswith("#"):
        return None
    name = word.removeprefix("#").casefold()
    ids = [channel.id for channel in guild.channels if channel.name.casefold() == name]
    return ChannelId(ids[0]) if len(ids) == 1 else None
