"""What takes the others: draws, taking back a move, rematches; and resigning for certain."""

from dataclasses import replace

import discord

from bot.client import Interaction, texts_of
from bot.gateway.permissions import check_here
from bot.gateway.responses import answer_of
from bot.gateway.serving import place_of
from bot.matches.absence import without_absent
from bot.matches.checks import check_seated, resigned
from bot.matches.messages import declined_view, offer_view, resign_view
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.posting import show, show_first
from bot.matches.presses import Answer, Consent, Rematch
from bot.matches.view import board_view
from core.players import Member


async def offer(interaction: Interaction, stored: StoredMatch, kind: OfferKind) -> None:
    """Offer `kind` to the other players, or carry it out where they have offered it too.

    Where one of them has left the server they lose instead.
    """
    bot, me = interaction.client, interaction.user.id
    check_seated(stored, Member(me))
    if kind is OfferKind.REMATCH:
        await check_here(interaction)
    made: StoredMatch | None = await without_absent(bot, stored, me)
    if made is stored:
        made = await bot.services.offers.make(stored, kind, me)
    if made is not None:
        await _show_made(interaction, stored, made)
        return
    wanting = await bot.services.offers.wanting(stored, kind)
    view = offer_view(stored, kind, wanting, texts_of(interaction))
    await answer_of(interaction).post(view, discord.AllowedMentions.none())


async def _show_made(
    interaction: Interaction, before: StoredMatch, made: StoredMatch, question: int | None = None
) -> None:
    """Show what an agreement has made: the same match, whose board moves on, or the next one."""
    if made.id == before.id:
        await show(interaction, made, [question, before.board_id])
    else:
        await show_first(interaction, made, [question])


async def consent(interaction: Interaction, consent: Consent) -> None:
    """Agree to an offer or decline it."""
    services, me = interaction.client.services, interaction.user.id
    async with services.matches.turn(place_of(interaction).channel_id):
        stored = await services.matches.get(consent.match, interaction.channel_id)
        args = (stored, consent.kind, consent.ply, consent.asker, me)
        if consent.answer is Answer.DECLINE:
            await services.offers.decline(*args)
            seat = stored.match.seat_of(Member(me))
            view = declined_view(stored, consent.kind, seat, texts_of(interaction))
            await answer_of(interaction).edit(view)
            return
        if consent.kind is OfferKind.REMATCH:
            await check_here(interaction)
        made = await services.offers.agree(*args)
        if made is None:
            wanting = await services.offers.wanting(stored, consent.kind)
            view = offer_view(stored, consent.kind, wanting, texts_of(interaction))
            await answer_of(interaction).edit(view)
            return
        question = interaction.message.id if interaction.message else None
        await _show_made(interaction, stored, made, question)


async def rematch(interaction: Interaction, press: Rematch) -> None:
    """Note on the final board that somebody wants a rematch, or begin it."""
    bot = interaction.client
    matches = bot.services.matches
    async with matches.turn(place_of(interaction).channel_id):
        await check_here(interaction)
        stored = await matches.get(press.match, interaction.channel_id)
        made = await bot.services.offers.make(stored, OfferKind.REMATCH, interaction.user.id)
        texts = texts_of(interaction)
        if made is None:
            wanting = await bot.services.offers.wanting(stored, OfferKind.REMATCH)
            view = board_view(stored, texts, wanting_rematch=wanting)
            await answer_of(interaction).edit(view)
            return
        assert interaction.message is not None, "a button sits on a message"
        pressed = replace(stored, board_id=interaction.message.id)
        await show_first(interaction, made, pressed=pressed)


async def ask_to_resign(interaction: Interaction, stored: StoredMatch) -> None:
    """Ask the member, privately, whether they mean it."""
    after = resigned(stored, interaction.user.id)
    view = resign_view(stored, after, texts_of(interaction))
    await answer_of(interaction).whisper(view)
