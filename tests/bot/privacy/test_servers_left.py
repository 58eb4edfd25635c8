"""Servers that the bot has left: who is asked for, and the erasure in batches, on both engines."""

import asyncio
from random import Random

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.clocks.store import go_on
from bot.db.tables import (
    achievements,
    given_roles,
    guild_settings,
    guilds,
    honour_roles,
    invitations,
    matches,
    members,
    offers,
    questions,
    ratings,
    seats,
    standings,
    tournament_entrants,
    tournament_games,
    tournament_notes,
    tournaments,
)
from bot.identity import ChannelId, MemberId, Person, Place, ServerId
from bot.matches.store import MatchStore
from bot.privacy.leaving import Leaving
from bot.privacy.store import ServerDataStore
from bot.times import DAY
from bot.tournaments.model import Format
from bot.tournaments.rows import tournament_row
from bot.tournaments.stored import TournamentSettings
from core.games import GAMES
from tests.bot.playing import NOW, SERVER, create
from tests.bot.serving import Clock

_DAY = 86_400
OTHER = ServerId(11)
MATCHES = 450
_TABLES = (
    *(matches, ratings, standings, members, achievements, given_roles, honour_roles),
    *(invitations, guild_settings, tournaments),
)


@pytest.fixture
def left(database: AsyncEngine) -> ServerDataStore:
    return ServerDataStore(database, go_on)


async def test_a_match_on_a_server_that_was_left(left: ServerDataStore, store: MatchStore) -> None:
    """The bot is there again, although nothing else has told of its return: nothing is erased."""
    await left.note_left(SERVER, NOW)
    await create(store)
    assert await left.left_by(NOW + _DAY) == []


async def fill(database: AsyncEngine, server_id: ServerId, first: int, count: int) -> None:
    """Store `count` matches of one series on a server, from id `first` on, with all around them."""
    of_server = {"guild_id": server_id}
    ids = range(first, first + count)
    match = {
        "channel_id": 20,
        "game": "tictactoe",
        "options": "{}",
        "start": "",
        "moves": "",
        "computer_due": False,
        "started_at": NOW,
        "ended_at": NOW,
    }
    tally = {"game": "tictactoe", "wins": 1, "draws": 0, "losses": 0, "ranked": False}
    users = [{**of_server, "user_id": number} for number in ids]
    async with database.begin() as connection:
        await connection.execute(insert(guilds).values(id=server_id))
        await connection.execute(
            insert(matches),
            [
                {
                    **of_server,
                    **match,
                    "id": number,
                    "series_id": None if number == first else first,
                }
                for number in ids
            ],
        )
        seated = [{"match_id": number, "seat": seat} for number in ids for seat in (0, 1)]
        await connection.execute(insert(seats), seated)
        offered = [{"match_id": number, "kind": "draw", "seat": 0, "ply": 0} for number in ids]
        await connection.execute(insert(offers), offered)
        asking = [{**offer, "message_id": 9} for offer in offered]
        columns = ("match_id", "message_id", "kind", "seat")
        await connection.execute(
            insert(questions), [{name: row[name] for name in columns} for row in asking]
        )
        await connection.execute(
            insert(ratings), [{**user, "game": "tictactoe", "mu": 25, "sigma": 8} for user in users]
        )
        await connection.execute(
            insert(standings), [{**user, **tally, "period": "", "present": True} for user in users]
        )
        await connection.execute(
            insert(members), [{**u, "name": "?", "present": True} for u in users]
        )
        earned = {"achievement": "fork", "match_id": first, "earned_at": NOW}
        await connection.execute(insert(achievements), [user | earned for user in users])
        role = {**of_server, "role_id": 7}
        given = [user | {"role_id": 7, "held": True} for user in users]
        await connection.execute(insert(given_roles), given)
        await connection.execute(insert(honour_roles).values(**role))
        await connection.execute(
            insert(invitations).values(
                **of_server,
                channel_id=20,
                game="tictactoe",
                options="{}",
                owner_id=1,
                owner_name="?",
                status="begun",
                expires_at=NOW,
                revision=0,
            )
        )
        await connection.execute(insert(guild_settings).values(**of_server))
        await hold_tournament(connection, server_id, first)


async def hold_tournament(connection: AsyncConnection, server_id: ServerId, match_id: int) -> None:
    """Store a tournament with an entrant, a note, and a game that refers to a match."""
    here = Place(server_id, ChannelId(20))
    game = GAMES["tictactoe"]
    settings = TournamentSettings(game, game.resolve({}), Format.SWISS, DAY, 3)
    row = tournament_row(here, Person(MemberId(1), "?"), settings, NOW, None)
    await connection.execute(insert(tournaments).values(**row, id=match_id))
    of = {"tournament_id": match_id}
    await connection.execute(insert(tournament_entrants).values(**of, place=1, user_id=1, name="?"))
    await connection.execute(
        insert(tournament_games).values(
            **of, round=1, table=1, game=1, first=0, second=1, match_id=match_id
        )
    )
    await connection.execute(insert(tournament_notes).values(**of, at=NOW, kind="left"))


async def counted(database: AsyncEngine, server_id: ServerId) -> list[int]:
    """Return the number of a server's rows by table."""
    async with database.connect() as connection:
        return [
            (
                await connection.execute(
                    select(func.count()).select_from(table).where(table.c.guild_id == server_id)
                )
            ).scalar_one()
            for table in _TABLES
        ]


async def test_all_of_a_server_is_erased_and_nothing_of_others(
    database: AsyncEngine, left: ServerDataStore
) -> None:
    """More rows than a batch, matches of one series; the last thing to go is the server's row."""
    await fill(database, SERVER, 1, MATCHES)
    await fill(database, OTHER, 1001, 3)
    before = await counted(database, OTHER)
    await left.note_left(SERVER, NOW)
    assert await left.left_by(NOW) == [SERVER]
    assert await left.erase(SERVER)
    assert await counted(database, SERVER) == [0] * len(_TABLES)
    assert await counted(database, OTHER) == before == [3, 3, 3, 3, 3, 3, 1, 1, 1, 1]
    assert await left.left_by(NOW) == []
    assert await left.not_left() == {OTHER}
    async with database.connect() as connection:
        for table, rows in (
            *((seats, 6), (offers, 3), (questions, 3)),
            *((tournament_entrants, 1), (tournament_games, 1), (tournament_notes, 1)),
        ):
            found = await connection.execute(select(func.count()).select_from(table))
            assert found.scalar_one() == rows


async def test_a_server_that_comes_back_keeps_the_rest(
    database: AsyncEngine, left: ServerDataStore
) -> None:
    """Others write between the batches, and a return ends the erasure."""
    many = 2 * MATCHES
    await fill(database, SERVER, 1, many)
    await left.note_left(SERVER, NOW)
    erasing = asyncio.create_task(left.erase(SERVER))
    of_server = select(func.count()).where(matches.c.guild_id == SERVER)
    # One quick query: to count all tables takes so long that no matches may be left by then.
    async with database.connect() as connection:
        while (await connection.execute(of_server)).scalar_one() == many:
            await connection.rollback()
    await left.note_present([SERVER, OTHER], NOW)
    assert await erasing is False
    kept = (await counted(database, SERVER))[0]
    assert 0 < kept < many
    async with database.connect() as connection:
        whole = await connection.execute(select(func.count()).select_from(seats))
        assert whole.scalar_one() == 2 * kept


async def test_only_what_discord_says_counts(database: AsyncEngine, left: ServerDataStore) -> None:
    """It is asked before an erasure: erase, keep and forget the removal, or ask again later."""
    said = {ServerId(1): False, ServerId(2): True, ServerId(3): None}
    for server_id in said:
        await fill(database, server_id, 10 * server_id, 1)
        await left.note_left(server_id, NOW)

    async def is_there(server_id: ServerId) -> bool | None:
        return said[server_id]

    clock = Clock(NOW + 29 * _DAY)
    leaving = Leaving(left, lambda _: False, is_there, Random(1), clock, 30)
    await leaving.erase()
    assert await left.not_left() == set()
    clock.now += _DAY
    await leaving.erase()
    assert [(await counted(database, server_id))[0] for server_id in said] == [0, 1, 1]
    assert await left.not_left() == {2}
    assert await left.left_by(NOW) == [3]


async def test_back_while_the_database_was_away(left: ServerDataStore) -> None:
    """A server whose return wasn't noted is noted when the bot looks for those it has left."""

    async def is_there(_: ServerId) -> None:
        return None

    await left.note_left(ServerId(1), NOW)
    leaving = Leaving(left, lambda server_id: server_id == 1, is_there, Random(1), Clock(), 30)
    await leaving.find()
    assert await left.left_by(NOW) == []


async def test_a_server_that_is_seen_is_not_asked_for(left: ServerDataStore) -> None:
    """It would be before each loss on time otherwise."""

    async def is_there(_: ServerId) -> bool:
        raise AssertionError

    assert not await Leaving(
        left, lambda server_id: server_id == SERVER, is_there, Random(1), Clock(), 30
    ).has_left(SERVER)


async def test_who_is_asked_for(database: AsyncEngine, left: ServerDataStore) -> None:
    """Idle servers that aren't seen, also those that have only settings, and not all at once.

    A server for which there is no answer isn't left.
    """
    for server_id in (1, 2, 3):
        await fill(database, ServerId(server_id), 10 * server_id, 1)
    async with database.begin() as connection:
        later = matches.update().where(matches.c.guild_id == 2).values(started_at=NOW + 9 * _DAY)
        await connection.execute(later)
        rows = [{"guild_id": number} for number in range(100, 200)]
        await connection.execute(insert(guild_settings), rows)
    asked = set[ServerId]()

    async def is_there(server_id: ServerId) -> bool | None:
        asked.add(server_id)
        return {150: False, 151: None}.get(server_id, True)

    clock = Clock(NOW + 10 * _DAY)
    leaving = Leaving(left, lambda server_id: server_id == 1, is_there, Random(1), clock, 30)
    await leaving.find()
    assert len(asked) == 50
    for _ in range(20):
        await leaving.find()
    assert asked == {3, *range(100, 200)}
    assert await left.left_by(clock.now) == [150]
