"""The first message on a server that the bot has just joined."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence

import discord

from bot.gateway.channels import Channels
from bot.gateway.components import Layout
from bot.gateway.feature import Feature
from bot.gateway.loops import AFTER_START_SECONDS, Loop
from bot.i18n import ChannelTexts, channel_texts
from bot.identity import ChannelId, Place, ServerId
from bot.servers.store import JoiningStore
from bot.times import DAY

log = logging.getLogger(__name__)

_WELCOMED_LATE_SECONDS = 3 * DAY
_LOOK_EVERY_SECONDS = 600.0


class Joining(Feature):
    """Welcomes a server, once for each time that the bot joins it.

    `welcome` returns the message in a language, `guilds` the servers that the bot is on, `now`
    the time in Unix seconds.
    """

    def __init__(
        self,
        store: JoiningStore,
        channels: Channels,
        welcome: Callable[[ChannelTexts], Layout],
        guilds: Callable[[], Iterable[discord.Guild]],
        now: Callable[[], int],
    ):
        self._guilds = guilds
        self._now = now
        self._store = store
        self._channels = channels
        self._welcome = welcome

    def loops(self) -> Sequence[Loop]:
        """Return the loop that welcomes the servers whose joining was missed."""
        work = self.welcome_missed
        return [
            Loop("welcoming servers", _LOOK_EVERY_SECONDS, work, first_after=AFTER_START_SECONDS)
        ]

    async def welcome_missed(self) -> None:
        """Welcome the servers that the bot joined while it or its database was away.

        Only servers that it joined in the last few days are welcomed. Earlier joinings are just
        noted: a welcome would surprise by now, and after an update thousands of servers may not be
        noted yet.
        """
        joined = {
            ServerId(guild.id): int(guild.me.joined_at.timestamp())
            for guild in self._guilds()
            if not guild.unavailable and guild.me.joined_at is not None
        }
        unnoted = await self._store.unnoted(joined)
        since = self._now() - _WELCOMED_LATE_SECONDS
        await self._store.note({one: joined[one] for one in unnoted if joined[one] < since})
        for guild in self._guilds():
            if ServerId(guild.id) in unnoted and joined[ServerId(guild.id)] >= since:
                await self.on_guild_join(guild)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Welcome a server that hasn't played yet, where the bot may post.

        discord.py also sends this event if a server that it has forgotten comes back after an
        outage. The moment at which the bot joined tells the two apart.
        """
        joined = guild.me.joined_at
        if joined is None:
            return
        if not await self._store.note_joined(ServerId(guild.id), int(joined.timestamp())):
            return
        channel = next(_channels(guild), None)
        if channel is None:
            log.info("there is no channel in which server %s can be welcomed", guild.id)
            return
        view = self._welcome(channel_texts(str(guild.preferred_locale)))
        self._channels.send_later(Place(ServerId(guild.id), ChannelId(channel.id)), view)


def _channels(guild: discord.Guild) -> Iterator[discord.TextChannel]:
    """Yield the text channels in which the bot may post, the one for system messages first."""
    system = guild.system_channel
    for channel in [system, *guild.text_channels] if system else guild.text_channels:
        may = channel.permissions_for(guild.me)
        if may.view_channel and may.send_messages:
            yield channel
