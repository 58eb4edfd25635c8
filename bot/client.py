"""The Discord client: what every command and button needs, and how each of them is answered."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import discord
from discord import app_commands

from bot.analysis.service import Insight
from bot.clocks.service import Deadlines
from bot.gateway.membership import Presence
from bot.gateway.names import escape
from bot.gateway.responses import CALL_FAILED, answer_of
from bot.i18n import Texts, texts_for
from bot.invitations.service import Invitations
from bot.leaderboard.service import Leaderboards
from bot.matches.rows import CorruptRowError
from bot.matches.service import Matches
from bot.matches.start import Beginnings
from bot.offers.service import Offers
from bot.pictures.client import PictureClient
from bot.privacy.service import Privacy
from bot.profiles.service import Profiles
from bot.refusals import Refusal
from bot.render.refusals import refusal_text
from bot.servers.moderation import Moderation
from bot.servers.service import Servers
from core.errors import GameError

log = logging.getLogger(__name__)

# Long enough for all work but a search, short enough for Discord to hear of it in time.
PATIENCE_SECONDS = 1.0

# A handler that takes longer than this at shutdown is cut off; nothing it has saved is lost.
_FINISH_WITHIN_SECONDS = 10


@dataclass(frozen=True)
class Services:
    """What commands and buttons call."""

    matches: Matches
    beginnings: Beginnings
    offers: Offers
    invitations: Invitations
    leaderboards: Leaderboards
    insight: Insight
    deadlines: Deadlines
    servers: Servers
    moderation: Moderation
    profiles: Profiles
    privacy: Privacy
    pictures: PictureClient


class Rowbot(discord.Client):
    """A client without privileged intents that keeps no message and no view in memory.

    An interaction that isn't answered within `patience` seconds is promised an answer.
    """

    def __init__(self, services: Services, press: "Press", patience: float = PATIENCE_SECONDS):
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
        )
        self.services = services
        self.presence = Presence()
        self._press = press
        self._patience = patience
        self.tree = _Tree(
            self,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        self.on_setup: list[Callable[[], Awaitable[None]]] = []
        self.on_online: list[Callable[[], None]] = []
        self.on_closing: list[Callable[[], Awaitable[None]]] = []
        self._running: set[asyncio.Task[Any]] = set()
        self._closing = False

    async def setup_hook(self) -> None:
        """Tell Discord the commands, and start what runs beside them."""
        await self.tree.sync()
        for start in self.on_setup:
            await start()

    async def close(self) -> None:
        """Take no more work, finish what is running, and disconnect."""
        if not self._closing:
            self._closing = True
            if self._running:
                await asyncio.wait(self._running, timeout=_FINISH_WITHIN_SECONDS)
            for stop in self.on_closing:
                await stop()
        await super().close()

    async def on_ready(self) -> None:
        """Note the servers that were left or joined meanwhile, and say that the bot is online."""
        await self.services.privacy.note_servers(guild.id for guild in self.guilds)
        for settle in self.on_online:
            settle()

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot was removed; an outage is told by another event."""
        await self.services.privacy.note_server(guild.id, present=False)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Note that the bot is back."""
        await self.services.privacy.note_server(guild.id, present=True)

    async def on_interaction(self, interaction: "Interaction") -> None:
        """Hand the press of a button to whoever reads custom ids.

        Not by discord.py's `DynamicItem`: it builds a view of the whole message for every press,
        and lets a press go unanswered whose button the message has lost in that moment.
        """
        if interaction.type is discord.InteractionType.component:
            pressed = cast("dict[str, Any]", interaction.data or {})
            chosen = [pressed.get("custom_id", ""), *pressed.get("values", ())]
            await self._press(interaction, ":".join(map(str, chosen)))

    async def serve(self, interaction: "Interaction", work: Coroutine[Any, Any, None]) -> None:
        """Run one handler to its end; whatever it refuses or fails at is answered privately.

        Where it takes long, Discord is told in time that an answer will come.
        """
        if self._closing:
            work.close()
            await self._whisper(interaction, texts_of(interaction)("refusal.closing"))
            return
        task = asyncio.current_task()
        assert task is not None, "interactions are handled in tasks"
        self._running.add(task)
        promise = asyncio.create_task(answer_of(interaction).promise_after(self._patience))
        try:
            await work
        except (Refusal, GameError) as refusal:
            await self._whisper(interaction, refusal_text(refusal, texts_of(interaction), escape))
        except Exception as error:
            await self.report(interaction, error)
        finally:
            promise.cancel()
            self._running.discard(task)

    async def report(self, interaction: "Interaction", error: BaseException) -> None:
        """Log an unexpected error under the interaction's id, and answer with that id."""
        log.error("interaction %s failed", interaction.id, exc_info=error)
        corrupt = isinstance(error, CorruptRowError)
        key = "refusal.corrupt" if corrupt else "refusal.unexpected"
        await self._whisper(interaction, texts_of(interaction)(key, id=interaction.id))

    async def _whisper(self, interaction: "Interaction", text: str) -> None:
        try:
            await answer_of(interaction).whisper(text)
        except CALL_FAILED as error:
            log.warning("interaction %s could not be answered: %s", interaction.id, error)


Interaction: TypeAlias = discord.Interaction[Rowbot]
Press: TypeAlias = Callable[[Interaction, str], Coroutine[Any, Any, None]]


class _Tree(app_commands.CommandTree[Rowbot]):
    """The command tree, answering also what fails before a command's own code runs."""

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        await self.client.report(interaction, error)


def texts_of(interaction: Interaction) -> Texts:
    """Return the texts in the language of whoever asks."""
    return texts_for(str(interaction.locale))
