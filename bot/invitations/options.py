"""The options of /play: from the declaration of a game to Discord's options, and back."""

from typing import Any

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.gateway.commands import Choices, Complete, choices_of, localized
from bot.gateway.interactions import Interaction, own_texts_of
from bot.i18n import Texts
from bot.invitations.model import First
from bot.matches.options import (
    clock_choices,
    declared_choices,
    declared_descriptions,
    declared_types,
    given_options,
)
from bot.refusals import Refusal
from core.engine.levels import Level, levels_of
from core.errors import OptionError
from core.game import Game
from core.options import Options

DEFAULT_LEVEL = Level.MEDIUM
# The computer plays at these levels on every board.
_EVERYWHERE = (Level.EASY, Level.MEDIUM, Level.HARD)
# The options that name the other members, enough for the game with the most seats.
_OTHERS = ("against", "third")


def others_of(game: Game) -> tuple[str, ...]:
    """Return the options that name the other members of a game."""
    names = _OTHERS[: game.seats - 1]
    assert len(names) == game.seats - 1, f"_OTHERS names too few members for {game.key}"
    return names


def annotations(game: Game) -> dict[str, Any]:
    """Return the options of a game's command with their types, in the order of the menu.

    The board comes before `level`, whose choices depend on it.
    """
    found: dict[str, Any] = dict.fromkeys(others_of(game), discord.User | None)
    found |= declared_types(game)
    found["level"] = str | None
    if not game.first_by_lot:
        found["first"] = str | None
    found["clock"] = int | None
    found["open"] = bool | None
    return found


def descriptions(game: Game) -> dict[str, locale_str]:
    """Return the descriptions of a game's options."""
    declared = declared_descriptions(game)
    return {
        name: declared[name] if name in declared else localized(f"option.{name}")
        for name in annotations(game)
    }


def choices(game: Game) -> Choices:
    """Return the choices of each option of a game that has choices."""
    found = declared_choices(game)
    if not game.first_by_lot:
        found["first"] = choices_of("first.{}", First)
    return {**found, "clock": clock_choices()}


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
            if name.lower().startswith(typed) or level.value.startswith(typed)
        ]

    return complete


def read_level(game: Game, options: Options, typed: str | None, texts: Texts) -> Level:
    """Return the level that was typed or chosen, medium if none was.

    Raises Refusal if the board of these resolved `options` doesn't offer that level.
    """
    if not typed:
        return DEFAULT_LEVEL
    named = {texts(f"level.{level}"): level for level in levels_of(game, options)}
    for name, level in named.items():
        if typed.strip().lower() in (name.lower(), level.value):
            return level
    raise Refusal("refusal.level", level=typed, levels=tuple(named))
