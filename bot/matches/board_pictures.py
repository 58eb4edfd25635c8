"""The picture of a board, for a match that is shown as one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeVar

import discord

from bot.forms import Form
from bot.gateway.components import Part, Upload
from bot.i18n import Texts
from bot.identity import Place
from bot.metrics import Metrics
from bot.pictures.client import PictureClient
from bot.render import words
from bot.workers.errors import NoResultError, TooLateError
from bot.workers.fair_queue import Ticket
from core.grid import Move
from core.match import Match
from core.match.diagram import Gains

log = logging.getLogger(__name__)

# A turn waits at most this long for its picture. A process starts within a second or two.
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
"""The picture of a board, or why there is none; None if the board needs no picture."""


@dataclass(frozen=True)
class Marked:
    """A board that somebody asked for: a match, with a `hint` or legal moves marked in it.

    `names` are the players' by seat, not escaped; None for the computer.
    """

    match: Match
    names: Sequence[str | None]
    hint: Move | None = None
    gains: Gains | None = None


@dataclass(frozen=True)
class Seen:
    """A board as its asker sees it, in this form: parts of a message."""

    parts: tuple[Part, ...]
    form: Form


class BoardPictures:
    """Has boards drawn; logs and counts the boards that have no picture."""

    def __init__(self, pictures: PictureClient, metrics: Metrics):
        self._pictures = pictures
        self._undrawn = metrics.undrawn

    async def draw(
        self, place: Place, board: Marked, texts: Texts, *, may_attach: bool, urgent: bool = False
    ) -> Upload | Undrawn:
        """Return the picture of a board, or why there is none.

        `may_attach` says whether files can be sent there. The `urgent` pictures of turns come
        first.
        """
        if not may_attach:
            return self._missed(place, Undrawn.FORBIDDEN, "files can't be sent there")
        until = asyncio.get_running_loop().time() + _SECONDS
        ticket = Ticket(place.queue_id, urgent=urgent, until=until)
        names = words.plain_names(board.match, board.names, texts)
        try:
            async with asyncio.timeout_at(until):
                picture = await self._pictures.board(
                    ticket, board.match, names, board.hint, board.gains
                )
        except (TimeoutError, TooLateError):
            return self._missed(place, Undrawn.FAILED, f"it wasn't drawn within {_SECONDS:g} s")
        except NoResultError as error:
            return self._missed(place, Undrawn.FAILED, repr(error))
        return Upload(_NAME, picture)

    async def send(self, place: Place, drawn: Drawn, send: Callable[[Drawn], Awaitable[T]]) -> T:
        """Send a message with what was `drawn`, without it if Discord refuses the picture.

        Returns the result of `send`, or raises its error.
        """
        try:
            return await send(drawn)
        except discord.HTTPException as error:
            if not isinstance(drawn, Upload) or error.status not in _REFUSALS:
                raise
            undrawn = self._missed(place, Undrawn.FORBIDDEN, repr(error))
            return await send(undrawn)

    def _missed(self, place: Place, reason: Undrawn, why: str) -> Undrawn:
        """Note that a board is shown in emoji instead, and return the reason."""
        log.warning("a board in channel %s has no picture: %s", place.channel_id, why)
        self._undrawn.labels(reason).inc()
        return reason
