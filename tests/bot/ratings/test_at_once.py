"""Matches that end at the same moment, and those counted meanwhile."""

import asyncio
from collections import Counter
from collections.abc import Coroutine
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, event, select
from sqlalchemy.util import await_only

from bot.db.database import ConnectionLimits, Database, create_engine
from bot.db.tables import matches, ratings, standings
from bot.identity import MemberId, ServerId, is_former
from bot.matches.store import MatchStore
from bot.privacy.store import PersonalStore
from bot.ratings.ledger import Ledger
from bot.ratings.model import Unrated, month_before, month_of
from bot.ratings.rerate import rerate
from bot.ratings.store import ScoreStore
from core.players import Member
from tests.bot.meanwhile import meanwhile
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, NOW, SERVER, X_WINS, begin, loaded
from tests.bot.ratings.counting import FIRST_WIN, begun, nothing_changes_when_rated_anew, won
from tests.bot.ratings.test_presence import listed
from tests.core.boards import ALICE, BOB, CAROL, after

_ENDS, _PATIENCE_SECONDS, _LONG_ENOUGH_SECONDS = 8, 20, 0.3


async def test_an_agreement_during_the_last_move(store: MatchStore) -> None:
    """An agreement and the last move at once: the match is unrated or rated, never both."""
    for _ in range(10):
        read = await begun(store, after(begin(), "a1 a3 b1 b3"))
        agreed, _ = await asyncio.gather(
            store.play_on_unrated(read), store.save(read, after(read.match, "c1"), NOW)
        )
        over = await loaded(store, read.id)
        assert (over.entry.unrated is Unrated.AGREED) == agreed
        assert bool(over.entry.changes) == (not agreed)


async def test_two_ends_at_once(database: Database, store: MatchStore) -> None:
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
    await nothing_changes_when_rated_anew(database, 15)


async def test_the_last_of_a_day_at_once(database: Database) -> None:
    """Of two simultaneous ends, one takes the last rated match of the day."""
    store = MatchStore(database, Ledger(1))
    both = await asyncio.gather(won(store, ALICE, BOB), won(store, BOB, ALICE))
    assert sorted(len(over.entry.changes) for over in both) == [0, 2]


async def test_many_ends_at_once(postgres_database: Database) -> None:
    """Games of one server that end together are counted side by side.

    They only wait for each other to get their ordinals, in two statements each. Here none begins
    these statements before all have come so far.
    """
    url = postgres_database.url.render_as_string(hide_password=False)
    engine = create_engine(url, ConnectionLimits(size=_ENDS, overflow=0))
    store = MatchStore(engine)
    pairs = [(Member(10 + n), Member(100 + n)) for n in range(_ENDS)]
    live = [await begun(store, begin(*pair)) for pair in pairs]
    all_here, one_after_another = asyncio.Barrier(_ENDS), Counter[Connection]()

    def wait(connection: Connection, _: object, __: object, given: object, *___: object) -> None:
        if "ordinals on" in str(given):
            await_only(all_here.wait())
            one_after_another[connection] += 1
        elif connection in one_after_another:
            one_after_another[connection] += 1

    event.listen(engine.sync_engine, "before_cursor_execute", wait)
    async with asyncio.timeout(_PATIENCE_SECONDS):
        over = await asyncio.gather(
            *(store.save(one, after(one.match, X_WINS), NOW) for one in live)
        )
    await engine.dispose()
    assert [one.entry.changes for one in over] == [FIRST_WIN] * _ENDS
    assert [*one_after_another.values()] == [2] * _ENDS


async def test_rerating_after_a_member_has_left(
    database: Database, store: MatchStore, scores: ScoreStore
) -> None:
    """They aren't listed again, nor are erased members; on another server they still are.

    In a season that was over when they left, they keep their place.
    """
    await won(store, ALICE, BOB)
    await won(store, ALICE, BOB, server=ServerId(SERVER + 1))
    await won(store, ALICE, CAROL)
    await scores.note_left(SERVER, [BOB_ID], month_of(NOW))
    await PersonalStore(database, Random(1)).forget(CAROL_ID)
    await nothing_changes_when_rated_anew(database, 3)


async def test_an_end_after_a_player_was_erased(database: Database, store: MatchStore) -> None:
    """The match was read before the erasure, but counts for the former player, not the member."""
    read = await begun(store, after(begin(), "a1 a3 b1 b3"))
    await PersonalStore(database, Random(1)).forget(MemberId(ALICE.id))
    await store.save(read, after(read.match, "c1"), NOW)
    async with database.connect() as connection:
        for table in (ratings, standings):
            counted = {*(await connection.execute(select(table.c.user_id))).scalars()}
            former = counted - {BOB_ID}
            assert len(former) == 1
            assert all(map(is_former, former))
    await nothing_changes_when_rated_anew(database, 1)


@pytest.mark.parametrize("returns", [True, False])
async def test_a_player_returns_or_leaves_during_an_end(
    postgres_database: Database, returns: bool
) -> None:
    """The new tallies are as the server's other ones: a later press would list nobody again."""
    store, scores = MatchStore(postgres_database), ScoreStore(postgres_database)
    running = await begun(store, after(begin(), "a1 a3 b1 b3"))
    if returns:
        await scores.note_left(SERVER, [BOB_ID], month_before(NOW))

    def act() -> Coroutine[Any, Any, None]:
        if returns:
            return scores.note_seen(SERVER, BOB_ID, NOW)
        return scores.note_left(SERVER, [BOB_ID], month_before(NOW))

    async with meanwhile(postgres_database, "INSERT INTO ratings", act):
        await store.save(running, after(running.match, "c1"), NOW)
    assert await listed(scores, "tictactoe") == {ALICE_ID, *([BOB_ID] if returns else [])}


async def test_rerating_during_an_end(database: Database, store: MatchStore) -> None:
    """A match that ends during a rerating is counted once."""
    for _ in range(3):
        await won(store, ALICE, BOB)

    async def anew() -> None:
        async with database.begin() as connection:
            await connection.run_sync(rerate)

    await asyncio.gather(won(store, BOB, CAROL), anew(), won(store, CAROL, ALICE))
    await nothing_changes_when_rated_anew(database, 5)
