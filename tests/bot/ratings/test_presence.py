"""Members who were noted to have left a server, and who is listed again."""

from collections.abc import Callable

import pytest
from sqlalchemy import select

from bot.db.database import Database
from bot.db.tables import members
from bot.identity import MemberId
from bot.matches.store import MatchStore
from bot.ratings.model import ALL_GAMES, ALL_TIME, By, Listing, month_of
from bot.ratings.store import ScoreStore
from core.match import Match
from tests.bot.costs import counted
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, NOW, SERVER, begin
from tests.bot.ratings.counting import begun, nothing_changes_when_rated_anew, won
from tests.bot.ratings.test_pairs import FORCED
from tests.core.boards import ALICE, BOB, CAROL, after

MONTH = 31 * 86_400


async def listed(scores: ScoreStore, game: str, period: str = ALL_TIME) -> set[MemberId]:
    """Return the members whom a leaderboard by wins has."""
    return {*await scores.users(Listing(SERVER, game, period, By.WINS), 0, 25)}


# In two-player matches X is alice, who was noted to have left, and it is her turn.
@pytest.mark.parametrize(
    "ends",
    [
        lambda match: match.resign(BOB),
        lambda match: match.time_out(),
        lambda match: match.depart(ALICE),
        lambda match: match.agree_draw(),
        lambda match: after(match, "c2 c3"),
    ],
    ids=["bob resigns", "time", "departs", "draw", "bob moves"],
)
async def test_only_a_press_shows_who_is_back(
    database: Database, store: MatchStore, scores: ScoreStore, ends: Callable[[Match], Match]
) -> None:
    """A clock that ran out listed members who had left, so that they won seasons and roles.

    And a win by resignation, or an agreed draw, left out members who were back.
    """
    await won(store, ALICE, CAROL)
    running = await begun(store, after(begin(), "a1 a3 b1 b3"))
    await scores.note_left(SERVER, [ALICE_ID], month_of(NOW - MONTH))
    ended = await store.save(running, ends(running.match), NOW)
    assert ended.entry.changes
    for there in ({BOB_ID, CAROL_ID}, {ALICE_ID, BOB_ID, CAROL_ID}):
        for game in ("tictactoe", ALL_GAMES):
            for period in (ALL_TIME, month_of(NOW)):
                assert await listed(scores, game, period) == there
        async with database.connect() as connection:
            present = select(members.c.present).where(members.c.user_id == ALICE_ID)
            assert (await connection.execute(present)).scalar_one() is (ALICE_ID in there)
        await nothing_changes_when_rated_anew(database, 2)
        await scores.note_seen(SERVER, ALICE_ID, NOW)


async def test_a_press_costs_one_read(database: Database, scores: ScoreStore) -> None:
    """Nothing is written about members who are there, or whom no list can have."""
    async with counted(database) as cost:
        await scores.note_seen(SERVER, ALICE_ID, NOW)
    assert cost.verbs == ["SELECT"]


async def test_a_season_that_ended_while_they_were_away(
    store: MatchStore, scores: ScoreStore
) -> None:
    """A press in the next month brings a member no place in the season."""
    await won(store, ALICE, BOB)
    over = Listing(SERVER, ALL_GAMES, month_of(NOW), By.WINS)
    await scores.note_left(SERVER, [ALICE_ID], month_of(NOW - MONTH))
    await scores.note_seen(SERVER, ALICE_ID, NOW + MONTH)
    assert await listed(scores, ALL_GAMES, over.period) == {BOB_ID}


async def test_the_rows_of_a_new_month(store: MatchStore, scores: ScoreStore) -> None:
    """A member who has left isn't listed in a month in which only their time runs out."""
    running = await begun(store, after(begin(), "a1 a3 b1 b3"))
    await scores.note_left(SERVER, [ALICE_ID], month_of(NOW - MONTH))
    later = NOW + MONTH
    await store.save(running, running.match.time_out(), later)
    assert await listed(scores, "tictactoe", month_of(later)) == {BOB_ID}


async def test_a_season_that_was_over_when_they_left(store: MatchStore, scores: ScoreStore) -> None:
    """A pair that began in it counts there later, and doesn't take their place in it away."""
    first = await begun(store, begin(options=FORCED))
    first = await store.save(first, after(first.match, "b2 a1 b3 a2 b4"), NOW)
    await won(store, ALICE, CAROL)
    second = await begun(store, begin(BOB, ALICE, options=FORCED), series=first.series)
    second = await store.save(second, after(second.match, "b2 a1 b3 a2 c1"), NOW)
    await scores.note_left(SERVER, [ALICE_ID], month_of(NOW))
    over = await store.save(second, second.match.time_out(), NOW + MONTH)
    assert over.entry.paired_with == first.id
    assert await listed(scores, "tictactoe", month_of(NOW)) == {ALICE_ID, BOB_ID, CAROL_ID}
    assert await listed(scores, "tictactoe", month_of(NOW + MONTH)) == {BOB_ID}
