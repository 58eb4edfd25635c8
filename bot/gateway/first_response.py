"""What Discord has taken as the first response to an interaction, as far as is known.

| taken | it was | the next public message | the next private message |
|---|---|---|---|
| `NONE` | nothing yet | is the first response | is the first response |
| `PUBLIC` | a promise, seen by everybody | takes its place | follows; the promise is removed |
| `PRIVATE` | a promise, seen by the asker alone | is private, too | takes its place |
| `HIDDEN` | the same, but meant for everybody | is private, too | takes its place |
| `PRESSED` | a change, or the promise of one | follows | follows |
| `MESSAGE` | a message, or a promise that is kept | follows | follows |

Only `NONE` and `PUBLIC` change: `NONE` to any other, `PUBLIC` to `MESSAGE`.
"""

from collections.abc import Awaitable, Sequence
from enum import Enum, auto
from typing import TypeAlias

import discord

from bot.gateway.errors import CALL_FAILED, answered_within, is_answered, may_pass
from bot.gateway.interactions import Interaction
from bot.identity import MessageId

# Discord's time for the first answer to an interaction; discord.py would go on for 25 s.
ANSWER_SECONDS = 3.0

Given: TypeAlias = discord.InteractionCallbackResponse[discord.Client]
"""What Discord tells of a first response that it has taken."""


class Taken(Enum):
    """What Discord has taken as the first response; the table above explains it."""

    NONE = auto()
    PUBLIC = auto()
    PRIVATE = auto()
    HIDDEN = auto()
    PRESSED = auto()
    MESSAGE = auto()


class FirstResponse:
    """Makes the first response to an interaction, and knows what Discord has `taken`."""

    def __init__(self, interaction: Interaction):
        self._interaction = interaction
        self.taken = Taken.NONE
        self.guessed = False  # whether Discord didn't tell what it has taken
        self._tried: Taken | None = None  # the last promise whose call was begun
        self._arrived: set[MessageId] = set()  # the public answers that have arrived

    async def promise(self, *, private: bool) -> None:
        """Promise an answer, to the asker alone if `private`; raise one of CALL_FAILED."""
        command = self._interaction.type is discord.InteractionType.application_command
        public = Taken.PUBLIC if command else Taken.PRESSED
        self._tried = Taken.PRIVATE if private else public
        await self.make(self._tried, self._defer(private=private), promises=True)

    async def _defer(self, *, private: bool) -> Given | None:
        async with answered_within(ANSWER_SECONDS):
            # A command's promise always shows that the bot is thinking.
            return await self._interaction.response.defer(ephemeral=private, thinking=private)

    async def make(
        self,
        meant: Taken,
        call: Awaitable[Given | None],
        files: Sequence[discord.File] = (),
        *,
        promises: bool = False,
    ) -> Given | None:
        """Make the `call` that is meant to be the first response, and note what Discord has taken.

        Returns None if that is a promise whose reply was lost: the answer, with the same `files`,
        is still to be given. Raises one of CALL_FAILED.
        """
        try:
            given = await call
        except CALL_FAILED as error:
            found = await self._promised(error, meant, promises=promises)
            if found is None:
                raise
            for file in files:
                file.reset()
            self.taken = found
            return None
        hidden = meant is Taken.PUBLIC and given is not None and given.is_ephemeral()
        self.taken = Taken.HIDDEN if hidden else meant
        return given

    async def _promised(
        self, error: BaseException, meant: Taken, *, promises: bool
    ) -> Taken | None:
        """Return the promise that Discord holds although a call failed with `error`, or None.

        Discord may have refused the call because it already holds a first response, or the call
        itself `promises`, and only its reply was lost. If a refusal leaves open which response that
        is, this guesses the promise that was tried last. If none was, and a change was `meant`, an
        earlier try of that change has arrived, which has the effect of its promise.
        """
        guess = None
        if is_answered(error):
            guess = self._tried or (None if meant is Taken.MESSAGE else meant)
        elif not (promises and may_pass(error)):
            return None
        found = await self.original()
        if found is None:
            self.guessed |= guess is not None
            return guess
        if self._is_pressed(found):
            return Taken.PRESSED
        if not found.flags.loading:
            return None
        private = Taken.HIDDEN if meant is Taken.PUBLIC else Taken.PRIVATE
        return private if found.flags.ephemeral else Taken.PUBLIC

    def note_answer(self, message_id: MessageId | None = None) -> None:
        """Note that a public answer has arrived, or that the public promise is about to go."""
        if message_id is not None:
            self._arrived.add(message_id)
        if self.taken in (Taken.NONE, Taken.PUBLIC):
            self.taken = Taken.MESSAGE

    async def original(self) -> discord.InteractionMessage | None:
        """Return the first response, None if there is none or Discord doesn't tell.

        After a press it may be the pressed message, which was changed.
        """
        try:
            async with answered_within(ANSWER_SECONDS):
                return await self._interaction.original_response()
        except (discord.ClientException, *CALL_FAILED):
            return None

    def is_unheard(self, found: discord.Message) -> bool:
        """Return whether the first response is a public one that isn't known to have arrived."""
        known = found.id in self._arrived or self._is_pressed(found)
        return not (known or found.flags.ephemeral)

    def _is_pressed(self, message: discord.Message) -> bool:
        pressed = self._interaction.message
        return pressed is not None and message.id == pressed.id
