"""Challenging somebody from their menu: which game, and then as /play does."""

import discord
from discord import ui

from bot.answers import answer_of
from bot.client import Interaction, person, place_of, texts_of
from bot.errors import Refusal
from bot.names import escape
from bot.records import First, Person, ServerSettings
from bot.views.board import mentions
from bot.views.buttons import button, layout
from bot.views.codec import Dare, encode
from bot.views.messages import challenge_view
from bot.views.places import check_here, tell_missing
from core.game import Game, Options
from core.games import GAMES


async def ask_which_game(interaction: Interaction, opponent: discord.User | discord.Member) -> None:
    """Ask the member, privately, for the game of a challenge; raise Refusal."""
    check_opponent(interaction, person(interaction.user), opponent)
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
    await challenge(interaction, game, {}, opponent, First.ME, await check_here(interaction))


async def _member(interaction: Interaction, user_id: int) -> discord.Member | None:
    """Return a member of this server, None for anybody else; one request, as none are cached."""
    if interaction.guild is None:
        return None
    try:
        return await interaction.guild.fetch_member(user_id)
    except discord.NotFound:
        return None


async def challenge(
    interaction: Interaction,
    game: Game,
    options: Options,
    against: discord.User | discord.Member,
    first: First,
    terms: ServerSettings,
) -> None:
    """Post a challenge of the asker to a member; raise OptionError, Refusal.

    Its clock and its lifetime are those of `terms`.
    """
    challenges = interaction.client.services.challenges
    me, opponent = person(interaction.user), person(against)
    check_opponent(interaction, me, against)
    place, lifetime = place_of(interaction), terms.challenge_seconds
    made = await challenges.offer(place, game, options, me, opponent, first, terms.clock, lifetime)
    view = challenge_view(made, texts_of(interaction))
    message_id = await answer_of(interaction).post(view, mentions(opponent.id))
    if message_id is not None:
        await challenges.posted(made, message_id)
    await tell_missing(interaction, clock=terms.clock)


def check_opponent(
    interaction: Interaction, me: Person, against: discord.User | discord.Member
) -> None:
    """Raise Refusal for somebody who could never accept, a user of other servers included."""
    if against.id == me.id:
        raise Refusal("refusal.against_self")
    if against.bot:
        raise Refusal("refusal.against_bot", opponent=against.display_name)
    channel = interaction.channel
    visible = (
        isinstance(against, discord.Member)
        and isinstance(channel, discord.abc.GuildChannel | discord.Thread)
        and channel.permissions_for(against).view_channel
    )
    if not visible:
        raise Refusal("refusal.against_unseen", opponent=against.display_name)
