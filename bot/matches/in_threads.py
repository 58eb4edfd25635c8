"""Matches in threads of their own, for members who find the channel busy."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import discord
from cachetools import TTLCache

from bot.gateway.components import view_of
from bot.gateway.errors import CALL_FAILED
from bot.gateway.interactions import Interaction, asker_of, own_texts_of, place_of, pressed_message
from bot.gateway.limits import Kind, Limits
from bot.gateway.permissions import may_open_threads
from bot.gateway.responses import response_of
from bot.gateway.threads import Threads
from bot.i18n import ChannelTexts
from bot.identity import ChannelId, MemberId, MessageId, Place, plain
from bot.locks import LockKind, Locks
from bot.matches.boards import Boards
from bot.matches.here import SettingsHere
from bot.matches.model import StoredMatch
from bot.refusals import Refusal
from bot.render import words
from bot.times import DAY
from core.game import Game
from core.options import Options
from core.players import Member

log = logging.getLogger(__name__)

# https://discord.com/developers/docs/resources/channel#start-thread-without-message: characters
_LONGEST_NAME = 100
# A private message can be pressed for a quarter of an hour after the interaction that it answers.
_PRESSABLE_SECONDS = 15 * 60
_REMEMBERED = 10_000


@dataclass(frozen=True)
class Planned:
    """A match that is to begin in a thread: its game, and the `names` of its members.

    `clock` is in seconds, None for none.
    """

    game: Game
    options: Options
    names: Sequence[str]
    clock: int | None


class MatchThreads:
    """Opens a thread for a match at a press on a private message, one for each message.

    If a match couldn't begin after all, or the bot was killed, its thread is left without one, and
    is archived with those of finished games.
    """

    def __init__(
        self,
        threads: Threads,
        boards: Boards,
        here: SettingsHere,
        limits: Limits,
    ):
        self._threads = threads
        self._boards = boards
        self._here = here
        self._limits = limits
        # One press in a channel after another, so that a doubled one opens no second thread.
        self._locks = Locks[ChannelId](LockKind.THREAD)
        self._opened: TTLCache[MessageId, ChannelId] = TTLCache(_REMEMBERED, _PRESSABLE_SECONDS)

    @asynccontextmanager
    async def one_by_one(self, interaction: Interaction) -> AsyncIterator[bool]:
        """Let the presses that open threads in a channel act in turn; yield whether this one may.

        A doubled press may not: its asker is only told where the match is.
        """
        async with self._locks.of(place_of(interaction).channel_id):
            thread_id = self._opened.get(pressed_message(interaction))
            if thread_id is not None:
                await _tell(interaction, thread_id)
            yield thread_id is None

    async def begin(
        self,
        interaction: Interaction,
        planned: Planned,
        begin: Callable[[Place], Awaitable[object]],
    ) -> None:
        """Open a thread for a match, call `begin` with it, and tell the asker where it is.

        Raises Refusal. It is called `one_by_one`.
        """
        thread_id = await self._open(interaction, planned)
        await begin(replace(place_of(interaction), channel_id=thread_id))
        self._opened[pressed_message(interaction)] = thread_id
        self._threads.add_later(thread_id, asker_of(interaction))
        await _tell(interaction, thread_id)

    async def show(self, begun: StoredMatch, asker: MemberId) -> None:
        """Show a match that has just begun in its thread; its asker needs no mention to move."""
        await self._boards.post(begun, quiet=begun.match.next_player == Member(asker))

    async def _open(self, interaction: Interaction, planned: Planned) -> ChannelId:
        """Return a thread for a match; raise Refusal if none can be opened here now."""
        if not may_open_threads(interaction):
            raise Refusal("refusal.thread")
        self._limits.count(Kind.THREAD, asker_of(interaction))
        place = place_of(interaction)
        name = _name(planned, await self._here.texts(interaction))
        try:
            return await self._threads.open(place, name, planned.clock or DAY)
        except (discord.ClientException, *CALL_FAILED) as error:
            log.info("no thread can be opened in channel %s: %s", place.channel_id, error)
            raise Refusal("refusal.thread") from error


async def _tell(interaction: Interaction, thread_id: ChannelId) -> None:
    """Tell the asker in which thread the match has begun."""
    texts = own_texts_of(interaction)
    there = words.channels_words([thread_id], texts)
    await response_of(interaction).edit(view_of(texts("thread.opened", thread=there)))


def _name(planned: Planned, texts: ChannelTexts) -> str:
    """Return the name of the thread of a match."""
    title = words.title(planned.game, planned.options, texts)
    return texts.row(words.DOT, [title, *map(plain, planned.names)])[:_LONGEST_NAME]
