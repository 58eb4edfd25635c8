"""Which message shows which match."""

from dataclasses import replace

from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore


class Boards:
    """The newest boards, until they are written down.

    A message's id is known only after the turn was committed. Losing it costs a link, never a
    move, and the next press tells it again: so it waits here for `write_down`, which makes one
    transaction of all that have come together.
    """

    def __init__(self, store: MatchStore):
        self._store = store
        self._shown: dict[int, int] = {}

    def shown(self, stored: StoredMatch, message_id: int) -> None:
        """Remember the message that shows a match."""
        self._shown[stored.id] = message_id

    def located(self, stored: StoredMatch) -> StoredMatch:
        """Return the match with the newest board that is known."""
        return replace(stored, board_id=self.newest(stored.id, stored.board_id))

    def newest(self, match_id: int, written: int | None) -> int | None:
        """Return the newest message that shows a match, where `written` is the one written down."""
        return self._shown.get(match_id, written)

    async def write_down(self) -> None:
        """Write all to the database and forget them here."""
        if self._shown:
            noted = dict(self._shown)
            await self._store.note_boards(noted.items())
            self._shown = {m: b for m, b in self._shown.items() if noted.get(m) != b}
