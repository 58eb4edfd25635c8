"""Challenging somebody from their menu: which game, and then as /play does."""

import discord
from discord import ui

from bot.client import Interaction, texts_of
from bot.gateway.codec import encode
from bot.gateway.names import escape
from bot.gateway.permissions import check_here
from bot.gateway.responses import answer_of
from bot.gateway.serving import person, place_of
from bot.invitations.inviting import check_member, holders, invite
from bot.invitations.model import Invitation
from bot.matches.squares import button, layout
from bot.refusals import Refusal
from bot.servers.presses import Dare
from core.engine.levels import Level
from core.games import GAMES


async def ask_which_game(interaction: Interaction, opponent: discord.User | discord.Member) -> None:
    """Ask the member, privately, for the game of a challenge; raise Refusal."""
    check_member(interaction, opponent)
    texts = texts_of(interaction)
    games = ui.ActionRow[ui.LayoutView](
        *(
            button(texts(f"game.{key}"), encode(Dare(opponent.id, key)))
            for key, game in GAMES.items()
            if game.seats == 2  # a challenge names one opponent
        )
    )
    asked = texts("challenge.which", opponent=f"**{escape(opponent.display_name)}**")
    await answer_of(interaction).whisper(layout(ui.TextDisplay(asked), games))


async def press_dare(interaction: Interaction, dare: Dare) -> None:
    """Challenge a member to the usual board of a game; raise Refusal."""
    game = GAMES.get(dare.game)
    if game is None:
        raise Refusal("refusal.unknown_button")
    opponent = await _member(interaction, dare.user)
    if opponent is None:
        raise Refusal("refusal.against_gone")
    settings = await check_here(interaction)
    challenge = Invitation(
        place=place_of(interaction),
        game=game.key,
        options=game.evened(game.resolve({})),
        owner=person(interaction.user),
        seats=tuple(holders(interaction, game, [opponent], Level.MEDIUM, is_open=False)),
        clock=settings.clock,
    )
    await invite(interaction, challenge, settings.challenge_seconds)


async def _member(interaction: Interaction, user_id: int) -> discord.Member | None:
    """Return a member of this server, None for anybody else; one request, as none are cached."""
    if interaction.guild is None:
        return None
    try:
        return await interaction.guild.fetch_member(user_id)
    except discord.NotFound:
        return None
