"""/rules and /help."""

from typing import Any

from discord import app_commands

from bot.client import Interaction, texts_of
from bot.gateway.declared import declared
from bot.gateway.responses import answer_of
from bot.gateway.serving import served_privately
from bot.i18n import Texts
from bot.matches.messages import text_view
from core.game import Game
from core.games import GAMES


def about_commands(
    games: dict[str, Game], texts: Texts
) -> list[app_commands.Command[Any, ..., None]]:
    """Return the commands that tell and change nothing."""
    choices = [app_commands.Choice(name=texts(f"game.{key}"), value=key) for key in games]
    app_commands.describe(game=texts("option.game"))(rules)
    app_commands.choices(game=choices)(rules)
    return declared({"rules": rules, "help": help_}, texts)


@served_privately
async def rules(interaction: Interaction, game: str | None = None) -> None:
    """Tell the rules of one game, or of all."""
    texts = texts_of(interaction)
    keys = [game] if game in GAMES else list(GAMES)
    await _tell(interaction, "\n\n".join(texts(f"game.{key}.rules") for key in keys))


@served_privately
async def help_(interaction: Interaction) -> None:
    """Tell what the bot can do."""
    await _tell(interaction, texts_of(interaction)("help"))


async def _tell(interaction: Interaction, text: str) -> None:
    # As a component, for a plain message holds 2,000 characters only.
    await answer_of(interaction).whisper(text_view(text))
