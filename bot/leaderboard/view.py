"""The leaderboard, page by page."""

from discord import AllowedMentions, ui

from bot.client import Interaction, texts_of
from bot.gateway.codec import encode
from bot.gateway.names import escape
from bot.gateway.responses import answer_of
from bot.gateway.serving import place_of
from bot.i18n import Texts
from bot.leaderboard.lists import By, Period, Standing
from bot.leaderboard.service import LeaderboardPage
from bot.matches.squares import layout, page_buttons
from bot.ratings.model import RANKED_AFTER
from bot.render.points import standing_line
from bot.servers.presses import Page


async def post_leaderboard(interaction: Interaction, game: str, period: Period, by: By) -> None:
    """Answer with the first page."""
    page = Page(game, period, by, 0, interaction.user.id)
    await answer_of(interaction).post(await _view(interaction, page), AllowedMentions.none())


async def turn_page(interaction: Interaction, page: Page) -> None:
    """Show another page in place of the one whose button was pressed."""
    await answer_of(interaction).edit(await _view(interaction, page))


async def _view(interaction: Interaction, page: Page) -> ui.LayoutView:
    bot, guild_id = interaction.client, place_of(interaction).guild_id
    boards = bot.services.leaderboards
    listing = boards.listing(guild_id, page.game, page.period, page.by)
    shown = await boards.page(
        listing,
        page.number,
        page.asker,
        lambda users: bot.presence.gone(bot.get_guild(guild_id), users),
    )
    return leaderboard_view(shown, page, texts_of(interaction))


def leaderboard_view(shown: LeaderboardPage, page: Page, texts: Texts) -> ui.LayoutView:
    """Return one page of a server's leaderboard, with the asker's own line below."""
    listing = shown.listing
    game = texts(f"game.{listing.game}") if listing.game else texts("leaderboard.all_games")
    lines = [
        texts("leaderboard.title", game=game, period=texts(f"period.{page.period}")),
        *(_line(standing, texts) for standing in shown.standings),
        "" if shown.standings else texts(f"leaderboard.empty.{listing.by}", least=RANKED_AFTER),
        _own_line(shown, texts),
        _champions_line(shown, texts),
        texts(f"leaderboard.counting.{listing.by}", least=RANKED_AFTER),
    ]
    if shown.pages > 1:
        lines.append(texts("list.page", page=shown.number + 1, pages=shown.pages))
    text = ui.TextDisplay[ui.LayoutView]("\n".join(line for line in lines if line))

    def turned(number: int) -> str:
        return encode(Page(listing.game, page.period, listing.by, number, page.asker))

    buttons = page_buttons(shown.number, shown.pages, turned, texts)
    return layout(text, *buttons)


def _line(standing: Standing, texts: Texts) -> str:
    return standing_line(standing, escape(standing.name) or texts("player.unknown"), texts)


def _own_line(shown: LeaderboardPage, texts: Texts) -> str | None:
    """Return where the asker stands, also where that is on this page, or not yet on any."""
    own = shown.own
    if own is None or not (own.name or own.rank):
        return None
    if own.rank:
        return texts("leaderboard.own", line=_line(own, texts))
    missing = RANKED_AFTER - own.wins - own.draws - own.losses
    return texts("leaderboard.unranked", name=escape(own.name), missing=missing)


def _champions_line(shown: LeaderboardPage, texts: Texts) -> str | None:
    if not shown.champions:
        return None
    first = " · ".join(
        texts("leaderboard.champion", rank=standing.rank, name=escape(standing.name))
        for standing in shown.champions
    )
    return texts("leaderboard.champions", champions=first)
