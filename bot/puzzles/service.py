"""The steps of puzzles: opening one, a move, and giving up."""

from collections.abc import Callable
from dataclasses import replace

from bot.identity import MemberId, PuzzleId, ServerId
from bot.puzzles.model import Attempt, Given, day_of
from bot.puzzles.store import PuzzleStore, TryStore
from bot.refusals import Refusal
from bot.times import DAY
from core.errors import GameError
from core.puzzles.finding import Difficulty


class PuzzleService:
    """Puzzles of servers; `now` gives Unix seconds."""

    def __init__(self, store: PuzzleStore, tries: TryStore, now: Callable[[], int]):
        self._store = store
        self._tries = tries
        self._now = now

    async def open_wanted(
        self, server_id: ServerId, member_id: MemberId, difficulty: Difficulty | None
    ) -> Attempt:
        """Return the puzzle of the day, or another one if the member has ended it.

        Raises Refusal if the member has had all puzzles.
        """
        now = self._now()
        await self._store.note_wanted(server_id, now)
        today = await self._store.give_today(server_id, now)
        if today is not None and difficulty in (None, today.found.puzzle.difficulty):
            attempt = await self._begun(today, member_id)
            if attempt.own.ended_at is None:
                return attempt
        given = await self._store.give_another(server_id, member_id, difficulty, now)
        if given is None:
            raise Refusal("refusal.puzzle.none", moment=(day_of(now) + 1) * DAY)
        return await self._begun(given, member_id)

    async def open(self, server_id: ServerId, member_id: MemberId, puzzle_id: PuzzleId) -> Attempt:
        """Return a member's try at a puzzle, begun now if it wasn't; raise Refusal."""
        given = await self._store.get(server_id, puzzle_id)
        if given is None:
            raise Refusal("refusal.puzzle.gone")
        return await self._begun(given, member_id)

    async def open_current(self, server_id: ServerId, member_id: MemberId) -> Attempt:
        """Return the puzzle that a member has seen last; raise Refusal if there is none.

        It may have ended: another puzzle that they left open isn't meant, and a repeated command
        could cost them its streak.
        """
        puzzle_id = await self._tries.current(server_id, member_id)
        if puzzle_id is None:
            raise Refusal("refusal.puzzle.closed")
        return await self.open(server_id, member_id, puzzle_id)

    async def play(self, attempt: Attempt, steps: int, move: str) -> Attempt:
        """Make a move in a puzzle of which the member has found `steps`, as their message shows.

        If that isn't true any more, the try is returned as it is. Raises Refusal.
        """
        given, member_id = attempt.given, attempt.member_id
        if attempt.own.ended_at is not None or attempt.own.steps != steps:
            return attempt
        before = given.found.match(steps)
        try:
            played = before.play(move)
        except GameError as error:
            raise Refusal(error, puzzle=before) from error
        made = played.moves[-1]
        if made == given.steps[steps].answer:
            found = await self._tries.note_found(given, member_id, steps, self._now())
            return replace(attempt, own=found)
        after = await self._tries.note_missed(given, member_id, steps)
        is_first = after.steps == steps  # no other press came before this one
        return replace(attempt, own=after, wrong=made if is_first else None)

    async def give_up(self, attempt: Attempt) -> Attempt:
        """End a member's try at a puzzle, to show its solution, and return it."""
        ended = await self._tries.give_up(attempt.given, attempt.member_id, self._now())
        return replace(attempt, own=ended)

    async def _begun(self, given: Given, member_id: MemberId) -> Attempt:
        own = await self._tries.open(given, member_id, self._now())
        return Attempt(given, member_id, own)
