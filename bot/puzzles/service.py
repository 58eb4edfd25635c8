"""The steps of puzzles: opening one, a move, giving up, and setting the puzzle of the day."""

from collections.abc import Callable

from bot.identity import ChannelId, MemberId, PuzzleId, ServerId
from bot.puzzles.model import DAY, Attempt, Daily, Given, Solved, Times, day_of, next_at
from bot.puzzles.store import PuzzleStore
from bot.refusals import Refusal
from core.engine.puzzles import Difficulty
from core.grid import Move
from core.players import Member


class PuzzleService:
    """Puzzles of servers; `clock` gives Unix seconds."""

    def __init__(self, store: PuzzleStore, clock: Callable[[], int]):
        self.store = store
        self.now = clock

    async def wanted(
        self, server_id: ServerId, member_id: MemberId, difficulty: Difficulty | None
    ) -> Attempt:
        """Return the puzzle of the day, or another one if the member has ended it.

        Raises Refusal if the member has had all.
        """
        await self.store.asked(server_id)
        today = await self.store.today(server_id)
        if today is not None and difficulty in (None, today.found.puzzle.difficulty):
            own = await self.store.open(today, member_id)
            if own.ended_at is None:
                return Attempt(today, own)
        return await self.another(server_id, member_id, difficulty)

    async def another(
        self, server_id: ServerId, member_id: MemberId, difficulty: Difficulty | None
    ) -> Attempt:
        """Return a puzzle beside that of the day; raise Refusal if the member has had all."""
        given = await self.store.beside(server_id, member_id, difficulty)
        if given is None:
            raise Refusal("refusal.puzzle.none", moment=(day_of(self.now()) + 1) * DAY)
        return Attempt(given, await self.store.open(given, member_id))

    async def opened(
        self, server_id: ServerId, member_id: MemberId, puzzle_id: PuzzleId
    ) -> Attempt:
        """Return a member's try at a puzzle, begun now if it wasn't; raise Refusal."""
        given = await self._given(server_id, puzzle_id)
        return Attempt(given, await self.store.open(given, member_id))

    async def current(self, server_id: ServerId, member_id: MemberId) -> Attempt:
        """Return the puzzle that a member is solving; raise Refusal if there is none."""
        puzzle_id = await self.store.current(server_id, member_id)
        if puzzle_id is None:
            raise Refusal("refusal.puzzle.closed")
        return await self.opened(server_id, member_id, puzzle_id)

    async def play(
        self, server_id: ServerId, member_id: MemberId, puzzle_id: PuzzleId, steps: int, move: str
    ) -> Attempt:
        """Make a move in a puzzle of which the member saw that `steps` are found.

        If that isn't so any more, the try is returned as it is. Raises Refusal, and the errors of
        `Match.play` for a move that can't be made.
        """
        attempt = await self.opened(server_id, member_id, puzzle_id)
        given, own = attempt.given, attempt.own
        if own.ended_at is not None or own.steps != steps:
            return attempt
        seats = (Member(member_id),) * given.found.game.seats
        played = given.found.match(seats, steps).play(move)
        if played.moves[-1] == given.steps[steps].answer:
            return Attempt(given, await self.store.found(given, member_id, steps))
        after = await self.store.missed(given, member_id, steps)
        wrong: Move | None = played.moves[-1]
        if after.ended_at is not None or after.steps != steps:
            wrong = None  # another press was sooner
        return Attempt(given, after, wrong)

    async def give_up(
        self, server_id: ServerId, member_id: MemberId, puzzle_id: PuzzleId
    ) -> Attempt:
        """Return the try at a puzzle whose solution is to be shown; raise Refusal."""
        given = (await self.opened(server_id, member_id, puzzle_id)).given
        return Attempt(given, await self.store.give_up(given, member_id))

    async def record(self, attempt: Attempt, member_id: MemberId) -> tuple[Solved, Times]:
        """Return what a member has solved so far, and the best times, at the end of a puzzle."""
        given = attempt.given
        solved = await self.store.solved(given.server_id, member_id)
        return solved, await self.store.times(given, member_id)

    async def set_daily(
        self, server_id: ServerId, channel_id: ChannelId | None, hour: int | None
    ) -> Daily:
        """Post the puzzle of the day in a channel at an hour (UTC), or nowhere; return that."""
        daily = Daily()
        if channel_id is not None and hour is not None:
            daily = Daily(channel_id, hour, next_at(hour, self.now()))
        await self.store.set_daily(server_id, daily)
        return daily

    async def _given(self, server_id: ServerId, puzzle_id: PuzzleId) -> Given:
        given = await self.store.get(server_id, puzzle_id)
        if given is None:
            raise Refusal("refusal.puzzle.gone")
        return given
