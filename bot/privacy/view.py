"""What is stored about the asker: as a file, and erased after a second word."""

import logging
from io import BytesIO

import discord
from discord import ButtonStyle, ui

from bot.client import Interaction, texts_of
from bot.gateway.codec import encode
from bot.gateway.responses import CALL_FAILED, answer_of
from bot.matches.messages import text_view
from bot.matches.posting import post
from bot.matches.squares import button, layout
from bot.refusals import Refusal
from bot.servers.presses import Erase, Erasure

log = logging.getLogger(__name__)

_FILE = "rowbot-data.json"


async def hand_out(interaction: Interaction) -> None:
    """Give the asker all that is stored about them."""
    found = await interaction.client.services.privacy.export(interaction.user.id)
    view = layout(
        ui.TextDisplay(texts_of(interaction)("mydata.export")), ui.File(f"attachment://{_FILE}")
    )
    await answer_of(interaction).whisper(view, [discord.File(BytesIO(found), _FILE)])


async def ask_to_erase(interaction: Interaction) -> None:
    """Ask the member whether they mean it."""
    texts = texts_of(interaction)
    yes = button(
        texts("button.really_delete"),
        encode(Erase(interaction.user.id, Erasure.DELETE)),
        ButtonStyle.danger,
    )
    view = layout(ui.TextDisplay(texts("mydata.really")), ui.ActionRow(yes))
    await answer_of(interaction).whisper(view)


async def press_erase(interaction: Interaction, press: Erase) -> None:
    """Erase the member who pressed; raise Refusal for somebody else's button."""
    if press.user != interaction.user.id:
        raise Refusal("refusal.not_your_data")
    ended = await interaction.client.services.privacy.forget(interaction.user.id)
    await answer_of(interaction).edit(text_view(texts_of(interaction)("mydata.deleted")))
    for stored in ended:
        try:
            await post(interaction.client, stored)
        except CALL_FAILED as error:
            log.info("the end of match %s is not shown: %s", stored.id, error)
