"""Scores, ratings and standings in words. Names come in escaped."""

from collections.abc import Mapping, Sequence

from bot.i18n import Texts
from bot.leaderboard.lists import Standing
from bot.matches.model import Change
from bot.render.words import Names
from core.match import Match
from core.players import Player


def score(match: Match, names: Names, points: Mapping[Player, float], texts: Texts) -> str:
    """Return the score of the series, in the order of the seats; everybody once."""
    named = dict(zip(match.players, names, strict=True))
    parts = [
        texts("board.score.one", player=name, points=points_words(points.get(player, 0)))
        for player, name in named.items()
    ]
    return texts("board.score", score=" – ".join(parts))


def points_words(points: float) -> str:
    """Return points without needless decimals: 2, 0.5, 1.5."""
    return f"{points:g}"


def ratings(names: Names, changes: Sequence[Change], texts: Texts) -> str | None:
    """Return everybody's new rating and what the match did to it; None for an unrated match."""
    if not changes:
        return None
    parts = [
        texts("board.rating.one", player=name, rating=after, change=change_words(before, after))
        for name, (before, after) in zip(names, changes, strict=True)
    ]
    return texts("board.rating", ratings=" · ".join(parts))


def change_words(before: int, after: int) -> str:
    """Return by how much a rating has changed, with its sign."""
    change = after - before
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "±0"


def standing_line(standing: Standing, name: str, texts: Texts) -> str:
    """Return one line of a leaderboard."""
    results = texts("results", wins=standing.wins, draws=standing.draws, losses=standing.losses)
    key = "leaderboard.line.wins" if standing.rating is None else "leaderboard.line.rating"
    return texts(key, rank=standing.rank, name=name, rating=standing.rating, results=results)
