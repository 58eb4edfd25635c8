"""The database cost of a turn: one read, one write, few statements, and a durable move."""

from random import Random

import pytest
from sqlalchemy import select

from bot.db.database import Database
from bot.db.tables import members
from bot.identity import ChannelId, MessageId, Place, ServerId
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.ratings.store import ScoreStore
from bot.workers.search_client import SearchClient
from core.engine.levels import Level
from core.engine.player import Engine
from core.match import Match
from core.players import Computer, Player
from tests.bot.costs import counted
from tests.bot.playing import ALICE_ID, HERE, NOW, begin, loaded
from tests.core.boards import ALICE, BOB, after
from tests.services import services_with


@pytest.fixture
def matches(store: MatchStore, searches: SearchClient) -> MatchService:
    return services_with(store, Engine(), searches, Random(1), lambda: NOW).matches


async def stored(store: MatchStore, match: Match) -> StoredMatch:
    names = ("Alice", None if isinstance(match.players[1], Computer) else "Bob")
    return await store.create(NewMatch(HERE, match, names), NOW)


async def test_a_match_begins(database: Database, store: MatchStore) -> None:
    """Of its server and players, only news is written: new names, and members who are back.

    Then the match is read, once.
    """
    place = Place(ServerId(7), ChannelId(1), "en-US")

    async def begun(name: str) -> list[str]:
        match = begin(ALICE, Computer(Level.EASY))
        async with counted(database) as cost:
            stored = await store.create(NewMatch(place, match, (name, None)), NOW)
        await store.save(stored, match.resign(ALICE), NOW)
        *written, read = cost.verbs
        assert read == "SELECT"
        return written

    match_alone = ["INSERT", "INSERT", "SELECT"]
    assert await begun("Alice") == [*match_alone, "INSERT", "INSERT"]
    assert await begun("Alice") == match_alone
    assert await begun("Ali") == [*match_alone, "INSERT"]
    await ScoreStore(database).note_left(ServerId(7), [ALICE_ID], "2000-01")
    recount = [] if database.dialect.name == "sqlite" else ["SELECT"]  # waits for one
    assert await begun("Ali") == [*match_alone, "INSERT", *recount, "UPDATE"]
    async with database.connect() as connection:
        rows = await connection.execute(select(members.c.name, members.c.present))
        assert rows.all() == [("Ali", True)]


@pytest.mark.parametrize(
    ("opponent", "plies"),
    [(BOB, 1), *((Computer(level), 2) for level in (Level.EASY, Level.MEDIUM, Level.HARD))],
    ids=str,
)
async def test_a_turn(
    database: Database, store: MatchStore, matches: MatchService, opponent: Player, plies: int
) -> None:
    """A member's move and the computer's answer are one read, one write and one commit."""
    match_id = (await stored(store, begin(ALICE, opponent))).id
    async with counted(database) as cost:
        played = await matches.play(match_id, ALICE_ID, "b2")
    assert cost.committed == 1
    assert cost.verbs == ["SELECT", "UPDATE"]
    assert played.match.ply == plies
    assert await matches.get(match_id) == played


async def test_a_turn_with_a_search(
    database: Database, store: MatchStore, matches: MatchService
) -> None:
    """The member's move is committed before the search for the answer, which is one more write."""
    player, board = Computer(Level.STRONG), {"rows": 5}
    match_id = (await stored(store, begin(ALICE, player, options=board))).id
    async with counted(database) as cost:
        played = await matches.play(match_id, ALICE_ID, "c3")
        assert cost.committed == 1
        assert cost.verbs == ["SELECT", "UPDATE"]
        assert played.computer_due and played.match.ply == 1
        answered = await matches.computer_moves(played)
    assert cost.committed == 2
    assert cost.verbs == ["SELECT", "UPDATE", "UPDATE"]
    assert answered is not None and answered.match.ply == 2
    assert await matches.get(match_id) == answered


async def test_the_last_turn(database: Database, store: MatchStore, matches: MatchService) -> None:
    """The move that ends a match writes ranks, ratings and standings in the same commit."""
    match_id = (await stored(store, after(begin(), "a1 a3 b1 b3"))).id
    async with counted(database) as cost:
        played = await matches.play(match_id, ALICE_ID, "c1")
    assert cost.committed == 1
    assert cost.verbs[:4] == ["SELECT", "UPDATE", "UPDATE", "UPDATE"]
    # PostgreSQL needs two more statements to lock the players, and the server's ordinals.
    assert len(cost.verbs) == {"sqlite": 14, "postgresql": 16}[database.dialect.name]
    assert len(played.entry.changes) == 2


async def test_the_last_turn_of_an_unrated_match(
    database: Database, store: MatchStore, matches: MatchService
) -> None:
    """The end of a match against the computer writes the ranks and no statistics."""
    waiting = after(begin(ALICE, Computer(Level.EASY)), "a1 a3 b1 b3")
    match_id = (await stored(store, waiting)).id
    async with counted(database) as cost:
        played = await matches.play(match_id, ALICE_ID, "c1")
    assert cost.committed == 1
    assert cost.verbs == ["SELECT", "UPDATE", "UPDATE", "UPDATE"]
    assert played.match.outcome is not None
    assert played.entry.changes == ()


async def test_a_refused_turn_writes_nothing(
    database: Database, store: MatchStore, matches: MatchService
) -> None:
    """A taken square costs one read."""
    match_id = (await stored(store, after(begin(), "b2 a1"))).id
    async with counted(database) as cost:
        with pytest.raises(Exception, match="taken"):
            await matches.play(match_id, ALICE_ID, "a1")
    assert cost.committed == 0
    assert cost.verbs == ["SELECT"]


async def test_boards_are_stored_together(
    database: Database, store: MatchStore, matches: MatchService
) -> None:
    """The messages of all boards are written in one transaction, and not again."""
    match = await stored(store, begin())
    store.board_ids.note(match, MessageId(111))
    store.board_ids.note(match, MessageId(222))
    store.board_ids.note_old(match.id, [MessageId(111)])
    store.board_ids.note_removed(match.id, MessageId(111))
    async with counted(database) as cost:
        await store.board_ids.write()
        await store.board_ids.write()
    assert (cost.begun, cost.committed) == (1, 1)
    assert cost.verbs == ["UPDATE"]
    noted = await loaded(store, match.id)
    assert noted.board_id == 222
