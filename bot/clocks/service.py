"""The service behind clocks: what becomes due in matches, and matches that were put away."""

from bot.clocks.store import Due, DueStore
from bot.matches.checks import check_there
from bot.matches.clock import timing
from bot.matches.model import StoredMatch
from bot.matches.service import Matches
from bot.matches.turns import ChangedError, ChannelTakenError
from bot.refusals import Refusal
from core.players import Member

# So many at a time: what is left comes in the next round.
_MOST = 1000


class Deadlines:
    """Everything that happens to a match because time has passed."""

    def __init__(self, store: DueStore, matches: Matches):
        self._store = store
        self._matches = matches

    async def due(self) -> list[Due]:
        """Return in which matches something is due by now, as far as it fits in a round."""
        return await self._store.due(self._matches.clock(), _MOST)

    def time_is_up(self, due: Due) -> bool:
        """Return whether a deadline has passed, so that it is too late for a reminder."""
        return due.deadline is not None and due.deadline <= self._matches.clock()

    async def give_grace(self) -> int:
        """Put off what ran out while the bot was away; return in how many matches."""
        return await self._store.give_grace(self._matches.clock())

    async def remind(self, due: Due) -> StoredMatch | None:
        """Return the match in which a player is to be reminded now, None where that is done."""
        if not await self._store.claim_reminder(due):
            return None
        return await self._matches.get(due.match_id)

    async def time_out(self, due: Due) -> StoredMatch | None:
        """Return the match, lost on time or left; None where a move came first.

        The result's `board_id` is still the board before.
        """
        async with self._store.turn(due) as turn:
            if turn is None or turn.stored is None:
                return None
            stored = await self._matches.write(turn, turn.stored.match.time_out())
        return await self._matches.searched(stored)

    async def put_away(self, due: Due) -> StoredMatch | None:
        """Return the match, put away; None where somebody has played on."""
        if not await self._store.put_away(due, self._matches.clock()):
            return None
        return await self._matches.get(due.match_id)

    async def board(self, channel_id: int, member_id: int) -> StoredMatch:
        """Return the match of a channel, brought back where it is this member's and put away.

        Raises Refusal, also where another match is in its way.
        """
        matches = self._matches
        live = await matches.store.live(channel_id)
        if live is not None and Member(member_id) in live.match.players:
            return matches.boards.located(live)
        theirs = await self._store.put_away_of(channel_id, member_id)
        if theirs is None:
            return await matches.live(channel_id)
        try:
            due = timing(theirs.match, theirs.clock, matches.clock()).due_at
            await self._store.bring_back(theirs.id, due)
        except ChannelTakenError as error:
            raise Refusal("refusal.put_away_busy", await matches.live(channel_id)) from error
        except ChangedError:
            pass  # somebody else has brought it back in the same moment
        stored = await matches.get(theirs.id)
        check_there(stored)
        return stored
