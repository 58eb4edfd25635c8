"""Matches of three in the database: departures are stored, and concurrent changes don't mix."""

from collections import Counter
from random import Random

from bot.db.errors import ChangedError
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from core.engine.levels import Level
from core.games import GAMES
from core.match import Match
from core.players import Computer
from tests.bot.playing import ALICE_ID, BOB_ID, HERE, NOW, begin, both, race
from tests.core.boards import ALICE, BOB, CAROL, ROBOT
from tests.services import Seating, new_match

PLAYERS = (ALICE, BOB, CAROL)


async def create(store: MatchStore) -> StoredMatch:
    match = begin(game="tribolo")
    return await store.create(NewMatch(HERE, match, ("Alice", "Bob", "Carol")), NOW)


def moved(match: Match, times: int = 1) -> Match:
    """Return the match after moves by the player to move."""
    rng = Random(0)
    for _ in range(times):
        assert match.next_player is not None
        match = match.play(rng.choice(match.position.legal_moves()))
    return match


async def test_withdrawals_round_trip(store: MatchStore) -> None:
    """A match that two have left, one of them on time, is read as it was written."""
    stored = await create(store)
    once = await store.save(stored, moved(stored.match, 3).resign(CAROL), NOW)
    assert await store.load(stored.id) == once
    assert once.match.outcome is None
    twice = await store.save(once, moved(once.match, 2).time_out(), NOW)
    assert await store.load(stored.id) == twice
    assert twice.match.outcome is not None
    assert await store.live(HERE.channel_id) is None


async def test_the_computer_moves_after_one_who_leaves(matches: MatchService) -> None:
    """No member's move would bring it its turn."""
    seating: Seating = [(ALICE, "Alice"), (Computer(Level.EASY), None), (BOB, "Bob")]
    stored = await MatchStarter(matches).start(new_match(HERE, GAMES["tribolo"], seating))
    while stored.match.next_player != ALICE:
        move = str(stored.match.position.legal_moves()[0])
        stored = await matches.play(stored.id, BOB_ID, move)
    left = await matches.resign(stored, ALICE_ID)
    assert left.match.ply == stored.match.ply + 1
    assert left.match.next_player == BOB


async def test_two_who_leave_at_once(store: MatchStore) -> None:
    """Both have left: the second change is refused as outdated and made again."""
    for _ in range(5):
        stored = await create(store)
        first, second = await both(
            *(store.save(stored, stored.match.resign(who), NOW) for who in (BOB, CAROL))
        )
        assert isinstance(second, ChangedError)
        left = {PLAYERS[w.seat] for w in first.match.withdrawals}
        (other,) = {BOB, CAROL} - left
        over = await store.save(first, first.match.resign(other), NOW)
        assert over.match.outcome is not None
        assert over == await store.latest(HERE.channel_id)


async def test_leaving_during_a_move(store: MatchStore) -> None:
    """Of a move and another's departure at once one is written, and the stored match is valid."""
    seen: Counter[bool] = Counter()
    for turn in range(20):
        stored = await create(store)
        mover = stored.match.next_player
        leaver = next(player for player in PLAYERS if player != mover)
        first, second = await race(
            turn,
            store.save(stored, moved(stored.match), NOW),
            store.save(stored, stored.match.resign(leaver), NOW),
        )
        assert isinstance(second, ChangedError)
        assert await store.load(stored.id) == first
        seen[bool(first.match.moves)] += 1
        await store.save(first, first.match.agree_draw(), NOW)
    assert set(seen) == {True, False}


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
