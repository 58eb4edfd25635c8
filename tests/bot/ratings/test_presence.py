"""Members who were noted to have left a server, and who is listed after the end of a match."""

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
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, NOW, SERVER, begin
from tests.bot.ratings.counting import begun, nothing_changes_when_rated_anew, won
from tests.bot.ratings.test_pairs import FORCED
from tests.core.boards import ALICE, BOB, CAROL, after, some_moves

MONTH = 31 * 86_400


async def listed(scores: ScoreStore, game: str, period: str = ALL_TIME) -> set[MemberId]:
    """Return the members whom a leaderboard by wins has."""
    return {*await scores.users(Listing(SERVER, game, period, By.WINS), 0, 25)}


# In two-player matches X is alice, who was noted to have left, and it is her turn.
@pytest.mark.parametrize(
    ("ends", "back"),
    [
        (lambda match: match.play("c1"), True),
        (lambda match: match.resign(ALICE), True),
        (lambda match: match.resign(BOB), False),
        (lambda match: match.time_out(), False),
        (lambda match: match.depart(ALICE), False),
        (lambda match: match.depart(BOB), False),
        (lambda match: match.agree_draw(), False),
        (lambda match: after(match, "c2 c3"), False),
    ],
    ids=["moves", "resigns", "bob resigns", "time", "departs", "bob departs", "draw", "bob moves"],
)
async def test_only_who_ends_a_match_is_back(
    database: Database,
    store: MatchStore,
    scores: ScoreStore,
    ends: Callable[[Match], Match],
    back: bool,
) -> None:
    """A clock that ran out listed members who had left, so that they won seasons and roles."""
    await won(store, ALICE, CAROL)
    running = await begun(store, after(begin(), "a1 a3 b1 b3"))
    await scores.note_left(SERVER, [ALICE_ID], month_of(NOW - MONTH))
    ended = await store.save(running, ends(running.match), NOW)
    assert ended.entry.changes
    there = {BOB_ID, CAROL_ID} | ({ALICE_ID} if back else set())
    for game in ("tictactoe", ALL_GAMES):
        for period in (ALL_TIME, month_of(NOW)):
            assert await listed(scores, game, period) == there
    async with database.connect() as connection:
        present = select(members.c.present).where(members.c.user_id == ALICE_ID)
        assert (await connection.execute(present)).scalar_one() is back
    await nothing_changes_when_rated_anew(database, 2)


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


@pytest.mark.parametrize("resigns", [True, False])
async def test_the_last_two_of_three(store: MatchStore, scores: ScoreStore, resigns: bool) -> None:
    """The match ends as carol leaves after bob; only a resignation shows that she is there."""
    match = some_moves(begin(ALICE, BOB, CAROL, game="tribolo"), 3).resign(BOB)
    running = await begun(store, match)
    await scores.note_left(SERVER, [CAROL_ID], month_of(NOW - MONTH))
    assert match.next_player == CAROL
    over = match.resign(CAROL) if resigns else match.time_out()
    assert (await store.save(running, over, NOW)).entry.changes
    there = {ALICE_ID, BOB_ID} | ({CAROL_ID} if resigns else set())
    assert await listed(scores, "tribolo") == there
