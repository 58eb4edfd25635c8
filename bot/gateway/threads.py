"""Threads that the bot opens in a channel, within its budget of requests."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from functools import partial

import discord
from cachetools import LRUCache
from discord.utils import snowflake_time

from bot.gateway.budget import Urgency
from bot.gateway.errors import (
    CALL_FAILED,
    NoAnswerError,
    is_channel_gone,
    may_pass,
    only_passing,
)
from bot.gateway.requests import Requests
from bot.identity import ChannelId, MemberId, Place
from bot.locks import LockKind, Locks

# The minutes without a message after which Discord can archive a thread:
# https://discord.com/developers/docs/resources/channel#channel-object
_ARCHIVED_AFTER = (60, 1440, 4320, 10080)
# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
_UNKNOWN_MEMBER = 10007
_REMEMBERED = 1000
_PAUSE_SECONDS = 60.0
# The most messages in which notices are looked for: more than a round has threads.
_MOST_READ = 200


class Threads:
    """Opens and archives threads, and finds them again."""

    def __init__(self, client: discord.Client, requests: Requests):
        self._client = client
        self._requests = requests
        # Threads of a channel are opened one after another, so that one call meets the limit.
        self._opening = Locks[ChannelId](LockKind.OPENING)
        # Until when, by the event loop's time, no new thread is asked for in a channel.
        self._limited: LRUCache[ChannelId, float] = LRUCache(_REMEMBERED)

    async def open(self, place: Place, name: str, seconds: int) -> ChannelId:
        """Return a new public thread, not archived for `seconds`; raise one of CALL_FAILED.

        Discord may take a few threads in a channel, and then none for some minutes. Then discord.py
        would wait within the call. So after a call without an answer, this asks no more for a
        minute, but raises discord.RateLimited. The thread may have been opened all the same: then
        `named` finds it.
        https://github.com/discord/discord-api-docs/issues/7816
        """
        self._requests.check_served(place)
        async with self._opening.of(place.channel_id):
            loop = asyncio.get_running_loop()
            if (pause := self._limited.get(place.channel_id, 0.0) - loop.time()) > 0:
                raise discord.RateLimited(pause)
            try:
                return await self._open(place, name, seconds)
            except NoAnswerError as error:
                self._limited[place.channel_id] = loop.time() + _PAUSE_SECONDS
                raise discord.RateLimited(_PAUSE_SECONDS) from error

    async def _open(self, place: Place, name: str, seconds: int) -> ChannelId:
        channel = self._channel(place)
        # Discord takes no other kind in a channel for announcements.
        kind = (
            discord.ChannelType.news_thread
            if channel.is_news()
            else discord.ChannelType.public_thread
        )
        minutes = next((m for m in _ARCHIVED_AFTER if m * 60 >= seconds), _ARCHIVED_AFTER[-1])
        thread = await self._requests.make(
            Urgency.POST,
            lambda: channel.create_thread(
                name=name,
                type=kind,
                auto_archive_duration=minutes,  # type: ignore[arg-type] # one of Discord's four
            ),
        )
        return ChannelId(thread.id)

    def remove_notices_later(self, place: Place, mark: str) -> None:
        """Remove, in the background, what tells a channel of threads with `mark` in their names.

        Discord posts a message for each of the bot's new threads, and they would bury all others.
        """
        self._requests.later(partial(self._remove_notices, place, mark))

    async def _remove_notices(self, place: Place, mark: str) -> None:
        """Remove these messages; raise a CALL_FAILED that may pass.

        The bot may remove each, since they count as its own. To remove several at once, it would
        need Manage Messages.
        """
        notices = partial(self._notices, place, mark)
        for notice in await self._requests.make(Urgency.TIDY, notices):
            with only_passing():
                await self._requests.make(Urgency.TIDY, notice.delete)

    async def _notices(self, place: Place, mark: str) -> list[discord.Message]:
        channel, me = self._client.get_partial_messageable(place.channel_id), self._client.user
        kind = discord.MessageType.thread_created
        told = [one async for one in channel.history(limit=_MOST_READ) if one.type is kind]
        # Their content is the name of the thread.
        return [one for one in told if one.author == me and mark in one.content]

    def add_later(self, thread_id: ChannelId, member_id: MemberId) -> None:
        """Add a member to a thread, in the background: it is then in the list of their channels."""
        member = discord.Object(member_id)

        async def add() -> None:
            thread = await self.look_up(thread_id)
            if isinstance(thread, discord.Thread):
                await self._requests.make(Urgency.TIDY, partial(thread.add_user, member))

        self._requests.later(add)

    async def archive(self, thread_id: ChannelId) -> None:
        """Archive a thread of the bot's own; raise one of CALL_FAILED."""
        thread = await self.look_up(thread_id)
        if isinstance(thread, discord.Thread):
            await self._requests.make(Urgency.TIDY, partial(thread.edit, archived=True))

    def own_active(self, since: int) -> list[ChannelId]:
        """Return the bot's threads that were last opened before `since` and aren't archived.

        `since` is in Unix seconds.
        """
        me = self._client.user
        return [
            ChannelId(thread.id)
            for guild in self._client.guilds
            for thread in guild.threads
            if me is not None
            and thread.owner_id == me.id
            and thread.archive_timestamp.timestamp() < since
        ]

    def named(self, place: Place, end: str) -> list[ChannelId]:
        """Return the bot's own threads of a channel whose names `end` so, and aren't archived.

        Discord tells of them as they are opened, and at the start. Raises ClientException.
        """
        channel = self._channel(place)
        own = (one for one in channel.threads if one.owner_id == channel.guild.me.id)
        return [ChannelId(thread.id) for thread in own if thread.name.endswith(end)]

    async def is_blank(self, thread_id: ChannelId) -> bool:
        """Return whether nobody has written in a thread yet; raise one of CALL_FAILED."""
        return await self._last_message(Urgency.POST, thread_id) is None

    async def last_message_at(self, thread_id: ChannelId) -> float:
        """Return when somebody last wrote in a thread, in Unix seconds; 0 if nobody has.

        Raises one of CALL_FAILED.
        """
        last = await self._last_message(Urgency.TIDY, thread_id)
        return 0.0 if last is None else snowflake_time(last).timestamp()

    async def _last_message(self, urgency: Urgency, thread_id: ChannelId) -> int | None:
        """Ask Discord for the id of a thread's last message, which may have been deleted since.

        Without its intent for messages, discord.py doesn't keep that id current.
        """
        found = await self._requests.make(urgency, lambda: self._client.fetch_channel(thread_id))
        return getattr(found, "last_message_id", None)

    async def exists(self, channel_id: ChannelId) -> bool:
        """Return whether a channel or thread exists; True also if Discord doesn't tell."""
        with suppress(*CALL_FAILED):
            return await self.look_up(channel_id) is not None
        return True

    async def outside(
        self, thread: discord.Thread, member_ids: Iterable[MemberId]
    ) -> list[MemberId]:
        """Return those of these members who aren't in a private thread, as far as Discord tells.

        Raises a CALL_FAILED that may pass.
        """
        return [one for one in member_ids if thread.is_private() and await self._left(thread, one)]

    async def _left(self, thread: discord.Thread, member_id: MemberId) -> bool:
        try:
            await self._requests.make(Urgency.TIDY, partial(thread.fetch_member, member_id))
        except CALL_FAILED as error:
            if may_pass(error):
                raise
            return isinstance(error, discord.HTTPException) and error.code == _UNKNOWN_MEMBER
        return False

    async def look_up(self, channel_id: ChannelId) -> object | None:
        """Return a channel or thread, None if it doesn't exist; a partial one if unknown.

        Raises a CALL_FAILED that may pass.
        """
        known = self._client.get_channel(channel_id)
        if known is not None:
            return known
        try:
            return await self._requests.make(
                Urgency.POST, lambda: self._client.fetch_channel(channel_id)
            )
        except CALL_FAILED as error:
            if may_pass(error):
                raise
            gone = is_channel_gone(error)
            return None if gone else self._client.get_partial_messageable(channel_id)

    def _channel(self, place: Place) -> discord.TextChannel:
        channel = self._client.get_channel(place.channel_id)
        if not isinstance(channel, discord.TextChannel):
            raise discord.ClientException("threads need a text channel")
        return channel
