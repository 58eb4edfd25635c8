"""What moderators do: /settings, /games and /endgame. Each checks the permission once more."""

import re
from collections.abc import Callable, Coroutine
from typing import Any

import discord
from discord import app_commands

from bot.client import Interaction, texts_of
from bot.gateway.permissions import check_moderator, server_permissions
from bot.gateway.responses import answer_of
from bot.gateway.serving import place_of, served, served_privately
from bot.i18n import Texts
from bot.matches.clock_choices import clock_choices
from bot.matches.model import ServerSettings
from bot.refusals import Refusal
from bot.render.terms import channels_words, clock_words, duration
from bot.servers.calling_off import call_off
from bot.servers.games import show_games

_MODERATORS = discord.Permissions(manage_channels=True)
_MENTION = re.compile(r"<#([0-9]{1,20})>|([0-9]{15,20})", re.ASCII)
_STAY, _GO = "stay", "go"

Handler = Callable[..., Coroutine[Any, Any, None]]


def moderation_commands(
    texts: Texts,
) -> list[app_commands.Command[Any, ..., None] | app_commands.Group]:
    """Return the commands for whoever may manage channels."""
    group = app_commands.Group(
        name="settings", description=texts("command.settings"), default_permissions=_MODERATORS
    )
    options = ("channels", "clock", "challenge_minutes", "final_boards")
    app_commands.describe(**{name: texts(f"option.settings.{name}") for name in options})(set_)
    app_commands.choices(
        final_boards=[
            app_commands.Choice(name=texts(f"settings.final.{word}"), value=word)
            for word in (_STAY, _GO)
        ],
    )(set_)
    app_commands.choices(clock=clock_choices(texts))(set_)
    group.add_command(_command("show", "command.settings.show", show_, texts))
    group.add_command(_command("set", "command.settings.set", set_, texts))
    app_commands.describe(channel=texts("option.endgame.channel"))(endgame)
    single = [
        _command("games", "command.games", games, texts),
        _command("endgame", "command.endgame", endgame, texts),
    ]
    for command in single:
        command.default_permissions = _MODERATORS
    return [group, *single]


def _command(
    name: str, key: str, handler: Handler, texts: Texts
) -> app_commands.Command[Any, ..., None]:
    return app_commands.Command(name=name, description=texts(key), callback=handler)


@served_privately
async def show_(interaction: Interaction) -> None:
    """Tell what is set for this server."""
    check_moderator(interaction, server_permissions(interaction))
    servers = interaction.client.services.servers
    await _tell(interaction, await servers.settings(place_of(interaction).guild_id))


@served_privately
async def set_(
    interaction: Interaction,
    channels: str | None = None,
    clock: int | None = None,
    challenge_minutes: int | None = None,
    final_boards: str | None = None,
) -> None:
    """Change what is given, and tell what is set then."""
    check_moderator(interaction, server_permissions(interaction))
    if final_boards not in (None, _STAY, _GO):
        raise Refusal("refusal.settings.word", word=final_boards[:50])
    changed = await interaction.client.services.servers.change(
        place_of(interaction).guild_id,
        channels=None if channels is None else _read_channels(interaction, channels),
        clock=clock,
        challenge_minutes=challenge_minutes,
        boards_stay=None if final_boards is None else final_boards == _STAY,
    )
    await _tell(interaction, changed)


async def _tell(interaction: Interaction, settings: ServerSettings) -> None:
    texts, lifetime = texts_of(interaction), settings.challenge_seconds
    text = texts(
        "settings.all",
        channels=channels_words(settings.channels) or texts("settings.everywhere"),
        clock=clock_words(settings.clock, texts),
        lifetime=duration(lifetime, texts) if lifetime else texts("settings.by_host"),
        final=texts(f"settings.final.{_STAY if settings.boards_stay else _GO}"),
    )
    await answer_of(interaction).whisper(text)


def _read_channels(interaction: Interaction, typed: str) -> list[int]:
    """Return the ids of the channels that were typed, none for everywhere; raise Refusal."""
    words = typed.replace(",", " ").replace("><", "> <").split()
    if [word.lower() for word in words] == [texts_of(interaction)("settings.everywhere")]:
        return []
    if not words:
        raise Refusal("refusal.settings.word", word=typed)
    return [_read_channel(interaction, word) for word in words]


def _read_channel(interaction: Interaction, word: str) -> int:
    found = _MENTION.fullmatch(word)
    if found is None:
        raise Refusal("refusal.settings.word", word=word[:50])
    channel_id = int(found[1] or found[2])
    guild = interaction.guild
    channel = guild.get_channel_or_thread(channel_id) if guild else None
    if channel is None:
        raise Refusal("refusal.settings.foreign", channel=channel_id)
    if isinstance(channel, discord.Thread):
        raise Refusal("refusal.settings.thread", channels=(channel_id,))
    if not isinstance(channel, discord.TextChannel | discord.ForumChannel):
        raise Refusal("refusal.settings.kind", channels=(channel_id,))
    return channel_id


@served_privately
async def games(interaction: Interaction) -> None:
    """List the live matches of this server."""
    await show_games(interaction)


@served
async def endgame(
    interaction: Interaction,
    channel: app_commands.AppCommandChannel | app_commands.AppCommandThread | None = None,
) -> None:
    """End whatever is played or offered in a channel, this one unless told."""
    may = interaction.permissions if channel is None else channel.permissions
    check_moderator(interaction, may)
    await call_off(interaction, place_of(interaction).channel_id if channel is None else channel.id)
