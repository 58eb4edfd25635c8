"""Shortcuts for matches with a clock, and for handling their deadlines."""

from bot.clocks.store import Due, DueStore
from bot.identity import ChannelId, Place
from bot.matches.clock import DEFAULT_CLOCK
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.store import MatchStore
from core.match import Match
from tests.bot.playing import HERE, NAMES, NOW, begin

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
    """End a match on time as the service does, but without the computer's answer."""
    async with due.transaction(item) as transaction:
        if transaction is None:
            return None
        return await store.save_within(transaction, transaction.stored.match.time_out(), now)


def moved(stored: StoredMatch, move: str = "b2") -> Match:
    """Return the match after a move by the player to move."""
    player = stored.match.next_player
    assert player is not None
    return stored.match.play(move, by=player)
