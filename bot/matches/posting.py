"""Posting a match's board: as a new message each turn, with the old one removed."""

import logging
from collections.abc import Iterable

import discord
from discord import ui

from bot.client import Interaction, Rowbot, texts_of
from bot.gateway.permissions import missing_here
from bot.gateway.responses import CALL_FAILED, answer_of
from bot.i18n import DEFAULT_LOCALE, texts_for
from bot.matches.model import StoredMatch
from bot.matches.view import board_view, gone_view, mentions, to_notify

log = logging.getLogger(__name__)


async def show(
    interaction: Interaction,
    stored: StoredMatch,
    remove: Iterable[int | None] = (),
    *,
    quiet: bool = False,
) -> None:
    """Answer an interaction with the board of a match, then remove the messages in `remove`.

    Mentions the member to move, unless it is they who have just acted, or `quiet`.
    """
    notify = None if quiet else to_notify(stored, interaction.user.id)
    view = board_view(stored, texts_of(interaction), notify, missing=missing_here(interaction))
    message_id = await answer_of(interaction).post(view, mentions(notify))
    await _replaced(interaction.client, stored, message_id, remove)


async def show_first(
    interaction: Interaction,
    stored: StoredMatch,
    remove: Iterable[int | None] = (),
    pressed: StoredMatch | None = None,
) -> None:
    """Answer with the board of a match that has just begun.

    The final board before it stays, if the server wants that. Where it was `pressed`, as that of
    the match that is played again, it can only be looked at by then.
    """
    services, channel_id = interaction.client.services, stored.place.channel_id
    await show(interaction, stored, remove)
    before = pressed.board_id if pressed else await services.matches.board_before(stored)
    if before is None:
        return
    if not (await services.servers.settings(stored.place.guild_id)).boards_stay:
        await remove_message(interaction.client, channel_id, before)
    elif pressed is not None:
        final = board_view(pressed, texts_of(interaction), played_again=True)
        await replace_view(interaction.client, channel_id, before, final)


async def post(bot: Rowbot, stored: StoredMatch) -> bool:
    """Post the board of a match into its channel, unasked, and remove the old one.

    Returns whether that could be done; where the bot may not post, the old board is changed, which
    notifies nobody.
    """
    notify = to_notify(stored, None)
    view = board_view(stored, texts_for(DEFAULT_LOCALE), notify)
    message_id = await send(bot, stored.place.channel_id, view, notify)
    if message_id is not None:
        await _replaced(bot, stored, message_id, [stored.board_id])
    elif stored.board_id is not None:
        await replace_view(bot, stored.place.channel_id, stored.board_id, view)
    return message_id is not None


async def send(
    bot: Rowbot, channel_id: int, view: ui.LayoutView, notify: int | None = None
) -> int | None:
    """Send a message into a channel, unasked, and return its id; None where that can't be."""
    channel = bot.get_partial_messageable(channel_id)
    try:
        return (await channel.send(view=view, allowed_mentions=mentions(notify))).id
    except CALL_FAILED as error:
        log.warning("nothing can be posted in channel %s: %s", channel_id, error)
        return None


async def _replaced(
    bot: Rowbot, stored: StoredMatch, message_id: int | None, remove: Iterable[int | None]
) -> None:
    if message_id is not None:
        bot.services.matches.boards.shown(stored, message_id)
    for old in {old for old in remove if old is not None} - {message_id}:
        await remove_message(bot, stored.place.channel_id, old)


async def remove_message(bot: Rowbot, channel_id: int, message_id: int) -> None:
    """Remove a message, or at least its buttons; the match doesn't depend on it."""
    message = bot.get_partial_messageable(channel_id).get_partial_message(message_id)
    try:
        await message.delete()
    except discord.NotFound:
        return
    except CALL_FAILED as error:
        log.info("message %s stays: %s", message_id, error)
        await replace_view(bot, channel_id, message_id, gone_view(texts_for(DEFAULT_LOCALE)))


async def replace_view(bot: Rowbot, channel_id: int, message_id: int, view: ui.LayoutView) -> None:
    """Change what a message shows; where that is not to be had, log it and go on."""
    message = bot.get_partial_messageable(channel_id).get_partial_message(message_id)
    try:
        await message.edit(view=view, allowed_mentions=discord.AllowedMentions.none())
    except CALL_FAILED as error:
        log.info("message %s can't be changed: %s", message_id, error)
