"""The slash commands: parse, one service call, render."""

from typing import Any

from discord import app_commands

from bot.analysis.commands import insight_commands
from bot.help.commands import about_commands
from bot.i18n import Texts
from bot.invitations.commands import play_group
from bot.leaderboard.commands import record_commands
from bot.leaderboard.member_menus import member_menus
from bot.matches.commands import match_commands
from bot.privacy.commands import mydata_group
from bot.servers.commands import moderation_commands
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
