"""/leaderboard, /profile, /history, /replay and /export: what was played on this server."""

from typing import Any

import discord
from discord import app_commands

from bot.analysis.replay import export, open_replay
from bot.client import Interaction
from bot.gateway.declared import declared
from bot.gateway.serving import person, place_of, served, served_privately
from bot.i18n import Texts
from bot.leaderboard.lists import By, Period
from bot.leaderboard.view import post_leaderboard
from bot.matches.model import StoredMatch
from bot.profiles.view import post_profile, whisper_history
from bot.refusals import Refusal
from core.game import Game
from core.games import GAMES


def record_commands(
    games: dict[str, Game], texts: Texts
) -> list[app_commands.Command[Any, ..., None]]:
    """Return the commands that show results."""
    app_commands.describe(
        game=texts("option.game"), period=texts("option.period"), by=texts("option.by")
    )(leaderboard)
    app_commands.choices(
        game=[app_commands.Choice(name=texts(f"game.{key}"), value=key) for key in games],
        period=[app_commands.Choice(name=texts(f"period.{p}"), value=p.value) for p in Period],
        by=[app_commands.Choice(name=texts(f"by.{by}"), value=by.value) for by in By],
    )(leaderboard)
    for handler in (profile, history):
        app_commands.describe(member=texts("option.member"))(handler)
    return declared(
        {
            "leaderboard": leaderboard,
            "profile": profile,
            "history": history,
            "replay": replay,
            "export": export_,
        },
        texts,
    )


@served
async def leaderboard(
    interaction: Interaction,
    game: str | None = None,
    period: str = Period.ALL.value,
    by: str | None = None,
) -> None:
    """Show who plays best on this server, or wins most."""
    ordered = By(by) if by else By.RATING
    if game is None and ordered is By.RATING:
        game = await _game_here(interaction)
    await post_leaderboard(interaction, game or "", Period(period), ordered)


async def _game_here(interaction: Interaction) -> str:
    """Return the game last played in the channel, the first of all where there was none."""
    matches = interaction.client.services.matches
    try:
        return (await matches.latest(place_of(interaction).channel_id)).match.game.key
    except Refusal:
        return next(iter(GAMES))


@served
async def profile(
    interaction: Interaction, member: discord.User | discord.Member | None = None
) -> None:
    """Show what a member has done here, the asker where nobody is named."""
    await post_profile(interaction, person(member or interaction.user))


@served_privately
async def history(
    interaction: Interaction, member: discord.User | discord.Member | None = None
) -> None:
    """Show the asker the finished matches of a member, their own where nobody is named."""
    await whisper_history(interaction, (member or interaction.user).id)


@served_privately
async def replay(interaction: Interaction) -> None:
    """Show the channel's last match again, move by move."""
    await open_replay(interaction, await _finished(interaction))


@served_privately
async def export_(interaction: Interaction) -> None:
    """Hand out the channel's last match as files."""
    await export(interaction, await _finished(interaction))


async def _finished(interaction: Interaction) -> StoredMatch:
    insight = interaction.client.services.insight
    return await insight.finished(place_of(interaction).channel_id)
