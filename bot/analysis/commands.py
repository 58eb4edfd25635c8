"""/hint and /analyse: what the computer can tell the players."""

from typing import Any

from discord import app_commands

from bot.analysis.view import show_hint, show_review
from bot.client import Interaction
from bot.gateway.declared import declared
from bot.gateway.serving import place_of, served_privately
from bot.i18n import Texts


def insight_commands(texts: Texts) -> list[app_commands.Command[Any, ..., None]]:
    """Return /hint and /analyse."""
    return declared(
        {
            "hint": hint,
            "analyse": analyse,
        },
        texts,
    )


@served_privately
async def hint(interaction: Interaction) -> None:
    """Show the best move to the member whose turn it is."""
    matches = interaction.client.services.matches
    await show_hint(interaction, await matches.live(place_of(interaction).channel_id))


@served_privately
async def analyse(interaction: Interaction) -> None:
    """Show how the channel's last match went."""
    insight = interaction.client.services.insight
    await show_review(interaction, await insight.finished(place_of(interaction).channel_id))
