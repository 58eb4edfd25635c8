"""The picture of a board, for a match that is shown as one."""

import asyncio
import logging
from enum import StrEnum
from typing import TypeAlias

from bot.gateway.responses import Upload
from bot.i18n import channel_texts
from bot.matches.model import StoredMatch
from bot.metrics import Metrics
from bot.pictures.client import DrawingFailedError, PictureClient
from bot.render import words
from bot.workers.fair_queue import Ticket, TooLateError
from bot.workers.processes import ClosedError

log = logging.getLogger(__name__)

# A turn isn't held up for longer; a process starts within one or two.
_SECONDS = 8.0
_NAME = "position.png"


class Undrawn(StrEnum):
    """Why a board that should be a picture is shown in emoji."""

    FAILED = "failed"
    FORBIDDEN = "forbidden"


Drawn: TypeAlias = Upload | Undrawn | None
"""The picture of a board, or why there is none; None if it needs none."""


class BoardPictures:
    """Has the pictures of boards drawn; a board that can't be drawn is logged and counted."""

    def __init__(self, pictures: PictureClient, metrics: Metrics):
        self._pictures = pictures
        self._undrawn = metrics.undrawn

    async def of(self, stored: StoredMatch, *, may_attach: bool) -> Upload | Undrawn:
        """Return the picture of a match as it stands; `may_attach` tells if it can be sent."""
        if not may_attach:
            return self.missed(stored, Undrawn.FORBIDDEN, "files can't be sent there")
        until = asyncio.get_running_loop().time() + _SECONDS
        ticket = Ticket(stored.place.server_id, urgent=True, until=until)
        texts = channel_texts(stored.language)
        names = words.plain_names(stored.match, stored.names, texts)
        try:
            async with asyncio.timeout_at(until):
                picture = await self._pictures.board(ticket, stored.match, names)
        except (DrawingFailedError, TooLateError, TimeoutError, ClosedError) as error:
            return self.missed(stored, Undrawn.FAILED, repr(error.__cause__ or error))
        return Upload(_NAME, picture)

    def missed(self, stored: StoredMatch, reason: Undrawn, why: str) -> Undrawn:
        """Note that a board is shown in emoji instead, and return the reason."""
        log.warning("match %s is shown without its picture: %s", stored.id, why)
        self._undrawn.labels(reason).inc()
        return reason
