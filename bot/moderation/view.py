"""A server's live matches as a message to its moderators."""

from bot.forms import Form
from bot.gateway.components import Layout, page_end, view_of
from bot.i18n import OwnTexts
from bot.matches.model import StoredMatch
from bot.matches.view import names_of
from bot.moderation.model import GamesPage, ListedMatch, TurnGames
from bot.render import words
from bot.render.links import where_words
from bot.render.telling import Telling, telling_in
from core.position import mover_of


def games_view(page: GamesPage, form: Form, texts: OwnTexts) -> Layout:
    """Return a page of a server's live matches, for a reader of boards in this `form`."""
    telling = telling_in(form, texts)
    lines = [_line(listed, telling) for listed in page.listed] or [texts("games.none")]
    end = page_end(page.number, page.pages, TurnGames, texts)
    return view_of(texts("games.title"), *lines, *end)


def ended_view(told: str, stored: StoredMatch, form: Form, texts: OwnTexts) -> Layout:
    """Return what a moderator is `told`, with the game and the players of the match that ended."""
    match, names = stored.match, names_of(stored, texts)
    title = words.title(match.game, match.options, texts)
    players = telling_in(form, texts).players(match, names)
    return view_of(told, texts("mine.line", title=title, players=players))


def _line(listed: ListedMatch, telling: Telling) -> str:
    """Return the line of a live match: game, players, whose turn it is, start, and board."""
    texts = telling.texts
    where = where_words(listed.place, listed.board_id, texts)
    if listed.stored is None:
        return texts("games.unreadable", where=where, started=listed.started_at)
    match, names = listed.stored.match, names_of(listed.stored, texts)
    return texts(
        "games.line",
        title=words.title(match.game, match.options, texts),
        players=telling.players(match, names),
        player=names[mover_of(match.position)],
        started=listed.started_at,
        where=where,
    )
