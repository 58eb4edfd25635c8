"""The slash commands: parse, one service call, render."""

from typing import Any

from discord import app_commands

from bot.commands.about import about_commands
from bot.commands.insight import insight_commands
from bot.commands.match import match_commands
from bot.commands.menus import member_menus
from bot.commands.moderation import moderation_commands
from bot.commands.mydata import mydata_group
from bot.commands.play import play_group
from bot.commands.records import record_commands
from bot.i18n import Texts
from core.game import Game


def all_commands(
    games: dict[str, Game], texts: Texts
) -> list[app_commands.Command[Any, ..., None] | app_commands.Group | app_commands.ContextMenu]:
    """Return every command, described in the words of `texts`."""
    return [
        play_group(games, texts),
        *match_commands(texts),
        *insight_commands(texts),
        *record_commands(games, texts),
        mydata_group(texts),
        *member_menus(texts),
        *moderation_commands(texts),
        *about_commands(games, texts),
    ]
