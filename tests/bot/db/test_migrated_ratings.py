"""0002 to 0003: earlier matches are rated, named and scored."""

from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import open_database
from bot.identity import MatchId, ServerId
from bot.matches.store import MatchStore
from bot.ratings.model import ALL_TIME, By, Listing
from bot.ratings.rerate import AFTER_UPGRADE, rerate
from bot.ratings.store import ScoreStore
from core.match import Match
from core.players import Computer, Member, Player
from tests.bot.db.migrating import made_at
from tests.bot.playing import NAMES, NOW, SERVER, X_WINS, begin, stretch
from tests.core.boards import ALICE, BOB, CAROL, ROBOT, after

_MATCH = """
    INSERT INTO matches (id, guild_id, channel_id, series_id, game, options, start, moves, ending,
                         ending_seat, computer_due, started_at, ended_at, hinted)
    VALUES (:id, :guild, :channel, :series, 'tictactoe', :options, :start, :moves, :ending,
            :ending_seat, false, 1, :ended, :hinted)
"""
_SEAT = """
    INSERT INTO seats (match_id, seat, user_id, level, name, rank)
    VALUES (:id, :seat, :user, :level, :name, :rank)
"""
OPTIONS = '{"rows": 3, "columns": 3, "line": 3, "variant": "classic"}'
LONG = after(begin(), "a1 a3 b1 b3")


def row(number: int, match: Match, ended: int | None, **values: Any) -> dict[str, Any]:
    """Return a match as 0002 has it, with its seats under "match"."""
    ending = match.ending
    return {
        "id": number,
        "guild": SERVER,
        "channel": 1000 + number,
        "series": None,
        "options": OPTIONS,
        "start": match.initial.notation,
        "moves": " ".join(map(str, match.moves)),
        "ending": ending and ending.termination.value,
        "ending_seat": ending and ending.seat,
        "ended": ended,
        "hinted": False,
        "match": match,
        "names": NAMES,
        **values,
    }


def seat_rows(of: dict[str, Any]) -> list[dict[str, Any]]:
    match: Match = of["match"]
    outcome = match.outcome

    def seat(number: int, player: Player) -> dict[str, Any]:
        return {
            "id": of["id"],
            "seat": number,
            "user": player.id if isinstance(player, Member) else None,
            "level": player.level.value if isinstance(player, Computer) else None,
            "name": of["names"][number] if isinstance(player, Member) else None,
            "rank": outcome.ranks[number] if outcome else None,
        }

    return [seat(number, player) for number, player in enumerate(match.players)]


OLD = ("Old", "Older")
# Three of a series (ended in the order 2, 1, 3), then one of each unrated kind.
PLAYED = [
    row(1, after(begin(), X_WINS), NOW, names=OLD),
    row(
        2,
        after(begin(BOB, ALICE), "a1 a3 b1 b3").agree_draw(),
        NOW - 1,
        series=1,
        names=("Older", "Old"),
    ),
    row(3, LONG.resign(BOB), NOW + 1, series=1),
    row(4, after(begin(BOB, ALICE), "b2"), None, series=1, names=NAMES[::-1]),
    row(5, after(begin(), X_WINS), NOW, hinted=True),
    row(6, after(begin(), "a1 a3 b1").resign(ALICE), NOW),
    row(7, after(begin(ALICE, ROBOT), X_WINS), NOW),
    row(8, after(begin(ALICE, ALICE), X_WINS), NOW, names=("Alice", "Alice")),
    row(9, after(begin(BOB, CAROL), X_WINS), NOW, guild=11, names=("Bobby", "Carol")),
    # Twelve more of another pair on one day, and one the next day.
    *(row(20 + n, LONG.resign(BOB), NOW + n, guild=12) for n in range(12)),
    row(40, LONG.resign(BOB), NOW + 86_400, guild=12),
]


async def filled(url: str, rows: list[dict[str, Any]]) -> None:
    """Make a database of 0002 with these matches."""
    seats = [seat for of in rows for seat in seat_rows(of)]
    await made_at(url, "0002", *(((_MATCH, rows), (_SEAT, seats)) if rows else ()))


async def column(engine: AsyncEngine, statement: str) -> list[Any]:
    async with engine.connect() as connection:
        return [tuple(r) for r in (await connection.execute(text(statement))).all()]


async def test_earlier_matches_are_rated(url: str) -> None:
    """They are rated per server, in the order of their ends, by the rules of 0003."""
    await filled(url, PLAYED)
    async with open_database(url, AFTER_UPGRADE) as engine:
        numbered = dict(await column(engine, "SELECT id, rated_as FROM matches"))
        assert [numbered[n] for n in range(1, 10)] == [2, 1, 3, *[None] * 5, 1]
        assert [numbered[20 + n] for n in range(12)] == [*range(1, 11), None, None]
        assert numbered[40] == 11
        store, scores = MatchStore(engine), ScoreStore(engine)
        second, first = await store.load(MatchId(1)), await store.load(MatchId(2))
        assert first is not None
        assert second is not None
        assert first.place.posts and first.place.server_id == SERVER
        assert [change.before for change in first.entry.changes] == [1000, 1000]
        assert [change.before for change in second.entry.changes] == [1016, 1016]
        shown = await stretch(scores, Listing(SERVER, "tictactoe", ALL_TIME, By.WINS), 0, 9)
        assert [(s.name, s.wins, s.draws, s.losses) for s in shown] == [
            ("Alice", 2, 1, 0),
            ("Bob", 0, 1, 2),
        ]
        elsewhere = await stretch(
            scores, Listing(ServerId(11), "tictactoe", ALL_TIME, By.WINS), 0, 9
        )
        assert [(s.name, s.rating) for s in elsewhere] == [("Bobby", 1069), ("Carol", 963)]


async def test_the_series_continues(url: str) -> None:
    """Each match has its players' scores before it, and the live match can end rated."""
    await filled(url, PLAYED)
    async with open_database(url, AFTER_UPGRADE) as engine:
        store = MatchStore(engine)
        stored = [await store.load(number) for number in map(MatchId, (1, 2, 3, 4))]
        assert [s and list(s.brought) for s in stored] == [[0, 0], [0, 1], [1.5, 0.5], [0.5, 2.5]]
        live = stored[3]
        assert live is not None
        over = await store.save(live, after(live.match, "a1 a2 c3 b1").resign(ALICE), NOW + 9)
        assert len(over.entry.changes) == 2
        assert [over.series.points[player] for player in over.match.players] == [1.5, 2.5]
        assert await column(engine, f"SELECT rated_as FROM matches WHERE id = {live.id}") == [(4,)]


async def test_rerating_changes_nothing(url: str) -> None:
    """Rerating, or opening again, gives the same rows as the first opening."""
    await filled(url, PLAYED)
    tables = ("ratings", "standings", "members", "guilds")
    async with open_database(url, AFTER_UPGRADE) as engine:
        before = [sorted(await column(engine, f"SELECT * FROM {table}")) for table in tables]
        async with engine.begin() as connection:
            assert await connection.run_sync(rerate) == 15
    async with open_database(url, AFTER_UPGRADE) as engine:
        after_it = [sorted(await column(engine, f"SELECT * FROM {table}")) for table in tables]
    assert after_it == before
    assert [len(rows) for rows in before] == [6, 36, 6, 3]
    assert sorted(before[3]) == [(10, None, None), (11, None, None), (12, None, None)]


@pytest.mark.parametrize("rows", [[], [PLAYED[3]]], ids=["empty", "one live match"])
async def test_a_database_without_results(url: str, rows: list[dict[str, Any]]) -> None:
    """It migrates as well."""
    await filled(url, [of | {"series": None} for of in rows])
    async with open_database(url, AFTER_UPGRADE) as engine:
        assert await column(engine, "SELECT * FROM ratings") == []
        assert len(await column(engine, "SELECT * FROM members")) == 2 * len(rows)
