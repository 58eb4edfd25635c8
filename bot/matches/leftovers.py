"""Boards that a kill, a lost reply or the end of a token has left behind.

Each match keeps one board, the current one: `bot.matches.boards` says which parts see to that.
"""

import logging
from collections.abc import Iterable, Mapping, Set
from functools import partial

from bot.gateway.channels import Channels
from bot.gateway.errors import CALL_FAILED, is_channel_gone, may_pass, only_passing
from bot.gateway.interactions import Interaction, place_of, public_message
from bot.gateway.requests import LATE_SECONDS, PAUSES
from bot.i18n import channel_texts
from bot.identity import MatchId, MessageId, sent_at
from bot.matches.boards import Boards
from bot.matches.model import FINAL, StoredMatch
from bot.matches.presses import ply_pressed, ply_shown
from bot.matches.store import MatchStore
from bot.refusals import Refusal, reason_of
from core.match import Match

log = logging.getLogger(__name__)

# An answer that has arrived late is removed by then, as `Channels.answer` says.
_SETTLED_SECONDS = LATE_SECONDS + 5.0


class Leftovers:
    """Finds old boards of matches among the last messages of channels, and removes them.

    It takes Discord a while to list those messages, and the match may go on meanwhile. So this
    decides afterwards which board to keep, once no board of the match is under way. An old board
    that somebody presses is removed as well.
    """

    def __init__(self, boards: Boards, store: MatchStore, channels: Channels):
        self._boards = boards
        self._arrivals = boards.arrivals
        self._store = store
        self._channels = channels
        self._requests = channels.requests

    async def catch_up(self, match_id: MatchId, *, shown: bool = False) -> None:
        """See to it that the channel of a match has one board, which shows it as it is.

        If no board in the channel shows the current state, a new one is posted. All others are
        removed. If no board is found of a match that may have been `shown`, nothing happens: the
        bot may not be allowed to read the messages.

        Raises CorruptRowError, or one of CALL_FAILED if Discord doesn't list the boards for now.
        """
        stored = await self._store.load(match_id)
        if stored is None:
            return
        if not stored.place.posts:
            await self._boards.post(stored)
            return
        try:
            found = await self._found(stored)
        except CALL_FAILED as error:
            if may_pass(error):
                raise
            log.info("the boards of match %s can't be found: %s", match_id, error)
            if is_channel_gone(error):
                self._store.board_ids.forget_old(match_id)
                return
            found = {}
        if shown and not found:
            return
        boardless = await self._keep_current(match_id, found)
        if boardless is not None and await self._boards.post(boardless, searched=True):
            # Only now: while no board can be posted, the old ones stay listed, so that a start
            # looks here.
            self._arrivals.remove(boardless, self._old(match_id, found))

    def catch_up_soon(self, match_id: MatchId, *, shown: bool = False) -> None:
        """Catch up with a match in the background."""
        self._requests.later(partial(self.catch_up, match_id, shown=shown))

    def tidy_later(self, stored: StoredMatch) -> None:
        """Remove the old boards of a match once a failed answer has arrived or never will.

        If a kill may have left boards, this also does so now: they are in the channel already, and
        another kill may come before the later look.
        """
        tidy = partial(self._tidy, stored.id)
        if stored.board_unsure:
            self._requests.later(tidy)
        self._requests.put_off(tidy, (_SETTLED_SECONDS, *PAUSES))

    async def _tidy(self, match_id: MatchId) -> None:
        """Remove all boards of a match but the current one; if there is none, all stay.

        `Boards` posts that one by itself, at the same moment if the bot closes. Raises
        CorruptRowError, or one of CALL_FAILED.
        """
        stored = await self._store.load(match_id)
        if stored is not None:
            with only_passing():
                await self._keep_current(match_id, await self._found(stored))

    def mend_pressed(self, interaction: Interaction, refusal: Refusal) -> None:
        """Remove a pressed board that has a successor; say so on one whose match is archived.

        If the pressed board shows the end of a match that goes on after an undo, the current board
        takes its place. This wasn't done before because no token reached the board, or because it
        was on its way when the program was killed.
        """
        pressed = public_message(interaction)
        stored = refusal.board
        if pressed is None or not isinstance(stored, StoredMatch):
            return
        older = stored.board_id is not None and pressed < stored.board_id
        if reason_of(refusal) == "refusal.old_board" or (stored.archived and older):
            texts = channel_texts(stored.language)
            self._channels.remove_later(place_of(interaction), [pressed], texts, interaction)
        elif stored.archived and stored.board_id == pressed:
            self._boards.mark_archived(stored)
        elif ply_pressed(interaction, stored.id) == FINAL and stored.shown_ply != FINAL:
            self.catch_up_soon(stored.id)

    async def _found(self, stored: StoredMatch) -> dict[MessageId, int]:
        """Return the boards of a match among the last messages of its channel, with their plies.

        Raises one of CALL_FAILED.
        """
        found = await self._channels.own_buttons(stored.place)
        plies = ((one, ply_shown(stored.id, ids)) for one, ids in found.items())
        return {one: ply for one, ply in plies if ply is not None}

    async def _keep_current(
        self, match_id: MatchId, found: Mapping[MessageId, int]
    ) -> StoredMatch | None:
        """Of the boards that were `found` with their plies, keep the current one.

        A known board stays, even if a later one shows the same ply: that is a late answer, which
        may show an earlier state, or be about to be removed. The board of an archived match says
        so. A match that was played again needs no board any more.

        Returns the match if it needs a board and has none; then all stay.
        """
        stored = await self._boards.at_rest(match_id)
        self._store.board_ids.note_checked(match_id)
        if stored is None:
            return None
        old = self._old(match_id, found)
        if stored.archived:
            self._arrivals.remove(stored, old - {stored.board_id})
            if stored.board_id is not None:
                self._store.board_ids.note_removed(match_id, stored.board_id)
            self._boards.mark_archived(stored)
            return None
        known = stored.board_id if self._store.board_ids.shows(stored) else None
        current = known if known in found else _current(stored, found)
        if current is not None:
            self._arrivals.note(stored, current, old)
        elif known is not None:
            self._arrivals.remove(stored, old)
        elif stored.played_again:
            self._store.board_ids.retire(match_id, stored.revision)
            self._arrivals.remove(stored, old)
        else:
            return stored
        return None

    def _old(self, match_id: MatchId, found: Iterable[MessageId]) -> Set[MessageId]:
        """Return the boards that were `found`, and those that are known to be left."""
        return {*found, *self._store.board_ids.old(match_id)}


def _current(stored: StoredMatch, found: Mapping[MessageId, int]) -> MessageId | None:
    """Return the board that shows a match as it stands, None if none of those `found` does.

    The ply alone doesn't tell. After an undo the same ply comes again, so a board that is older
    than the newest known one shows an earlier state. If a player has left since the last move, so
    does a board that was sent before.
    """
    known = stored.board_id or 0
    since = stored.moved_at if _somebody_left(stored.match) else 0
    return max(
        (
            m
            for m, ply in found.items()
            if ply == stored.shown_ply and m >= known and sent_at(m) >= since
        ),
        default=None,
    )


def _somebody_left(match: Match) -> bool:
    """Return whether a player has left a match that goes on since its last move."""
    return match.outcome is None and any(gone.ply == match.ply for gone in match.withdrawals)
