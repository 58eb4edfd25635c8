"""Achievements, the end of a season, and a server's choices as messages."""

import re
from collections.abc import Mapping, Sequence

from bot.gateway.components import Layout, Upload, gallery, view_of
from bot.honours.achievements import MARATHON_PLIES, Achievement
from bot.honours.model import Honoured, HonourSettings, Rule, Season
from bot.i18n import ChannelTexts, OwnTexts, Texts, channel_texts
from bot.identity import ChannelId, Escaped, RoleId, escape
from bot.pictures.model import Podium, PodiumStep
from bot.ratings.model import Standing
from bot.render import words
from core.players import Member


def achievements_text(earned: Mapping[Achievement, int], name: Escaped, texts: OwnTexts) -> str:
    """Return all achievements, those that a member has earned first, with their Unix seconds."""
    own = [one for one in Achievement if one in earned]
    lines = [texts("achievements.title", name=name, earned=len(own), all=len(Achievement))]
    for one in (*own, *(one for one in Achievement if one not in earned)):
        told = {"achievement": _achievement_name(one, texts), "how": _achievement_rule(one, texts)}
        if one in earned:
            lines.append(texts("achievements.earned", moment=earned[one], **told))
        else:
            lines.append(texts("achievements.open", **told))
    return "\n".join([*lines, texts("achievements.note")])


def profile_line(earned: Mapping[Achievement, int], texts: Texts) -> str | None:
    """Return the line of a profile that names a member's achievements, None if there are none."""
    if not earned:
        return None
    names = [_achievement_name(one, texts) for one in Achievement if one in earned]
    return texts("profile.achievements", achievements=texts.row(" · ", names))


def told_view(honoured: Honoured) -> Layout:
    """Return the message to a channel about the achievements that a match has brought."""
    stored = honoured.stored
    texts = channel_texts(stored.language)
    names = words.bold_names(stored.match, stored.names, texts)
    lines = [
        texts(
            "achievements.told",
            name=names[stored.match.seat_of(Member(member_id))],
            achievement=_achievement_name(one, texts),
            how=_achievement_rule(one, texts),
        )
        for member_id, found in honoured.earned.items()
        for one in found
    ]
    return view_of(*lines)


def _achievement_name(achievement: Achievement, texts: Texts) -> str:
    """Return the name of an achievement."""
    if (level := achievement.level) is not None:
        return texts("achievement.level", level=texts(f"level.{level}"))
    return texts(f"achievement.{achievement}")


def _achievement_rule(achievement: Achievement, texts: Texts) -> str:
    """Return how to earn an achievement."""
    if achievement.level is not None:
        return texts("achievement.level.how")
    return texts(f"achievement.{achievement}.how", plies=MARATHON_PLIES)


def podium(season: Season, texts: Texts) -> Podium:
    """Return a season's card, with plain names, and wins in words."""
    steps = (
        PodiumStep(
            one.rank, one.name or texts("player.unknown"), texts("season.wins", count=one.wins)
        )
        for one in season.first
    )
    return Podium(texts("season.card", season=_month(season, texts)), tuple(steps))


def _month(season: Season, texts: Texts) -> str:
    """Return the month of a season as this language writes it."""
    year, month = season.period.split("-")
    written = texts("season.month", year=year, month=month)
    # A number before the word for month has no leading zero.
    return re.sub("0(?=[1-9][月월])", "", written)


def season_view(season: Season, texts: ChannelTexts, card: Upload | None) -> Layout:
    """Return the end of a season for its channel, with its `card` if that was drawn."""
    lines = [
        texts("season.title", season=_month(season, texts)),
        *(_place(standing, texts) for standing in season.first),
    ]
    for game, standing in season.best.items():
        assert standing.rating is not None, "this is the standing at one game"
        lines.append(
            texts(
                "season.best",
                game=texts(f"game.{game}"),
                name=_name(standing, texts),
                rating=words.rating(standing.rating, texts, provisional=standing.provisional),
            )
        )
    lines.append(texts("season.note"))
    if card is None:
        return view_of(*lines)
    places = texts.row(
        texts("list.stop"),
        (
            texts("season.place", rank=rank, name=name, wins=wins)
            for rank, name, wins in podium(season, texts).steps
        ),
    )
    return view_of(*lines, gallery(card, texts("season.described", places=places)))


def _place(standing: Standing, texts: Texts) -> str:
    results = texts("results", wins=standing.wins, draws=standing.draws, losses=standing.losses)
    return texts(
        "leaderboard.line.wins", rank=standing.rank, name=_name(standing, texts), results=results
    )


def _name(standing: Standing, texts: Texts) -> str:
    return escape(standing.name) or texts("player.unknown")


def honours_text(settings: HonourSettings, missing: Sequence[str], texts: OwnTexts) -> str:
    """Return a server's choices, with the trouble that there is with them.

    `missing` are the permissions that the bot lacks in the channel that hears of seasons.
    """
    told = "told" if settings.tells_achievements else "untold"
    roles = [_rule_words(rule, texts) for rule in settings.rules]
    text = texts(
        "honours.settings",
        seasons=_seasons_words(settings.season_channel, missing, texts),
        achievements=texts(f"honours.achievements.{told}"),
        everywhere=texts(f"honours.everywhere.{'on' if settings.everywhere else 'off'}"),
        roles=texts.row(" · ", roles) if roles else texts("honours.roles.none"),
    )
    troubles = [trouble_text(rule, texts) for rule in settings.rules if rule.trouble]
    return "\n".join([text, *troubles])


def _seasons_words(channel_id: ChannelId | None, missing: Sequence[str], texts: Texts) -> str:
    """Return where the ends of seasons are announced, or why they can't be."""
    if channel_id is None:
        return texts("honours.seasons.off")
    channel = words.channels_words([channel_id], texts)
    if not missing:
        return texts("honours.seasons.told", channel=channel)
    permissions = words.permissions_words(missing, texts)
    return "⚠️ " + texts("refusal.settings.unposted", channels=channel, permissions=permissions)


def _rule_words(rule: Rule, texts: Texts) -> str:
    if rule.rating is None:
        return texts("honours.role.leader", role=_role_words(rule.role_id))
    return texts("honours.role.rating", role=_role_words(rule.role_id), rating=rule.rating)


def trouble_text(rule: Rule, texts: Texts) -> str:
    """Return why a role can't be given, and what to do."""
    return "⚠️ " + texts(f"honours.trouble.{rule.trouble}", role=_role_words(rule.role_id))


def _role_words(role_id: RoleId) -> str:
    """Return a role as Discord's clients show it; no message of the bot's notifies its members."""
    return f"<@&{role_id}>"
