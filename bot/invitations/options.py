"""The options of /play: from the declaration of a game to Discord's options, and back."""

from collections.abc import Iterable
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.gateway.commands import Choices, CommandBuilder, Complete
from bot.gateway.responses import Interaction, own_texts_of
from bot.i18n import Texts
from bot.invitations.model import First
from bot.matches.settings import clock_choices
from bot.refusals import Refusal
from core.engine.levels import Level, levels_of
from core.errors import OptionError
from core.game import Game
from core.options import OFF, ON, Choice, Flag, Number, Option, Options

DEFAULT_LEVEL = Level.MEDIUM
# The computer plays at these levels on every board.
_EVERYWHERE = (Level.EASY, Level.MEDIUM, Level.HARD)
# The options that name the other members.
_OTHERS = ("against", "third")
# Discord's type for each kind of option.
_TYPES: dict[type[Option], Any] = {Number: int, Choice: str, Flag: bool}


def others_of(game: Game) -> tuple[str, ...]:
    """Return the options that name the other members of a game."""
    return _OTHERS[: game.seats - 1]


def annotations(game: Game) -> dict[str, Any]:
    """Return the options of a game's command with their types, in the order of the menu.

    Discord gets no range for numbers: the bot's own refusal names the limits of this board.
    """
    found: dict[str, Any] = dict.fromkeys(others_of(game), discord.User | None)
    found["level"] = str | None
    for option in game.declared:
        found[option.name] = _TYPES[type(option)] | None
    if not game.first_by_lot:
        found["first"] = str | None
    found["clock"] = int | None
    found["open"] = bool | None
    return found


def descriptions(game: Game, build: CommandBuilder) -> dict[str, locale_str]:
    """Return the descriptions of a game's options."""
    declared = {option.name: _description(game, option, build) for option in game.declared}
    return {
        name: declared[name] if name in declared else build.text(f"option.{name}")
        for name in annotations(game)
    }


def _description(game: Game, option: Option, build: CommandBuilder) -> locale_str:
    limits = {"low": option.low, "high": option.high} if isinstance(option, Number) else {}
    return build.text(f"game.{game.key}.option.{option.name}", **limits)


def choices(game: Game, build: CommandBuilder) -> Choices:
    """Return the choices of those options of a game that have some."""
    found: dict[str, list[app_commands.Choice[Any]]] = {
        option.name: [
            build.choice(f"game.{game.key}.variant.{word}", word) for word in option.choices
        ]
        for option in game.declared
        if isinstance(option, Choice)
    }
    if not game.first_by_lot:
        found["first"] = [build.choice(f"first.{first}", first.value) for first in First]
    return {**found, "clock": clock_choices(build)}


def given_options(game: Game, given: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the values of a game's own options among those that were `given`.

    Discord leaves out the others, or gives None for them. Flags come as true or false.
    """
    declared, flags = {option.name for option in game.declared}, flags_of(game)
    return {
        name: (ON if value else OFF) if name in flags else value
        for name, value in given
        if name in declared and value is not None
    }


def flags_of(game: Game) -> set[str]:
    """Return the names of the options that are on or off."""
    return {option.name for option in game.declared if isinstance(option, Flag)}


def complete_level(game: Game) -> Complete:
    """Return the autocomplete of `level`, which offers the levels for the options typed so far."""

    async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        given = given_options(game, interaction.namespace)
        try:
            levels = levels_of(game, game.resolve(given))
        except OptionError:
            levels = _EVERYWHERE
        named = {own_texts_of(interaction)(f"level.{level}"): level for level in levels}
        typed = current.strip().lower()
        return [
            app_commands.Choice(name=name, value=level.value)
            for name, level in named.items()
            if name.lower().startswith(typed)
        ]

    return complete


def read_level(game: Game, options: Options, typed: str | None, texts: Texts) -> Level:
    """Return the level that was typed or chosen, medium if none was.

    Raises Refusal if the board of these resolved `options` doesn't offer it.
    """
    if not typed:
        return DEFAULT_LEVEL
    named = {texts(f"level.{level}"): level for level in levels_of(game, options)}
    for name, level in named.items():
        if typed.strip().lower() in (name.lower(), level.value):
            return level
    raise Refusal("refusal.level", level=typed, levels=", ".join(named))
