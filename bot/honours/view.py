"""The end of a season, and a server's choices as messages."""

from collections import Counter
from collections.abc import Sequence

from bot.gateway.components import Component, Layout, view_of
from bot.honours.model import HonourSettings, Rule, Season
from bot.i18n import ChannelTexts, OwnTexts, Texts
from bot.identity import ChannelId, RoleId, escape
from bot.pictures.model import Podium, PodiumStep
from bot.ratings.model import Leaders, Standing
from bot.render import words

# The places on a podium.
_STEPS = 3


def podium(season: Season, texts: Texts) -> Podium | None:
    """Return a season's card, with plain names, and wins in words.

    Either all members who share a place are on the card, or none of them. Returns None if too many
    share the first place.
    """
    equal = Counter(one.rank for one in season.first.named)
    steps = tuple(
        PodiumStep(
            one.rank, one.name or texts("player.unknown"), texts("season.wins", count=one.wins)
        )
        for one in season.first.named
        if one.rank - 1 + equal[one.rank] <= _STEPS
    )
    return Podium(texts("season.card", season=texts.month(season.period)), steps) if steps else None


def season_title(period: str, texts: Texts) -> str:
    """Return the first line of a season's end, by which its message is recognised."""
    return texts("season.title", season=texts.month(period))


def card_words(card: Podium, texts: Texts) -> str:
    """Return a season's card in words, for people who can't see it."""
    places = (
        texts("season.place", rank=step.rank, name=step.name, wins=step.told) for step in card.steps
    )
    return texts("season.described", places=texts.row(texts("list.stop"), places))


def season_view(season: Season, texts: ChannelTexts, card: Component | None) -> Layout:
    """Return the end of a season for its channel, with its `card` if that was drawn."""
    return view_of(
        season_title(season.period, texts),
        *(_place(standing, texts) for standing in season.first.named),
        texts("list.more", count=season.first.more) if season.first.more else None,
        *(_best(game, leaders, texts) for game, leaders in season.best.items()),
        texts("season.note"),
        card,
    )


def _place(standing: Standing, texts: Texts) -> str:
    results = texts("results", wins=standing.wins, draws=standing.draws, losses=standing.losses)
    return texts(
        "leaderboard.line.wins", rank=standing.rank, name=_name(standing, texts), results=results
    )


def _best(game: str, leaders: Leaders, texts: Texts) -> str:
    """Return the line of the best by rating at a game, all of whom have the same rating."""
    names = [_name(one, texts) for one in leaders.named]
    if leaders.more:
        more = texts("list.more", count=leaders.more)
        name = texts.row(" ", (texts.listed(names), more))
    else:
        name = texts.joined(names)
    rating = leaders.named[0].rating
    assert rating is not None, "these are standings at one game"
    provisional = any(one.provisional for one in leaders.named)
    return texts(
        "season.best",
        game=texts(f"game.{game}"),
        name=name,
        rating=words.rating(rating, texts, provisional=provisional),
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
