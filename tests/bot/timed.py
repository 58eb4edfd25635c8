"""Shortcuts for matches with a clock, and for handling their deadlines."""

from random import Random

from bot.clocks.service import ClockService
from bot.clocks.store import Due, DueStore
from bot.identity import ChannelId, Place
from bot.matches.clock import DEFAULT_CLOCK
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.store import MatchStore
from bot.workers.search_client import SearchClient
from core.engine.player import Engine
from core.match import Match
from tests.bot.playing import HERE, NAMES, NOW, begin
from tests.services import services_with

UP = NOW + DEFAULT_CLOCK  # the deadline of a match that starts now


async def create(
    store: MatchStore,
    match: Match | None = None,
    channel_id: int = HERE.channel_id,
    clock: int | None = DEFAULT_CLOCK,
) -> StoredMatch:
    """Store a match with a clock; by default a new one of alice and bob."""
    place = Place(HERE.server_id, ChannelId(channel_id))
    return await store.create(NewMatch(place, match or begin(), NAMES, clock=clock), NOW)


async def time_out(store: MatchStore, due: DueStore, item: Due, now: int) -> StoredMatch | None:
    """End a match on time if it is still due, as the sweep does."""
    searches = SearchClient(Engine, 1, 10)
    matches = services_with(store, Engine(), searches, Random(1), lambda: now).matches
    clocks = ClockService(due, store, matches, lambda: now)
    stored = await clocks.still_due(item)
    return stored and await clocks.time_out(stored, closed_to=())


def moved(stored: StoredMatch, move: str = "b2") -> Match:
    """Return the match after a move by the player to move."""
    player = stored.match.next_player
    assert player is not None
    return stored.match.play(move, by=player)
