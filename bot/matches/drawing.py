"""The form in which a channel sees a match, and the picture of its board where that needs one.

One message shows a match to everybody. It has what all its players want: emoji or a picture for
those who see it, and the board in words if somebody wants that.
"""

import asyncio
import logging
from enum import StrEnum
from typing import TypeAlias

import discord
from discord import ui

from bot.forms import Form
from bot.gateway.components import MAX_COMPONENTS, MAX_ROW
from bot.gateway.responses import Upload
from bot.i18n import Texts
from bot.identity import MemberId
from bot.matches.model import StoredMatch
from bot.metrics import Metrics
from bot.pictures.client import DrawingFailedError, PictureClient
from bot.render import spoken, words
from bot.workers.fair_queue import Ticket, TooLateError
from bot.workers.processes import ClosedError
from core.grid import Grid
from core.players import Member

log = logging.getLogger(__name__)

# More emoji in a row wrap on a phone.
_WIDEST_IN_EMOJI = 10
# Container, text, and a row of controls.
_AROUND_BOARD = 2 + 6
# A turn isn't held up for longer; a process starts within one or two.
_SECONDS = 8.0
_NAME = "position.png"


class Undrawn(StrEnum):
    """Why a board that should be a picture is shown in emoji."""

    FAILED = "failed"
    FORBIDDEN = "forbidden"


Drawn: TypeAlias = Upload | Undrawn | None
"""The picture of a board, or why there is none; None if it needs none."""


def fits_on_buttons(grid: Grid, drawn: Drawn = None) -> bool:
    """Return whether a board and its controls can be one message of buttons, with its picture."""
    count = grid.rows * (grid.columns + 1) + _AROUND_BOARD + isinstance(drawn, Upload)
    return grid.columns <= MAX_ROW and count <= MAX_COMPONENTS


def in_words(stored: StoredMatch) -> bool:
    """Return whether a match is shown in words."""
    return Form.WORDS in _wanted(stored)


def is_seen(stored: StoredMatch) -> bool:
    """Return whether a match is shown to the eye: somebody at it doesn't want words."""
    return _wanted(stored) != {Form.WORDS}


def in_picture(stored: StoredMatch) -> bool:
    """Return whether a match is shown as a picture.

    That is so where somebody wants it, where emoji don't fit, and where screen readers would read
    out a text of emoji to somebody who wants words.
    """
    wanted, grid = _wanted(stored), stored.match.position.grid
    in_text = stored.match.outcome is not None or not fits_on_buttons(grid)
    return is_seen(stored) and (
        Form.PICTURE in wanted
        or grid.columns > _WIDEST_IN_EMOJI
        or (Form.WORDS in wanted and in_text)
    )


def _wanted(stored: StoredMatch) -> set[Form]:
    """Return the forms that the players want."""
    members = (player for player in stored.match.players if isinstance(player, Member))
    return {stored.forms.get(MemberId(member.id), Form.EMOJI) for member in members}


def gallery(upload: Upload, stored: StoredMatch, texts: Texts) -> ui.Item[ui.LayoutView]:
    """Return the component that shows the picture of a board, with the position as its alt text."""
    if in_words(stored):
        described = texts("spoken.picture")
    else:
        names = words.plain_names(stored.match, stored.names, texts)
        described = spoken.alt_text(stored.match, names, texts)
    item = discord.MediaGalleryItem(f"attachment://{upload.name}", description=described)
    return ui.MediaGallery(item)


class BoardPictures:
    """Has the pictures of boards drawn; a board that can't be drawn is logged and counted."""

    def __init__(self, pictures: PictureClient, metrics: Metrics):
        self._pictures = pictures
        self._undrawn = metrics.undrawn

    async def of(self, stored: StoredMatch, texts: Texts, *, may_attach: bool) -> Drawn:
        """Return the picture of a match as it stands; `may_attach` tells if it can be sent."""
        if not in_picture(stored):
            return None
        if not may_attach:
            return self.missed(stored, Undrawn.FORBIDDEN, "files can't be sent there")
        until = asyncio.get_running_loop().time() + _SECONDS
        ticket = Ticket(stored.place.server_id, urgent=True, until=until)
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
