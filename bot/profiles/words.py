"""Profiles and histories in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.i18n import Texts
from bot.leaderboard.lists import Standing
from bot.matches.model import StoredMatch
from bot.profiles.model import Profile, Results
from bot.ratings.model import RANKED_AFTER
from bot.render import points, terms, words
from core.outcome import Outcome, Result
from core.players import Member


@dataclass(frozen=True)
class Chart:
    """What a chart of ratings shows: named lines of (Unix seconds, rating), and its words."""

    series: dict[str, Sequence[tuple[int, float]]]
    title: str
    axis: str
    described: str


def profile_text(profile: Profile, name: str, texts: Texts) -> str:
    """Return a member's profile, without the chart; `name` comes in escaped."""
    if not profile.played:
        return "\n".join([texts("profile.title", name=name), texts("profile.empty")])
    lines = [
        texts("profile.title", name=name),
        *(_standing(game, standing, texts) for game, standing in profile.standings.items()),
        _rated(profile, texts),
        texts("profile.favourite", game=texts(f"game.{profile.favourite}"), count=profile.played),
        *(
            texts(
                "profile.level", level=texts(f"level.{level}"), results=results_words(found, texts)
            )
            for level, found in profile.levels.items()
        ),
    ]
    if profile.against:
        lines.append(texts("profile.against", results=results_words(profile.against, texts)))
    return "\n".join(line for line in lines if line)


def _standing(game: str, standing: Standing, texts: Texts) -> str:
    if standing.rank:
        rank = texts("profile.rank", rank=standing.rank)
    else:
        played = standing.wins + standing.draws + standing.losses
        rank = texts("profile.unranked", missing=max(0, RANKED_AFTER - played))
    return texts(
        "profile.game",
        game=texts(f"game.{game}"),
        rating=standing.rating,
        rank=rank,
        results=texts("results", wins=standing.wins, draws=standing.draws, losses=standing.losses),
    )


def _rated(profile: Profile, texts: Texts) -> str | None:
    if profile.streak is None:
        return None
    return texts(
        "profile.rated",
        results=results_words(profile.results, texts),
        streak=texts(f"streak.{profile.streak.result}", count=profile.streak.length),
        longest=profile.longest,
    )


def results_words(results: Results, texts: Texts) -> str:
    """Return results as wins, draws and losses."""
    return texts(
        "results",
        wins=results[Result.WIN],
        draws=results[Result.DRAW],
        losses=results[Result.LOSS],
    )


def chart_words(profile: Profile, name: str, texts: Texts) -> Chart:
    """Return what the chart of a profile shows, and the words for whoever can't see it."""
    series = {texts(f"game.{game}"): points for game, points in profile.ratings.items()}
    told = "; ".join(
        texts(
            "chart.line",
            game=game,
            first=points[0][1],
            last=points[-1][1],
            highest=max(rating for _, rating in points),
            count=len(points),
        )
        for game, points in series.items()
    )
    title = texts("chart.title", name=name)
    return Chart(dict(series), title, texts("chart.axis"), f"{title}: {told}"[:1024])


def history_line(stored: StoredMatch, user_id: int, names: words.Names, texts: Texts) -> str:
    """Return one line of a member's history: when, what, against whom, and what it came to."""
    match = stored.match
    seat = match.seat_of(Member(user_id))
    others = ", ".join(name for other, name in enumerate(names) if other != seat)
    assert match.outcome is not None, "histories hold what is over"
    told = {
        "when": stored.ended_at,
        "title": terms.title(match.game, match.options, texts),
        "others": others,
        "result": _result_words(match.outcome, seat, texts),
    }
    if not stored.changes:
        return texts("history.line", **told)
    change = points.change_words(*stored.changes[seat])
    return texts("history.line.rated", **told, change=change)


def history_option(stored: StoredMatch, texts: Texts) -> str:
    """Return what a match is called in a select, where names can't be formatted nor mention."""
    title = terms.title(stored.match.game, stored.match.options, texts)
    names = words.plain_names(stored.match, stored.names, texts)
    return texts("history.option", id=stored.id, title=title, names=", ".join(names))


def _result_words(outcome: Outcome, seat: int, texts: Texts) -> str:
    return texts(f"result.{outcome.result(seat)}" if outcome.counts else "result.none")
