"""Hints and reviews, shown to whoever asks alone."""

from bot.analysis.words import hint_text, review_text
from bot.client import Interaction, texts_of
from bot.gateway.names import escape
from bot.gateway.responses import answer_of
from bot.matches.legal import legal_text
from bot.matches.messages import names_of, text_view
from bot.matches.model import StoredMatch
from bot.render.words import player_names


async def show_hint(interaction: Interaction, stored: StoredMatch) -> None:
    """Show the best move to the member whose turn it is; raise Refusal."""
    analysis = await interaction.client.services.insight.hint(stored, interaction.user.id)
    text = hint_text(stored, analysis, texts_of(interaction))
    await answer_of(interaction).whisper(text_view(text))


async def show_legal(interaction: Interaction, stored: StoredMatch) -> None:
    """Show which squares the player to move can choose from, to whoever asks."""
    text = legal_text(stored.match, names_of(stored, texts_of(interaction)), texts_of(interaction))
    await answer_of(interaction).whisper(text_view(text))


async def show_review(interaction: Interaction, stored: StoredMatch) -> None:
    """Show what each move of a match that is over was worth; raise Refusal."""
    insight, texts = interaction.client.services.insight, texts_of(interaction)
    insight.check_over(stored)
    await answer_of(interaction).promise(private=True)
    steps = await insight.review(stored)
    names = player_names(stored.match, [name and escape(name) for name in stored.names], texts)
    text = review_text(stored.match, steps, names, texts)
    await answer_of(interaction).whisper(text_view(text))
