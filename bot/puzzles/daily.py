"""The puzzle of the day: posted once a day in the channel that a server has chosen.

A post is sent, and then noted. If it fails, or the program dies in between, it is sent again with
the same nonce, and Discord makes only one message. After a few minutes that is no longer certain,
so a day whose post goes on failing has none. Neither has a day on which the bot was away.
"""

import logging
from collections.abc import Callable, Collection, Iterable

from cachetools import TTLCache

from bot.gateway.channels import Channels, nonce_of
from bot.gateway.components import Layout
from bot.gateway.errors import CALL_FAILED, may_pass
from bot.gateway.loops import AFTER_START_SECONDS, Loop
from bot.identity import ChannelId, Place, PuzzleId, ServerId
from bot.matches.here import SettingsHere
from bot.puzzles.model import DuePost, Given, day_of
from bot.puzzles.sources import Sources
from bot.puzzles.store import DailyStore, PuzzleStore
from bot.puzzles.view import post_view
from bot.times import DAY, HOUR

log = logging.getLogger(__name__)

_EVERY_SECONDS = 20.0
_MOST = 200
_AT_ONCE = 10
_MOST_BEGUN = 10_000
# Discord remembers a nonce for at least this time.
_NONCE_SECONDS = 240
# If a server's posts are refused on this many days in a row, they are switched off.
_MOST_FAILURES = 3


class DailyPosts:
    """Posts the puzzles of the day, and keeps the number of their solvers current.

    `now` gives Unix seconds. Servers that the host has blocked get none.
    """

    def __init__(
        self,
        daily_store: DailyStore,
        store: PuzzleStore,
        channels: Channels,
        sources: Sources,
        here: SettingsHere,
        now: Callable[[], int],
    ):
        self._daily_store = daily_store
        self._store = store
        self._channels = channels
        self._sources = sources
        self._here = here
        self._now = now
        # When this process first tried to post each puzzle.
        self._begun: TTLCache[PuzzleId, int] = TTLCache(_MOST_BEGUN, DAY, now)
        self._posting = Loop(
            "posting the puzzles of the day",
            _EVERY_SECONDS,
            self.post_due,
            first_after=AFTER_START_SECONDS,
        )
        self._telling = Loop(
            "telling who solved the puzzles of the day",
            _EVERY_SECONDS,
            self.tell,
            first_after=_EVERY_SECONDS,
        )
        self.loops = [self._posting, self._telling]

    async def post_due(self) -> None:
        """Post every puzzle that is due."""
        due = await self._daily_store.due(self._now(), _MOST)
        await self._posting.each(due, self._post, _AT_ONCE)

    async def _post(self, due: DuePost) -> None:
        """Send a post; skip the day if no puzzle is left, or if an earlier try may have arrived.

        A blocked server has none.
        """
        now = self._now()
        today = day_of(now) * DAY + due.hour * HOUR
        if now < today:  # left from yesterday: the bot was away, or the post failed
            await self._daily_store.note_next(due, today, due.failures)
            return
        blocked = self._channels.requests.is_blocked(due.server_id)
        given = None if blocked else await self._store.give_today(due.server_id, now)
        begun = self._begun.setdefault(given.id, now) if given else now
        if given is None or given.posted or now - begun > _NONCE_SECONDS:
            await self._daily_store.note_next(due, due.after(now), due.failures)
            return
        place = Place(due.server_id, due.channel_id)
        view = await self._view(given, place, 0)
        try:
            message_id = await self._channels.send(place, view, nonce=nonce_of("puzzle", given.id))
        except CALL_FAILED as error:
            log.warning("the puzzle of the day of server %s: %s", due.server_id, error)
            if not may_pass(error):
                await self._note_refused(due, given, now)
            return
        await self._daily_store.note_posted(given, due.channel_id, message_id)
        await self._daily_store.note_next(due, due.after(now), 0)

    async def _note_refused(self, due: DuePost, given: Given, now: int) -> None:
        """Note that a post was refused, and try again tomorrow; or switch it off."""
        del self._begun[given.id]  # it certainly hasn't arrived
        failures = due.failures + 1
        due_at = due.after(now) if failures < _MOST_FAILURES else None
        await self._daily_store.note_next(due, due_at, failures)

    async def tell(self) -> None:
        """Change the posts whose number of solvers is out of date."""
        untold = await self._daily_store.untold(self._now(), _MOST)
        await self._telling.each(untold, self._tell, _AT_ONCE)

    async def _tell(self, behind: tuple[ServerId, PuzzleId, int]) -> None:
        """Change one post, unless its puzzle can't be read."""
        server_id, puzzle_id, solvers = behind
        given = await self._store.get(server_id, puzzle_id)
        if given is not None and (posted := given.posted) is not None:
            view = await self._view(given, posted.place, solvers)
            self._channels.change_later(posted.place, posted.id, view)
        await self._daily_store.note_told(puzzle_id, solvers)

    async def _view(self, given: Given, place: Place, solvers: int) -> Layout:
        """Return the post of a puzzle with the number of its solvers."""
        texts = await self._here.texts_of(given.server_id)

        async def seen(channel_ids: Iterable[ChannelId]) -> Collection[ChannelId]:
            return {one for one in channel_ids if self._channels.known.is_seen_from(place, one)}

        source = await self._sources.of(given, seen, texts)
        return post_view(given, solvers, source, await self._store.before(given), texts)
