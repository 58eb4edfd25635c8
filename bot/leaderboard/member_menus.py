"""What a member's own menu offers: a challenge, and their profile."""

import discord
from discord import app_commands

from bot.client import Interaction
from bot.gateway.serving import person, served, served_privately
from bot.i18n import Texts
from bot.invitations.challenging import ask_which_game
from bot.profiles.view import post_profile


def member_menus(texts: Texts) -> list[app_commands.ContextMenu]:
    """Return the entries of the menu of a member."""
    return [
        app_commands.ContextMenu(name=texts("menu.challenge"), callback=challenge),
        app_commands.ContextMenu(name=texts("menu.profile"), callback=profile),
    ]


@served_privately
async def challenge(interaction: Interaction, member: discord.Member) -> None:
    """Ask for the game, and challenge the member to it."""
    await ask_which_game(interaction, member)


@served
async def profile(interaction: Interaction, member: discord.Member) -> None:
    """Show what the member has done here."""
    await post_profile(interaction, person(member))
