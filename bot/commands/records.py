"""/leaderboard: what matches on this server add up to."""

from typing import Any

from discord import app_commands

from bot.client import Interaction, place_of, served
from bot.errors import Refusal
from bot.i18n import Texts
from bot.records import By, Period
from bot.views.leaderboard import post_leaderboard
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
    return [
        app_commands.Command(
            name="leaderboard", description=texts("command.leaderboard"), callback=leaderboard
        )
    ]


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
