"""The first board of a match, and the final board of the match before it."""

from collections.abc import Iterable
from functools import partial

from bot.gateway.interactions import Interaction
from bot.gateway.requests import Requests
from bot.identity import MatchId, MessageId
from bot.matches.boards import Boards
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore


class FirstBoards:
    """Shows matches that have just begun, and removes the final boards before them.

    If the server keeps final boards, one whose series goes on loses its buttons for a rematch. If
    its match is rated only together with the next one, it shows its rating once both are over.
    """

    def __init__(self, boards: Boards, store: MatchStore, requests: Requests):
        self._boards = boards
        self._store = store
        self._requests = requests

    async def show(
        self,
        interaction: Interaction,
        stored: StoredMatch,
        remove: Iterable[MessageId | None],
        pressed: StoredMatch | None = None,
    ) -> None:
        """Answer with the board of a match that has just begun; then remove those in `remove`.

        `pressed` is the match before if its final board was pressed for a rematch.
        """
        remove = [*remove]
        if not stored.boards_stay or stored.series_id != stored.id:
            known = (pressed.id, pressed.board_id) if pressed and pressed.board_id else None
            before = known or await self._store.final_before(stored)
            if before and not stored.boards_stay:
                remove.append(before[1])
            elif before:
                self._requests.later(partial(self._close_final, *before, stored))
        await self._boards.show(interaction, stored, remove)

    def close_final_later(self, before: StoredMatch, again: StoredMatch) -> None:
        """Let the final board of a match that is played `again` elsewhere only offer a look back.

        If the server keeps no final boards, the match that was played there since has removed it.
        """
        if before.board_id is not None and again.boards_stay:
            self._requests.later(partial(self._close_final, before.id, before.board_id, again))

    def note_end(self, ended: StoredMatch) -> None:
        """Show on the final board of the first match of a pair that both are rated now."""
        if (first := ended.entry.paired_with) is not None:
            self._requests.later(partial(self._tell_of_pair, first))

    async def _tell_of_pair(self, first: MatchId) -> None:
        before = await self._store.load(first)
        if before is not None and before.board_id is not None and before.boards_stay:
            await self._boards.redraw(before, before.board_id)

    async def remove_final(self, begun: StoredMatch) -> None:
        """Remove the final board before a match that has begun, unless the server keeps them."""
        if not begun.boards_stay and (before := await self._store.final_before(begun)):
            self._boards.arrivals.remove(begun, before[1:])

    async def _close_final(self, match_id: MatchId, final: MessageId, again: StoredMatch) -> None:
        """Let the final board of a match that is played `again` only offer a look back.

        A match of another series keeps its board as it is. Where the bot can't post, the new board
        may have taken the final one's place: then it stays.
        """
        if not again.place.posts:
            await self._boards.at_rest(again.id)
            if self._store.board_ids.board(again.id) in (None, final):
                return
        stored = await self._store.load(match_id)
        if stored is not None and stored.played_again:
            await self._boards.redraw(stored, final)
