"""The options of commands: those that a game declares, and those that name clocks and channels."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.gateway.commands import choices_of, localized, localized_by
from bot.gateway.interactions import Interaction
from bot.identity import ChannelId
from bot.matches.clock import CLOCKS
from bot.refusals import Refusal
from bot.render.words import clock_words
from core.game import Game
from core.options import OFF, ON, Choice, Flag, Number, Option, Options

_CHANNEL = re.compile(r"<#([0-9]{1,20})>|([0-9]{15,20})", re.ASCII)
MOST_CHANNELS = 25
"""The most channels that can be chosen for games, on a server or for a tournament."""

# Discord's type for each kind of option.
_TYPES: dict[type[Option], Any] = {Number: int, Choice: str, Flag: bool}


def declared_types(game: Game) -> dict[str, Any]:
    """Return the options that a game declares with their types, in the order of the menu.

    Discord isn't told the range of numbers: the bot's own refusal names the limits of this board.
    """
    return {option.name: _TYPES[type(option)] | None for option in game.declared}


def declared_descriptions(game: Game) -> dict[str, locale_str]:
    """Return the descriptions of the options that a game declares."""
    return {option.name: _description(game, option) for option in game.declared}


def _description(game: Game, option: Option) -> locale_str:
    limits = {"low": option.low, "high": option.high} if isinstance(option, Number) else {}
    return localized(f"game.{game.key}.option.{option.name}", **limits)


def declared_choices(game: Game) -> dict[str, Sequence[app_commands.Choice[Any]]]:
    """Return the choices of each option of a game that has choices."""
    return {
        option.name: choices_of(f"game.{game.key}.variant.{{}}", option.choices)
        for option in game.declared
        if isinstance(option, Choice)
    }


def given_options(game: Game, given: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the values of a game's own options among those that were `given`.

    Discord leaves out the others, or gives None for them. Flags come as true or false.
    """
    declared, flags = {option.name for option in game.declared}, _flags_of(game)
    return {
        name: (ON if value else OFF) if name in flags else value
        for name, value in given
        if name in declared and value is not None
    }


def options_of_members(game: Game, given: Options) -> Options:
    """Return the resolved options of a match that only members play; raise OptionError.

    If no flag is given, the members get the fairer board.
    """
    resolved = game.resolve(given)
    return resolved if given.keys() & _flags_of(game) else game.evened(resolved)


def _flags_of(game: Game) -> set[str]:
    """Return the names of the options that are on or off."""
    return {option.name for option in game.declared if isinstance(option, Flag)}


@cache
def clock_choices() -> Sequence[app_commands.Choice[int]]:
    """Return the choices of an option `clock`, in seconds, the shortest first; 0 is no clock."""
    return [
        app_commands.Choice(name=localized_by(partial(clock_words, clock)), value=clock or 0)
        for clock in (*CLOCKS, None)
    ]


def read_channels(
    interaction: Interaction,
    typed: str,
    unread: str = "refusal.settings.word",
    category: str = "refusal.settings.category",
    thread: str = "refusal.settings.thread",
) -> tuple[ChannelId, ...]:
    """Return the channels of this server that a member has typed, each once; raise Refusal.

    `unread`, `category` and `thread` are the keys of refusals: of a word that names no channel, of
    a category, and of a thread.
    """
    words = typed.replace(",", " ").replace("><", "> <").split()
    if len(words) > MOST_CHANNELS:
        raise Refusal("refusal.settings.many", count=MOST_CHANNELS)
    found = (_read_channel(interaction, word, unread, category, thread) for word in words)
    return tuple(dict.fromkeys(found))


def _read_channel(
    interaction: Interaction, word: str, unread: str, category: str, thread: str
) -> ChannelId:
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
        raise Refusal(thread, channels=(channel_id,))
    if isinstance(channel, discord.CategoryChannel):
        raise Refusal(category, channels=(channel_id,))
    return channel_id


def _named(guild: discord.Guild | None, word: str) -> ChannelId | None:
    """Return the channel that a word such as `#games` or `games` names; None for none or several.

    Discord's clients send a mention only for a channel that was chosen from their list.
    """
    if guild is None:
        return None
    name = word.removeprefix("#").casefold()
    ids = [channel.id for channel in guild.channels if channel.name.casefold() == name]
    return ChannelId(ids[0]) if len(ids) == 1 else None
