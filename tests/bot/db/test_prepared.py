"""Statements that SQLite's driver is given without SQLAlchemy: the same rows and errors."""

import pytest
from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.db.database import Database
from bot.db.prepared import PreparedSelect, PreparedUpdate
from bot.db.statements import do, read, write
from bot.db.tables import guilds, members

_OF_SERVER = select(members.c.user_id, members.c.name, members.c.present).where(
    members.c.guild_id == bindparam("server"), members.c.present.is_(True)
)
_CALL = PreparedUpdate(
    update(members).where(members.c.user_id == bindparam("user")).values(name=bindparam("new"))
)


@pytest.fixture
async def database(database: Database) -> Database:
    """A database in which server 7 has two members."""

    def fill(connection: Connection) -> None:
        connection.execute(insert(guilds), {"id": 7})
        row = {"guild_id": 7, "present": True}
        connection.execute(
            insert(members),
            [{**row, "user_id": 1, "name": "Alice"}, {**row, "user_id": 2, "name": "Bob"}],
        )

    await write(database, fill)
    return database


async def test_rows_are_those_of_sqlalchemy(database: Database) -> None:
    """They have the same values, even booleans, which SQLite stores as numbers."""
    statement = _OF_SERVER.order_by(members.c.user_id)
    found = await read(database, PreparedSelect(statement).rows, {"server": 7})
    assert [tuple(row) for row in found] == [(1, "Alice", True), (2, "Bob", True)]
    assert [type(value) for value in found[0]] == [int, str, bool]
    async with database.connect() as connection:
        rows = (await connection.execute(statement, {"server": 7})).all()
    assert [tuple(row) for row in rows] == [tuple(row) for row in found]


async def test_a_change_is_committed_by_its_transaction(database: Database) -> None:
    """Outside of a transaction that commits, it is rolled back like any other change."""
    values = {"user": 1, "new": "Ali"}
    async with database.lent() as connection:
        assert await do(connection, _CALL.count, values, writes=True) == 1
    assert await _names(database) == ["Alice", "Bob"]
    assert await write(database, _CALL.count, values) == 1
    assert await _names(database) == ["Ali", "Bob"]
    assert await write(database, _CALL.count, {"user": 3, "new": "Carol"}) == 0


async def test_errors_are_those_of_sqlalchemy(database: Database) -> None:
    """So callers handle them like the errors of other statements; the change isn't made."""
    taken = PreparedUpdate(
        update(members)
        .where(members.c.user_id == bindparam("user"))
        .values(user_id=bindparam("new"))
    )
    with pytest.raises(IntegrityError) as caught:
        await write(database, taken.count, {"user": 1, "new": 2})
    assert caught.value.orig is not None
    assert await _names(database) == ["Alice", "Bob"]


async def _names(database: Database) -> list[str]:
    async with database.connect() as connection:
        found = await connection.execute(_OF_SERVER, {"server": 7})
        return sorted(row.name for row in found)
