"""Work that a kill or a failure has left undone: the computer's moves, boards to show or remove.

The failure may be that the reply to a commit was lost, or that Discord was out of reach for too
long.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence

from bot.db.errors import CorruptRowError
from bot.gateway.feature import Feature
from bot.gateway.loops import Loop
from bot.identity import MatchId, MessageId
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from bot.times import DAY

log = logging.getLogger(__name__)

_WRITE_EVERY_SECONDS = 5.0
# Members wait until the second look that finds their match. By then, `Boards` has tried once more
# to send a board that has failed.
_EVERY_SECONDS = 30.0
# By then, matches that began before this start and were shown are noted as shown.
_FIRST_AFTER_SECONDS = 10.0
# Most owed moves take a search, and members in other channels shouldn't wait for these.
_AT_ONCE = 4
# A first board is on its way for at most this long, and noted in the database within five seconds.
_SHOWN_WITHIN_SECONDS = 10
# Later than that, the players have asked for the board, or have gone.
_RECENT_SECONDS = DAY
# The longest pause between two tries, in looks: 17 hours.
_MOST_LOOKS = 2048


class Owed(Feature):
    """Makes the owed moves, several at once, and has boards shown and removed.

    `show` makes the current board of a match the only one in its channel, in the background.
    `check` does so for a match that may have been shown. `now` gives Unix seconds.
    """

    def __init__(
        self,
        matches: MatchService,
        store: MatchStore,
        show: Callable[[MatchId], None],
        check: Callable[[MatchId], None],
        now: Callable[[], int],
    ):
        self._matches = matches
        self._store = store
        self._now = now
        self._show = show
        self._check = check
        self._first_look = 0
        # How many looks in a row have found a match with its old boards; None before the first.
        self._found: dict[tuple[MatchId, frozenset[MessageId]], int] | None = None
        self._loop = Loop(
            "catching up with boards",
            _EVERY_SECONDS,
            self.catch_up,
            first_after=_FIRST_AFTER_SECONDS,
            early=True,
        )

    def loops(self) -> Sequence[Loop]:
        """Return the loops that look for what is owed, and write which messages show matches."""
        write, pause = self._store.board_ids.write, _WRITE_EVERY_SECONDS
        writing = Loop("writing boards", pause, write, first_after=pause, early=True)
        return [writing, self._loop]

    async def catch_up(self) -> None:
        """Look for owed moves and boards, make the moves, and show the boards."""
        now = self._now()
        self._first_look = self._first_look or now
        old = await self._store.board_ids.written()
        unshown = await self._store.unshown(now - _RECENT_SECONDS, now - _SHOWN_WITHIN_SECONDS)
        moves = await self._store.computer_due()
        due = self._due({one: old.get(one, ()) for one in [*old, *unshown, *moves]})
        for match_id in dict.fromkeys([*old, *unshown]):
            if match_id in due:
                await self._catch_up(match_id, old.get(match_id, ()))
        due_moves = [match_id for match_id in moves if match_id in due]
        await self._loop.each(due_moves, self._make, _AT_ONCE)

    def _due(self, found: Mapping[MatchId, Collection[MessageId]]) -> set[MatchId]:
        """Return which matches need something done, of those that a look has `found`.

        After the first look, all do. Later, what is missing may be under way, so two looks in a row
        have to find a match with the same old boards. If what is done has no effect, as where the
        bot may not post, it is tried again at the fourth look in a row, at the eighth, and so on.
        """
        before = self._found
        owing = [(match_id, frozenset(old)) for match_id, old in found.items()]
        self._found = {one: (before or {}).get(one, 0) + 1 for one in owing}
        return {one for (one, _), looks in self._found.items() if before is None or _is_due(looks)}

    async def _catch_up(self, match_id: MatchId, old: Collection[MessageId]) -> None:
        """Show a match with these `old` boards, or whose newest board may be lost.

        A board that was sent just before a kill may be in the channel without being noted, and the
        bot may not be allowed to read it; so such a match is only checked. A board that was sent
        since the first look would be noted by now, so it is lost. A damaged match keeps its boards.
        """
        board_ids = self._store.board_ids
        board_ids.note_written(match_id, *old)
        try:
            stored = await self._store.load(match_id)
        except CorruptRowError as error:
            log.warning("match %s keeps its boards: %s", match_id, error)
            board_ids.forget_old(match_id)
            return
        if stored is None or not (old or (stored.board_unsure and stored.place.posts)):
            return
        lost = stored.board_id is None or stored.moved_at >= self._first_look
        mend = self._show if old or lost else self._check
        mend(match_id)

    async def _make(self, match_id: MatchId) -> None:
        """Make the moves that the computer owes in a match, and have the board shown."""
        try:
            made = await self._matches.computer_moves(await self._matches.get(match_id))
        except (Refusal, CorruptRowError) as error:
            log.warning("match %s waits for /board: %s", match_id, error)
            return
        if made is not None:
            self._show(match_id)


def _is_due(found: int) -> bool:
    """Return whether to act now on a match that this many looks in a row have found."""
    return found > 1 and (found.bit_count() == 1 or found % _MOST_LOOKS == 0)
