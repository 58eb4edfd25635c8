"""Every table in which a member may stand is exported and erased, also one that is new."""

import json
from random import Random
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, Table, insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.tables import given_roles, metadata
from bot.identity import MemberId
from bot.privacy.store import PersonalStore

# No other number in the rows is like it.
ALICE_ID = MemberId(77_000_077)
_MEMBERS = {"user_id", "owner_id", "organiser_id"}
_NAMES = {"name", "owner_name", "organiser_name"}


def hers(table: Table) -> bool:
    """Return whether a table has a column for members."""
    return not _MEMBERS.isdisjoint(table.columns.keys())


def name_in(table: Table) -> str:
    """Return what alice is called in a table."""
    return f"Alice in {table.name}"


def value_of(column: Column[Any]) -> object:
    """Return what a column has in alice's row: ids of all else are 1."""
    if column.name in _MEMBERS:
        return ALICE_ID
    if column.name in _NAMES and hers(column.table):
        return name_in(column.table)
    if column.name == "series_id":
        return None
    if isinstance(column.type, Boolean):
        return True
    return 1 if isinstance(column.type, BigInteger | Integer | Float) else "{}"


async def fill(database: AsyncEngine) -> None:
    """Put a row of alice into every table."""
    async with database.begin() as connection:
        for table in metadata.sorted_tables:
            row = {column.name: value_of(column) for column in table.columns}
            await connection.execute(insert(table).values(row))


async def test_all_is_exported(database: AsyncEngine) -> None:
    """Each section has her row, and her name is told as each table has it."""
    await fill(database)
    found = [page async for page in PersonalStore(database, Random(1)).pages(ALICE_ID)]
    assert [section for section, rows in found if not rows] == []
    told = json.dumps(found)
    named = [
        table for table in metadata.sorted_tables if hers(table) and _NAMES & {*table.c.keys()}
    ]
    assert len(named) == 7
    assert [table.name for table in named if name_in(table) not in told] == []


async def test_all_is_erased(database: AsyncEngine) -> None:
    """No row has her id or her name; a role is noted until it is taken back."""
    await fill(database)
    await PersonalStore(database, Random(1)).forget(ALICE_ID)
    async with database.connect() as connection:
        for table in metadata.sorted_tables:
            kept = str((await connection.execute(select(table))).all())
            assert "Alice" not in kept
            assert table is given_roles or str(ALICE_ID) not in kept, table.name
