"""Matches of three in the database: departures are stored, and concurrent changes don't mix."""

from random import Random

from bot.matches.model import NewMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from core.engine.levels import Level
from core.games import GAMES
from core.match import Match
from core.players import Computer
from tests.bot.playing import ALICE_ID, BOB_ID, HERE, NOW, begin, create
from tests.core.boards import ALICE, BOB, CAROL, ROBOT
from tests.services import Seating, new_match


def moved(match: Match, times: int = 1) -> Match:
    """Return the match after moves by the player to move."""
    rng = Random(0)
    for _ in range(times):
        assert match.next_player is not None
        match = match.play(rng.choice(match.position.legal_moves()))
    return match


async def test_withdrawals_round_trip(store: MatchStore) -> None:
    """A match that two have left, one of them on time, is read as it was written."""
    stored = await create(store, begin(game="tribolo"))
    once = await store.save(stored, moved(stored.match, 3).resign(CAROL), NOW)
    assert await store.load(stored.id) == once
    assert once.match.outcome is None
    twice = await store.save(once, moved(once.match, 2).time_out(), NOW)
    assert await store.load(stored.id) == twice
    assert twice.match.outcome is not None
    assert await store.live(HERE.channel_id) is None


async def test_the_computer_moves_after_one_who_leaves(
    starter: MatchStarter, matches: MatchService
) -> None:
    """It moves at once, since no member's move would make it move."""
    seating: Seating = [(ALICE, "Alice"), (Computer(Level.EASY), None), (BOB, "Bob")]
    stored = await starter.start(new_match(HERE, GAMES["tribolo"], seating))
    while stored.match.next_player != ALICE:
        move = str(stored.match.position.legal_moves()[0])
        stored = await matches.play(stored.id, BOB_ID, move)
    left = await matches.resign(stored, ALICE_ID)
    assert left.match.ply == stored.match.ply + 1
    assert left.match.next_player == BOB


async def test_the_clock_stops_for_the_last_member(store: MatchStore) -> None:
    """A member left with computers alone doesn't lose on time."""
    match = begin(ALICE, BOB, ROBOT, game="tribolo")
    while match.next_player == ROBOT:
        match = moved(match)
    waiting = match.next_player
    stored = await store.create(NewMatch(HERE, match, ("Alice", "Bob", None), clock=300), NOW)
    assert stored.timing.deadline == NOW + 300
    other = BOB if waiting == ALICE else ALICE
    left = await store.save(stored, match.resign(other), NOW + 10)
    assert left.match.next_player == waiting
    assert left.timing.deadline is None
    assert await store.load(stored.id) == left
