"""Leaderboards in the database: sums of rated matches, ordered, ranked and paged."""

from itertools import count

import pytest

from bot.identity import ChannelId, Place, ServerId
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.store import MatchStore
from bot.ratings.model import ALL_TIME, By, Listing, Standing, month_of, week_of
from bot.ratings.store import ScoreStore
from core.players import Member
from tests.bot.playing import ALICE_ID, BOB_ID, NOW, SERVER, X_WINS, begin, stretch
from tests.core.boards import ALICE, BOB, CAROL, after

OTHER_SERVER = ServerId(SERVER + 1)
WINS = Listing(SERVER, "tictactoe", ALL_TIME, By.WINS)
RATED = Listing(SERVER, "tictactoe", ALL_TIME, By.RATING)
_channels = map(ChannelId, count(100))


async def beaten(
    store: MatchStore,
    winner: Member,
    loser: Member,
    *,
    server: ServerId = SERVER,
    names: tuple[str, str] | None = None,
    now: int = NOW,
) -> StoredMatch:
    """Let one member beat another in a channel of their own."""
    called = names or (f"M{winner.id}", f"M{loser.id}")
    match = begin(winner, loser)
    stored = await store.create(NewMatch(Place(server, next(_channels)), match, called), now)
    return await store.save(stored, after(match, X_WINS), now)


async def board(scores: ScoreStore, listing: Listing = WINS) -> list[Standing]:
    return await stretch(scores, listing, 0, 25)


async def test_periods_are_counted_apart(store: MatchStore, scores: ScoreStore) -> None:
    """A match counts in the month and week of its end; the rating spans all periods."""
    november = NOW + 14 * 86_400
    later = november + 6 * 86_400  # in the next week, and in the next month
    await beaten(store, ALICE, BOB, now=november)
    await beaten(store, ALICE, BOB, now=later)
    for period in (month_of(november), week_of(november)):
        shown = await board(scores, Listing(SERVER, "tictactoe", period, By.WINS))
        assert [(s.wins, s.losses, s.rating) for s in shown] == [(1, 0, 1078), (0, 1, 922)]
    whole = [(s.wins, s.losses, s.rating) for s in await board(scores)]
    assert [counted[:2] for counted in whole] == [(2, 0), (0, 2)]
    for period in (month_of(later), week_of(later)):
        shown = await board(scores, Listing(SERVER, "tictactoe", period, By.WINS))
        assert [s.rating for s in shown] == [rating for _, _, rating in whole]
        assert [(s.wins, s.losses) for s in shown] == [(1, 0), (0, 1)]


async def test_ranked_from_the_first_match_on(store: MatchStore, scores: ScoreStore) -> None:
    """Either order lists everybody with a rated match."""
    assert await board(scores, RATED) == []
    assert await scores.standing(RATED, ALICE_ID) is None
    await beaten(store, ALICE, BOB)
    shown = await board(scores, RATED)
    assert [(s.rank, s.user_id, s.wins) for s in shown] == [(1, ALICE_ID, 1), (2, BOB_ID, 0)]
    assert await scores.standing(RATED, BOB_ID) == shown[1]
    assert await scores.count(RATED) == await scores.count(WINS) == 2


async def test_equal_members_share_a_rank(store: MatchStore, scores: ScoreStore) -> None:
    """A rank is one more than the number of better members: 1, 2, 2, 4, on any page."""
    for winner, wins in ((1, 3), (2, 2), (3, 2), (4, 1)):
        for match in range(wins):
            await beaten(store, Member(winner), Member(1000 + 10 * winner + match))
    whole = await board(scores)
    assert [(s.user_id, s.rank) for s in whole[:4]] == [(1, 1), (3, 2), (2, 2), (4, 4)]
    assert {s.rank for s in whole[4:]} == {5}
    for offset in range(len(whole)):
        for limit in (1, 3, 25):
            assert await stretch(scores, WINS, offset, limit) == whole[offset : offset + limit]
    assert await stretch(scores, WINS, len(whole), 10) == []
    for standing in whole:
        assert await scores.standing(WINS, standing.user_id) == standing
    assert await scores.users(WINS, 1, 3) == [s.user_id for s in whole[1:4]]


@pytest.mark.parametrize("by", By)
async def test_those_who_lead(store: MatchStore, scores: ScoreStore, by: By) -> None:
    """Equal members are all counted, and ten are named; nobody leads by losing alone."""
    listing = Listing(SERVER, "tictactoe", ALL_TIME, by)
    await beaten(store, Member(1), Member(1000))
    led = await scores.leaders(listing, 3)
    assert [(s.rank, s.user_id) for s in led.named] == [(1, 1)] and led.more == 0
    for number in range(11, 23):
        await beaten(store, Member(number), Member(1000 + number))
    await beaten(store, Member(1), Member(1001))
    led = await scores.leaders(listing, 3)
    assert [s.rank for s in led.named] == [1, *[2] * 9] and led.more == 3
    led = await scores.leaders(listing, 1)
    assert [s.user_id for s in led.named] == [1] and led.more == 0


async def test_provisional_ratings_stand_after_all_others(
    store: MatchStore, scores: ScoreStore
) -> None:
    """A newcomer's lucky win gave them the first place. By wins it makes no difference."""
    for _ in range(4):
        await beaten(store, ALICE, BOB)
        await beaten(store, BOB, ALICE)
    await beaten(store, CAROL, Member(1000))
    shown = await board(scores, RATED)
    order = [ALICE_ID, BOB_ID] if (shown[0].user_id == ALICE_ID) else [BOB_ID, ALICE_ID]
    assert [s.user_id for s in shown] == [*order, CAROL.id, 1000]
    assert [s.rank for s in shown] == [1, 2, 3, 4]
    assert [s.provisional for s in shown] == [False, False, True, True]
    assert (shown[2].rating or 0) > (shown[0].rating or 0) > (shown[1].rating or 0)
    for offset, standing in enumerate(shown):
        assert await stretch(scores, RATED, offset, 25) == shown[offset:]
        assert await scores.standing(RATED, standing.user_id) == standing
    assert [s.user_id for s in (await scores.leaders(RATED, 1)).named] == order[:1]
    assert [s.user_id for s in (await scores.leaders(RATED, 2)).named] == [order[0], CAROL.id]
    by_wins = await board(scores)
    assert [s.provisional for s in by_wins if s.user_id in order] == [False, False]
    assert {s.user_id for s in by_wins[:2]} == {*order}


async def test_names_are_the_newest_on_this_server(store: MatchStore, scores: ScoreStore) -> None:
    """A member has the name they last had on this server, whatever it is on another."""
    await beaten(store, ALICE, BOB, names=("Alice", "Bob"))
    await beaten(store, ALICE, BOB, names=("Alicia", "Bob"))
    await beaten(store, ALICE, CAROL, server=OTHER_SERVER, names=("Secret", "Carol"))
    assert [s.name for s in await board(scores)] == ["Alicia", "Bob"]


@pytest.mark.parametrize("by", By)
async def test_leaderboards_are_in_order(store: MatchStore, scores: ScoreStore, by: By) -> None:
    """They have the best first, and everyone once."""
    for winner, loser in ((1, 2), (1, 3), (2, 3), (3, 2), (2, 1), (1, 2), (3, 1), (1, 3)):
        await beaten(store, Member(winner), Member(loser))
    shown = await board(scores, Listing(SERVER, "tictactoe", ALL_TIME, by))
    values = [s.rating if by is By.RATING else s.wins for s in shown]
    assert values == sorted(values, reverse=True, key=lambda value: value or 0)
    assert len({s.user_id for s in shown}) == len(shown) == 3


async def test_the_game_last_rated(store: MatchStore, scores: ScoreStore) -> None:
    """It is that of the server's last rated match, None on a server without one."""
    assert await scores.last_rated(SERVER) is None
    await beaten(store, ALICE, BOB)
    assert await scores.last_rated(SERVER) == "tictactoe"
    assert await scores.last_rated(OTHER_SERVER) is None
