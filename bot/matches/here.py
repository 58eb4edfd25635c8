"""The settings of servers and members that hold for an interaction; all features ask here."""

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.forms import Form
from bot.gateway.interactions import Interaction, asker_of, place_of
from bot.gateway.known_channels import KnownChannels
from bot.gateway.permissions import check_may_begin
from bot.gateway.responses import ensure_public
from bot.i18n import ChannelTexts, Texts, channel_texts
from bot.identity import ChannelId, ServerId
from bot.matches.settings import ServerSettings
from bot.matches.store import SettingsStore
from bot.refusals import NO_ALTERNATIVES, Alternatives, Refusal
from bot.render.refusals import instead_of_play, sends_to_play


class SettingsHere:
    """The settings that apply to an interaction; a server's are read once per interaction."""

    def __init__(self, settings: SettingsStore, known: KnownChannels):
        self._settings = settings
        self._known = known

    async def settings_or_refuse(self, interaction: Interaction) -> ServerSettings:
        """Return the server's settings; raise Refusal if games may not be played here."""
        await ensure_public(interaction)
        return await self._settings_in_channel(interaction)

    async def _settings_in_channel(self, interaction: Interaction) -> ServerSettings:
        """Return the server's settings; raise Refusal in a channel where no games are played.

        A thread counts as its channel. Both the settings and the refusal leave out deleted
        channels.
        """
        place, channel = place_of(interaction), interaction.channel
        here = {place.channel_id}
        if isinstance(channel, discord.Thread):
            here.add(ChannelId(channel.parent_id))
        settings = await self._of(interaction)
        channels = existing(interaction.guild, settings.channels)
        if settings.channels and here.isdisjoint(settings.channels):
            raise Refusal("refusal.elsewhere", channels=channels)
        return replace(settings, channels=channels)

    async def _settings_to_begin(self, interaction: Interaction) -> ServerSettings:
        """Return the server's settings; raise Refusal if the asker can't begin a match here."""
        settings = await self._settings_in_channel(interaction)
        check_may_begin(interaction, settings.begin_role)
        return settings

    async def alternatives(self, interaction: Interaction, refusal: Refusal) -> Alternatives:
        """Return where else the asker can play, for a refusal that sends them to `/play`."""
        if not sends_to_play(refusal):
            return NO_ALTERNATIVES
        try:
            settings = await self._settings_to_begin(interaction)
        except Refusal as refused:
            return Alternatives(play_refused=refused)
        return Alternatives(game_channels=settings.channels)

    async def why_no_match(self, interaction: Interaction, texts: Texts) -> list[str]:
        """Return the line that says why the asker can't begin a match here; none if they can."""
        try:
            await self._settings_to_begin(interaction)
        except Refusal as refusal:
            return instead_of_play(refusal, texts)
        return []

    async def form(self, interaction: Interaction) -> Form:
        """Return the form of boards that the asker wants."""
        own = await self._settings.own(asker_of(interaction))
        return own.board or (await self._of(interaction)).boards

    async def texts(self, interaction: Interaction) -> ChannelTexts:
        """Return the texts for messages that everybody in this channel sees."""
        chosen = (await self._of(interaction)).language
        return channel_texts(chosen or place_of(interaction).locale)

    async def texts_of(self, server_id: ServerId) -> ChannelTexts:
        """Return the texts for the channels of a server that this process serves."""
        chosen = (await self._settings.settings(server_id)).language
        return channel_texts(chosen or self._known.locale_of(server_id))

    async def _of(self, interaction: Interaction) -> ServerSettings:
        """Return the settings of an interaction's server, read at the first call."""
        if ServerSettings not in interaction.extras:
            server_id = place_of(interaction).server_id
            interaction.extras[ServerSettings] = await self._settings.settings(server_id)
        settings: ServerSettings = interaction.extras[ServerSettings]
        return settings


def existing(guild: discord.Guild | None, channels: Sequence[ChannelId]) -> tuple[ChannelId, ...]:
    """Return those of these channels of a server that haven't been deleted.

    Right after a start the bot doesn't know the server's channels yet, and this returns all.
    """
    known = guild if guild and not guild.unavailable else None
    return tuple(one for one in channels if known is None or known.get_channel(one))
