"""Shortcuts for writing and storing matches, and for running two tasks at once."""

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from bot.identity import ChannelId, MatchId, MemberId, Person, Place, ServerId
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.store import MatchStore
from bot.ratings.model import Listing, Standing
from bot.ratings.store import ScoreStore
from core.games import GAMES
from core.match import Match
from core.options import Options
from core.players import Player
from tests.core import boards
from tests.core.boards import ALICE, BOB, CAROL

ALICE_ID, BOB_ID, CAROL_ID = MemberId(ALICE.id), MemberId(BOB.id), MemberId(CAROL.id)
SERVER = ServerId(10)
HERE = Place(SERVER, ChannelId(20))
NAMES = ("Alice", "Bob")
MODERATOR = Person(MemberId(500), "Mod")
NOW = 1_700_000_000
# Each round has another delay between the two tasks that race, in milliseconds. A transaction takes
# fewer than that.
ROUNDS = 12
# For tests that aren't about SQL: the stores have their own tests, on both databases.
ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
X_WINS = "a1 a3 b1 b3 c1"
O_WINS = "a1 a3 b1 b3 c2 c3"
DRAWN = "a1 b1 c1 b2 a2 a3 b3 c2 c3"


def begin(*players: Player, game: str = "tictactoe", options: Options | None = None) -> Match:
    """Return a new match of `players` (default: alice, bob and so on), by default on 3x3."""
    return boards.begin(*players, game=GAMES[game], options=options)


async def both(*work: Awaitable[Any]) -> list[Any]:
    """Run the tasks at once; return their results, exceptions included and last."""
    results = await asyncio.gather(*work, return_exceptions=True)
    return sorted(results, key=lambda result: isinstance(result, Exception))


async def create(
    store: MatchStore, match: Match | None = None, channel_id: int = HERE.channel_id
) -> StoredMatch:
    """Store a match on SERVER; by default a new one of alice and bob."""
    match = match or begin()
    return await store.create(
        NewMatch(Place(SERVER, ChannelId(channel_id)), match, names_of(match)), NOW
    )


async def loaded(store: MatchStore, match_id: MatchId) -> StoredMatch:
    """Return a match that has to be there."""
    stored = await store.load(match_id)
    assert stored is not None
    return stored


def names_of(match: Match) -> tuple[str, ...]:
    """Return a name for each seat."""
    return (*NAMES, "Carol", "Dave")[: match.game.seats]


async def race(turn: int, *work: Awaitable[Any]) -> list[Any]:
    """Run two tasks at once as `both` does; `turn` decides which begins, and by how much earlier.

    In the first two turns the one has ended before the other begins, so that both orders are tested
    on a busy machine too.
    """
    first, second = work if turn % 2 else work[::-1]
    begun = asyncio.ensure_future(first)
    if turn < 2:
        await asyncio.wait([begun])
    return await both(begun, late(second, turn))


async def late(work: Awaitable[Any], milliseconds: int) -> Any:
    """Start `work` after a short delay, so that a race occurs at every stage and in both orders."""
    await asyncio.sleep(milliseconds / 1000)
    return await work


async def stretch(scores: ScoreStore, listing: Listing, offset: int, limit: int) -> list[Standing]:
    """Return up to `limit` lines of a listing, from `offset` on."""
    users = await scores.users(listing, offset, limit)
    return await scores.lines(listing, users, offset)
