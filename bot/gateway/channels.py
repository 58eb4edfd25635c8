"""Messages in channels: public answers, and messages that no interaction asked for.

If the answer to an interaction fails, the bot posts its message in the channel. Messages are
changed and removed by an interaction's token as long as one reaches them, and otherwise by requests
within the bot's budget.
"""

import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial

import discord

from bot.gateway.budget import Urgency
from bot.gateway.components import Layout, content_of, custom_ids, view_of
from bot.gateway.errors import (
    ANSWER_FAILED,
    CALL_FAILED,
    HiddenAnswerError,
    NoWayError,
    answered_within,
    is_message_gone,
    is_thread_archived,
    may_pass,
    only_passing,
)
from bot.gateway.first_response import ANSWER_SECONDS
from bot.gateway.interactions import (
    Interaction,
    may_show,
    missing_permissions,
    place_of,
    pressed_message,
    public_message,
)
from bot.gateway.known_channels import KnownChannels
from bot.gateway.requests import LATE_SECONDS, Requests
from bot.gateway.responses import NOBODY, mentions, response_of
from bot.gateway.tokens import Tokens
from bot.i18n import ChannelTexts
from bot.identity import MemberId, MessageId, Place, Posted
from bot.refusals import Refusal

log = logging.getLogger(__name__)

# https://discord.com/developers/docs/resources/message#get-channel-messages: messages in one call
_MOST_READ = 100


def nonce_of(*about: object) -> int:
    """Return the nonce of the message about these values; the same values have the same nonce.

    Discord refuses a nonce of more than 25 digits; this one has 20 at most.
    """
    digest = hashlib.blake2b(repr(about).encode(), digest_size=8).digest()
    return int.from_bytes(digest) or 1


class Channels:
    """Sends, changes and removes messages, by an interaction or by the bot's own `requests`.

    `known` tells what may be sent where.
    """

    def __init__(self, client: discord.Client, requests: Requests):
        self._client = client
        self.requests = requests
        self.known = KnownChannels(client)
        self._tokens = Tokens(client)

    async def answer(
        self,
        interaction: Interaction,
        view: Layout,
        *notify: MemberId | None,
        nonce: int = 0,
    ) -> MessageId:
        """Answer with a public message, or post it in the channel if the answer fails.

        The `nonce` is as for `send`. A caller that gives one sends the message again where the bot
        can post, and looks for it.

        Returns the id of the message. Raises one of ANSWER_FAILED if no way worked. An answer that
        arrives although its call failed is removed later, unless the caller looks for it.
        """
        number, response = nonce or secrets.randbits(63), response_of(interaction)
        try:
            sent = await self._answer_or_post(interaction, view, *notify, nonce=number)
        except ANSWER_FAILED:
            if response.unsure and not (nonce and place_of(interaction).posts):
                self.requests.put_off(response.retract)
            raise
        if response.unsure:
            # Tried once: if the other message is gone by then, this answer may be in use.
            self.requests.put_off(response.retract, [LATE_SECONDS])
        return sent

    async def _answer_or_post(
        self, interaction: Interaction, view: Layout, *notify: MemberId | None, nonce: int
    ) -> MessageId:
        """Answer with a public message, or post it; raise one of ANSWER_FAILED."""
        place, response = place_of(interaction), response_of(interaction)
        notify = self.requests.served(notify)
        may_post = place.posts and not missing_permissions(interaction)
        if any(notify) and may_post and await response.is_owed():
            # Discord notifies nobody of a message that takes the place of a promise. So this one is
            # posted, and the promise is removed later:
            # https://github.com/discord/discord-api-docs/issues/4034
            try:
                return await self.send(place, view, *notify, nonce=nonce)
            except CALL_FAILED as error:
                response.note_unsure(error)
        try:
            return await self._respond(interaction, view, *notify)
        except CALL_FAILED as error:
            if not may_post:
                raise
            _log_other_way(interaction, error)
            return await self.send(place, view, *notify, nonce=nonce)

    async def _edit(self, interaction: Interaction, view: Layout) -> None:
        """Change the pressed message, and note the token that can change and remove it later."""
        within = ANSWER_SECONDS if place_of(interaction).posts else None
        response = response_of(interaction)
        if not response.reaches_pressed:
            raise NoWayError("the press was answered by another message")
        await response.edit(view, within)
        if (pressed := public_message(interaction)) is not None:
            self._tokens.keep(pressed, interaction)

    async def _respond(
        self, interaction: Interaction, view: Layout, *notify: MemberId | None
    ) -> MessageId:
        """Answer with a public message, and note the token that can change and remove it.

        Raises one of CALL_FAILED, or HiddenAnswerError if nobody else would see the message.
        """
        if not may_show(interaction):
            raise HiddenAnswerError
        allowed = mentions(*self.requests.served(notify))
        try:
            message_id = await response_of(interaction).post(view, allowed)
        except HiddenAnswerError as hidden:
            if hidden.message_id is not None:
                with suppress(*CALL_FAILED):
                    await self._tokens.remove_by(interaction.token, hidden.message_id)
            raise
        self._tokens.keep(message_id, interaction)
        return message_id

    async def replace(self, interaction: Interaction, view: Layout) -> None:
        """Answer by changing the pressed public message, or in another way if that fails.

        Raises one of CALL_FAILED if both ways fail, or Refusal if somebody has removed the message.
        """
        try:
            await self._edit(interaction, view)
        except CALL_FAILED as error:
            _log_other_way(interaction, error)
            try:
                await self.change(place_of(interaction), pressed_message(interaction), view)
            except discord.NotFound as gone:
                if is_message_gone(gone):
                    raise Refusal("refusal.old_board") from gone
                raise

    async def take_token(self, interaction: Interaction) -> None:
        """Keep the token of a press, to change and remove the pressed public message by it later.

        The token reaches that message once the press is deferred, so this defers it. Where the bot
        can post, it needs no token, and this does nothing.
        """
        pressed = public_message(interaction)
        if pressed is None or place_of(interaction).posts:
            return
        if await response_of(interaction).try_to_promise():
            self._tokens.keep(pressed, interaction)

    async def send(
        self, place: Place, view: Layout, *notify: MemberId | None, nonce: int = 0
    ) -> MessageId:
        """Post a message and return its id; raise one of CALL_FAILED, among them NoWayError.

        Within a few minutes, Discord makes only one message of all that have the same `nonce`. It
        is 0 for a message that isn't sent again.
        """
        if not place.posts:
            raise NoWayError("only answers to interactions reach this channel")
        self.requests.check_served(place)
        channel = self._client.get_partial_messageable(place.channel_id)
        notify = self.requests.served(notify)
        allowed = mentions(*notify)
        number = nonce or secrets.randbits(63)
        sent = await self.requests.make(
            Urgency.MENTION if any(notify) else Urgency.POST,
            lambda: channel.send(
                view=view,
                allowed_mentions=allowed,
                nonce=number,
                files=view.files(),
                silent=view.silent,
            ),
        )
        return MessageId(sent.id)

    async def try_to_send(self, place: Place, view: Layout) -> bool:
        """Post a message that notifies nobody; return whether it could be posted."""
        try:
            await self.send(place, view)
        except CALL_FAILED as error:
            log.warning("nothing can be posted in channel %s: %s", place.channel_id, error)
            return False
        return True

    def send_later(
        self, place: Place, view: Layout, *notify: MemberId, nonce: int | None = None
    ) -> None:
        """Post a message that notifies the members in `notify`, in the background.

        Discord makes only one message of all that have the same `nonce`. By default these are the
        tries at this message.
        """
        nonce = secrets.randbits(63) if nonce is None else nonce
        self.requests.later(partial(self.send, place, view, *notify, nonce=nonce))

    def change_later(
        self, place: Place, message_id: MessageId, view: Layout, *, reopens: bool = False
    ) -> None:
        """Replace the content and the files of a message of the bot's, in the background."""
        self.requests.later(partial(self.change, place, message_id, view, reopens=reopens))

    def remove_later(
        self,
        place: Place,
        message_ids: Iterable[MessageId | None],
        texts: ChannelTexts,
        pressed: Interaction | None = None,
        removed: Callable[[MessageId], None] = lambda _: None,
        *,
        reopens: bool = False,
    ) -> None:
        """Remove messages, or at least their buttons, in the background; no match depends on it.

        A message that can't be removed is changed to a line of `texts`. `pressed` is the press on
        one of the messages, if there was one. `removed` is called for each message that is gone, or
        that can never be removed.
        """

        async def remove(message_id: MessageId) -> None:
            with only_passing():
                await self.remove(place, message_id, texts, pressed, reopens=reopens)
            removed(message_id)

        for message_id in filter(None, message_ids):
            self.requests.later(partial(remove, message_id))

    def retract_later(self, message_id: MessageId, token: str) -> None:
        """Remove a private answer by the token of its interaction, in the background."""
        self.requests.later(partial(self._tokens.remove_by, token, message_id))

    async def change(
        self, place: Place, message_id: MessageId, view: Layout, *, reopens: bool = False
    ) -> None:
        """Replace the content and the files of a message of the bot's; raise one of CALL_FAILED.

        It uses a token if one reaches the message, since that counts against no limit. Otherwise it
        makes a request of the bot's own, which works only where the bot can post. If Discord has
        archived the thread, this fails unless it `reopens` that.
        """
        passing: BaseException | None = None
        try:
            if await self._tokens.change(message_id, view):
                return
        except CALL_FAILED as error:
            log.info("message %s can't be edited by a token: %s", message_id, error)
            if not place.posts:
                raise
            passing = error if may_pass(error) else None
        if not place.posts:
            raise NoWayError("no token reaches this message")
        message = self._message(place, message_id)
        try:
            await self._tidy(
                place,
                lambda: message.edit(view=view, allowed_mentions=NOBODY, attachments=view.files()),
                reopens=reopens,
            )
        except discord.Forbidden:
            if passing is not None:
                raise passing from None  # later the token may do it
            raise

    async def _tidy(
        self, place: Place, request: Callable[[], Awaitable[object]], *, reopens: bool
    ) -> None:
        """Make a request; raise one of CALL_FAILED.

        If Discord refuses it because it has archived the thread, this `reopens` the thread, and
        makes the request again. Everybody who can write in a thread may reopen it, unless it is
        locked.
        """
        try:
            await self.requests.make(Urgency.TIDY, request)
        except discord.HTTPException as error:
            if not (reopens and is_thread_archived(error)):
                raise
            fetch = partial(self._client.fetch_channel, place.channel_id)
            thread = await self.requests.make(Urgency.TIDY, fetch)
            if isinstance(thread, discord.Thread):
                await self.requests.make(Urgency.TIDY, partial(thread.edit, archived=False))
            await self.requests.make(Urgency.TIDY, request)

    async def is_gone(self, message: Posted) -> bool:
        """Return whether a message was deleted; False where Discord doesn't tell.

        It doesn't where the bot can't post: there it may not read messages either.
        """
        if not message.place.posts:
            return False
        fetch = self._message(message.place, message.id).fetch
        try:
            async with answered_within(ANSWER_SECONDS):
                await self.requests.make(Urgency.POST, fetch)
        except CALL_FAILED as error:
            return is_message_gone(error)
        return False

    async def own_buttons(self, place: Place) -> dict[MessageId, set[str]]:
        """Return the custom ids on each of the bot's messages among the last of a channel.

        There are none where the bot may not read earlier messages. Raises one of CALL_FAILED.
        """
        own = await self._own_messages(place)
        return {MessageId(message.id): custom_ids(message) for message in own}

    async def has_said(self, place: Place, words: str) -> bool:
        """Return whether one of the bot's messages among the last of a channel has these words.

        False where the bot may not read earlier messages. Raises one of CALL_FAILED.
        """
        return any(words in content_of(message) for message in await self._own_messages(place))

    async def _own_messages(self, place: Place) -> list[discord.Message]:
        channel = self._client.get_partial_messageable(place.channel_id)

        async def read() -> list[discord.Message]:
            return [message async for message in channel.history(limit=_MOST_READ)]

        found, me = await self.requests.make(Urgency.TIDY, read), self._client.user
        return [one for one in found if me is not None and one.author.id == me.id]

    async def remove(
        self,
        place: Place,
        message_id: MessageId,
        texts: ChannelTexts,
        pressed: Interaction | None = None,
        *,
        reopens: bool = False,
    ) -> None:
        """Remove a message, or at least its buttons.

        If Discord has archived the thread, this fails unless it `reopens` that. Raises one of
        CALL_FAILED.
        """
        try:
            if await self._tokens.remove(message_id, pressed):
                return
        except CALL_FAILED as error:
            # Usual: tokens end.
            level = logging.DEBUG if isinstance(error, discord.NotFound) else logging.INFO
            log.log(level, "message %s can't be removed by a token: %s", message_id, error)
            if not place.posts and may_pass(error):
                raise  # there is no other way, and a token lives for some minutes
        if not place.posts:
            return
        try:
            await self._tidy(place, self._message(place, message_id).delete, reopens=reopens)
        except discord.NotFound:
            return
        except CALL_FAILED as error:
            log.info("message %s can't be removed: %s", message_id, error)
            await self.change(place, message_id, view_of(texts("board.gone")))

    def _message(self, place: Place, message_id: MessageId) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(place.channel_id)
        return channel.get_partial_message(message_id)


def _log_other_way(interaction: Interaction, error: BaseException) -> None:
    log.warning("interaction %s is answered otherwise: %s", interaction.id, error)
