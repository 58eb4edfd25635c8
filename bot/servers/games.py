"""The live matches of a server, page by page, for its moderators alone."""

from discord import ui

from bot.client import Interaction, texts_of
from bot.gateway.codec import encode
from bot.gateway.names import escape
from bot.gateway.permissions import check_moderator, server_permissions
from bot.gateway.responses import answer_of
from bot.gateway.serving import place_of
from bot.i18n import Texts
from bot.leaderboard.lists import ListedMatch
from bot.matches.squares import layout, page_buttons
from bot.render import terms, words
from bot.render.refusals import message_link
from bot.servers.moderation import GamesPage
from bot.servers.presses import Games


async def show_games(interaction: Interaction) -> None:
    """Show the first page to the asker; raise Refusal."""
    await answer_of(interaction).whisper(await _view(interaction, 0))


async def turn_games(interaction: Interaction, number: int) -> None:
    """Show another page in place of the one whose button was pressed; raise Refusal."""
    await answer_of(interaction).edit(await _view(interaction, number))


async def _view(interaction: Interaction, number: int) -> ui.LayoutView:
    check_moderator(interaction, server_permissions(interaction))
    guild_id = place_of(interaction).guild_id
    page = await interaction.client.services.moderation.games(guild_id, number)
    return games_view(page, guild_id, texts_of(interaction))


def games_view(page: GamesPage, guild_id: int, texts: Texts) -> ui.LayoutView:
    """Return a page of a server's live matches."""
    lines = [_line(listed, guild_id, texts) for listed in page.listed] or [texts("games.none")]
    if page.pages > 1:
        lines.append(texts("list.page", page=page.number + 1, pages=page.pages))
    text = ui.TextDisplay[ui.LayoutView]("\n".join([texts("games.title"), *lines]))
    turned = page_buttons(page.number, page.pages, lambda n: encode(Games(n)), texts)
    return layout(text, *turned)


def _line(listed: ListedMatch, guild_id: int, texts: Texts) -> str:
    """Return who plays what since when, whose turn it is, and where."""
    where = terms.channels_words([listed.channel_id])
    if listed.board_id is not None:
        where = message_link(guild_id, listed.channel_id, listed.board_id)
    if listed.stored is None:
        return texts("games.unreadable", where=where, started=listed.started_at)
    match = listed.stored.match
    names = [name and escape(name) for name in listed.stored.names]
    named = words.player_names(match, names, texts)
    return texts(
        "games.line",
        title=terms.title(match.game, match.options, texts),
        players=words.players_line(match, named, texts),
        player=named[match.to_move or 0],
        started=listed.started_at,
        where=where,
    )
