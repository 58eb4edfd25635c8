"""The leaderboard of all servers, in both databases: who is on it, and what it costs."""

import asyncio
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from sqlalchemy import event, insert, text, update

from bot.db.database import Database
from bot.db.statements import upsert
from bot.db.tables import guild_settings, member_settings, members, standings
from bot.identity import MemberId, ServerId
from bot.leaderboard.service import LeaderboardService
from bot.leaderboard.store import EverywhereStore
from bot.ratings.model import By, Listing, Visibility
from bot.ratings.store import ScoreStore
from tests.bot.playing import NOW

HOME, OTHER, NOT_TAKING_PART, REMOVED = 1, 2, 3, 4
BY_WINS = Listing(ServerId(HOME), "tictactoe", "", By.WINS)
BY_RATING = Listing(ServerId(HOME), "tictactoe", "", By.RATING)
# Members: on both servers, unnamed, named for all, hidden, gone, and one with a single match.
BOTH, UNNAMED, NAMED, HIDDEN, GONE, NEW = 100, 200, 300, 400, 500, 600


async def nobody(*_: object) -> set[MemberId]:
    return set()


async def standing(
    database: Database, server: int, user: int, wins: int, rating: int, **more: object
) -> None:
    """Write a member's results at tic-tac-toe, with a name on that server."""
    row = {
        "guild_id": server,
        "user_id": user,
        "game": "tictactoe",
        "period": "",
        "wins": wins,
        "draws": 1,
        "losses": 0,
        "rating": rating,
        "present": True,
    }
    name = {"guild_id": server, "user_id": user, "name": f"{user}@{server}", "present": True}
    async with database.begin() as connection:
        await connection.execute(insert(standings), [row | more])
        await connection.run_sync(upsert, members, [name])


async def taking_part(database: Database, *servers: int) -> None:
    """Let servers take part in the leaderboard of all servers."""
    async with database.begin() as connection:
        rows = [{"guild_id": server, "everywhere": True} for server in servers]
        await connection.execute(insert(guild_settings), rows)


@pytest.fixture
async def everywhere(database: Database) -> EverywhereStore:
    """Return a leaderboard with members of each kind, on servers of each kind."""
    await standing(database, HOME, BOTH, 3, 1100)
    await standing(database, OTHER, BOTH, 4, 1300)
    await standing(database, OTHER, UNNAMED, 6, 1200)
    await standing(database, OTHER, NAMED, 7, 1300)
    await standing(database, OTHER, HIDDEN, 9, 1900)
    await standing(database, OTHER, GONE, 9, 1900, present=False)
    await standing(database, OTHER, NEW, 1, 900)
    await standing(database, NOT_TAKING_PART, 700, 9, 1900)
    await standing(database, REMOVED, 800, 9, 1900)
    await taking_part(database, HOME, OTHER, REMOVED)
    async with database.begin() as connection:
        declined = [{"guild_id": NOT_TAKING_PART, "everywhere": False}]
        await connection.execute(insert(guild_settings), declined)
        await connection.execute(text(f"INSERT INTO guilds (id, removed_at) VALUES ({REMOVED}, 1)"))
        chosen = [
            {"user_id": NAMED, "shown": Visibility.NAMED.value},
            {"user_id": HIDDEN, "shown": Visibility.HIDDEN.value},
        ]
        await connection.execute(insert(member_settings), chosen)
    return EverywhereStore(database)


async def test_wins_are_added_up_and_the_best_rating_counts(everywhere: EverywhereStore) -> None:
    """Servers that don't take part are left out, and members who are gone or hidden."""
    by_wins = await everywhere.lines(BY_WINS, 10)
    assert [(one.rank, one.user_id, one.wins) for one in by_wins] == [
        (1, BOTH, 7),
        (1, NAMED, 7),
        (3, UNNAMED, 6),
        (4, NEW, 1),
    ]
    by_rating = await everywhere.lines(BY_RATING, 10)
    assert [(one.rank, one.user_id, one.rating) for one in by_rating] == [
        (1, BOTH, 1300),
        (1, NAMED, 1300),
        (3, UNNAMED, 1200),
        (4, NEW, 900),
    ]


async def test_a_settled_rating_counts_before_a_provisional_one(
    everywhere: EverywhereStore, database: Database
) -> None:
    """A member has the best of their settled ratings if there is one, and comes before others."""
    await standing(database, HOME, UNNAMED, 1, 1150, settled=True)
    await standing(database, HOME, NEW, 1, 1150, settled=True)
    by_rating = await everywhere.lines(BY_RATING, 10)
    assert [(one.rank, one.user_id, one.rating, one.provisional) for one in by_rating] == [
        (1, UNNAMED, 1150, False),
        (1, NEW, 1150, False),
        (3, BOTH, 1300, True),
        (3, NAMED, 1300, True),
    ]


async def test_names_that_a_server_sees_on_the_leaderboard_of_all(
    everywhere: EverywhereStore,
) -> None:
    """It sees the names of its own members, and of members who show theirs to all servers."""
    some = [MemberId(number) for number in (BOTH, UNNAMED, NAMED)]
    seen = await everywhere.names(ServerId(HOME), some)
    assert seen == {BOTH: f"{BOTH}@{HOME}", NAMED: f"{NAMED}@{OTHER}"}


async def test_the_leaderboard_of_all_shows_the_name_on_that_server(
    everywhere: EverywhereStore, database: Database
) -> None:
    """It is the member's name on that server; never one from a server that doesn't take part."""
    here_too, away = 350, 360
    for server, user in ((HOME, here_too), (OTHER, here_too), (NOT_TAKING_PART, away)):
        await standing(database, server, user, 1, 1000)
    async with database.begin() as connection:
        chosen = [{"user_id": one, "shown": Visibility.NAMED.value} for one in (here_too, away)]
        await connection.execute(insert(member_settings), chosen)
    seen = await everywhere.names(ServerId(HOME), [MemberId(here_too), MemberId(away)])
    assert seen == {here_too: f"{here_too}@{HOME}"}


async def test_members_of_an_earlier_list_who_are_still_listed(
    everywhere: EverywhereStore, database: Database
) -> None:
    """The members of an earlier list, except those who have left all servers or hidden since."""
    some = [MemberId(number) for number in (BOTH, NAMED, HIDDEN)]
    assert await everywhere.listed(some) == {BOTH, NAMED}
    async with database.begin() as connection:
        left = update(members).where(members.c.guild_id == OTHER).values(present=False)
        await connection.execute(left)
    assert await everywhere.listed(some) == {BOTH}


async def test_servers_that_take_part_in_the_leaderboard_of_all(
    everywhere: EverywhereStore,
) -> None:
    """Servers that have opted in take part, as long as they have the bot."""
    servers = (HOME, NOT_TAKING_PART, REMOVED, 5)
    taking = [await everywhere.takes_part(ServerId(server)) for server in servers]
    assert taking == [True, False, False, False]


async def test_a_list_is_read_once_for_all_who_ask(sqlite_database: Database) -> None:
    """Each of them reads the whole list, and many readers at once would hold every connection."""
    await standing(sqlite_database, 1, 100, 3, 1100)
    await taking_part(sqlite_database, 1)
    made: list[str] = []

    def note(*given: Any) -> None:
        made.append(given[2])

    scores, everywhere = ScoreStore(sqlite_database), EverywhereStore(sqlite_database)
    service = LeaderboardService(scores, everywhere, nobody, lambda: NOW)
    event.listen(sqlite_database.sync_engine, "before_cursor_execute", note)
    pages = await asyncio.gather(
        *(service.everywhere(BY_WINS, 0, MemberId(asker)) for asker in range(20))
    )
    event.remove(sqlite_database.sync_engine, "before_cursor_execute", note)
    assert {page.standings[0].user_id for page in pages} == {100}
    assert sum("sum(" in statement for statement in made) == 1


async def test_each_list_is_kept_apart(everywhere: EverywhereStore, scores: ScoreStore) -> None:
    """Lists are kept by order and period, so that a request meanwhile gets the list it asks for."""
    service = LeaderboardService(scores, everywhere, nobody, lambda: NOW)
    week = replace(BY_WINS, period="2023-W46")
    for listing, length in ((BY_WINS, 4), (BY_RATING, 4), (week, 0), (BY_WINS, 4)):
        page = await service.everywhere(listing, 0, MemberId(BOTH))
        assert len(page.standings) == length


async def test_the_own_line_has_a_name_on_every_page(
    everywhere: EverywhereStore, scores: ScoreStore, database: Database
) -> None:
    """It has the name even on pages whose members don't include the asker."""
    for user in range(1000, 1010):
        await standing(database, OTHER, user, 99, 1000)
    service = LeaderboardService(scores, everywhere, nobody, lambda: NOW)
    page = await service.everywhere(BY_WINS, 0, MemberId(BOTH))
    assert BOTH not in [line.user_id for line in page.standings]
    assert page.own is not None and page.own.name == f"{BOTH}@{HOME}"


async def test_a_list_is_forgotten_at_any_moment(database: Database, scores: ScoreStore) -> None:
    """Even if it is dropped between two lookups, the asker gets it."""
    await standing(database, 1, 100, 3, 1100)
    await taking_part(database, 1)
    moments = count(NOW, 7)
    service = LeaderboardService(scores, EverywhereStore(database), nobody, lambda: next(moments))
    for _ in range(30):
        page = await service.everywhere(BY_WINS, 0, MemberId(100))
        assert [line.user_id for line in page.standings] == [100]
