"""Sending to Discord: the response to an interaction, and messages that no interaction asked for.

Discord takes one first response to an interaction, within three seconds, and later messages by
another call. `Response` chooses the call, so that handlers need not know how long their work took.
`Channels` sends what no interaction asked for, and what could not be sent as a response.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any, TypeAlias, TypeVar

import aiohttp
import discord
from cachetools import TTLCache
from discord import ui

from bot.gateway.budget import Budget, Urgency
from bot.gateway.components import custom_ids, text_view
from bot.i18n import ChannelTexts, OwnTexts, channel_texts, own_texts
from bot.identity import ChannelId, Context, MemberId, MessageId, Person, Place, ServerId
from bot.refusals import Refusal, reason_of
from core.errors import GameError

log = logging.getLogger(__name__)

# Discord refused the call or could not be reached; discord.py passes connection errors on as is.
CALL_FAILED = (discord.HTTPException, aiohttp.ClientError, OSError)

NOBODY = discord.AllowedMentions.none()

# Discord waits so long for the first answer to an interaction. discord.py would go on for 25.
_ANSWER_SECONDS = 3.0
# Bytes of files that are uploaded within that time.
_SMALL = 100_000
# For all tries that discord.py makes at a call in a channel.
_CALL_SECONDS = 10.0
# After a failure that may pass, a call in the background is made again after these pauses.
_PAUSES = (30.0, 120.0, 600.0)
_MOST_PUT_OFF = 1000
# https://discord.com/developers/docs/interactions/receiving-and-responding: tokens live 15 minutes
_TOKEN_SECONDS = 14 * 60
_MOST_TOKENS = 10_000
# https://discord.com/developers/docs/interactions/receiving-and-responding: followups to one
# interaction, where the app isn't installed on the server
_MOST_FOLLOWUPS = 5
# https://discord.com/developers/docs/resources/message#get-channel-messages: in one call
_MOST_READ = 100

T = TypeVar("T")

Interaction: TypeAlias = discord.Interaction[Any]


@dataclass(frozen=True)
class Upload:
    """A small file of a message, which its view shows as `attachment://` and the name.

    discord.py uses up a file by sending it, so every attempt gets another from here.
    """

    name: str
    content: bytes

    def file(self) -> discord.File:
        """Return the file for one attempt."""
        return discord.File(BytesIO(self.content), self.name)


def _files(uploads: Iterable[Upload]) -> list[discord.File]:
    return [upload.file() for upload in uploads]


class NoWayError(ConnectionError):
    """A message can't be sent: only answers reach the channel, and there is none to be given."""


class HiddenAnswerError(Refusal):
    """Discord has shown an answer that was for everybody to the asker alone, as `message_id`."""

    def __init__(self, message_id: MessageId):
        super().__init__("refusal.hidden")
        self.message_id = message_id


def place_of(interaction: Interaction) -> Place:
    """Return where an interaction happens; raise Refusal if Discord doesn't tell."""
    if interaction.channel_id is None:
        raise Refusal("refusal.not_on_server")
    channel_id, locale = ChannelId(interaction.channel_id), locale_here(interaction)
    if interaction.guild_id is None:
        with_bot = interaction.context.dm_channel
        return Place(None, channel_id, locale, Context.BOT_DM if with_bot else Context.PRIVATE)
    server_id = ServerId(interaction.guild_id)
    # Of others' presses on what a member's own installation has posted, discord.py tells neither.
    known = interaction.client.get_guild(server_id) is not None
    if interaction.is_guild_integration() or (known and not interaction.is_user_integration()):
        return Place(server_id, channel_id, locale)
    return Place(None, channel_id, locale, Context.GUEST, server_id)


def server_of(interaction: Interaction) -> ServerId:
    """Return the server that an interaction belongs to; raise Refusal elsewhere."""
    server_id = place_of(interaction).server_id
    if server_id is None:
        raise Refusal("refusal.not_on_server")
    return server_id


def may_show(interaction: Interaction) -> bool:
    """Return whether Discord shows answers to this asker to others, as far as is known.

    It doesn't where the asker may not use apps that aren't installed on the server.
    https://discord.com/developers/docs/topics/permissions: USE_EXTERNAL_APPS
    """
    guest = place_of(interaction).context is Context.GUEST
    return interaction.permissions.use_external_apps or not guest


async def check_seen(interaction: Interaction) -> None:
    """Raise Refusal if others would not see the answer to a command or a press.

    Where Discord may hide it, the answer to a command is promised, which tells for certain. The
    answer to the press of a public message can take its place.
    """
    if public_message(interaction) is not None:
        return
    if not may_show(interaction):
        raise Refusal("refusal.hidden")
    command = interaction.type is discord.InteractionType.application_command
    if command and place_of(interaction).context is Context.GUEST:
        response = response_of(interaction)
        await response.promise()
        if response.hidden:
            raise Refusal("refusal.hidden")


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


def private_question(interaction: Interaction) -> MessageId | None:
    """Return the id of the private message whose button was pressed, None for a public one."""
    message = interaction.message
    return MessageId(message.id) if message is not None and message.flags.ephemeral else None


def public_message(interaction: Interaction) -> MessageId | None:
    """Return the id of the public message whose button was pressed, None if there is none."""
    message = interaction.message
    return MessageId(message.id) if message and not message.flags.ephemeral else None


async def question_to_replace(interaction: Interaction) -> MessageId | None:
    """Return the private message whose button was pressed, None for a public one.

    The press is deferred: its token can remove the message only if that is its original response.
    """
    question = private_question(interaction)
    if question is not None:
        try:
            await response_of(interaction).promise()
        except CALL_FAILED as error:
            log.warning("interaction %s could not be deferred: %s", interaction.id, error)
    return question


def own_texts_of(interaction: Interaction) -> OwnTexts:
    """Return the texts in the asker's language, for what the asker alone sees."""
    return own_texts(str(interaction.locale))


def locale_here(interaction: Interaction) -> str:
    """Return the server's locale, or the asker's outside of servers."""
    return str(interaction.guild_locale or interaction.locale)


def missing_permissions(interaction: Interaction) -> list[str]:
    """Return the permissions that the bot lacks here to post messages by itself.

    Elsewhere than on servers there is nobody to give them.
    """
    if place_of(interaction).server_id is None:
        return []
    thread = isinstance(interaction.channel, discord.Thread)
    needed = ["view_channel", "send_messages_in_threads" if thread else "send_messages"]
    return [name for name in needed if not getattr(interaction.app_permissions, name)]


def mentions(*member_ids: MemberId | None) -> discord.AllowedMentions:
    """Return the permission to notify these members and nobody else; None stands for nobody."""
    users = [discord.Object(member_id) for member_id in member_ids if member_id] or False
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def may_pass(error: BaseException) -> bool:
    """Return whether a call that failed with `error` may succeed when it is made again."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == 429
    return not isinstance(error, NoWayError)


class Response:
    """The response to one interaction; if `private`, only the asker sees a promise."""

    def __init__(self, interaction: Interaction, *, private: bool = False):
        self._interaction = interaction
        self._private = private
        self._one_at_a_time = asyncio.Lock()
        self._public_promise = False
        self._updates_pressed = False
        self.unsure = False  # whether a public answer may have arrived although the call failed
        self.hidden = False  # whether Discord shows the asker alone what was for everybody
        self._given: set[MessageId] = set()
        self._followups = 0
        self._in_progress = False
        self._progress: discord.WebhookMessage | None = None

    @contextmanager
    def promising(self, seconds: float) -> Iterator[None]:
        """Promise an answer unless the work in this context takes less than `seconds`.

        With 0 the promise comes first. Most work ends before: then this costs a timer, and no task.
        """
        late: list[asyncio.Task[None]] = []

        def promise() -> None:
            late.append(asyncio.create_task(self._promise_late()))

        loop = asyncio.get_running_loop()
        timer = loop.call_later(seconds, promise)
        if not seconds:
            timer.cancel()
            promise()
        try:
            yield
        finally:
            timer.cancel()
            for task in late:
                task.cancel()

    async def _promise_late(self) -> None:
        try:
            await self.promise(private=self._private)
        except CALL_FAILED as error:
            log.warning("interaction %s could not be deferred: %s", self._interaction.id, error)

    async def promise(self, *, private: bool = False) -> None:
        """Promise an answer to Discord, unless one was given.

        Discord then shows that the bot is thinking: for a command to everybody or to the asker, for
        a button only if the answer will be private.
        """
        async with asyncio.timeout(_ANSWER_SECONDS), self._one_at_a_time:
            response = self._interaction.response
            if response.is_done():
                return
            command = self._interaction.type is discord.InteractionType.application_command
            given = await response.defer(ephemeral=private, thinking=private or command)
            self.hidden = command and not private and given is not None and given.is_ephemeral()
            self._public_promise = command and not private and not self.hidden
            self._updates_pressed = not command and not private

    async def post(
        self,
        view: ui.LayoutView,
        allowed: discord.AllowedMentions = NOBODY,
        uploads: Sequence[Upload] = (),
    ) -> MessageId:
        """Answer with a public message and return its id.

        Raises one of CALL_FAILED, or HiddenAnswerError if Discord shows it to the asker alone.
        """
        size = sum(len(upload.content) for upload in uploads)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS if size <= _SMALL else None):
                given = await self._send(
                    ephemeral=False, view=view, allowed_mentions=allowed, files=_files(uploads)
                )
        except CALL_FAILED as error:
            arrived = await self._arrived(view, allowed, uploads)
            if arrived is None:
                self.unsure = may_pass(error)
                raise
            given = arrived
        self._given.add(given)
        if self.hidden:
            raise HiddenAnswerError(given)
        return given

    async def whisper(
        self, said: str | ui.LayoutView, files: Sequence[discord.File] = ()
    ) -> MessageId:
        """Answer with a message that only the asker sees, and return its id."""
        if self._in_progress and not isinstance(said, str):
            async with asyncio.timeout(_ANSWER_SECONDS), self._one_at_a_time:
                return await self._show_progress(said, files)
        content = {"content": said} if isinstance(said, str) else {"view": said}
        return await self._send(ephemeral=True, allowed_mentions=NOBODY, files=files, **content)

    async def progress(self, view: ui.LayoutView) -> None:
        """Show the asker alone how far the work is, where a private answer was promised.

        That answer takes its place. A call that fails changes nothing but that.
        """
        try:
            async with asyncio.timeout(_ANSWER_SECONDS), self._one_at_a_time:
                await self._show_progress(view)
                self._in_progress = True
        except CALL_FAILED as error:
            log.info("interaction %s: no progress is shown: %s", self._interaction.id, error)

    async def _show_progress(
        self, view: ui.LayoutView, files: Sequence[discord.File] = ()
    ) -> MessageId:
        """Show this in the private answer, and return its id.

        It is a later message if the first one is public.
        """
        if self._progress is not None:
            await self._progress.edit(view=view, attachments=files)
        elif self._updates_pressed:
            self._count_followup()
            self._progress = await self._interaction.followup.send(
                view=view, ephemeral=True, wait=True, allowed_mentions=NOBODY, files=files
            )
        else:
            edit = self._interaction.edit_original_response
            return MessageId((await edit(view=view, attachments=files)).id)
        return MessageId(self._progress.id)

    async def edit(self, view: ui.LayoutView, uploads: Sequence[Upload] = ()) -> None:
        """Replace the content and the files of the message whose button was pressed."""
        files = _files(uploads)
        async with asyncio.timeout(_ANSWER_SECONDS), self._one_at_a_time:
            if self._interaction.response.is_done():
                await self._interaction.edit_original_response(view=view, attachments=files)
            else:
                await self._interaction.response.edit_message(view=view, attachments=files)

    async def _send(self, *, ephemeral: bool, **content: Any) -> MessageId:
        async with self._one_at_a_time:
            interaction = self._interaction
            if not interaction.response.is_done():
                given = await interaction.response.send_message(ephemeral=ephemeral, **content)
                self.hidden = given.is_ephemeral() and not ephemeral
                return MessageId(given.message_id or (await interaction.original_response()).id)
            self._count_followup()
            promised, self._public_promise = self._public_promise, False
            if promised and ephemeral:
                # The first message after a public promise is public; it must not show this text.
                await interaction.edit_original_response(content="…")
            message = await interaction.followup.send(ephemeral=ephemeral, wait=True, **content)
            if promised and ephemeral:
                await interaction.delete_original_response()
            self.hidden = message.flags.ephemeral and not ephemeral
            return MessageId(message.id)

    def _count_followup(self) -> None:
        """Count a followup; raise NoWayError if Discord takes no more of them."""
        if self._followups >= _MOST_FOLLOWUPS and place_of(self._interaction).server_id is None:
            raise NoWayError("this interaction has had its followups")
        self._followups += 1

    async def _arrived(
        self, view: ui.LayoutView, allowed: discord.AllowedMentions, uploads: Sequence[Upload]
    ) -> MessageId | None:
        """Return the public answer if there is one although the call failed, else None.

        What was lost may have been Discord's reply alone. A promise that has arrived is kept. An
        answer that was given before isn't this one.
        """
        pressed = self._interaction.message
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                found = await self._interaction.original_response()
                if found.flags.ephemeral or found.id in self._given:
                    return None
                if pressed is not None and found.id == pressed.id:
                    return None
                if found.flags.loading:
                    await found.edit(
                        view=view, allowed_mentions=allowed, attachments=_files(uploads)
                    )
        except (discord.ClientException, *CALL_FAILED):
            return None
        return MessageId(found.id)


def response_of(interaction: Interaction, *, private: bool = False) -> Response:
    """Return the interaction's one response, made at the first call."""
    if Response not in interaction.extras:
        interaction.extras[Response] = Response(interaction, private=private)
    made: Response = interaction.extras[Response]
    return made


class Channels:
    """Messages in channels: posted, changed and removed within the bot's budget.

    What runs in the background is logged if it fails, and made again later if that may help.
    `part` is this process's part of the bot's budget.
    """

    def __init__(self, client: discord.Client, part: float = 1.0):
        self._client = client
        self._budget = Budget(part=part)
        self._calls: set[asyncio.Task[None]] = set()
        self._put_off: dict[asyncio.TimerHandle, Callable[[], None]] = {}
        self._closing = False
        self._closed = False
        # The token of the interaction that a message answers: it can remove that message.
        self._tokens: TTLCache[MessageId, str] = TTLCache(_MOST_TOKENS, _TOKEN_SECONDS)

    @property
    def backlog(self) -> dict[str, int]:
        """The numbers of calls in the background that are under way, and that are put off."""
        return {"under way": len(self._calls), "put off": len(self._put_off)}

    def may_attach(self, place: Place) -> bool:
        """Return whether the bot may send files in a channel, as far as is known."""
        channel = self._client.get_channel(place.channel_id)
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return True
        return channel.permissions_for(channel.guild.me).attach_files

    def locale_of(self, server_id: ServerId) -> str | None:
        """Return the locale that a server has at Discord, None if it isn't known."""
        guild = self._client.get_guild(server_id)
        return str(guild.preferred_locale) if guild else None

    async def answer(
        self,
        interaction: Interaction,
        view: ui.LayoutView,
        *notify: MemberId | None,
        nonce: int = 0,
        uploads: Sequence[Upload] = (),
        replaces: bool = False,
    ) -> MessageId:
        """Answer with a public message, or post it in the channel if the answer fails.

        Where only answers reach the channel, one that `replaces` the public message that was
        pressed takes its place then. Returns the id of the message. Raises one of CALL_FAILED if it
        arrived in no way, or HiddenAnswerError. The `nonce` is that of `send`.
        """
        place, response = place_of(interaction), response_of(interaction)
        pressed = public_message(interaction) if replaces and not place.posts else None
        if pressed is not None and not may_show(interaction):
            await response.edit(view, uploads)
            return pressed
        try:
            message_id = await response.post(view, mentions(*notify), uploads)
        except HiddenAnswerError as hidden:
            if pressed is None:
                raise
            await self._removed_by(interaction.token, hidden.message_id)
        except CALL_FAILED as error:
            if missing_permissions(interaction) or (pressed is None and not place.posts):
                raise
            log.warning("interaction %s is answered otherwise: %s", interaction.id, error)
            if pressed is None:
                return await self.send(place, view, *notify, nonce=nonce, uploads=uploads)
        else:
            self._tokens[message_id] = interaction.token
            return message_id
        await response.edit(view, uploads)
        return pressed

    async def reach(self, interaction: Interaction) -> None:
        """Let a press change and remove the public message on which it was made.

        Its token can do that if the answer was promised as a change of that message. It is needed
        only where the bot can't do it of itself.
        """
        pressed = public_message(interaction)
        if pressed is None or place_of(interaction).posts:
            return
        try:
            await response_of(interaction).promise()
        except CALL_FAILED as error:
            log.warning("interaction %s could not be deferred: %s", interaction.id, error)
        else:
            self._tokens[pressed] = interaction.token

    def drop_old_board(self, interaction: Interaction, refusal: Refusal | GameError) -> None:
        """Remove a board that was pressed and has a successor, where nothing else could remove it.

        That is one whose tokens had ended when a command posted its successor.
        """
        pressed = public_message(interaction)
        if pressed is None or reason_of(refusal) != "refusal.old_board":
            return
        place = place_of(interaction)
        if not place.posts:
            self.remove_later(place, [pressed], channel_texts(place.locale), interaction)

    async def edit(
        self, message_id: MessageId, view: ui.LayoutView, uploads: Sequence[Upload] = ()
    ) -> bool:
        """Change an answer by the token of its interaction; return whether that has worked.

        It doesn't, if the token has ended, or the message was posted in another way.
        """
        token = self._tokens.get(message_id)
        if token is None:
            return False
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                await self._by_token(token).edit_message(
                    message_id,
                    view=view,
                    allowed_mentions=NOBODY,
                    attachments=_files(uploads),
                )
        except CALL_FAILED as error:
            log.info("message %s can't be edited by a token: %s", message_id, error)
            return False
        return True

    async def send(
        self,
        place: Place,
        view: ui.LayoutView,
        *notify: MemberId | None,
        nonce: int = 0,
        uploads: Sequence[Upload] = (),
    ) -> MessageId:
        """Post a message and return its id; raise one of CALL_FAILED, among them NoWayError.

        For a few minutes, Discord makes only one message of those with the same `nonce`,
        which is 0 for one that isn't sent again.
        """
        if not place.posts:
            raise NoWayError("only answers to interactions reach this channel")
        channel = self._client.get_partial_messageable(place.channel_id)
        allowed, number = mentions(*notify), nonce or secrets.randbits(63)
        sent = await self.call(
            Urgency.MENTION if any(notify) else Urgency.POST,
            lambda: channel.send(
                view=view, allowed_mentions=allowed, nonce=number, files=_files(uploads)
            ),
        )
        return MessageId(sent.id)

    async def sent(self, place: Place, view: ui.LayoutView) -> bool:
        """Post a message that notifies nobody; return whether it could be posted."""
        try:
            await self.send(place, view)
        except CALL_FAILED as error:
            log.warning("nothing can be posted in channel %s: %s", place.channel_id, error)
            return False
        return True

    def send_later(self, place: Place, view: ui.LayoutView, notify: MemberId | None) -> None:
        """Post a message in the background."""
        nonce = secrets.randbits(63)

        async def send() -> None:
            await self.send(place, view, notify, nonce=nonce)

        self.later(send)

    def change_later(
        self,
        place: Place,
        message_id: MessageId,
        view: ui.LayoutView,
        uploads: Sequence[Upload] = (),
    ) -> None:
        """Replace the content and the files of a message of the bot's, in the background."""
        self.later(partial(self.change, place, message_id, view, uploads))

    def remove_later(
        self,
        place: Place,
        message_ids: Iterable[MessageId],
        texts: ChannelTexts,
        pressed: Interaction | None = None,
        removed: Callable[[MessageId], None] = lambda _: None,
    ) -> None:
        """Remove messages, or at least their buttons, in the background; no match depends on it.

        One that can't be removed says so with `texts`. `pressed` is the press of one of them, if
        there was one. `removed` is called for each that is gone, or that will never go.
        """
        for message_id in message_ids:
            tokens = [self._tokens[message_id]] if message_id in self._tokens else []
            if pressed and pressed.message and pressed.message.id == message_id:
                tokens.append(pressed.token)
            remove = partial(self._remove, place, message_id, tokens, texts)
            self.later(partial(_told, remove, partial(removed, message_id)))

    def retract_later(self, message_id: MessageId, token: str) -> None:
        """Remove a private answer by the token of its interaction, in the background."""

        async def retract() -> None:
            await self._removed_by(token, message_id)

        self.later(retract)

    def later(self, call: Callable[[], Awaitable[None]], pauses: Sequence[float] = _PAUSES) -> None:
        """Make a call in the background; if it fails, make it again after each of `pauses`.

        It is given up after a failure that won't pass.
        """
        if self._closed:
            log.info("a call to Discord is given up: the bot is closed")
            return
        task = asyncio.create_task(self._make(call, pauses))
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    def put_off(
        self, call: Callable[[], Awaitable[None]], pauses: Sequence[float] = _PAUSES
    ) -> None:
        """Make a call after the first pause, as `later` does."""
        if not pauses or self._closing or len(self._put_off) >= _MOST_PUT_OFF:
            log.warning("a call to Discord is given up")
            return

        def begin() -> None:
            handle.cancel()
            del self._put_off[handle]
            self.later(call, pauses[1:])

        handle = asyncio.get_running_loop().call_later(pauses[0], begin)
        self._put_off[handle] = begin

    async def finish(self, seconds: float) -> None:
        """Wait up to `seconds` for the calls in the background; those put off are made at once."""
        self._closing = True
        for begin in list(self._put_off.values()):
            begin()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._calls:
                    await asyncio.wait(self._calls)
        self._closed = True
        for call in self._calls:
            call.cancel()

    async def _make(self, call: Callable[[], Awaitable[None]], pauses: Sequence[float]) -> None:
        try:
            await call()
        except CALL_FAILED as error:
            log.info("a call to Discord failed: %s", error)
            if may_pass(error):
                self.put_off(call, pauses)
        except Exception:
            log.exception("a call to Discord failed")

    async def call(self, urgency: Urgency, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call within the bot's budget; raise one of CALL_FAILED."""
        await self._budget.turn(urgency)
        if self._closed:
            raise ConnectionAbortedError("the bot is closed")
        async with asyncio.timeout(_CALL_SECONDS):
            return await call()

    async def change(
        self,
        place: Place,
        message_id: MessageId,
        view: ui.LayoutView,
        uploads: Sequence[Upload] = (),
    ) -> None:
        """Replace the content and the files of a message of the bot's; raise one of CALL_FAILED.

        Where only answers reach the channel, a message that no token reaches stays as it is.
        """
        if not place.posts:
            if not await self.edit(message_id, view, uploads):
                raise NoWayError("no token reaches this message")
            return
        message = self._message(place, message_id)
        await self.call(
            Urgency.TIDY,
            lambda: message.edit(view=view, allowed_mentions=NOBODY, attachments=_files(uploads)),
        )

    async def own_buttons(self, place: Place) -> dict[MessageId, set[str]]:
        """Return the custom ids on each message of the bot's among the last of a channel.

        Where the bot may not read what was said there, it finds none. Raises one of CALL_FAILED.
        """
        channel = self._client.get_partial_messageable(place.channel_id)

        async def read() -> list[discord.Message]:
            return [message async for message in channel.history(limit=_MOST_READ)]

        me = self._client.user
        return {
            MessageId(message.id): {*custom_ids(part.to_dict() for part in message.components)}
            for message in await self.call(Urgency.TIDY, read)
            if me is not None and message.author.id == me.id
        }

    async def _remove(
        self,
        place: Place,
        message_id: MessageId,
        tokens: Iterable[str],
        texts: ChannelTexts,
    ) -> None:
        for token in tokens:
            if await self._removed_by(token, message_id):
                return
        if not place.posts:
            return
        try:
            await self.call(Urgency.TIDY, self._message(place, message_id).delete)
        except discord.NotFound:
            return
        except CALL_FAILED as error:
            log.info("message %s can't be removed: %s", message_id, error)
            await self.change(place, message_id, text_view(texts("board.gone")))

    async def _removed_by(self, token: str, message_id: MessageId) -> bool:
        """Remove a message by the token of an interaction; return whether that has worked."""
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                await self._by_token(token).delete_message(message_id)
        except CALL_FAILED as error:
            log.info("message %s can't be removed by a token: %s", message_id, error)
            return False
        return True

    def _by_token(self, token: str) -> discord.Webhook:
        """Return the webhook that changes and removes the messages of an interaction."""
        application_id = self._client.application_id
        assert application_id is not None, "the client is logged in"
        return discord.Webhook.partial(application_id, token, client=self._client)

    def _message(self, place: Place, message_id: MessageId) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(place.channel_id)
        return channel.get_partial_message(message_id)


async def _told(call: Callable[[], Awaitable[None]], tell: Callable[[], None]) -> None:
    """Make a call, and `tell` when it has succeeded, or failed in a way that won't pass."""
    try:
        await call()
    except CALL_FAILED as error:
        if may_pass(error):
            raise
        log.info("a call to Discord failed for good: %s", error)
    tell()
