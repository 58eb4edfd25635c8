"""Finished matches as animated pictures: exported for the asker alone, or shared with everybody."""

from collections.abc import Sequence
from io import BytesIO

import discord

from bot.analysis.finished import FinishedMatches
from bot.analysis.model import Export
from bot.analysis.replays import export_view, share_view
from bot.analysis.service import refusing
from bot.analysis.sharing import SharingService
from bot.gateway.channels import Channels
from bot.gateway.commands import CommandBuilder
from bot.gateway.components import Upload
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import Interaction, asker_of, name_of, own_texts_of
from bot.gateway.limits import Kind, Limits, answer_until
from bot.gateway.responses import response_of
from bot.i18n import Texts, channel_texts
from bot.identity import MessageId, escape
from bot.matches.model import StoredMatch
from bot.matches.presses import Share
from bot.pictures.client import PictureClient
from bot.render import words
from bot.workers.fair_queue import Ticket
from core.match import record


class Exports(Feature):
    """Hands out finished matches as files, and posts them for everybody."""

    def __init__(
        self,
        finished: FinishedMatches,
        sharing: SharingService,
        pictures: PictureClient,
        limits: Limits,
        channels: Channels,
    ):
        self._finished = finished
        self._sharing = sharing
        self._pictures = pictures
        self._limits = limits
        self._channels = channels

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /export and /share."""
        match = {"match": "option.match"}
        return [
            build.command("export", self.export, match, private=True),
            build.command("share", self.share, match),
        ]

    def routes(self) -> Sequence[Route]:
        """Return the presses on *Export* and *Share*."""
        return [route(Export, self.press_export), route(Share, self.press_share)]

    async def export(self, interaction: Interaction, match: int | None = None) -> None:
        """Hand out a match as files, by default the channel's last one."""
        await self._export(interaction, await self._finished.meant(interaction, match))

    async def press_export(self, interaction: Interaction, press: Export) -> None:
        """Hand out a match as files."""
        await self._export(interaction, await self._finished.pressed(interaction, press.match))

    async def _export(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Hand out a finished match as an animated picture and as a record."""
        texts, response = own_texts_of(interaction), response_of(interaction)
        with self._limits.one_at_a_time(Kind.EXPORT, asker_of(interaction)):
            await response.promise(private=True)
            picture = await self._draw(interaction, stored, texts)
        written = BytesIO(record.write(stored.match, stored.names).encode())
        file = discord.File(written, f"rowbot-{stored.id}.txt")
        await response.whisper(export_view(stored, picture, file.filename, texts), [file])

    async def share(self, interaction: Interaction, match: int | None = None) -> None:
        """Show everybody a match of this channel as an animated picture, by default the last."""
        stored = await self._finished.meant(interaction, match, in_channel=True)
        await self._share(interaction, stored)

    async def press_share(self, interaction: Interaction, press: Share) -> None:
        """Show everybody a finished match of this channel."""
        stored = await self._finished.pressed(interaction, press.match, in_channel=True)
        await self._share(interaction, stored)

    async def _share(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Post a finished match as an animated picture, once; raise Refusal."""
        asker = asker_of(interaction)

        async def post() -> MessageId:
            picture = await self._draw(interaction, stored, channel_texts(stored.language))
            view = share_view(stored, picture, escape(name_of(interaction.user)))
            return await self._channels.answer(interaction, view)

        with self._limits.one_at_a_time(Kind.EXPORT, asker):
            await self._sharing.share(stored, asker, post)

    async def _draw(self, interaction: Interaction, stored: StoredMatch, texts: Texts) -> Upload:
        """Return a match as an animated picture; raise Refusal."""
        ticket = Ticket(stored.place.queue_id, until=answer_until(interaction))
        names = words.plain_names(stored.match, stored.names, texts)
        with refusing("refusal.drawing_failed", stored):
            picture = await self._pictures.animation(ticket, stored.match, names)
        return Upload(f"rowbot-{stored.id}.gif", picture)
