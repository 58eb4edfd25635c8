"""What happens without anybody asking: lapsed invitations, owed computer moves, board notes."""

import logging

import discord
from discord.ext import tasks

from bot.client import Rowbot
from bot.i18n import DEFAULT_LOCALE, texts_for
from bot.invitations.view import invitation_view
from bot.matches.posting import post, replace_view
from bot.refusals import Refusal

log = logging.getLogger(__name__)

_EVERY_SECONDS = 5.0
_ERASE_EVERY_HOURS = 1


class Housekeeping:
    """One loop over the database; each round is two small queries by index when nothing is due."""

    def __init__(self, bot: Rowbot):
        self._bot = bot
        self._services = bot.services
        self._loop = tasks.loop(seconds=_EVERY_SECONDS)(self._round)
        self._loop.before_loop(self._resume)
        self._erasing = tasks.loop(hours=_ERASE_EVERY_HOURS)(self._erase)

    async def start(self) -> None:
        """Begin, once the bot is connected."""
        self._loop.start()
        self._erasing.start()

    async def stop(self) -> None:
        """End, with everything written down."""
        self._loop.cancel()
        self._erasing.cancel()
        await self._services.matches.boards.write_down()

    async def _resume(self) -> None:
        """Let the computer make the moves that it owed when the program last ended."""
        await self._bot.wait_until_ready()
        matches = self._services.matches
        for match_id in await matches.store.due():
            try:
                stored = await matches.resume(await matches.get(match_id))
                await post(self._bot, stored)
            except (Refusal, discord.HTTPException) as error:
                log.warning("match %s waits for /board: %s", match_id, error)
            except Exception:
                log.exception("match %s could not be resumed", match_id)

    async def _round(self) -> None:
        try:
            await self._services.matches.boards.write_down()
            await self._lapse()
        except Exception:
            # The next round tries again; a database that is away must not end the loop.
            log.exception("housekeeping failed")

    async def _erase(self) -> None:
        try:
            await self._services.privacy.erase_servers()
        except Exception:
            log.exception("what should be erased by now is not")

    async def _lapse(self) -> None:
        for lapsed in await self._services.invitations.lapse():
            if lapsed.message_id is not None:
                view = invitation_view(lapsed, texts_for(DEFAULT_LOCALE))
                await replace_view(self._bot, lapsed.place.channel_id, lapsed.message_id, view)
