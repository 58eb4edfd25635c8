"""The picture of a board, for a match that is shown as one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeVar

import discord

from bot.forms import Form
from bot.gateway.components import Part
from bot.gateway.responses import Upload
from bot.i18n import OwnTexts, Texts, channel_texts
from bot.matches.model import StoredMatch
from bot.metrics import Metrics
from bot.pictures.client import DrawingFailedError, PictureClient
from bot.render import words
from bot.workers.fair_queue import Ticket, TooLateError
from bot.workers.processes import ClosedError
from core.grid import Move
from core.match import Match
from core.match.diagram import Gains

log = logging.getLogger(__name__)

# A turn isn't held up for longer; a process starts within one or two.
_SECONDS = 8.0
_NAME = "position.png"
# Discord's answers to a file that it doesn't take: no permission, too large.
_REFUSALS = (403, 413)

T = TypeVar("T")


class Undrawn(StrEnum):
    """Why a board that should be a picture is shown in emoji."""

    FAILED = "failed"
    FORBIDDEN = "forbidden"


Drawn: TypeAlias = Upload | Undrawn | None
"""The picture of a board, or why there is none; None if it needs none."""


@dataclass(frozen=True)
class Marked:
    """A board that somebody asked for: a match, with a `hint` or legal moves marked in it."""

    match: Match
    hint: Move | None = None
    gains: Gains | None = None


@dataclass(frozen=True)
class Seen:
    """A board as its asker sees it, in this form: parts of a message."""

    parts: tuple[Part, ...]
    form: Form


class BoardPictures:
    """Has the pictures of boards drawn; a board that can't be drawn is logged and counted."""

    def __init__(self, pictures: PictureClient, metrics: Metrics):
        self._pictures = pictures
        self._undrawn = metrics.undrawn

    async def of(self, stored: StoredMatch, *, may_attach: bool) -> Upload | Undrawn:
        """Return the picture of a match as it stands; `may_attach` tells if it can be sent."""
        texts = channel_texts(stored.language)
        return await self._of(
            stored, Marked(stored.match), texts, may_attach=may_attach, urgent=True
        )

    async def asked_for(
        self, stored: StoredMatch, board: Marked, texts: OwnTexts, *, may_attach: bool
    ) -> Upload | Undrawn:
        """Return the picture of a board for one asker; the picture of a turn goes before it."""
        return await self._of(stored, board, texts, may_attach=may_attach, urgent=False)

    async def _of(
        self, stored: StoredMatch, board: Marked, texts: Texts, *, may_attach: bool, urgent: bool
    ) -> Upload | Undrawn:
        if not may_attach:
            return self.missed(stored, Undrawn.FORBIDDEN, "files can't be sent there")
        until = asyncio.get_running_loop().time() + _SECONDS
        ticket = Ticket(stored.place.queue_id, urgent=urgent, until=until)
        names = words.plain_names(board.match, stored.names, texts)
        try:
            async with asyncio.timeout_at(until):
                picture = await self._pictures.board(
                    ticket, board.match, names, board.hint, board.gains
                )
        except (DrawingFailedError, TooLateError, TimeoutError, ClosedError) as error:
            return self.missed(stored, Undrawn.FAILED, repr(error.__cause__ or error))
        return Upload(_NAME, picture)

    async def delivered(
        self, stored: StoredMatch, drawn: Drawn, send: Callable[[Drawn], Awaitable[T]]
    ) -> T:
        """Return what `send` returns; if Discord refuses the picture, the board goes without."""
        try:
            return await send(drawn)
        except discord.HTTPException as error:
            if not isinstance(drawn, Upload) or error.status not in _REFUSALS:
                raise
            reason = self.missed(stored, Undrawn.FORBIDDEN, repr(error))
        return await send(reason)

    def missed(self, stored: StoredMatch, reason: Undrawn, why: str) -> Undrawn:
        """Note that a board is shown in emoji instead, and return the reason."""
        log.warning("match %s is shown without its picture: %s", stored.id, why)
        self._undrawn.labels(reason).inc()
        return reason
