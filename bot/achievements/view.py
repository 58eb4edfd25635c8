"""Achievements as messages."""

from collections.abc import Mapping
from itertools import groupby

from bot.achievements.model import Award
from bot.achievements.rules import MARATHON_PLIES, Achievement
from bot.gateway.components import Layout, view_of
from bot.i18n import OwnTexts, Texts, channel_texts
from bot.identity import Escaped
from bot.matches.view import names_of
from bot.render import words
from core.players import Member


def achievements_text(earned: Mapping[Achievement, int], name: Escaped, texts: OwnTexts) -> str:
    """Return all achievements, those that a member has earned first, with their Unix seconds.

    Those to come that are earned in the same way share a line: the levels of the computer.
    """
    own = [one for one in Achievement if one in earned]
    lines = [texts("achievements.title", name=name, earned=len(own), all=len(Achievement))]
    for one in own:
        told = {"achievement": _achievement_name(one, texts), "how": _achievement_rule(one, texts)}
        lines.append(texts("achievements.earned", moment=earned[one], **told))
    left = (one for one in Achievement if one not in earned)
    for how, same in groupby(left, lambda one: _achievement_rule(one, texts)):
        names = texts.row(words.DOT, [_achievement_name(one, texts) for one in same])
        lines.append(texts("achievements.open", achievement=names, how=how))
    return "\n".join([*lines, texts("achievements.note")])


def profile_line(earned: Mapping[Achievement, int], texts: Texts) -> str | None:
    """Return the line of a profile that names a member's achievements, None if there are none."""
    if not earned:
        return None
    names = [_achievement_name(one, texts) for one in Achievement if one in earned]
    return texts("profile.achievements", achievements=texts.row(words.DOT, names))


def told_view(award: Award) -> Layout:
    """Return the message to a channel about the achievements that a match has brought."""
    stored = award.stored
    texts = channel_texts(stored.language)
    names = names_of(stored, texts)
    lines = [
        texts(
            "achievements.told",
            name=names[stored.match.seat_of(Member(member_id))],
            achievement=_achievement_name(one, texts),
            how=_achievement_rule(one, texts),
        )
        for member_id, found in award.earned.items()
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
