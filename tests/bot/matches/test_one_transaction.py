"""The database cost of a turn: one transaction, few statements, and a durable move."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, event, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.statements import read
from bot.db.tables import members
from bot.identity import ChannelId, MessageId, Place, ServerId
from bot.matches.computer import ComputerPlayer
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.ratings.store import ScoreStore
from bot.workers.search_client import SearchClient
from core.engine.levels import Level
from core.engine.player import Engine
from core.match import Match
from core.players import Computer
from tests.bot.playing import ALICE_ID, HERE, NOW, begin
from tests.core.boards import ALICE, after


@dataclass
class Cost:
    """The database requests of a piece of work."""

    begun: int = 0
    committed: int = 0
    rolled_back: int = 0
    statements: list[str] = field(default_factory=list)
    _last: str = ""

    @property
    def verbs(self) -> list[str]:
        """The first word of each statement."""
        return [statement.split()[0] for statement in self.statements]

    def note(self, statement: str) -> None:
        """Count a statement that SQLite has been given, with its values in it.

        Changes in succession that differ in their values alone are one statement.
        """
        verb, alike = statement.split()[0], _VALUE.sub("?", statement)
        self.begun += verb == "BEGIN"
        self.committed += verb == "COMMIT"
        self.rolled_back += verb == "ROLLBACK"
        if verb not in _ENDS and (verb == "SELECT" or alike != self._last):
            self.statements.append(alike)
        self._last = alike


_ENDS = ("BEGIN", "COMMIT", "ROLLBACK")
_VALUE = re.compile(r"'[^']*'|\b[0-9.]+\b|\bNULL\b")


@asynccontextmanager
async def counted(database: AsyncEngine) -> AsyncIterator[Cost]:
    """Count the requests in the body: all that SQLite gets, on PostgreSQL by SQLAlchemy's events.

    On SQLite the body uses one connection, that which was used last.
    """
    cost = Cost()
    if database.dialect.name == "sqlite":
        await read(database, _trace, cost.note)
        yield cost
        await read(database, _trace, None)
        return

    def begin(_: Any) -> None:
        cost.begun += 1

    def commit(_: Any) -> None:
        cost.committed += 1

    def rollback(_: Any) -> None:
        cost.rolled_back += 1

    def execute(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        cost.statements.append(statement)

    listeners: list[tuple[str, Callable[..., None]]] = [
        ("begin", begin),
        ("commit", commit),
        ("rollback", rollback),
        ("before_cursor_execute", execute),
    ]
    for name, listener in listeners:
        event.listen(database.sync_engine, name, listener)
    try:
        yield cost
    finally:
        for name, listener in listeners:
            event.remove(database.sync_engine, name, listener)


def _trace(connection: Connection, note: Callable[[str], None] | None) -> None:
    """Let SQLite's connection tell its statements from now on, None for no more."""
    driver: Any = connection.connection.driver_connection
    driver.set_trace_callback(note)


@pytest.fixture
def matches(store: MatchStore, searches: SearchClient) -> MatchService:
    rng = Random(1)
    return MatchService(store, ComputerPlayer(Engine(), searches, rng), rng, lambda: NOW)


async def stored(matches: MatchService, match: Match) -> StoredMatch:
    names = ("Alice", None if isinstance(match.players[1], Computer) else "Bob")
    return await matches.store.create(NewMatch(HERE, match, names), NOW)


async def test_a_match_begins(database: AsyncEngine, store: MatchStore) -> None:
    """Of its server and players only what isn't known is written: names, and who is there again."""
    place = Place(ServerId(7), ChannelId(1), "en-US")

    async def begun(name: str) -> list[str]:
        match = begin(ALICE, Computer(Level.EASY))
        async with counted(database) as cost:
            stored = await store.create(NewMatch(place, match, (name, None)), NOW)
        await store.save(stored, match.resign(ALICE), NOW)
        return cost.verbs

    match_alone, alice_too = ["INSERT", "INSERT", "SELECT"], ["INSERT", "UPDATE"]
    assert await begun("Alice") == [*match_alone, "INSERT", *alice_too]
    assert await begun("Alice") == match_alone
    assert await begun("Ali") == [*match_alone, *alice_too]
    await ScoreStore(database).note_presence(ServerId(7), [ALICE_ID], present=False)
    assert await begun("Ali") == [*match_alone, *alice_too]
    async with database.connect() as connection:
        rows = await connection.execute(select(members.c.name, members.c.present))
        assert rows.all() == [("Ali", True)]


async def test_a_turn_between_members(database: AsyncEngine, matches: MatchService) -> None:
    """A member's move is one transaction: one read, one write, one commit."""
    match_id = (await stored(matches, begin())).id
    async with counted(database) as cost:
        played = await matches.play(match_id, ALICE_ID, "b2", 0)
    assert (cost.begun, cost.committed, cost.rolled_back) == (1, 1, 0)
    assert cost.verbs == ["SELECT", "UPDATE"]
    assert await matches.get(match_id) == played


@pytest.mark.parametrize("level", [Level.EASY, Level.MEDIUM, Level.HARD])
async def test_a_turn_against_the_computer(
    database: AsyncEngine, matches: MatchService, level: Level
) -> None:
    """A member's move and the computer's answer are written in one commit."""
    match_id = (await stored(matches, begin(ALICE, Computer(level)))).id
    async with counted(database) as cost:
        played = await matches.play(match_id, ALICE_ID, "b2", 0)
    assert (cost.begun, cost.committed, cost.rolled_back) == (1, 1, 0)
    assert cost.verbs == ["SELECT", "UPDATE"]
    assert played.match.ply == 2
    assert await matches.get(match_id) == played


async def test_a_turn_with_a_search(database: AsyncEngine, matches: MatchService) -> None:
    """The member's move is committed before the search for the answer, which is one more write."""
    player, board = Computer(Level.STRONG), {"rows": 5}
    match_id = (await stored(matches, begin(ALICE, player, options=board))).id
    async with counted(database) as cost:
        played = await matches.play(match_id, ALICE_ID, "c3", 0)
        assert (cost.begun, cost.committed, cost.rolled_back) == (1, 1, 0)
        assert cost.verbs == ["SELECT", "UPDATE"]
        assert matches.thinks(played) and played.match.ply == 1
        answered = await matches.answer(played)
    assert (cost.begun, cost.committed, cost.rolled_back) == (2, 2, 0)
    assert cost.verbs == ["SELECT", "UPDATE", "UPDATE"]
    assert answered is not None and answered.match.ply == 2
    assert await matches.get(match_id) == answered


async def test_the_last_turn(database: AsyncEngine, matches: MatchService) -> None:
    """The move that ends a match writes ranks, ratings and standings in the same commit."""
    match_id = (await stored(matches, after(begin(), "a1 a3 b1 b3"))).id
    async with counted(database) as cost:
        played = await matches.play(match_id, ALICE_ID, "c1", 4)
    assert (cost.begun, cost.committed, cost.rolled_back) == (1, 1, 0)
    assert cost.verbs[:4] == ["SELECT", "UPDATE", "DELETE", "UPDATE"]
    # PostgreSQL asks for the locks of the players, and for that of the server's ordinals.
    assert len(cost.verbs) == {"sqlite": 12, "postgresql": 14}[database.dialect.name]
    assert len(played.changes) == 2


async def test_the_last_turn_of_an_unrated_match(
    database: AsyncEngine, matches: MatchService
) -> None:
    """The end of a match against the computer writes the ranks and no statistics."""
    waiting = after(begin(ALICE, Computer(Level.EASY)), "a1 a3 b1 b3")
    match_id = (await stored(matches, waiting)).id
    async with counted(database) as cost:
        played = await matches.play(match_id, ALICE_ID, "c1", 4)
    assert (cost.begun, cost.committed, cost.rolled_back) == (1, 1, 0)
    assert cost.verbs == ["SELECT", "UPDATE", "DELETE", "UPDATE"]
    assert played.match.outcome is not None
    assert played.changes == ()


async def test_a_refused_turn_writes_nothing(database: AsyncEngine, matches: MatchService) -> None:
    """A taken square costs one read."""
    match_id = (await stored(matches, after(begin(), "b2 a1"))).id
    async with counted(database) as cost:
        with pytest.raises(Exception, match="taken"):
            await matches.play(match_id, ALICE_ID, "a1", 2)
    assert cost.committed == 0
    assert cost.verbs == ["SELECT"]


async def test_boards_are_stored_together(database: AsyncEngine, matches: MatchService) -> None:
    """The messages of all boards are written in one transaction, and not again."""
    match = await stored(matches, begin())
    matches.store.board_ids.note(match.id, MessageId(111))
    matches.store.board_ids.note(match.id, MessageId(222))
    matches.store.board_ids.note_old(match.id, [MessageId(111)])
    matches.store.board_ids.note_removed(match.id, MessageId(111))
    async with counted(database) as cost:
        await matches.store.board_ids.write()
        await matches.store.board_ids.write()
    assert (cost.begun, cost.committed) == (1, 1)
    assert cost.verbs == ["UPDATE"]
    noted = await matches.store.load(match.id)
    assert noted is not None
    assert noted.board_id == 222
