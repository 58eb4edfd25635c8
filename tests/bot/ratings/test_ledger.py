"""Which matches count, and the rows that counting writes, even under concurrency."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from sqlalchemy import event, select, update
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import await_only

from bot.db.database import Limits, create_engine
from bot.db.tables import matches, ratings, seats, standings
from bot.identity import ChannelId, Place, ServerId
from bot.invitations.store import call_off_all
from bot.matches.model import NewMatch, Series, StoredMatch
from bot.matches.store import MatchStore
from bot.ratings.ledger import Ledger
from bot.ratings.model import Change, Unrated
from bot.ratings.rerate import rerate
from bot.servers.store import ModerationStore
from core.match import Match
from core.options import ON, Options
from core.outcome import Ending, Termination
from core.players import Member, Player
from tests.bot.playing import NOW, SERVER, X_WINS, begin
from tests.core.boards import ALICE, BOB, CAROL, ROBOT, after

DAY = 86_400
FIRST_WIN = (Change(1000, 1069, provisional=True), Change(1000, 963, provisional=True))
# On this board the first player wins by force.
FORCED: Options = {"rows": 4, "line": 3}
_channels = map(ChannelId, count(100))
_ENDS, _STATEMENT_SECONDS = 8, 0.06


async def begun(
    store: MatchStore,
    match: Match,
    server: ServerId = SERVER,
    series: Series | None = None,
) -> StoredMatch:
    """Store a match in its own channel."""
    names = tuple(f"M{p.id}" if isinstance(p, Member) else None for p in match.players)
    place = Place(server, next(_channels))
    return await store.create(NewMatch(place, match, names, series or Series()), NOW)


async def won(
    store: MatchStore, *players: Member, server: ServerId = SERVER, now: int = NOW
) -> StoredMatch:
    """Return a match that the first of two members has won."""
    stored = await begun(store, begin(*players), server)
    over = await store.save(stored, after(stored.match, X_WINS), now)
    assert await store.load(over.id) == over
    return over


async def written(database: AsyncEngine) -> list[Sequence[Any]]:
    """Return every row that counting has written, ordered by key."""
    async with database.connect() as connection:
        return [
            (await connection.execute(select(table).order_by(*table.primary_key))).all()
            for table in (ratings, standings, seats)
        ]


async def test_the_result_has_each_rating_change(store: MatchStore) -> None:
    """A rated match has each seat's change, also when it is read again."""
    assert (await won(store, ALICE, BOB)).changes == FIRST_WIN
    second = await won(store, BOB, ALICE)
    assert [change.before for change in second.changes] == [963, 1069]
    assert second.changes[0].after > second.changes[1].after > 1000


UNRATED = {
    "the computer": after(begin(ALICE, ROBOT), X_WINS),
    "oneself": after(begin(ALICE, ALICE), X_WINS),
    "one ply": after(begin(), "a1").resign(BOB),
    "no ply": begin().agree_draw(),
}


@pytest.mark.parametrize("over", UNRATED.values(), ids=list(UNRATED))
async def test_of_unrated_matches_only_ranks_are_written(
    database: AsyncEngine, store: MatchStore, over: Match
) -> None:
    """The computer, oneself, a seat that hasn't moved: only ranks are written."""
    stored = await begun(store, begin(*over.players))
    saved = await store.save(stored, over, NOW)
    assert saved.changes == ()
    rated, counted, sat = await written(database)
    assert (rated, counted) == ([], [])
    assert over.outcome is not None
    assert tuple(row.rank for row in sat) == over.outcome.ranks
    assert {row.rating_before for row in sat} == {None}


@pytest.mark.parametrize(
    "ending",
    [
        after(begin(), "a1 a3 b1 b3").resign(ALICE),
        after(begin(), "a1 a3 b1 b3").agree_draw(),
        after(begin(), X_WINS),
    ],
    ids=["resignation", "agreement", "play"],
)
async def test_every_ending_counts(store: MatchStore, ending: Match) -> None:
    """From the fourth ply on, resignations and agreed draws count like wins on the board."""
    saved = await store.save(await begun(store, begin()), ending, NOW)
    assert len(saved.changes) == 2


async def test_a_match_played_on_unrated(database: AsyncEngine, store: MatchStore) -> None:
    """This holds even if the players agreed while the last move was being made.

    The result says so; an agreement after the end is refused and has no effect.
    """
    read = await begun(store, after(begin(), "a1 a3 b1 b3"))
    assert await store.play_on_unrated(read.id)
    assert read.unrated is None
    over = await store.save(read, after(read.match, "c1"), NOW)
    assert over.changes == ()
    assert over.unrated is Unrated.AGREED
    assert await store.load(over.id) == over
    counted = await won(store, ALICE, BOB)
    assert not await store.play_on_unrated(counted.id)
    assert (await store.load(counted.id)) == counted
    assert counted.changes == FIRST_WIN


async def test_an_agreement_during_the_last_move(store: MatchStore) -> None:
    """An agreement and the last move at once: the match is unrated or rated, never both."""
    for _ in range(10):
        read = await begun(store, after(begin(), "a1 a3 b1 b3"))
        agreed, _ = await asyncio.gather(
            store.play_on_unrated(read.id), store.save(read, after(read.match, "c1"), NOW)
        )
        over = await store.load(read.id)
        assert over is not None
        assert (over.unrated is Unrated.AGREED, bool(over.changes)) == (agreed, not agreed)


async def test_an_undone_match(store: MatchStore) -> None:
    """After an undo the match is unrated, however it continues."""
    stored = await begun(store, after(begin(), "a1 a3 b1 c3"))
    back = await store.save(stored, stored.match.undo(BOB), NOW)
    assert back.undone
    over = await store.save(back, after(back.match, "b3 c1"), NOW)
    assert over.changes == ()
    assert await store.load(over.id) == replace(over, undone=True)


# --- the daily limit


@pytest.mark.parametrize("most", [0, 1, 10])
async def test_the_daily_limit(database: AsyncEngine, most: int) -> None:
    """A pair has `most` rated matches a day (UTC), in either order; other pairs have theirs.

    The limit is per server and starts anew the next day.
    """
    store = MatchStore(database, Ledger(most))
    midnight = NOW - NOW % DAY
    for number in range(most + 2):
        pair = (ALICE, BOB) if number % 2 else (BOB, ALICE)
        over = await won(store, *pair, now=midnight + number)
        assert bool(over.changes) == (number < most)
    assert not (await won(store, ALICE, BOB, now=midnight + DAY - 1)).changes
    assert bool((await won(store, ALICE, CAROL, now=midnight + 99)).changes) == (most > 0)
    assert bool((await won(store, BOB, CAROL, now=midnight + 99)).changes) == (most > 0)
    elsewhere = await won(store, ALICE, BOB, server=ServerId(SERVER + 1), now=midnight + 99)
    assert bool(elsewhere.changes) == (most > 0)
    assert bool((await won(store, ALICE, BOB, now=midnight + DAY)).changes) == (most > 0)


async def test_unrated_matches_do_not_count_against_the_limit(database: AsyncEngine) -> None:
    """Unrated matches leave the daily limit untouched."""
    store = MatchStore(database, Ledger(1))
    short = await begun(store, begin())
    await store.save(short, short.match.resign(BOB), NOW)
    assert (await won(store, ALICE, BOB)).changes == FIRST_WIN


# --- pairs


async def forced(
    store: MatchStore, *players: Member, last: StoredMatch | None = None, now: int = NOW
) -> StoredMatch:
    """Return a match on a one-sided board, won by who began; the next of a series after `last`."""
    match = begin(*players, options=FORCED)
    stored = await begun(store, match, series=last.series if last else None)
    over = await store.save(stored, after(match, "b2 a1 b3 a2 b4"), now)
    assert await store.load(over.id) == over
    return over


async def test_a_one_sided_board_is_rated_in_pairs(
    database: AsyncEngine, store: MatchStore
) -> None:
    """The first match waits; when the other player has begun too, both count in their order."""
    first = await forced(store, ALICE, BOB)
    assert (first.changes, first.unrated) == ((), Unrated.UNPAIRED)
    assert (await written(database))[:2] == [[], []]
    second = await forced(store, BOB, ALICE, last=first, now=NOW + 9 * DAY)
    then = await store.load(first.id)
    assert then is not None
    assert (then.changes, then.unrated, then.paired_with) == (FIRST_WIN, None, second.id)
    assert (second.unrated, second.paired_with) == (None, first.id)
    assert [change.before for change in second.changes] == [963, 1069]
    assert second.changes[0].after > second.changes[1].after
    await _nothing_changes_when_rated_anew(database, 2)


async def test_a_third_match_begins_another_pair(database: AsyncEngine, store: MatchStore) -> None:
    """Each match counts once."""
    last = None
    for number in range(4):
        pair = (ALICE, BOB) if number % 2 == 0 else (BOB, ALICE)
        last = await forced(store, *pair, last=last)
        assert bool(last.changes) == (number % 2 == 1)
    await _nothing_changes_when_rated_anew(database, 4)


async def test_what_is_no_pair(store: MatchStore) -> None:
    """The same player first, a stranger, another series, and a match in between that has no part.

    Such a match waits for a pair of its own.
    """
    first = await forced(store, ALICE, BOB)
    again = await forced(store, ALICE, BOB, last=first)
    assert again.unrated is Unrated.UNPAIRED
    assert (await forced(store, BOB, CAROL, last=again)).unrated is Unrated.UNPAIRED
    assert (await forced(store, BOB, ALICE)).unrated is Unrated.UNPAIRED
    first = await forced(store, ALICE, CAROL)
    match = begin(CAROL, ALICE, options=FORCED)
    agreed = await begun(store, match, series=first.series)
    assert await store.play_on_unrated(agreed.id)
    spoilt = await store.save(agreed, after(match, "b2 a1 b3 a2 b4"), NOW)
    assert spoilt.unrated is Unrated.AGREED
    assert (await forced(store, ALICE, CAROL, last=spoilt)).unrated is Unrated.UNPAIRED
    unpaired = await store.load(first.id)
    assert unpaired == first


async def test_a_restart_within_a_pair(store: MatchStore) -> None:
    """A match that was begun anew doesn't part the two of a pair."""
    first = await forced(store, ALICE, BOB)
    match = begin(BOB, ALICE, options=FORCED)
    dropped = await begun(store, match, series=first.series)
    assert (await store.save(dropped, dropped.match.abort(), NOW)).unrated is None
    assert (await forced(store, BOB, ALICE, last=first)).paired_with == first.id


async def test_a_resumed_match_is_no_half_of_a_pair(store: MatchStore) -> None:
    """A match whose end was taken back counts no more, whatever follows."""
    first = await forced(store, ALICE, BOB)
    resumed = await store.save(first, first.match.undo(ALICE), NOW)
    assert resumed.unrated is None
    over = await store.save(resumed, resumed.match.resign(BOB), NOW)
    assert over.unrated is Unrated.UNDONE
    assert (await forced(store, BOB, ALICE, last=over)).unrated is Unrated.UNPAIRED


async def test_a_pair_takes_two_of_the_matches_of_a_day(database: AsyncEngine) -> None:
    """If there is room for one more only, a one-sided board isn't waited for in vain."""
    store = MatchStore(database, Ledger(3))
    first = await forced(store, ALICE, BOB)
    assert (await forced(store, BOB, ALICE, last=first)).changes
    assert (await forced(store, ALICE, BOB)).unrated is Unrated.ENOUGH
    assert (await won(store, ALICE, BOB)).changes


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
    assert over.unrated is reason


# --- the reasons


async def why(store: MatchStore, before: StoredMatch, over: Match, now: int = NOW) -> str | None:
    """End a match; return the reason why it is unrated, having checked that it is stored."""
    saved = await store.save(before, over, now)
    assert not (saved.changes and saved.unrated)
    assert await store.load(saved.id) == saved
    return saved.unrated


async def test_a_rated_match_has_no_reason(store: MatchStore) -> None:
    """A rated match has no reason, and neither has a live one."""
    stored = await begun(store, begin())
    assert stored.unrated is None
    assert await why(store, stored, after(stored.match, X_WINS)) is None


async def test_an_unrated_match_has_its_reason(database: AsyncEngine) -> None:
    """An unrated match of members has its reason.

    That is an agreement, a hint while it cost the rating, an undo, its length, the daily limit.
    """
    store = MatchStore(database, Ledger(1))
    agreed = await begun(store, begin())
    assert await store.play_on_unrated(agreed.id)
    assert await why(store, agreed, after(agreed.match, X_WINS)) is Unrated.AGREED
    hinted = await hint(database, await begun(store, begin()))
    assert await why(store, hinted, after(hinted.match, X_WINS)) is Unrated.HINTED
    stored = await begun(store, after(begin(), "a1 a3 b1"))
    undone = await store.save(stored, stored.match.undo(ALICE), NOW)
    assert await why(store, undone, after(undone.match, "b1 b3 c1")) is Unrated.UNDONE
    short = await begun(store, after(begin(), "a1"))
    assert await why(store, short, short.match.resign(BOB)) is Unrated.SHORT
    assert (await won(store, ALICE, BOB)).unrated is None
    enough = await begun(store, begin())
    assert await why(store, enough, after(enough.match, X_WINS)) is Unrated.ENOUGH


async def test_the_order_of_reasons(database: AsyncEngine) -> None:
    """An agreement precedes a hint, that an undo, and all precede length and daily limit."""
    store = MatchStore(database, Ledger(0))
    for line in ("a1", "a1 a3 b1 b3"):
        stored = await begun(store, after(begin(), line))
        player = stored.match.players[(stored.match.ply - 1) % 2]
        back = await store.save(stored, stored.match.undo(player), NOW)
        again = await store.save(back, after(back.match, line.split()[-1]), NOW)
        assert await why(store, again, again.match.resign(ALICE)) is Unrated.UNDONE
        live = await begun(store, again.match)
        back = await store.save(live, live.match.undo(player), NOW)
        back = await hint(database, back)
        assert await why(store, back, back.match.resign(ALICE)) is Unrated.HINTED
        both = await hint(database, await begun(store, begin()))
        assert await store.play_on_unrated(both.id)
        assert await why(store, both, after(both.match, line).resign(ALICE)) is Unrated.AGREED


async def hint(database: AsyncEngine, stored: StoredMatch) -> StoredMatch:
    """Return a match marked as hinted, as hints did when they weren't refused in rated matches."""
    marked = update(matches).where(matches.c.id == stored.id).values(hinted=True)
    async with database.begin() as connection:
        await connection.execute(marked)
    return replace(stored, hinted=True)


@pytest.mark.parametrize("ending", ["resignation", "timeout", "departure"])
async def test_leaving_early_costs_rating(store: MatchStore, ending: str) -> None:
    """Once both have moved, leaving a match loses it: nobody takes it out of the rating alone.

    A draw that both agree on so early isn't rated.
    """
    stored = await begun(store, after(begin(), "b2 b1"))
    match = stored.match
    lost = {
        "resignation": match.resign(BOB),
        "timeout": match.time_out(),
        "departure": match.depart(BOB),
    }
    assert (await store.save(stored, lost[ending], NOW)).changes
    drawn = await begun(store, after(begin(), "a1 a3 b1"))
    assert await why(store, drawn, drawn.match.agree_draw()) is Unrated.SHORT


@pytest.mark.parametrize("players", [(ALICE, ROBOT), (ALICE, ALICE)], ids=["computer", "oneself"])
async def test_a_match_that_is_never_rated_has_no_reason(
    database: AsyncEngine, store: MatchStore, players: tuple[Player, Player]
) -> None:
    """A match against the computer or oneself has none, with or without a hint."""
    for hinted in (False, True):
        stored = await begun(store, begin(*players))
        if hinted:
            stored = await hint(database, stored)
        assert await why(store, stored, after(stored.match, X_WINS)) is None


async def test_a_called_off_match_has_no_reason(database: AsyncEngine, store: MatchStore) -> None:
    """A match ended by a moderator has no result to rate."""
    moderation = ModerationStore(database, call_off_all)
    for line in ("a1", "a1 a3 b1 b3"):
        stored = await begun(store, after(begin(), line))
        assert await store.play_on_unrated(stored.id)
        assert (await moderation.call_off(stored.place.channel_id, NOW)).match_id == stored.id
        over = await store.load(stored.id)
        assert over is not None and over.match.outcome is not None
        assert over.unrated is None
        other = await begun(store, after(begin(), line))
        ended = replace(other.match, ending=Ending(Termination.CALLED_OFF))
        assert await why(store, other, ended) is None


async def test_a_resumed_match_has_no_reason(store: MatchStore) -> None:
    """After an undo of its end a match has no reason until it ends again."""
    stored = await begun(store, after(begin(), "a1 a3 b1"))
    over = await store.save(stored, stored.match.agree_draw(), NOW)
    assert over.unrated is Unrated.SHORT
    again = await store.save(over, over.match.undo(ALICE), NOW)
    assert again.match.outcome is None and again.unrated is None
    assert await store.load(again.id) == again
    assert await why(store, again, after(again.match, "b1 b3 c1")) is Unrated.UNDONE


# --- concurrency


async def test_two_ends_at_once(database: AsyncEngine, store: MatchStore) -> None:
    """Two simultaneous ends of one member's matches are counted one after the other.

    The ratings equal those of counting them in the order of their numbers.
    """
    for _ in range(5):
        await asyncio.gather(
            won(store, ALICE, BOB), won(store, CAROL, ALICE), won(store, ALICE, CAROL)
        )
    async with database.connect() as connection:
        numbers = await connection.execute(select(matches.c.rated_as).order_by(matches.c.rated_as))
        assert list(numbers.scalars()) == list(range(1, 16))
    await _nothing_changes_when_rated_anew(database, 15)


async def test_the_last_of_a_day_at_once(database: AsyncEngine) -> None:
    """Of two simultaneous ends, one takes the last rated match of the day."""
    store = MatchStore(database, Ledger(1))
    both = await asyncio.gather(won(store, ALICE, BOB), won(store, BOB, ALICE))
    assert sorted(len(over.changes) for over in both) == [0, 2]


async def test_many_ends_at_once(postgres_database: AsyncEngine) -> None:
    """Games of one server that end together hardly wait for each other, also with a busy program.

    Each statement of eight transactions waits here as long as it does while a hundred members press
    buttons. If they were carried out one after the other, the last would wait for 4 s.
    """
    limits = Limits(size=_ENDS, overflow=0, statement_seconds=2)
    slow = create_engine(postgres_database.url.render_as_string(hide_password=False), limits)
    store = MatchStore(slow)
    pairs = [(Member(10 + n), Member(100 + n)) for n in range(_ENDS)]
    live = [await begun(store, begin(*pair)) for pair in pairs]

    def wait(*_: object) -> None:
        await_only(asyncio.sleep(_STATEMENT_SECONDS))

    event.listen(slow.sync_engine, "before_cursor_execute", wait)
    over = await asyncio.gather(*(store.save(one, after(one.match, X_WINS), NOW) for one in live))
    await slow.dispose()
    assert [one.changes for one in over] == [FIRST_WIN] * _ENDS


async def test_rerating_during_an_end(database: AsyncEngine, store: MatchStore) -> None:
    """A match that ends during a rerating is counted once."""
    for _ in range(3):
        await won(store, ALICE, BOB)

    async def anew() -> None:
        async with database.begin() as connection:
            await connection.run_sync(rerate)

    await asyncio.gather(won(store, BOB, CAROL), anew(), won(store, CAROL, ALICE))
    await _nothing_changes_when_rated_anew(database, 5)


async def _nothing_changes_when_rated_anew(database: AsyncEngine, rated: int) -> None:
    before = await written(database)
    async with database.begin() as connection:
        assert await connection.run_sync(rerate) == rated
    assert await written(database) == before
