"""Resigning from a match, after the member was asked whether they mean it."""

import logging

from bot.gateway.components import Layout, view_of
from bot.gateway.errors import CALL_FAILED
from bot.gateway.interactions import Interaction, asker_of, own_texts_of, place_of
from bot.gateway.responses import response_of
from bot.identity import MatchId
from bot.matches.boards import Boards
from bot.matches.model import StoredMatch
from bot.matches.presses import AskResign, board_pressed
from bot.matches.service import MatchService, resigned
from bot.offers.model import ReallyResign
from bot.offers.view import resign_view

log = logging.getLogger(__name__)


class Resigning:
    """The command and the presses that resign."""

    def __init__(self, matches: MatchService, boards: Boards):
        self._matches = matches
        self._boards = boards

    async def resign(self, interaction: Interaction, *, confirm: bool = False) -> None:
        """Ask the member to confirm, unless they have done so by the option."""
        live = await self._matches.live(place_of(interaction).channel_id)
        if confirm:
            before, stored = await self._carry_out(interaction, live.id)
            await self._boards.show(interaction, stored, [before.board_id])
        else:
            await response_of(interaction).whisper(confirmation(interaction, live))

    async def ask(self, interaction: Interaction, press: AskResign) -> None:
        """Ask the member to confirm, unless the board lags behind."""
        me, board = asker_of(interaction), board_pressed(interaction, press)
        async with self._matches.lock(board.channel_id):
            found = await self._matches.pressed(press.match, me, board)
        if found.lagging:
            await self._boards.show_current(interaction, found.stored)
        else:
            await response_of(interaction).whisper(confirmation(interaction, found.stored))

    async def really(self, interaction: Interaction, press: ReallyResign) -> None:
        """Resign, after the member has confirmed it."""
        before, stored = await self._carry_out(interaction, press.match)
        try:
            done = "resign.done" if stored.match.outcome else "refusal.has_left"
            await response_of(interaction).edit(view_of(own_texts_of(interaction)(done)))
        except CALL_FAILED as error:
            log.warning("a resignation is only shown on the board: %s", error)
        await self._boards.show(interaction, stored, [before.board_id])

    async def _carry_out(
        self, interaction: Interaction, match_id: MatchId
    ) -> tuple[StoredMatch, StoredMatch]:
        """Let the member resign; return the match before and after; raise Refusal."""
        channel_id = place_of(interaction).channel_id
        async with self._matches.lock(channel_id):
            before = await self._matches.get(match_id, channel_id)
            return before, await self._matches.resign(before, asker_of(interaction))


def confirmation(interaction: Interaction, stored: StoredMatch) -> Layout:
    """Return the question whether the member means it; raise Refusal if they can't resign."""
    after = resigned(stored, asker_of(interaction))
    return resign_view(stored, after, own_texts_of(interaction))
