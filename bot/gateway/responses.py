"""Sending to Discord: the response to an interaction, and messages that no interaction asked for.

Discord takes one first response to an interaction, within three seconds, and later messages by
another call. `Response` chooses the call, so that handlers need not know how long their work took.
"""

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, TypeAlias

import aiohttp
import discord
from discord import ui

from bot.gateway.components import text_view
from bot.i18n import DEFAULT_LOCALE, Texts, texts_for
from bot.identity import ChannelId, MemberId, MessageId, Person, Place, ServerId
from bot.refusals import Refusal

log = logging.getLogger(__name__)

# Discord refused the call or could not be reached; discord.py passes connection errors on as is.
CALL_FAILED = (discord.HTTPException, aiohttp.ClientError, OSError)

NOBODY = discord.AllowedMentions.none()

Interaction: TypeAlias = discord.Interaction[Any]


def place_of(interaction: Interaction) -> Place:
    """Return the server and the channel in which an interaction happens.

    Raises Refusal in direct messages. Discord offers no command there, but a message with buttons
    can be forwarded.
    """
    if interaction.guild_id is None or interaction.channel_id is None:
        raise Refusal("refusal.not_on_server")
    return Place(ServerId(interaction.guild_id), ChannelId(interaction.channel_id))


def asker_of(interaction: Interaction) -> MemberId:
    """Return the id of the member who pressed a button or gave a command."""
    return MemberId(interaction.user.id)


def person_of(user: discord.User | discord.Member) -> Person:
    """Return a member under the name that they have on this server."""
    return Person(MemberId(user.id), user.display_name)


def pressed_message(interaction: Interaction) -> MessageId:
    """Return the id of the message whose button was pressed."""
    assert interaction.message is not None, "a button sits on a message"
    return MessageId(interaction.message.id)


def texts_of(interaction: Interaction) -> Texts:
    """Return the texts in the asker's language."""
    return texts_for(str(interaction.locale))


def missing_permissions(interaction: Interaction) -> list[str]:
    """Return the permissions that the bot lacks here to post messages by itself."""
    thread = isinstance(interaction.channel, discord.Thread)
    needed = ["view_channel", "send_messages_in_threads" if thread else "send_messages"]
    return [name for name in needed if not getattr(interaction.app_permissions, name)]


def mentions(*member_ids: MemberId | None) -> discord.AllowedMentions:
    """Return the permission to notify these members and nobody else; None stands for nobody."""
    users = [discord.Object(member_id) for member_id in member_ids if member_id] or False
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


class Response:
    """The response to one interaction; if `private`, only the asker sees a promise."""

    def __init__(self, interaction: Interaction, *, private: bool = False):
        self._interaction = interaction
        self._private = private
        self._one_at_a_time = asyncio.Lock()
        self._public_promise = False

    async def promise_after(self, seconds: float) -> None:
        """Promise an answer unless one is given within `seconds`; runs beside the work."""
        await asyncio.sleep(seconds)
        try:
            await self.promise(private=self._private)
        except CALL_FAILED as error:
            log.warning("interaction %s could not be deferred: %s", self._interaction.id, error)

    async def promise(self, *, private: bool = False) -> None:
        """Promise an answer to Discord, unless one was given.

        Discord then shows that the bot is thinking: for a command to everybody or to the asker, for
        a button only if the answer will be private.
        """
        async with self._one_at_a_time:
            response = self._interaction.response
            if response.is_done():
                return
            command = self._interaction.type is discord.InteractionType.application_command
            await response.defer(ephemeral=private, thinking=private or command)
            self._public_promise = command and not private

    async def post(
        self,
        view: ui.LayoutView,
        allowed: discord.AllowedMentions = NOBODY,
        files: Sequence[discord.File] = (),
    ) -> MessageId | None:
        """Answer with a public message; return its id, None if Discord doesn't tell it."""
        return await self._send(ephemeral=False, view=view, allowed_mentions=allowed, files=files)

    async def whisper(self, said: str | ui.LayoutView, files: Sequence[discord.File] = ()) -> None:
        """Answer with a message that only the asker sees."""
        content = {"content": said} if isinstance(said, str) else {"view": said}
        await self._send(ephemeral=True, allowed_mentions=NOBODY, files=files, **content)

    async def edit(self, view: ui.LayoutView) -> None:
        """Change the message whose button was pressed."""
        async with self._one_at_a_time:
            if self._interaction.response.is_done():
                await self._interaction.edit_original_response(view=view)
            else:
                await self._interaction.response.edit_message(view=view)

    async def _send(self, *, ephemeral: bool, **content: Any) -> MessageId | None:
        async with self._one_at_a_time:
            interaction = self._interaction
            if not interaction.response.is_done():
                given = await interaction.response.send_message(ephemeral=ephemeral, **content)
                return None if given.message_id is None else MessageId(given.message_id)
            promised, self._public_promise = self._public_promise, False
            if promised and ephemeral:
                # The first message after a public promise is public; it must not show this text.
                await interaction.edit_original_response(content="…")
            message = await interaction.followup.send(ephemeral=ephemeral, wait=True, **content)
            if promised and ephemeral:
                await interaction.delete_original_response()
            return MessageId(message.id)


def response_of(interaction: Interaction, *, private: bool = False) -> Response:
    """Return the interaction's one response, made at the first call."""
    if Response not in interaction.extras:
        interaction.extras[Response] = Response(interaction, private=private)
    made: Response = interaction.extras[Response]
    return made


class Channels:
    """Messages in channels, apart from responses to interactions; calls that fail are logged."""

    def __init__(self, client: discord.Client):
        self._client = client
        self._calls: set[asyncio.Task[None]] = set()

    async def send(
        self, channel_id: ChannelId, view: ui.LayoutView, notify: MemberId | None = None
    ) -> MessageId | None:
        """Send a message and return its id; None if the bot can't post there."""
        channel = self._client.get_partial_messageable(channel_id)
        try:
            sent = await channel.send(view=view, allowed_mentions=mentions(notify))
        except CALL_FAILED as error:
            log.warning("nothing can be posted in channel %s: %s", channel_id, error)
            return None
        return MessageId(sent.id)

    async def change(
        self, channel_id: ChannelId, message_id: MessageId, view: ui.LayoutView
    ) -> None:
        """Replace the content of a message of the bot."""
        try:
            await self._message(channel_id, message_id).edit(view=view, allowed_mentions=NOBODY)
        except CALL_FAILED as error:
            log.info("message %s can't be changed: %s", message_id, error)

    async def remove(self, channel_id: ChannelId, message_id: MessageId) -> None:
        """Remove a message, or at least its buttons; no match depends on that."""
        try:
            await self._message(channel_id, message_id).delete()
        except discord.NotFound:
            return
        except CALL_FAILED as error:
            log.info("message %s can't be removed: %s", message_id, error)
            gone = text_view(texts_for(DEFAULT_LOCALE)("board.gone"))
            await self.change(channel_id, message_id, gone)

    def remove_later(self, channel_id: ChannelId, message_ids: Iterable[MessageId]) -> None:
        """Remove messages in the background, so that no handler waits for it."""
        for message_id in message_ids:
            self._later(self.remove(channel_id, message_id))

    def change_later(
        self, channel_id: ChannelId, message_id: MessageId, view: ui.LayoutView
    ) -> None:
        """Change a message in the background."""
        self._later(self.change(channel_id, message_id, view))

    async def finish(self, seconds: float) -> None:
        """Wait up to `seconds` for the calls in the background."""
        if self._calls:
            await asyncio.wait(self._calls, timeout=seconds)

    def _later(self, call: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(call)
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    def _message(self, channel_id: ChannelId, message_id: MessageId) -> discord.PartialMessage:
        return self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
