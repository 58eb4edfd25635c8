"""The response to an interaction.

Discord takes one first response to an interaction, within three seconds, and later messages by
another call. `Response` chooses the call, so that handlers need not know how long their work took.
`FirstResponse` knows what Discord has taken as the first one.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias, TypeVar

import discord

from bot.gateway.components import Layout, view_of
from bot.gateway.errors import (
    CALL_FAILED,
    HiddenAnswerError,
    answered_within,
    is_answered,
    is_message_gone,
    may_pass,
)
from bot.gateway.first_response import ANSWER_SECONDS, FirstResponse, Taken
from bot.gateway.interactions import (
    Interaction,
    may_show,
    place_of,
    private_message,
    public_message,
)
from bot.identity import Context, MemberId, MessageId
from bot.refusals import Refusal

T = TypeVar("T")

log = logging.getLogger(__name__)

NOBODY = discord.AllowedMentions.none()

# Bytes of files that are uploaded within that time.
_SMALL = 100_000
# discord.py waits at least this long before it makes a call again that Discord answered with 5xx.
_PAUSE_SECONDS = 1.0


async def ensure_public(interaction: Interaction) -> None:
    """Raise Refusal if others would not see the answer to a command or a press.

    Where Discord may hide the answer to a command, this promises it: Discord's reply says whether
    the promise is hidden. A press on a public message always passes, since its answer can take the
    place of that message.
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


async def defer_private(interaction: Interaction) -> MessageId | None:
    """Defer the press on a private message, and return that message; return None for a public one.

    This makes the message the press's original response, the only private message that its token
    can remove.
    """
    pressed = private_message(interaction)
    if pressed is not None:
        await response_of(interaction).try_to_promise()
    return pressed


def mentions(*member_ids: MemberId | None) -> discord.AllowedMentions:
    """Return the permission to notify these members and nobody else; None is nobody."""
    users = [discord.Object(member_id) for member_id in member_ids if member_id] or False
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


_Answer: TypeAlias = discord.WebhookMessage | discord.InteractionMessage


class Response:
    """The response to one interaction."""

    def __init__(self, interaction: Interaction):
        self._interaction = interaction
        self._promises_privately = False
        self._one_at_a_time = asyncio.Lock()
        self._first = FirstResponse(interaction)
        self._unsure = False
        # The private answer that shows how far the work is, if one does.
        self._progress: _Answer | None = None

    @contextmanager
    def promising(self, seconds: float, *, private: bool) -> Iterator[None]:
        """Promise an answer unless the work in this context takes less than `seconds`.

        If `private`, the answer is for the asker alone, as for `promise`. With 0 seconds the
        promise comes first. Work that ends in time costs a timer, but no task.
        """
        self._promises_privately = private
        late: list[asyncio.Task[bool]] = []

        def promise() -> None:
            late.append(asyncio.create_task(self.try_to_promise(private=private)))

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

    @property
    def owed(self) -> bool:
        """Whether everybody sees the promise of an answer that hasn't come."""
        return self._first.taken is Taken.PUBLIC

    @property
    def hidden(self) -> bool:
        """Whether Discord shows the asker alone a promise that was for everybody."""
        return self._first.taken is Taken.HIDDEN

    async def is_owed(self) -> bool:
        """Return whether the answer is `owed`, once no promise of it is under way."""
        async with self._one_at_a_time:
            return self.owed

    @property
    def private(self) -> bool:
        """Whether the answer is for the asker alone: a promise of that, or a private message."""
        private = self._promises_privately or self._first.taken is Taken.PRIVATE
        return private or private_message(self._interaction) is not None

    @property
    def reaches_pressed(self) -> bool:
        """Whether `edit` changes the pressed message, since no other one is the first response."""
        return self._first.taken in (Taken.NONE, Taken.PRESSED)

    @property
    def unsure(self) -> bool:
        """Whether a public answer may have arrived although its call failed."""
        return self._unsure or self._first.guessed

    def note_unsure(self, error: BaseException) -> None:
        """Note a failed call whose public message may have arrived all the same."""
        self._unsure |= may_pass(error) or is_answered(error)

    async def promise(self, *, private: bool = False) -> None:
        """Promise an answer to Discord, unless one was given.

        For a command, Discord then shows that the bot is thinking: to everybody, or to the asker
        alone if `private`. For a press it shows so only if `private`, to the presser.

        Raises one of CALL_FAILED.
        """
        async with self._one_at_a_time:
            if self._first.taken is Taken.NONE:
                await self._first.promise(private=private)

    async def try_to_promise(self, *, private: bool = False) -> bool:
        """Promise an answer, unless one was given; return False if that fails."""
        try:
            await self.promise(private=private)
        except CALL_FAILED as error:
            log.warning("interaction %s could not be deferred: %s", self._interaction.id, error)
            return False
        return True

    async def post(self, view: Layout, allowed: discord.AllowedMentions = NOBODY) -> MessageId:
        """Answer with a public message and return its id.

        Raises one of CALL_FAILED, or HiddenAnswerError if Discord shows it to the asker alone.
        """
        size = sum(len(upload.content) for upload in view.uploads)
        other_way = place_of(self._interaction).posts
        try:
            async with answered_within(ANSWER_SECONDS if other_way and size <= _SMALL else None):
                given = await self._send(
                    ephemeral=False,
                    view=view,
                    allowed_mentions=allowed,
                    files=view.files(),
                    silent=view.silent,
                )
        except CALL_FAILED as error:
            given = await self._recover(error, view, allowed)
        self._first.note_answer(given)
        return given

    async def whisper(
        self, said: str | Layout, files: Sequence[discord.File] = ()
    ) -> MessageId | None:
        """Answer with a message that only the asker sees.

        `files` are sent beside the pictures of a layout. Returns the id of the message, None if
        Discord has taken it, but doesn't tell more. Raises one of CALL_FAILED.
        """
        if isinstance(said, str):
            if self._progress is None:
                return await self._send_private(content=said)
            said = view_of(said)  # a message of components can't become one of text
        every = [*said.files(), *files]
        if self._progress is not None:
            async with answered_within(None), self._one_at_a_time:
                return await self._show_progress(said, every)
        return await self._send_private(view=said, files=every)

    async def try_to_be_first(self, said: str) -> None:
        """Tell the asker alone, unless another process has answered, or promised an answer."""
        try:
            async with answered_within(ANSWER_SECONDS):
                await self._interaction.response.send_message(said, ephemeral=True)
        except CALL_FAILED as error:
            log.info("interaction %s is left to another process: %s", self._interaction.id, error)

    async def _send_private(self, **content: Any) -> MessageId | None:
        # No other way is left, so discord.py makes all its tries.
        try:
            async with answered_within(None):
                return await self._send(ephemeral=True, allowed_mentions=NOBODY, **content)
        except CALL_FAILED as error:
            if not is_answered(error):
                raise
            found = await self._first.original()
            taken = found.flags.ephemeral if found else not self.unsure
            if not taken:
                raise
            return MessageId(found.id) if found else None  # an earlier try has arrived

    async def showing_progress(
        self, work: Awaitable[T], every: float, view: Callable[[], Layout]
    ) -> T:
        """Return the result of `work`; meanwhile, show a new `view` every `every` seconds.

        The asker alone sees it, in the private answer that was promised. Raises what `work` raises.
        """

        async def show() -> None:
            while True:
                await asyncio.sleep(every)
                await self.try_to_show_progress(view())

        showing = asyncio.create_task(show())
        try:
            return await work
        finally:
            # A call that is cut off may still arrive. The answer would then come beside it.
            async with self._one_at_a_time:
                showing.cancel()

    async def try_to_show_progress(self, view: Layout) -> None:
        """Show the asker alone how far the work is, if a private answer was promised.

        The answer takes its place later. A call that fails is ignored.
        """
        try:
            async with answered_within(ANSWER_SECONDS), self._one_at_a_time:
                await self._show_progress(view)
        except CALL_FAILED as error:
            log.info("interaction %s: no progress is shown: %s", self._interaction.id, error)

    async def _show_progress(self, view: Layout, files: Sequence[discord.File] = ()) -> MessageId:
        """Show this in the private answer, and return that message's id.

        After the promise to change the pressed message, the private answer is a followup.
        """
        if self._progress is not None:
            await self._progress.edit(view=view, attachments=files)
        elif self._first.taken is Taken.PRESSED:
            self._progress = await self._interaction.followup.send(
                view=view, ephemeral=True, wait=True, allowed_mentions=NOBODY, files=files
            )
        else:
            edit = self._interaction.edit_original_response
            self._progress = await edit(view=view, attachments=files)
        return MessageId(self._progress.id)

    async def edit(self, view: Layout, within: float | None = None) -> None:
        """Replace the content and the files of the message whose button was pressed.

        It fails after `within` seconds, for a caller that has another way to answer. Raises one of
        CALL_FAILED, or Refusal for a public message that somebody has removed.
        """
        files = view.files()
        try:
            async with answered_within(within), self._one_at_a_time:
                if self._first.taken is Taken.NONE:
                    call = self._interaction.response.edit_message(view=view, attachments=files)
                    if await self._first.make(Taken.PRESSED, call, files) is not None:
                        return
                await self._interaction.edit_original_response(view=view, attachments=files)
        except CALL_FAILED as error:
            if is_message_gone(error) and public_message(self._interaction) is not None:
                raise Refusal("refusal.old_board") from error
            raise

    async def show_own(self, view: Layout) -> None:
        """Show the asker alone a message, in place of the private one that was pressed, if any.

        Raises one of CALL_FAILED.
        """
        if private_message(self._interaction) is None:
            await self.whisper(view)
        else:
            await self.edit(view)

    async def _send(self, *, ephemeral: bool, **content: Any) -> MessageId:
        async with self._one_at_a_time:
            interaction, given = self._interaction, None
            if self._first.taken is Taken.NONE:
                call = interaction.response.send_message(ephemeral=ephemeral, **content)
                given = await self._first.make(Taken.MESSAGE, call, content.get("files", ()))
            if given is not None:
                message_id = given.message_id or (await interaction.original_response()).id
                private = given.is_ephemeral()
            elif self.owed and ephemeral:
                return await self._send_beside_promise(**content)
            else:
                began = time.monotonic()
                message = await interaction.followup.send(ephemeral=ephemeral, wait=True, **content)
                self._unsure |= _tried_again(began) and not ephemeral  # each try may have arrived
                message_id, private = message.id, message.flags.ephemeral
        if private and not ephemeral:
            raise HiddenAnswerError(MessageId(message_id))
        return MessageId(message_id)

    async def _send_beside_promise(self, **content: Any) -> MessageId:
        """Send a private message in place of the public one that was promised; return its id."""
        interaction = self._interaction
        # The first message after a public promise is public; it must not show this text.
        await interaction.edit_original_response(content="…")
        self._first.note_answer()
        try:
            sent = await interaction.followup.send(ephemeral=True, wait=True, **content)
        finally:
            await interaction.delete_original_response()
        return MessageId(sent.id)

    async def _recover(
        self, error: BaseException, view: Layout, allowed: discord.AllowedMentions
    ) -> MessageId:
        """Return the id of the public answer that is there although the call failed with `error`.

        Perhaps only Discord's reply was lost, so this looks at the first response. It may also be a
        promise, or an answer whose call had failed before, so it is changed to show this answer. An
        answer that is known to have arrived before doesn't count. Raises `error` if there is none.
        """
        found = await self._first.original()
        if found is not None and self._first.is_unheard(found):
            with suppress(*CALL_FAILED):
                async with answered_within(ANSWER_SECONDS):
                    await found.edit(view=view, allowed_mentions=allowed, attachments=view.files())
                return MessageId(found.id)
        self.note_unsure(error)
        raise error

    async def retract(self, *, only_promise: bool = False) -> None:
        """Remove the promise of a public answer, or an answer that arrived although `post` failed.

        If `only_promise`, an answer that has taken its place after all stays where the bot can
        post: by the time of a later try, members may be using it. Elsewhere it is removed too,
        since nothing else would find it.

        Raises one of CALL_FAILED, also if there is neither.
        """
        stays = only_promise and place_of(self._interaction).posts
        async with answered_within(ANSWER_SECONDS):
            found = await self._interaction.original_response()
            if found.flags.loading or (not stays and self._first.is_unheard(found)):
                await self._interaction.delete_original_response()


def _tried_again(began: float) -> bool:
    """Return whether discord.py may have repeated a call that began at this time."""
    return time.monotonic() - began >= _PAUSE_SECONDS


def response_of(interaction: Interaction) -> Response:
    """Return the interaction's one response, made at the first call."""
    if Response not in interaction.extras:
        interaction.extras[Response] = Response(interaction)
    made: Response = interaction.extras[Response]
    return made
