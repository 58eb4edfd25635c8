"""Short ways to write matches by the clock, and to do what is due in them."""

from bot.clocks.store import Due, DueStore
from bot.matches.clock import DEFAULT_CLOCK
from bot.matches.model import Place, Series, StoredMatch
from bot.matches.store import MatchStore
from core.match import Match
from tests.bot.playing import HERE, NAMES, NOW, begin

UP = NOW + DEFAULT_CLOCK  # when the time of a match that began now is up


async def create(
    store: MatchStore,
    match: Match | None = None,
    channel_id: int = HERE.channel_id,
    clock: int | None = DEFAULT_CLOCK,
) -> StoredMatch:
    """Store a match that is played by the clock; a new one of alice and bob unless told."""
    place = Place(HERE.guild_id, channel_id)
    return await store.create(place, match or begin(), NAMES, Series(), NOW, clock)


async def time_out(due: DueStore, item: Due, now: int) -> StoredMatch | None:
    """What the service does, without its computer."""
    async with due.turn(item) as turn:
        if turn is None or turn.stored is None:
            return None
        return await turn.save(turn.stored.match.time_out(), now)


def moved(stored: StoredMatch, move: str = "b2") -> Match:
    """Return the match after a move by whoever is to move."""
    player = stored.match.next_player
    assert player is not None
    return stored.match.play(move, by=player)
