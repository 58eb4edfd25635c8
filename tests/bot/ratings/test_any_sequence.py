"""Laws of counting, over random sequences of members, games, endings and days."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from operator import methodcaller
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from bot.db.database import Database
from bot.db.tables import matches as match_table
from bot.db.tables import seats
from bot.identity import ChannelId, MemberId, Place, ServerId
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from bot.ratings.ledger import Ledger
from bot.ratings.model import ALL_GAMES, periods_of
from bot.ratings.standings import RatingKey, Sheet, TallyKey
from bot.workers.search_client import SearchClient
from core.engine.levels import Level
from core.engine.player import Engine
from core.games import GAMES
from core.match import Match
from core.outcome import Result, Termination, result_of
from core.players import Computer, Member, Player
from tests.bot.playing import loaded
from tests.bot.ratings.counting import nothing_changes_when_rated_anew, written
from tests.bot.serving import Clock
from tests.services import Services, new_match, services_with

A_DAY = 2  # low enough for random matches to reach the limit
_channels = map(ChannelId, count(1000))
# Matches on one-sided boards are rated in pairs.
FOR_TWO = [
    game for game in GAMES.values() if game.seats == 2 and not game.one_sided(game.resolve({}))
]


@dataclass
class Expected:
    """The expected ratings, computed without the database."""

    today: Counter[tuple[int | None, ...]] = field(default_factory=Counter)
    rated: set[int] = field(default_factory=set)

    def ended(self, over: StoredMatch, *, spoilt: bool, now: int) -> None:
        users = {player.id for player in over.match.players if isinstance(player, Member)}
        outcome = over.match.outcome
        agreed = outcome and outcome.termination is Termination.AGREEMENT
        if spoilt or len(users) < 2 or over.match.ply < (4 if agreed else 2):
            return
        day = (over.place.server_id, now // 86_400, *sorted(users))
        if self.today[day] < A_DAY:
            self.today[day] += 1
            self.rated.add(over.id)


async def played(services: Services, rng: Random, stored: StoredMatch) -> tuple[StoredMatch, bool]:
    """Play a match to some end; return it, and whether a hint or an undo made it unrated."""
    matches, spoilt = services.matches, False
    for _ in range(rng.choice((3, 6, 9))):
        match = stored.match
        if match.outcome:
            return stored, spoilt
        player = match.next_player
        assert isinstance(player, Member)
        happens = rng.random()
        if happens < 0.03 and match.rated:
            spoilt |= await services.store.play_on_unrated(stored)
            stored = await matches.get(stored.id)
        elif happens < 0.06 and match.ply >= len(match.players):
            stored, spoilt = await matches.change(stored, methodcaller("undo", player)), True
        else:
            move = str(rng.choice(match.position.legal_moves()))
            stored = await matches.play(stored.id, MemberId(player.id), move)
    if not stored.match.outcome and rng.random() < 0.3 and stored.match.rated:
        stored = await matches.change(stored, Match.agree_draw)
    elif not stored.match.outcome:
        members = [MemberId(p.id) for p in stored.match.players if isinstance(p, Member)]
        stored = await matches.resign(stored, rng.choice(members))
    return stored, spoilt


async def any_sequence(services: Services, clock: Clock, rng: Random) -> Expected:
    """Play 40 matches on two servers over several days, some of them rematches."""
    expected, last = Expected(), None
    for _ in range(40):
        clock.now += rng.choice((60, 3600, 20_000))
        if last and rng.random() < 0.3:
            stored = await services.starter.rematch(last)
        else:
            pair: list[Player] = [Member(user) for user in rng.sample(range(1, 4), 2)]
            pair[1] = rng.choices((pair[1], pair[0], Computer(Level.EASY)), (10, 1, 1))[0]
            rng.shuffle(pair)
            place = Place(ServerId(rng.choice((10, 11))), next(_channels))
            seating = [(p, f"M{p.id}" if isinstance(p, Member) else None) for p in pair]
            new = new_match(place, rng.choice(FOR_TWO), seating)
            stored = await services.starter.start(new)
        last, spoilt = await played(services, rng, stored)
        expected.ended(last, spoilt=spoilt, now=clock.now)
        assert bool(last.entry.changes) == (last.id in expected.rated)
        assert await services.matches.get(last.id) == last
    return expected


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 4))]
)
async def test_the_laws_of_counting(
    database: Database, searches: SearchClient, clock: Clock, seed: int
) -> None:
    """Results add up, ranks match outcomes, each rating continues the last, and rerating agrees."""
    rng = Random(seed)
    store = MatchStore(database, Ledger(A_DAY))
    services = services_with(store, Engine(), searches, rng, clock)
    expected = await any_sequence(services, clock, rng)
    assert len(expected.rated) > 8
    assert max(expected.today.values()) == A_DAY
    async with database.connect() as connection:
        joined = select(match_table, seats.c.seat, seats.c.user_id, seats.c.rank).add_columns(
            seats.c.rating_before, seats.c.rating_after
        )
        joined = joined.join(seats, seats.c.match_id == match_table.c.id)
        order = (match_table.c.guild_id, match_table.c.rated_as, match_table.c.id, seats.c.seat)
        rows = (await connection.execute(joined.order_by(*order))).all()
    assert {row.id for row in rows if row.rated_as} == expected.rated
    await _ranks_agree(store, rows)
    _ratings_follow_on(rows)
    _, tallied, _ = await written(database)
    assert _tallies(tallied) == _results(rows)
    await nothing_changes_when_rated_anew(database, len(expected.rated))


async def _ranks_agree(store: MatchStore, rows: Sequence[Any]) -> None:
    ranks = defaultdict(list)
    for row in rows:
        ranks[row.id].append(row.rank)
    for match_id, found in ranks.items():
        stored = await loaded(store, match_id)
        assert stored.match.outcome is not None
        assert tuple(found) == stored.match.outcome.ranks


def _ratings_follow_on(rows: Sequence[Any]) -> None:
    """Assert that each rating before a match is the player's last one at that game."""
    last: dict[Any, int] = defaultdict(lambda: 1000)
    for row in rows:
        if row.rated_as is None:
            assert (row.rating_before, row.rating_after) == (None, None)
        else:
            player = (row.guild_id, row.user_id, row.game)
            assert row.rating_before == last[player]
            last[player] = row.rating_after


def _results(rows: Sequence[Any]) -> dict[Any, list[int]]:
    """Return wins, draws and losses of rated matches by server, member, game and period."""
    found: dict[Any, list[int]] = defaultdict(lambda: [0, 0, 0])
    order = (Result.WIN, Result.DRAW, Result.LOSS)
    for row in rows:
        if row.rated_as is not None:
            ranks = [other.rank for other in rows if other.id == row.id]
            for game in (row.game, ALL_GAMES):
                for period in periods_of(row.ended_at):
                    counted = found[row.guild_id, row.user_id, game, period]
                    counted[order.index(result_of(ranks, row.seat))] += 1
    return dict(found)


def _tallies(rows: Sequence[Any]) -> dict[Any, list[int]]:
    return {
        (row.guild_id, row.user_id, row.game, row.period): [row.wins, row.draws, row.losses]
        for row in rows
    }


three_seats = st.lists(
    st.tuples(
        st.permutations([MemberId(user) for user in range(1, 6)]).map(lambda users: users[:3]),
        st.sampled_from([[1, 2, 3], [2, 1, 3], [1, 1, 3], [1, 2, 2], [1, 1, 1], [3, 1, 1]]),
        st.sampled_from(["a", "b"]),
        st.integers(0, 10**7),
    ),
    max_size=12,
)


@given(three_seats)
def test_three_seats_add_up(sequence: list[Any]) -> None:
    """With three seats too, each player's results equal their matches in number."""
    sheet, seen = Sheet(), Counter[TallyKey]()
    for users, ranks, game, moment in sequence:
        before = {user: sheet.ratings.get(RatingKey(user, game)) for user in users}
        changes = sheet.count(game, users, ranks, moment)
        for seat, user in enumerate(users):
            known = before[user]
            assert changes[seat].before == (known.points if known else 1000)
            for period in periods_of(moment):
                seen.update(TallyKey(user, of, period) for of in (game, ALL_GAMES))
    assert {k: t.wins + t.draws + t.losses for k, t in sheet.tallies.items()} == dict(seen)
    for period in {key.period for key in seen}:
        of_all = [t for k, t in sheet.tallies.items() if k.game and k.period == period]
        assert sum(t.wins for t in of_all) <= sum(t.wins + t.draws + t.losses for t in of_all) / 3
