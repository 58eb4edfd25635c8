"""A member's profile as a message, with the chart of their ratings."""

from collections.abc import Iterator, Sequence

from bot.i18n import ChannelTexts, Texts
from bot.identity import Escaped
from bot.pictures.model import Chart, Line
from bot.profiles.model import Career, Profile, Results
from bot.ratings.model import START, Standing
from bot.render import words
from core.outcome import Result


def profile_text(
    profile: Profile,
    name: Escaped,
    asker: Escaped | None,
    why_no_match: Sequence[str],
    texts: ChannelTexts,
) -> str:
    """Return a member's profile, without the chart; everybody in the channel sees it.

    The `asker` is somebody else, or None. An empty profile has the lines `why_no_match`, which say
    why no match can begin here.
    """
    career = profile.career
    if not career.played:
        of_member = "profile.empty" if asker is None else "history.empty.other"
        key = of_member if profile.on_server else "profile.empty.elsewhere"
        told = texts(key, name=f"**{name}**", member=f"**{name}**")
        return "\n".join([texts("profile.title", name=name), told, *why_no_match])
    # With a single match, the game's line says it all.
    summed = career.played > 1 or not profile.standings
    favourite = texts(f"game.{career.favourite}")
    lines = [
        texts("profile.title", name=name),
        *_rated(profile, texts),
        texts("profile.favourite", game=favourite, count=career.played) if summed else None,
        _with_members(career, texts),
        *_by_level(career, texts),
    ]
    if career.against:
        against = _results_words(career.against, texts)
        lines.append(texts("profile.against", asker=f"**{asker}**", results=against))
    return "\n".join(line for line in lines if line)


def rating_note(profile: Profile, texts: ChannelTexts) -> list[str]:
    """Return the note that explains the ratings of a profile; none if they are all settled."""
    provisional = any(standing.provisional for standing in profile.standings.values())
    return [texts("board.rating.note", start=START)] if provisional else []


def _standing(game: str, standing: Standing, texts: Texts) -> str:
    assert standing.rating is not None, "this is the standing at one game"
    return texts(
        "profile.game",
        game=texts(f"game.{game}"),
        rating=words.rating(standing.rating, texts, provisional=standing.provisional),
        rank=texts("profile.rank", rank=standing.rank),
        results=texts("results", wins=standing.wins, draws=standing.draws, losses=standing.losses),
    )


def _rated(profile: Profile, texts: Texts) -> list[str]:
    """Return a line for each rated game, then one for all of them, if that isn't the same.

    Streaks are told from two rated matches on.
    """
    games = [_standing(game, standing, texts) for game, standing in profile.standings.items()]
    career = profile.career
    if career.streak is None or career.rated.total() == 1:
        return games
    streak = texts(f"streak.{career.streak.result}", count=career.streak.length)
    streaks = texts("profile.streaks", streak=streak, longest=career.longest)
    if len(games) == 1:
        return [texts.row(words.DOT, [*games, streaks])]
    rated = texts("profile.rated", results=_results_words(career.rated, texts))
    return [*games, texts.row(words.DOT, [rated, streaks])]


def _with_members(career: Career, texts: Texts) -> str | None:
    """Return the line of the matches with other members; None if all of them are rated."""
    if career.with_members == career.rated:
        return None
    return texts("profile.members", results=_results_words(career.with_members, texts))


def _by_level(career: Career, texts: Texts) -> Iterator[str]:
    """Yield a line for each level of the computer that the member has played."""
    for level, found in career.levels.items():
        results = _results_words(found, texts)
        yield texts("profile.level", level=texts(f"level.{level}"), results=results)


def _results_words(results: Results, texts: Texts) -> str:
    """Return results as wins, draws and losses."""
    return texts(
        "results", wins=results[Result.WIN], draws=results[Result.DRAW], losses=results[Result.LOSS]
    )


def rating_chart(profile: Profile, name: str, texts: ChannelTexts) -> tuple[Chart, str]:
    """Return a profile's chart of ratings, and its description for people who can't see it."""
    trends = {texts(f"game.{game}"): trend for game, trend in profile.career.trends.items()}
    title = texts("chart.title", name=name)
    told = (
        texts(
            "chart.line",
            game=game,
            first=START,
            last=trend.points[-1].rating,
            highest=max(START, trend.highest),
            count=trend.count,
        )
        for game, trend in trends.items()
    )
    lines = tuple(Line(game, tuple(trend.points)) for game, trend in trends.items())
    chart = Chart(title, texts("chart.axis"), lines, START)
    return chart, texts.row(texts("list.stop"), [title, *told])
