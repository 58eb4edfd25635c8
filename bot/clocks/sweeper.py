"""Deadlines, kept by one loop: reminders, lost time, and games that nobody plays any more.

A round is one query by index, and that is all where nothing is due. Nothing is in memory: each
thing that is due is claimed in the database, and done by whoever has claimed it.
"""

import asyncio
import logging
from contextlib import suppress

from discord.ext import tasks

from bot.client import Rowbot
from bot.clocks.store import Due
from bot.gateway.responses import CALL_FAILED
from bot.i18n import DEFAULT_LOCALE, texts_for
from bot.matches.absence import without_absent
from bot.matches.messages import put_away_view, reminder_view
from bot.matches.model import StoredMatch
from bot.matches.posting import post, replace_view, send
from bot.matches.view import to_notify
from bot.refusals import Refusal

log = logging.getLogger(__name__)

_EVERY_SECONDS = 5.0
_AT_ONCE = 10
# A round that takes longer than this at shutdown is cut off; what it has claimed is done.
_FINISH_WITHIN_SECONDS = 5


class Sweeper:
    """Looks every few seconds for what is due."""

    def __init__(self, bot: Rowbot):
        self._bot = bot
        self._deadlines = bot.services.deadlines
        self._loop = tasks.loop(seconds=_EVERY_SECONDS)(self._round)
        self._loop.before_loop(bot.wait_until_ready)
        self._sweeping = asyncio.Lock()
        self._fair = False  # whether those have their grace whose time ran out while we were away
        self._closing = False

    async def start(self) -> None:
        """Begin, once the bot is connected."""
        self._loop.start()

    async def stop(self) -> None:
        """End, after what is being done."""
        self._closing = True
        with suppress(TimeoutError):
            async with asyncio.timeout(_FINISH_WITHIN_SECONDS), self._sweeping:
                pass
        self._loop.cancel()

    async def _round(self) -> None:
        try:
            async with self._sweeping:
                await self._sweep()
        except Exception:
            # The next round tries again; a database that is away must not end the loop.
            log.exception("what is due could not be read")

    async def _sweep(self) -> None:
        if not self._fair:
            given = await self._deadlines.give_grace()
            self._fair = True
            if given:
                log.info("time ran out in %s matches meanwhile; they get some grace", given)
        due = await self._deadlines.due()
        for first in range(0, len(due), _AT_ONCE):
            if self._closing:
                return
            await asyncio.gather(*map(self._act, due[first : first + _AT_ONCE]))

    async def _act(self, due: Due) -> None:
        """Do what is due in one match; none of them keeps the others from it."""
        try:
            async with self._bot.services.matches.turn(due.channel_id):
                await self._carry_out(due)
        except (Refusal, *CALL_FAILED) as error:
            log.warning("match %s was due: %s", due.match_id, error)
        except Exception:
            log.exception("match %s was due", due.match_id)

    async def _carry_out(self, due: Due) -> None:
        texts = texts_for(DEFAULT_LOCALE)
        if due.deadline is None:
            away = await self._deadlines.put_away(due)
            if away is not None and away.board_id is not None:
                view = put_away_view(away, texts)
                await replace_view(self._bot, due.channel_id, away.board_id, view)
        elif self._deadlines.time_is_up(due):
            lost = await self._deadlines.time_out(due)
            if lost is not None:
                await post(self._bot, lost)
        else:
            reminded = await self._deadlines.remind(due)
            if reminded is not None:
                await self._remind(reminded)

    async def _remind(self, stored: StoredMatch) -> None:
        """Remind the player to move, unless they, or others, are found to have left the server."""
        current = await without_absent(self._bot, stored)
        if current is not stored:
            await post(self._bot, current)
            return
        notify = to_notify(stored, None)
        view = reminder_view(stored, notify, texts_for(DEFAULT_LOCALE))
        await send(self._bot, stored.place.channel_id, view, notify)
