"""Telling Discord the slash commands if they differ from those that it knows."""

import asyncio
import hashlib
import logging
from typing import Any

import orjson
from discord import app_commands

from bot.db.facts import FactStore
from bot.gateway.loops import Loop
from bot.host_errors import LastingError

log = logging.getLogger(__name__)

# The stored text begins with the id of the application to which the database belongs.
TOLD_COMMANDS = "commands"
# Presses come first, and Discord still knows the commands of the last start.
_FIRST_AFTER_SECONDS = 1.0
_PAUSE_SECONDS = 600.0


def check_owner(told: str | None, application_id: int | None) -> None:
    """Raise LastingError if `told`, the stored TOLD_COMMANDS, is another application's.

    With None, no owner is known yet. An application isn't on another one's servers: they would
    count as left, their clocks would stand still, and in the end their data would be erased.
    """
    if told is not None and (other := told.split()[0]) != str(application_id):
        raise LastingError(
            f"The database of DATABASE_URL belongs to application {other}, and DISCORD_TOKEN to"
            f" application {application_id}. Correct one of them, or run `python -m bot adopt`:"
            " then the database belongs to the application that starts next."
        )


class CommandSync:
    """Tells Discord the commands of `tree`, unless it was told the same ones before.

    The bot serves meanwhile: Discord still knows the commands of the last start. A failure is tried
    again, after pauses that grow from five seconds to ten minutes.
    """

    def __init__(self, tree: app_commands.CommandTree[Any], facts: FactStore):
        self._tree = tree
        self._facts = facts
        self.loop = Loop(
            "telling Discord the commands",
            _PAUSE_SECONDS,
            self.sync,
            once=True,
            first_after=_FIRST_AFTER_SECONDS,
        )

    async def check_application(self) -> None:
        """Raise LastingError if the database belongs to another application."""
        check_owner(await self._facts.get(TOLD_COMMANDS), self._tree.client.application_id)

    async def sync(self) -> None:
        """Tell Discord the commands if they have changed; raise discord.HTTPException."""
        client = self._tree.client
        commands = await self._commands()
        current = self._fingerprint(commands)
        assert client.application_id is not None, "the client is logged in"
        if await self._facts.get(TOLD_COMMANDS) == current:
            return
        await client.http.bulk_upsert_global_commands(client.application_id, payload=commands)
        await self._facts.put(TOLD_COMMANDS, current)
        log.info("Discord was told the commands, which have changed")

    async def _commands(self) -> list[dict[str, Any]]:
        """Return the commands in all languages, as Discord takes them."""
        translator = self._tree.translator
        assert translator is not None, "the client has set it"
        payloads = []
        for command in self._tree.get_commands():
            payloads.append(await command.get_translated_payload(self._tree, translator))
            # A command has hundreds of words in all languages: presses have their turn in between.
            await asyncio.sleep(0)
        return payloads

    def _fingerprint(self, commands: list[dict[str, Any]]) -> str:
        """Return a text that differs for other commands or words, and for another application."""
        written = orjson.dumps(commands, default=str)
        return f"{self._tree.client.application_id} {hashlib.sha256(written).hexdigest()}"
