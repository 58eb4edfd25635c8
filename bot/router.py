"""Leads interactions to the features that answer them; answers refusals and errors.

The tag of a custom id leads a press to the feature that declared the tag. A press is read from its
custom id alone, and sending a message registers nothing. So the router also answers buttons from
before a restart, presses that arrive as their message appears, and presses on a message that has
just changed.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from functools import partial
from typing import Any, cast

import discord

from bot.db.errors import CorruptRowError, is_passing, reason
from bot.gateway.blocks import Blocks
from bot.gateway.channels import Channels
from bot.gateway.components import Layout, Press
from bot.gateway.errors import (
    CALL_FAILED,
    answered_within,
    is_blocked,
    is_channel_gone,
    is_message_gone,
    trace_of,
)
from bot.gateway.feature import Route
from bot.gateway.interactions import (
    Interaction,
    arrived_at,
    note_arrival,
    own_texts_of,
    place_of,
)
from bot.gateway.responses import response_of
from bot.gateway.serving import Serving
from bot.logs import about
from bot.metrics import Metrics
from bot.refusals import Refusal, reason_of
from core.errors import GameError

log = logging.getLogger(__name__)

# Long enough for all work but a search, and well within the three seconds that Discord waits.
PATIENCE_SECONDS = 1.0
_AUTOCOMPLETE = discord.InteractionType.autocomplete
_UNKNOWN = "unknown"  # in metrics and logs: a button or a command of some other version
# At shutdown, a handler has this long. Then its searches and pictures end, but it may still answer.
_FINISH_WITHIN_SECONDS = 10
_ANSWER_WITHIN_SECONDS = 3
# An answer is promised by this time after the arrival, also if the interaction was kept until this
# process served.
_PROMISED_BY_SECONDS = 2.5


class Router:
    """Runs each handler to its end, and answers its refusals and failures.

    `blocks` are the members and servers that the host doesn't serve. `note_seen` is called with
    each member who presses or commands something on a server. `answer_to` gives the answer to a
    refusal, and `after_refusal` is called once the asker was told. If a handler hasn't answered
    after `patience` seconds, Discord is promised an answer.
    """

    def __init__(
        self,
        metrics: Metrics,
        serving: Serving,
        blocks: Blocks,
        routes: Iterable[Route],
        channels: Channels,
        note_seen: Callable[[discord.Member], None],
        answer_to: Callable[[Interaction, Refusal], Awaitable[str | Layout]],
        after_refusal: Callable[[Interaction, Refusal], None],
        patience: float = PATIENCE_SECONDS,
    ):
        self._metrics = metrics
        self._serving = serving
        self._blocks = blocks
        self._routes: dict[str, list[Route]] = defaultdict(list)
        for route in routes:
            self._routes[route.kind.tag].append(route)
        self._channels = channels
        self._note_seen = note_seen
        self._answer_to = answer_to
        self._after_refusal = after_refusal
        self._patience = patience
        self._running: set[asyncio.Task[Any]] = set()
        self._closing = False
        self._closed = False

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer the press of a button or a choice in a menu; commands go another way.

        discord.py's `DynamicItem` isn't used: it builds a view of the whole message for every
        press, and leaves a press unanswered if the message has just lost the button.
        """
        if interaction.type is not discord.InteractionType.component:
            return
        if await self.admit(interaction):
            route, press = self._read(interaction)
            name = type(press).__name__ if press else _UNKNOWN
            work = self._press(interaction, route, press)
            always = route is not None and route.always
            await self.serve(interaction, work, pressed=name, always=always)

    async def admit(self, interaction: Interaction) -> bool:
        """Note the arrival of an interaction, and the current task, which answers it.

        Returns False if it isn't to be answered. Another process may serve here, or the bot may be
        closed. While this process can't reach the database, it tells the asker, unless another one
        has answered. Members and servers that are blocked get no autocompletes.
        """
        note_arrival(interaction)
        if not (self._closed or await self._serving.admits(interaction.id)):
            if self._serving.lost and interaction.type is not _AUTOCOMPLETE:
                told = own_texts_of(interaction)("refusal.database", id=interaction.id)
                await response_of(interaction).try_to_be_first(told)
            return False
        if self._closed:
            log.info("interaction %s came too late: the bot is closed", interaction.id)
            return False
        task = asyncio.current_task()
        assert task is not None, "interactions are handled in tasks"
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return interaction.type is not _AUTOCOMPLETE or not self._blocks.refusal_of(interaction)

    async def _press(
        self, interaction: Interaction, route: Route | None, press: Press | None
    ) -> None:
        await self._channels.take_token(interaction)
        if route is None:
            raise Refusal("refusal.unknown_button")
        await route.handle(interaction, press)

    def _read(self, interaction: Interaction) -> tuple[Route | None, Press | None]:
        """Return the press of an interaction with its route, None if no route reads it."""
        pressed = cast("dict[str, Any]", interaction.data or {})
        # A choice completes the custom id of its menu.
        parts = [pressed.get("custom_id", ""), *pressed.get("values", ())]
        custom_id = ":".join(map(str, parts))
        for route in self._routes.get(custom_id.partition(":")[0], ()):
            if (press := route.kind.parse(custom_id)) is not None:
                return route, press
        return None, None

    async def serve(
        self,
        interaction: Interaction,
        work: Coroutine[Any, Any, None],
        *,
        private: bool = False,
        pressed: str | None = None,
        always: bool = False,
    ) -> None:
        """Run one handler to its end; answer a refusal or a failure privately.

        If it takes long, Discord is promised an answer in time, a `private` one or a public one.
        `pressed` names the kind of press, None for a command. Members and servers that are blocked
        are refused, unless the handler answers `always`.
        """
        begun = time.perf_counter()
        kind, name = ("press", pressed) if pressed else ("command", _command(interaction))
        server, channel = interaction.guild_id, interaction.channel_id
        with about(interaction=interaction.id, server=server, channel=channel, **{kind: name}):
            blocked = None if always else self._blocks.refusal_of(interaction)
            if blocked is None:
                await self._serve(interaction, work, private=private)
            else:
                work.close()
                told = self._blocks.told(blocked, own_texts_of(interaction))
                await self._refuse(interaction, blocked, told)
        self._metrics.answers.labels(kind, name).observe(time.perf_counter() - begun)

    async def _serve(
        self,
        interaction: Interaction,
        work: Coroutine[Any, Any, None],
        *,
        private: bool,
    ) -> None:
        response = response_of(interaction)
        if self._closing:
            work.close()
            await self._whisper(interaction, own_texts_of(interaction)("refusal.closing"))
            return
        with response.promising(self._patience_with(interaction), private=private):
            try:
                await self._work_or_refuse(interaction, work)
            except Exception as error:
                await self.report(interaction, error)
            except asyncio.CancelledError:
                if response.owed:  # `end` has cut off the handler; nothing else keeps the promise
                    told = own_texts_of(interaction)("refusal.closing")
                    await self._whisper(interaction, told, _ANSWER_WITHIN_SECONDS)
                raise

    def _patience_with(self, interaction: Interaction) -> float:
        """Return after how many seconds an answer is promised: sooner if the interaction waited."""
        promised_by = arrived_at(interaction) + _PROMISED_BY_SECONDS
        return max(0.0, min(self._patience, promised_by - asyncio.get_running_loop().time()))

    async def _work_or_refuse(
        self, interaction: Interaction, work: Coroutine[Any, Any, None]
    ) -> None:
        """Do the work, and answer its refusal if it is refused."""
        self._note_if_member(interaction)
        try:
            await work
        except (Refusal, GameError) as error:
            refusal = error if isinstance(error, Refusal) else Refusal(error)
            told = await self._answer_to(interaction, refusal)
            self._metrics.refusals.labels(reason_of(refusal)).inc()
            await self._whisper(interaction, told)
            self._after_refusal(interaction, refusal)
        else:
            self._take_back(interaction)  # if the answer was shown in another way

    def _note_if_member(self, interaction: Interaction) -> None:
        """Note that a member is on their server, if they press something on a server of the bot."""
        member, placed = interaction.user, interaction.channel_id is not None
        if isinstance(member, discord.Member) and placed and place_of(interaction).server_id:
            self._note_seen(member)

    def _take_back(self, interaction: Interaction) -> None:
        """Remove a promise that gets no answer, in the background."""
        response = response_of(interaction)
        if response.owed:
            self._channels.requests.later(partial(response.retract, only_promise=True))

    async def refuse_unknown(self, interaction: Interaction) -> None:
        """Tell the asker that this version doesn't know a command, or not with these options."""
        await self._refuse(interaction, "refusal.unknown_command")

    async def _refuse(self, interaction: Interaction, key: str, told: str | None = None) -> None:
        """Count a refusal that no handler has raised, and tell it; `told` has other words."""
        self._metrics.refusals.labels(key).inc()
        await self._whisper(interaction, told or own_texts_of(interaction)(key))

    async def report(self, interaction: Interaction, error: BaseException) -> None:
        """Log an unexpected error under the interaction's id, and answer with that id.

        If AutoMod has blocked the answer, that is no error, but the asker is told.
        """
        if (moot := _moot(interaction, error)) is not None:
            log.info("interaction %s: %s", interaction.id, moot)
            return
        if is_blocked(error):
            log.info("interaction %s: AutoMod has blocked the answer", interaction.id)
            await self._refuse(interaction, "refusal.automod")
            return
        self._metrics.errors.inc()
        trace = None if is_passing(error) else trace_of(error)
        log.error("interaction %s failed: %s", interaction.id, reason(error), exc_info=trace)
        await self._whisper(interaction, _failure_text(interaction, error))

    async def close(self) -> None:
        """Refuse all further interactions, and wait for the handlers that are running."""
        self._closing = True
        if self._running:
            within = self._serving.time_for(_FINISH_WITHIN_SECONDS)
            await asyncio.wait(self._running, timeout=within)

    async def end(self) -> None:
        """Wait for the answers that are under way, and drop all further interactions.

        Answers that take too long are cut off: after this, the connection may be closed.
        """
        await self._cut_off()
        self._closed = True
        await self._cut_off()  # the refusals of what has arrived meanwhile

    async def _cut_off(self) -> None:
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=_ANSWER_WITHIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _whisper(
        self, interaction: Interaction, told: str | Layout, within: float | None = None
    ) -> None:
        try:
            async with answered_within(within):
                await response_of(interaction).whisper(told)
        except CALL_FAILED as error:
            log.warning("interaction %s could not be answered: %s", interaction.id, error)
            self._take_back(interaction)


def _failure_text(interaction: Interaction, error: BaseException) -> str:
    """Return the answer to an interaction that failed unexpectedly, with its id."""
    texts = own_texts_of(interaction)
    if is_passing(error):
        return texts("refusal.database", id=interaction.id)
    if isinstance(error, CorruptRowError):
        told = texts("refusal.corrupt", id=interaction.id)
        if place_of(interaction).server_id is None:
            return told
        return f"{told}\n{texts('refusal.corrupt.free')}"
    told = texts("refusal.unexpected", id=interaction.id)
    saved = texts("refusal.unexpected.done"), texts("refusal.unexpected.match")
    return texts.sentences([told, *saved])


def _moot(interaction: Interaction, error: BaseException) -> str | None:
    """Return why an error leaves nobody to be answered, None if somebody waits for an answer.

    The asker may have dismissed the private message for the answer, or a moderator may have deleted
    the channel.
    """
    if is_message_gone(error) and response_of(interaction).private:
        return "the message for the answer was dismissed"
    if is_channel_gone(error) and not interaction.client.get_channel(interaction.channel_id or 0):
        return "its channel was deleted"
    return None


def _command(interaction: Interaction) -> str:
    return interaction.command.qualified_name if interaction.command else _UNKNOWN
