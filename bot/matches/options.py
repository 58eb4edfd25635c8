"""The options of a game's commands: from the game's declaration to Discord's options, and back."""

from collections.abc import Iterable
from typing import Any

from discord import app_commands
from discord.app_commands import locale_str

from bot.gateway.commands import CommandBuilder
from core.game import Game
from core.options import OFF, ON, Choice, Flag, Number, Option, Options

# Discord's type for each kind of option.
_TYPES: dict[type[Option], Any] = {Number: int, Choice: str, Flag: bool}


def declared_types(game: Game) -> dict[str, Any]:
    """Return the options that a game declares with their types, in the order of the menu.

    Discord gets no range for numbers: the bot's own refusal names the limits of this board.
    """
    return {option.name: _TYPES[type(option)] | None for option in game.declared}


def declared_descriptions(game: Game, build: CommandBuilder) -> dict[str, locale_str]:
    """Return the descriptions of the options that a game declares."""
    return {option.name: _description(game, option, build) for option in game.declared}


def _description(game: Game, option: Option, build: CommandBuilder) -> locale_str:
    limits = {"low": option.low, "high": option.high} if isinstance(option, Number) else {}
    return build.text(f"game.{game.key}.option.{option.name}", **limits)


def declared_choices(
    game: Game, build: CommandBuilder
) -> dict[str, list[app_commands.Choice[Any]]]:
    """Return the choices of those options of a game that have some."""
    return {
        option.name: [
            build.choice(f"game.{game.key}.variant.{word}", word) for word in option.choices
        ]
        for option in game.declared
        if isinstance(option, Choice)
    }


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


def options_of_members(game: Game, given: Options) -> Options:
    """Return the resolved options of a match that only members play; raise OptionError.

    Those who leave the flags open get the fairer board.
    """
    resolved = game.resolve(given)
    return resolved if given.keys() & flags_of(game) else game.evened(resolved)


def flags_of(game: Game) -> set[str]:
    """Return the names of the options that are on or off."""
    return {option.name for option in game.declared if isinstance(option, Flag)}
