"""A server's settings and its live matches as messages to its moderators."""

from bot.forms import Form
from bot.gateway.components import Layout, page_end, view_of
from bot.i18n import OwnTexts
from bot.i18n.languages import language_name
from bot.matches.settings import ServerSettings
from bot.matches.view import names_of
from bot.ratings.model import Visibility
from bot.render import words
from bot.render.refusals import where_words
from bot.servers.model import GamesPage, ListedMatch, TurnGames
from core.position import mover_of

STAY, GO = "stay", "go"


def settings_text(
    settings: ServerSettings, default_seconds: int, locale: str, texts: OwnTexts
) -> str:
    """Return all settings of a server.

    If the server hasn't chosen, challenges expire after the default, and `locale` is its language.
    """
    lifetime = words.duration(settings.challenge_seconds or default_seconds, texts)
    if settings.challenge_seconds is None:
        lifetime = texts("settings.default", value=lifetime)
    language = language_name(settings.language or locale)
    if settings.language is None:
        language = texts("settings.default", value=language)
    return texts(
        "settings.all",
        channels=words.channels_words(settings.channels, texts) or texts("settings.everywhere"),
        clock=words.clock_words(settings.clock, texts),
        lifetime=lifetime,
        final=texts(f"settings.final.{STAY if settings.boards_stay else GO}"),
        boards=texts(f"settings.board.{settings.boards}"),
        language=language,
    )


def own_settings_text(chosen: Form | None, server: Form, shown: Visibility, texts: OwnTexts) -> str:
    """Return a member's own settings; `server` is the form of boards that the server has set.

    `shown` is how the member is listed on the leaderboard of all servers.
    """
    key = "settings.own.server" if chosen is None else "settings.own"
    board = texts(f"settings.board.{chosen or server}")
    everywhere = texts(f"everywhere.{shown}")
    return texts(key, board=board, everywhere=everywhere)


def games_view(page: GamesPage, texts: OwnTexts) -> Layout:
    """Return a page of a server's live matches."""
    lines = [_line(listed, texts) for listed in page.listed] or [texts("games.none")]
    end = page_end(page.number, page.pages, TurnGames, texts)
    return view_of(texts("games.title"), *lines, *end)


def _line(listed: ListedMatch, texts: OwnTexts) -> str:
    """Return the line of a live match: game, players, whose turn it is, start, and board."""
    where = where_words(listed.place, listed.board_id, texts)
    if listed.stored is None:
        return texts("games.unreadable", where=where, started=listed.started_at)
    match, names = listed.stored.match, names_of(listed.stored, texts)
    return texts(
        "games.line",
        title=words.title(match.game, match.options, texts),
        players=words.players_line(match, names, texts),
        player=names[mover_of(match.position)],
        started=listed.started_at,
        where=where,
    )
