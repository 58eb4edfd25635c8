"""Which channels of a server an asker sees, among them threads that Discord has archived."""

import asyncio
from collections.abc import Collection, Iterable
from contextlib import suppress
from itertools import islice

import discord
from cachetools import TTLCache

from bot.gateway.errors import CALL_FAILED
from bot.gateway.interactions import Interaction
from bot.gateway.threads import Threads
from bot.identity import ChannelId

# A list may have many channels that were deleted long ago, and Discord answers each keystroke of a
# choice only for three seconds.
_MOST_ASKED = 10
_REMEMBERED = 1000
_REMEMBERED_SECONDS = 600


def sees(
    who: discord.Member | discord.Role, channel: discord.abc.GuildChannel | discord.Thread
) -> bool:
    """Return whether a member, or a role, sees the messages of a channel.

    Those of a voice channel take *Connect* as well.
    https://discord.com/developers/docs/resources/message: Get Channel Messages
    """
    may = channel.permissions_for(who)
    voice = isinstance(channel, discord.VoiceChannel | discord.StageChannel)
    return may.view_channel and (may.connect or not voice)


class Sight:
    """Tells which channels askers see.

    The bot forgets a thread that Discord archives, so it asks Discord for those, and remembers the
    answer for some minutes.
    """

    def __init__(self, threads: Threads):
        self._threads = threads
        # None for a channel that is gone, or that the bot doesn't see.
        self._forgotten: TTLCache[ChannelId, discord.Thread | None] = TTLCache(
            _REMEMBERED, _REMEMBERED_SECONDS
        )

    async def sees(self, interaction: Interaction, channel_id: ChannelId) -> bool:
        """Return whether the asker is known to see a channel of this server, or asks in it."""
        return bool(await self.seen(interaction, [channel_id]))

    async def seen(
        self, interaction: Interaction, channel_ids: Iterable[ChannelId]
    ) -> Collection[ChannelId]:
        """Return those of these channels that the asker is known to see, or asks in.

        Discord is asked for the first few that the bot doesn't know.
        """
        guild, wanted = interaction.guild, dict.fromkeys(channel_ids)
        if guild is None:
            return {one for one in wanted if one == interaction.channel_id}
        others = (one for one in wanted if one != interaction.channel_id)
        unknown = (one for one in others if guild.get_channel_or_thread(one) is None)
        to_ask = (one for one in unknown if one not in self._forgotten)
        await asyncio.gather(*map(self._ask, islice(to_ask, _MOST_ASKED)))
        return {one for one in wanted if self._may_see(interaction, guild, one)}

    async def _ask(self, channel_id: ChannelId) -> None:
        """Ask Discord for a channel, and remember what it says."""
        with suppress(*CALL_FAILED):
            found = await self._threads.look_up(channel_id)
            self._forgotten[channel_id] = found if isinstance(found, discord.Thread) else None

    def _may_see(
        self, interaction: Interaction, guild: discord.Guild, channel_id: ChannelId
    ) -> bool:
        if channel_id == interaction.channel_id:
            return True
        member = interaction.user
        channel = guild.get_channel_or_thread(channel_id) or self._forgotten.get(channel_id)
        if channel is None or not isinstance(member, discord.Member):
            return False
        if isinstance(channel, discord.Thread) and (channel.is_private() or channel.parent is None):
            return False
        return sees(member, channel)
