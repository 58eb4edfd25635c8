"""The answer to an interaction: within Discord's three seconds, or promised in time.

Discord takes one first response, and later messages by another call. Which of the two it is depends
on whether the work was quick, so whoever answers asks here and need not know.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import aiohttp
import discord
from discord import ui

log = logging.getLogger(__name__)

# Discord said no, or could not be reached: discord.py hands on what breaks a connection as it is.
CALL_FAILED = (discord.HTTPException, aiohttp.ClientError, OSError)

Interaction = discord.Interaction[Any]


class Answer:
    """What is said to one interaction; a `private` promise is for the asker alone."""

    def __init__(self, interaction: Interaction, *, private: bool = False):
        self._interaction = interaction
        self._private = private
        self._one_at_a_time = asyncio.Lock()
        self._public_promise = False

    async def promise_after(self, seconds: float) -> None:
        """Promise an answer where none is given by then; runs beside the work, and no longer."""
        await asyncio.sleep(seconds)
        try:
            await self.promise(private=self._private)
        except CALL_FAILED as error:
            log.warning("interaction %s could not be deferred: %s", self._interaction.id, error)

    async def promise(self, *, private: bool = False) -> None:
        """Tell Discord that an answer will come, unless there was one.

        A command shows everybody, or the asker alone, that it is being worked on; the button of a
        message shows nothing, unless what will come is private.
        """
        async with self._one_at_a_time:
            response = self._interaction.response
            if response.is_done():
                return
            command = self._interaction.type is discord.InteractionType.application_command
            await response.defer(ephemeral=private, thinking=private or command)
            self._public_promise = command and not private

    async def acknowledge(self) -> None:
        """Answer the press of a button that changes nothing to be seen."""
        async with self._one_at_a_time:
            if not self._interaction.response.is_done():
                await self._interaction.response.defer()

    async def post(
        self,
        view: ui.LayoutView,
        allowed: discord.AllowedMentions,
        files: Sequence[discord.File] = (),
    ) -> int | None:
        """Answer with a public message; return its id, None where Discord doesn't tell."""
        return await self._send(ephemeral=False, view=view, allowed_mentions=allowed, files=files)

    async def whisper(self, said: str | ui.LayoutView, files: Sequence[discord.File] = ()) -> None:
        """Answer the asker alone."""
        content = {"content": said} if isinstance(said, str) else {"view": said}
        nobody = discord.AllowedMentions.none()
        await self._send(ephemeral=True, allowed_mentions=nobody, files=files, **content)

    async def edit(self, view: ui.LayoutView) -> None:
        """Change the message whose button was pressed."""
        async with self._one_at_a_time:
            if self._interaction.response.is_done():
                await self._interaction.edit_original_response(view=view)
            else:
                await self._interaction.response.edit_message(view=view)

    async def _send(self, *, ephemeral: bool, **content: Any) -> int | None:
        async with self._one_at_a_time:
            interaction = self._interaction
            if not interaction.response.is_done():
                given = await interaction.response.send_message(ephemeral=ephemeral, **content)
                return given.message_id
            promised, self._public_promise = self._public_promise, False
            if promised and ephemeral:
                # What comes first after a promise is as public as that; nobody else may see this.
                await interaction.edit_original_response(content="…")
            message = await interaction.followup.send(ephemeral=ephemeral, wait=True, **content)
            if promised and ephemeral:
                await interaction.delete_original_response()
            return message.id


def answer_of(interaction: Interaction, *, private: bool = False) -> Answer:
    """Return the interaction's one answer, begun with the first call."""
    answer: Answer = interaction.extras.setdefault(Answer, Answer(interaction, private=private))
    return answer
