"""The end of a season, and a server's choices as messages."""

import re
from collections.abc import Sequence

from bot.gateway.components import Layout, Upload, gallery, view_of
from bot.honours.model import HonourSettings, Rule, Season
from bot.i18n import ChannelTexts, OwnTexts, Texts
from bot.identity import ChannelId, RoleId, escape
from bot.pictures.model import Podium, PodiumStep
from bot.ratings.model import Standing
from bot.render import words


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
        roles=texts.row(words.DOT, roles) if roles else texts("honours.roles.none"),
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
