"""One-sided boards, whose matches count in pairs."""

from collections.abc import Callable

import pytest

from bot.db.database import Database
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.ratings.ledger import Ledger
from bot.ratings.model import Entry, Unrated
from bot.times import DAY
from core.match import Match
from core.options import ON, Options
from core.players import Member
from tests.bot.playing import NOW, ON_SQLITE, begin, loaded
from tests.bot.ratings.counting import (
    FIRST_WIN,
    begun,
    nothing_changes_when_rated_anew,
    won,
    written,
)
from tests.core.boards import ALICE, BOB, CAROL, after

# On this board the first player wins by force.
FORCED: Options = {"rows": 4, "line": 3}


async def forced(
    store: MatchStore, *players: Member, last: StoredMatch | None = None, now: int = NOW
) -> StoredMatch:
    """Return a match on a one-sided board, won by its first player; after `last` in its series."""
    match = begin(*players, options=FORCED)
    stored = await begun(store, match, series=last.series if last else None)
    over = await store.save(stored, after(match, "b2 a1 b3 a2 b4"), now)
    assert await store.load(over.id) == over
    return over


pytestmark = ON_SQLITE


async def test_a_one_sided_board_is_rated_in_pairs(database: Database, store: MatchStore) -> None:
    """The first match waits; when the other player has begun too, both count in their order."""
    first = await forced(store, ALICE, BOB)
    assert first.entry == Entry(unrated=Unrated.UNPAIRED)
    assert (await written(database))[:2] == [[], []]
    second = await forced(store, BOB, ALICE, last=first, now=NOW + 9 * DAY)
    then = await loaded(store, first.id)
    assert then.entry == Entry(FIRST_WIN, paired_with=second.id)
    assert (second.entry.unrated, second.entry.paired_with) == (None, first.id)
    assert [change.before for change in second.entry.changes] == [922, 1078]
    assert second.entry.changes[0].after > second.entry.changes[1].after
    await nothing_changes_when_rated_anew(database, 2)


async def test_a_third_match_begins_another_pair(database: Database, store: MatchStore) -> None:
    """Each match counts once."""
    last = None
    for number in range(4):
        pair = (ALICE, BOB) if number % 2 == 0 else (BOB, ALICE)
        last = await forced(store, *pair, last=last)
        assert bool(last.entry.changes) == (number % 2 == 1)
    await nothing_changes_when_rated_anew(database, 4)


async def test_matches_that_are_no_pair(store: MatchStore) -> None:
    """The same first player, a stranger, another series or a match in between make no pair.

    Such a match waits for its own pair.
    """
    first = await forced(store, ALICE, BOB)
    again = await forced(store, ALICE, BOB, last=first)
    assert again.entry.unrated is Unrated.UNPAIRED
    assert (await forced(store, BOB, CAROL, last=again)).entry.unrated is Unrated.UNPAIRED
    assert (await forced(store, BOB, ALICE)).entry.unrated is Unrated.UNPAIRED
    first = await forced(store, ALICE, CAROL)
    match = begin(CAROL, ALICE, options=FORCED)
    agreed = await begun(store, match, series=first.series)
    assert await store.play_on_unrated(agreed)
    spoilt = await store.save(agreed, after(match, "b2 a1 b3 a2 b4"), NOW)
    assert spoilt.entry.unrated is Unrated.AGREED
    assert (await forced(store, ALICE, CAROL, last=spoilt)).entry.unrated is Unrated.UNPAIRED
    unpaired = await store.load(first.id)
    assert unpaired == first


@pytest.mark.parametrize("end", [Match.abort, Match.strand, Match.call_off])
async def test_a_match_without_a_result_within_a_pair(
    store: MatchStore, end: Callable[[Match], Match]
) -> None:
    """One that was begun anew, or that nobody could end, doesn't part the two of a pair."""
    first = await forced(store, ALICE, BOB)
    match = begin(BOB, ALICE, options=FORCED)
    dropped = await begun(store, match, series=first.series)
    assert (await store.save(dropped, end(dropped.match), NOW)).entry.unrated is None
    assert (await forced(store, BOB, ALICE, last=first)).entry.paired_with == first.id


async def test_a_resumed_match_is_no_half_of_a_pair(store: MatchStore) -> None:
    """A match whose end was taken back counts no more, whatever follows."""
    first = await forced(store, ALICE, BOB)
    resumed = await store.save(first, first.match.undo(ALICE), NOW)
    assert resumed.entry.unrated is None
    over = await store.save(resumed, resumed.match.resign(BOB), NOW)
    assert over.entry.unrated is Unrated.UNDONE
    assert (await forced(store, BOB, ALICE, last=over)).entry.unrated is Unrated.UNPAIRED


async def test_a_pair_takes_two_of_the_matches_of_a_day(database: Database) -> None:
    """If there is room for one more only, a one-sided match doesn't wait for its pair in vain."""
    store = MatchStore(database, Ledger(3))
    first = await forced(store, ALICE, BOB)
    assert (await forced(store, BOB, ALICE, last=first)).entry.changes
    assert (await forced(store, ALICE, BOB)).entry.unrated is Unrated.ENOUGH
    assert (await won(store, ALICE, BOB)).entry.changes


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({**FORCED, "swap": ON}, None),
        ({"variant": "torus"}, Unrated.UNPAIRED),
        # All squares are alike, so the swap rule hands the win to the other player.
        ({"variant": "torus", "swap": ON}, Unrated.UNPAIRED),
        ({"rows": 4, "line": 4}, None),
    ],
    ids=str,
)
async def test_boards_that_are_rated_in_pairs(
    store: MatchStore, options: Options, reason: Unrated | None
) -> None:
    """They are those with a forced win, unless the swap rule evens the chances."""
    stored = await begun(store, begin(options=options))
    over = await store.save(stored, after(stored.match, "a1 b2 c3 a3").agree_draw(), NOW)
    assert over.entry.unrated is reason
