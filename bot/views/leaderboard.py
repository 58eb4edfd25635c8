"""The leaderboard, page by page."""

from discord import AllowedMentions, ui

from bot.answers import answer_of
from bot.client import Interaction, place_of, texts_of
from bot.views.codec import Page
from bot.views.messages import PAGE_SIZE, leaderboard_view
from core.games import GAMES


async def post_leaderboard(interaction: Interaction, game: str | None) -> None:
    """Answer with the first page."""
    view = await _view(interaction, Page(game or "", 0))
    await answer_of(interaction).post(view, AllowedMentions.none())


async def turn_page(interaction: Interaction, page: Page) -> None:
    """Show another page in place of the one whose button was pressed."""
    await answer_of(interaction).edit(await _view(interaction, page))


async def _view(interaction: Interaction, page: Page) -> ui.LayoutView:
    game = page.game if page.game in GAMES else None
    scores, guild_id = interaction.client.services.scores, place_of(interaction).guild_id
    count = await scores.count(guild_id, game)
    last = max(0, -(-count // PAGE_SIZE) - 1)
    shown = Page(game or "", min(page.number, last))
    standings = await scores.standings(guild_id, game, shown.number * PAGE_SIZE, PAGE_SIZE)
    return leaderboard_view(standings, count, shown, texts_of(interaction))
