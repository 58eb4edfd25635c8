"""A page of the leaderboard as a message."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.gateway.components import Layout, page_end, view_of
from bot.i18n import ChannelTexts, Texts
from bot.identity import escape
from bot.leaderboard.model import LeaderboardPage, Period, Scope, TurnEverywhere, TurnPage
from bot.ratings.model import START, By, Standing
from bot.render import words

OMITTED = "⋯"
"""The line for members between a page and the asker's own line."""


def leaderboard_view(
    shown: LeaderboardPage, page: TurnPage, why_no_match: Sequence[str], texts: ChannelTexts
) -> Layout:
    """Return one page of a leaderboard, with the asker's own line marked, or added below.

    An empty one has the lines `why_no_match`, which say why no match can begin here.
    """
    listing = shown.listing
    everywhere = isinstance(page, TurnEverywhere)
    title = "leaderboard.everywhere" if everywhere else "leaderboard.title"
    game = texts(f"game.{listing.game}") if listing.game else texts("leaderboard.all_games")
    # An empty list has no ratings to explain.
    by = listing.by if shown.standings else By.WINS
    counting = Scope.EVERYWHERE if everywhere else by
    lines = [
        texts(title, game=game, period=texts(f"period.{page.period}")),
        *_lines(shown, texts, "leaderboard.elsewhere" if everywhere else "player.unknown"),
        *([] if shown.standings else [_empty(shown, page, texts), *why_no_match]),
        _champions_line(shown, texts),
        texts(f"leaderboard.counting.{counting}", start=START),
    ]
    end = page_end(shown.number, shown.pages, lambda number: replace(page, number=number), texts)
    return view_of(*lines, *end)


def _empty(shown: LeaderboardPage, page: TurnPage, texts: Texts) -> str:
    """Return why nobody is on the list, and what to do: play, or ask for another list."""
    everywhere = isinstance(page, TurnEverywhere)
    if everywhere or page.period is not Period.ALL or shown.listing.game:
        return texts("leaderboard.empty.filtered")
    return texts("leaderboard.empty.wins")


def _lines(shown: LeaderboardPage, texts: Texts, unnamed: str) -> Iterator[str]:
    """Yield the lines of a page with the asker's own marked; it comes last if on another page."""
    own = shown.own
    for standing in shown.standings:
        line = _line(standing, texts, unnamed)
        mine = own is not None and standing.user_id == own.user_id
        yield texts("leaderboard.own", line=line) if mine else line
    if own and own.user_id not in {standing.user_id for standing in shown.standings}:
        yield OMITTED
        yield texts("leaderboard.own", line=_line(own, texts, unnamed))


def _line(standing: Standing, texts: Texts, unnamed: str) -> str:
    name = escape(standing.name) or texts(unnamed)
    results = texts("results", wins=standing.wins, draws=standing.draws, losses=standing.losses)
    if standing.rating is None:
        return texts("leaderboard.line.wins", rank=standing.rank, name=name, results=results)
    rating = words.rating(standing.rating, texts, provisional=standing.provisional)
    return texts(
        "leaderboard.line.rating", rank=standing.rank, name=name, rating=rating, results=results
    )


def _champions_line(shown: LeaderboardPage, texts: Texts) -> str | None:
    if not shown.champions.named:
        return None
    champions = [
        texts("leaderboard.champion", rank=standing.rank, name=escape(standing.name))
        for standing in shown.champions.named
    ]
    if shown.champions.more:
        champions.append(texts("list.more", count=shown.champions.more))
    return texts("leaderboard.champions", champions=texts.row(words.DOT, champions))
