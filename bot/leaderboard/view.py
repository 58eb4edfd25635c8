"""A page of the leaderboard as a message."""

from discord import ui

from bot.gateway.components import display, layout, page_buttons
from bot.i18n import ChannelTexts, Texts
from bot.identity import escape
from bot.leaderboard.model import LeaderboardPage, Period, TurnEverywhere, TurnPage
from bot.ratings.model import RANKED_AFTER, START, Standing
from bot.render import words


def leaderboard_view(shown: LeaderboardPage, page: TurnPage, texts: ChannelTexts) -> ui.LayoutView:
    """Return one page of a server's leaderboard, with the asker's own line below."""
    listing = shown.listing
    game = texts(f"game.{listing.game}") if listing.game else texts("leaderboard.all_games")
    lines = [
        texts("leaderboard.title", game=game, period=texts(f"period.{page.period}")),
        *(_line(standing, texts) for standing in shown.standings),
        "" if shown.standings else _empty(shown, page, texts),
        _own_line(shown, texts),
        _champions_line(shown, texts),
        texts(f"leaderboard.counting.{listing.by}", count=RANKED_AFTER, start=START),
    ]
    if shown.pages > 1:
        lines.append(texts("list.page", page=shown.number + 1, pages=shown.pages))

    def turned(number: int) -> TurnPage:
        return TurnPage(listing.game, page.period, listing.by, number, page.asker)

    text = display("\n".join(line for line in lines if line))
    return layout(text, *page_buttons(shown.number, shown.pages, turned, texts))


def everywhere_view(
    shown: LeaderboardPage, page: TurnEverywhere, texts: ChannelTexts
) -> ui.LayoutView:
    """Return one page of the leaderboard of all servers, with the asker's own line below."""
    listing = shown.listing
    game = texts(f"game.{listing.game}") if listing.game else texts("leaderboard.all_games")
    own = shown.own
    lines = [
        texts("leaderboard.everywhere", game=game, period=texts(f"period.{page.period}")),
        *(_line(standing, texts, "leaderboard.elsewhere") for standing in shown.standings),
        "" if shown.standings else texts("leaderboard.empty.filtered"),
        own and texts("leaderboard.own", line=_line(own, texts, "leaderboard.elsewhere")),
        texts("leaderboard.counting.everywhere"),
    ]
    if shown.pages > 1:
        lines.append(texts("list.page", page=shown.number + 1, pages=shown.pages))

    def turned(number: int) -> TurnEverywhere:
        return TurnEverywhere(listing.game, page.period, listing.by, number, page.asker)

    text = display("\n".join(line for line in lines if line))
    return layout(text, *page_buttons(shown.number, shown.pages, turned, texts))


def _empty(shown: LeaderboardPage, page: TurnPage, texts: Texts) -> str:
    """Return why nobody is on the list: of the whole server, or of the game and time chosen."""
    if shown.listing.game or page.period is not Period.ALL:
        return texts("leaderboard.empty.filtered")
    return texts(f"leaderboard.empty.{shown.listing.by}", count=RANKED_AFTER)


def _line(standing: Standing, texts: Texts, unnamed: str = "player.unknown") -> str:
    name = escape(standing.name) or texts(unnamed)
    results = texts("results", wins=standing.wins, draws=standing.draws, losses=standing.losses)
    if standing.rating is None:
        return texts("leaderboard.line.wins", rank=standing.rank, name=name, results=results)
    rating = words.rating(standing.rating, texts, provisional=standing.provisional)
    return texts(
        "leaderboard.line.rating", rank=standing.rank, name=name, rating=rating, results=results
    )


def _own_line(shown: LeaderboardPage, texts: Texts) -> str | None:
    """Return the asker's own line, even if this page or no page has it; None without results."""
    own = shown.own
    if own is None or not (own.name or own.rank):
        return None
    if own.rank:
        return texts("leaderboard.own", line=_line(own, texts))
    missing = RANKED_AFTER - own.wins - own.draws - own.losses
    return texts("leaderboard.unranked", name=escape(own.name), count=missing)


def _champions_line(shown: LeaderboardPage, texts: Texts) -> str | None:
    if not shown.champions:
        return None
    first = texts.row(
        " · ",
        (
            texts("leaderboard.champion", rank=standing.rank, name=escape(standing.name))
            for standing in shown.champions
        ),
    )
    return texts("leaderboard.champions", champions=first)
