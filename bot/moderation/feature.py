"""/games and /endgame, by which moderators list the live matches of their server and end them."""

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import app_commands

from bot.gateway.channels import Channels
from bot.gateway.commands import CommandBuilder, Page
from bot.gateway.components import view_of
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import Interaction, own_texts_of, person_of, place_of, server_of
from bot.gateway.permissions import check_moderator, server_permissions
from bot.gateway.responses import response_of
from bot.i18n import ChannelTexts
from bot.identity import ChannelId, Place
from bot.matches.boards import Boards
from bot.matches.here import SettingsHere
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.moderation.model import CalledOff, TurnGames
from bot.moderation.service import ModerationService
from bot.moderation.view import ended_view, games_view

_MODERATORS = discord.Permissions(manage_channels=True)


class Moderation(Feature):
    """Lists and ends matches for members who may manage channels."""

    def __init__(
        self,
        matches: MatchService,
        moderation: ModerationService,
        boards: Boards,
        channels: Channels,
        here: SettingsHere,
    ):
        self._matches = matches
        self._moderation = moderation
        self._boards = boards
        self._channels = channels
        self._here = here

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /games and /endgame."""
        games = build.command(
            "games",
            self.games,
            {"page": "option.page"},
            private=True,
            permissions=_MODERATORS,
            on_servers=True,
        )
        endgame = build.command(
            "endgame",
            self.endgame,
            {"channel": "option.endgame.channel"},
            permissions=_MODERATORS,
            on_servers=True,
        )
        return [games, endgame]

    def routes(self) -> Sequence[Route]:
        """Return the buttons that turn the pages of /games."""
        return [route(TurnGames, self.turn_games)]

    async def games(self, interaction: Interaction, page: Page = 1) -> None:
        """List the live matches of this server."""
        await self.turn_games(interaction, TurnGames(page - 1))

    async def turn_games(self, interaction: Interaction, press: TurnGames) -> None:
        """Show a page of the live matches, in place of the one whose button was pressed, if any."""
        check_moderator(interaction, server_permissions(interaction))
        page = await self._moderation.games(server_of(interaction), press.number)
        view = games_view(page, await self._here.form(interaction), own_texts_of(interaction))
        await response_of(interaction).show_own(view)

    async def endgame(
        self,
        interaction: Interaction,
        channel: app_commands.AppCommandChannel | app_commands.AppCommandThread | None = None,
    ) -> None:
        """End the match and the invitations of a channel, this one if none is named."""
        may = interaction.permissions if channel is None else channel.permissions
        check_moderator(interaction, may)
        here = place_of(interaction)
        channel_id = here.channel_id if channel is None else ChannelId(channel.id)
        place = replace(here, channel_id=channel_id)
        # Nothing is read before the lock is taken, so that a later move comes too late.
        async with self._matches.lock(channel_id):
            texts = await self._here.texts(interaction)
            ended = await self._moderation.call_off(channel_id, person_of(interaction.user))
        # Done before the end is shown, which may fail: nothing else closes the challenges.
        closed = view_of(texts("invitation.called_off"))
        for message_id in ended.challenge_messages:
            self._channels.change_later(place, message_id, closed, reopens=True)
        told = await self._show_end(interaction, place, ended, texts)
        if place != here:
            key = "called_off.told" if told else "called_off.untold"
            await self._tell(interaction, key, channel_id, ended.stored)

    async def _tell(
        self,
        interaction: Interaction,
        key: str,
        channel_id: ChannelId,
        stored: StoredMatch | None,
    ) -> None:
        """Tell a moderator that another channel is free, and whose match has ended there."""
        texts = own_texts_of(interaction)
        told = texts(key, channel=f"<#{channel_id}>")
        form = await self._here.form(interaction)
        view = ended_view(told, stored, form, texts) if stored else told
        await response_of(interaction).whisper(view)

    async def _show_end(
        self, interaction: Interaction, place: Place, ended: CalledOff, texts: ChannelTexts
    ) -> bool:
        """Show the end of a match or of invitations in their channel; return whether it was posted.

        A line of text stands for the board of a match that can't be read.
        """
        here = place == place_of(interaction)
        stored = ended.stored
        if stored is not None:
            if not here:
                return await self._boards.post(stored)
            await self._boards.show(interaction, stored, [stored.board_id])
            return True
        self._channels.remove_later(place, [ended.board_id], texts, reopens=True)
        line = view_of(texts(f"called_off.{'match' if ended.match_id else 'challenges'}"))
        if not here:
            return await self._channels.try_to_send(place, line)
        await self._channels.answer(interaction, line)
        return True
