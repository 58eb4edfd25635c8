"""/settings puzzle: where and when a server's puzzle of the day is posted."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.gateway.commands import CommandBuilder, choice_of, localized_by
from bot.gateway.interactions import Interaction, lacking, own_texts_of, server_of
from bot.gateway.permissions import check_moderator, server_permissions
from bot.gateway.responses import response_of
from bot.i18n import OwnTexts
from bot.identity import ChannelId, ServerId
from bot.puzzles.model import Daily, next_at
from bot.puzzles.store import DailyStore
from bot.puzzles.view import daily_text, hour_words
from bot.refusals import Refusal
from bot.render.words import saved

_OFF = -1


class PuzzleSettings:
    """A server's settings for the puzzle of the day.

    `exists` asks Discord for a channel that isn't known. `now` gives Unix seconds.
    """

    def __init__(
        self,
        store: DailyStore,
        exists: Callable[[ChannelId], Awaitable[bool]],
        now: Callable[[], int],
    ):
        self._store = store
        self._exists = exists
        self._now = now

    def settings_commands(
        self, build: CommandBuilder
    ) -> list[app_commands.Command[Any, ..., None]]:
        """Return /settings puzzle."""
        hours = [
            app_commands.Choice(name=localized_by(partial(hour_words, hour)), value=hour)
            for hour in range(24)
        ]
        return [
            build.command(
                "settings puzzle",
                self.change,
                {"channel": "option.puzzle.channel", "hour": "option.puzzle.hour"},
                private=True,
                choices={"hour": [*hours, choice_of("settings.puzzle.off", _OFF)]},
            )
        ]

    async def change(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        hour: int | None = None,
    ) -> None:
        """Choose where and when the puzzle of the day is posted, and show the setting.

        A setting that isn't given stays as it is.
        """
        check_moderator(interaction, server_permissions(interaction))
        server_id, texts = server_of(interaction), own_texts_of(interaction)
        changed = channel is not None or hour is not None
        if hour == _OFF:
            await self._store.change(server_id, Daily())
        elif changed:
            before = await self._store.settings(server_id)
            posted_in = channel or _kept(interaction, before.channel_id)
            at = before.hour if hour is None else hour % 24
            if posted_in is None or at is None:
                raise Refusal("refusal.puzzle.both")
            _check_posts(posted_in)
            daily = Daily(ChannelId(posted_in.id), at, next_at(at, self._now()))
            await self._store.change(server_id, daily)
        shown = await self.settings_line(server_id, texts)
        await response_of(interaction).whisper(saved(shown, texts) if changed else shown)

    async def settings_line(self, server_id: ServerId, texts: OwnTexts) -> str:
        """Return a server's settings for the puzzle of the day; none if the channel was deleted."""
        daily = await self._store.settings(server_id)
        if daily.channel_id and not await self._exists(daily.channel_id):
            daily = Daily()
        return daily_text(daily, texts)


def _kept(
    interaction: Interaction, channel_id: ChannelId | None
) -> discord.abc.GuildChannel | None:
    """Return the channel that was chosen before, None if none was or it is gone."""
    guild = interaction.guild
    return guild.get_channel(channel_id) if guild and channel_id else None


def _check_posts(channel: discord.abc.GuildChannel) -> None:
    """Raise Refusal if the bot may not post in a channel."""
    if missing := lacking(channel.permissions_for(channel.guild.me), channel):
        where = (channel.id,)
        raise Refusal("refusal.settings.unposted", channels=where, permissions=missing)
