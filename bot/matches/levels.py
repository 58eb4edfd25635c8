"""The option `level` of /play: what this board offers, and what was typed."""

from collections.abc import Callable, Coroutine
from typing import Any

from discord import app_commands

from bot.client import Interaction, texts_of
from bot.i18n import Texts
from bot.matches.options import given_options
from bot.refusals import Refusal
from core.engine.levels import Level, levels_of
from core.errors import OptionError
from core.game import Game
from core.options import Options

DEFAULT_LEVEL = Level.MEDIUM
# Whatever the board turns out to be, the computer plays at these.
_EVERYWHERE = (Level.EASY, Level.MEDIUM, Level.HARD)

Suggestions = list[app_commands.Choice[str]]


def suggest_levels(
    game: Game,
) -> Callable[[Interaction, str], Coroutine[Any, Any, Suggestions]]:
    """Return the autocomplete of `level`, which looks at the options typed so far."""

    async def suggest(interaction: Interaction, current: str) -> Suggestions:
        given = given_options(game, interaction.namespace)
        try:
            levels = levels_of(game, game.resolve(given))
        except OptionError:
            levels = _EVERYWHERE
        named = {texts_of(interaction)(f"level.{level}"): level for level in levels}
        typed = current.strip().lower()
        return [
            app_commands.Choice(name=name, value=level.value)
            for name, level in named.items()
            if name.lower().startswith(typed)
        ]

    return suggest


def read_level(game: Game, options: Options, typed: str | None, texts: Texts) -> Level:
    """Return the level that was typed or chosen, medium for none.

    Raises Refusal where the board of these resolved `options` doesn't offer it.
    """
    if not typed:
        return DEFAULT_LEVEL
    named = {texts(f"level.{level}"): level for level in levels_of(game, options)}
    for name, level in named.items():
        if typed.strip().lower() in (name.lower(), level.value):
            return level
    raise Refusal("refusal.level", level=typed[:50], levels=", ".join(named))
