"""Calling a match off: what the channel is shown, and what the moderator is told."""

from bot.client import Interaction, texts_of
from bot.gateway.responses import answer_of
from bot.i18n import DEFAULT_LOCALE, texts_for
from bot.leaderboard.lists import CalledOff
from bot.matches.messages import text_view
from bot.matches.model import StoredMatch
from bot.matches.posting import post, remove_message, replace_view, send, show
from bot.matches.view import mentions


async def call_off(interaction: Interaction, channel_id: int) -> None:
    """End whatever is played or offered in a channel, and tell it; raise Refusal."""
    bot = interaction.client
    async with bot.services.matches.turn(channel_id):
        ended, stored = await bot.services.moderation.call_off(channel_id)
        if channel_id == interaction.channel_id:
            await _tell_here(interaction, ended, stored)
        else:
            await _tell_there(interaction, channel_id, ended, stored)
        if stored is None and ended.board_id is not None:
            await remove_message(bot, channel_id, ended.board_id)
    closed = text_view(texts_for(DEFAULT_LOCALE)("invitation.called_off"))
    for message_id in ended.challenge_messages:
        await replace_view(bot, channel_id, message_id, closed)


async def _tell_here(
    interaction: Interaction, ended: CalledOff, stored: StoredMatch | None
) -> None:
    if stored is not None:
        await show(interaction, stored, [stored.board_id])
    else:
        view = text_view(texts_of(interaction)(_what(ended)))
        await answer_of(interaction).post(view, mentions(None))


async def _tell_there(
    interaction: Interaction, channel_id: int, ended: CalledOff, stored: StoredMatch | None
) -> None:
    bot, texts = interaction.client, texts_of(interaction)
    if stored is not None:
        told = await post(bot, stored)
    else:
        view = text_view(texts_for(DEFAULT_LOCALE)(_what(ended)))
        told = await send(bot, channel_id, view) is not None
    key = "called_off.told" if told else "called_off.untold"
    await answer_of(interaction).whisper(texts(key, channel=f"<#{channel_id}>"))


def _what(ended: CalledOff) -> str:
    """Return the key of what has been ended, where no board can show it."""
    return "called_off.challenges" if ended.match_id is None else "called_off.match"
