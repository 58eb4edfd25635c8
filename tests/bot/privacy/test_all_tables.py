"""Every table with a member or a server is exported and erased, also one that is new."""

import json
from random import Random
from typing import get_args

import pytest
from sqlalchemy import Column, Table, TypedColumns, delete, insert, select
from sqlalchemy.sql import visitors

from bot.clocks.store import go_on
from bot.db import tables
from bot.db.database import Database
from bot.db.people import Erasing, ids_of_members, is_internal
from bot.db.tables import achievements, given_roles, invitations, members, metadata
from bot.identity import MemberId
from bot.privacy.store import PersonalStore, ServerDataStore
from bot.privacy.store.export import sections
from tests.bot.privacy.filling import ALICE_ID, IDS, fill, hers, is_name, name_in, value_of

# The tables of servers whose rows follow others of the same server, though they don't refer to
# them: its first match notes the server, its first puzzle takes the settings for puzzles, and a
# role has its rule.
_FOLLOWING = {
    "matches",
    "members",
    "ratings",
    "standings",
    "achievements",
    "given_roles",
    "puzzles",
}


def _comes_first(table: Table) -> bool:
    """Return whether a row of this table may be the first that there is of a server."""
    others = {key.column.table for key in table.foreign_keys} - {table}
    return "guild_id" in table.c and table.name not in _FOLLOWING and not others


def test_every_column_about_a_member_is_exported() -> None:
    """A table with members is in a section with all its columns.

    Those that are internal, and the ids that join tables, need not be there.
    """
    selected = [column for one in sections(ALICE_ID) for column in one.rows.selected_columns]
    exported = {
        part for column in selected for part in visitors.iterate(column) if isinstance(part, Column)
    }
    left_out = {
        str(column)
        for table in filter(hers, metadata.sorted_tables)
        for column in {*table.columns} - exported
        if column not in IDS and not column.foreign_keys and not is_internal(column)
    }
    assert left_out == set()


def test_every_column_of_a_member_says_what_erases_it() -> None:
    """Each column that is declared with the type of members' ids is marked as such."""
    declared = {
        column
        for of in vars(tables).values()
        if isinstance(of, type) and issubclass(of, TypedColumns)
        for table in metadata.sorted_tables
        if [*of.__annotations__] == table.c.keys()
        for column, hint in zip(table.c, of.__annotations__.values(), strict=True)
        for named in get_args(hint)
        if MemberId in (named, *get_args(named))
    }
    assert {*map(str, declared)} == {*map(str, IDS)}


async def test_rows_are_erased_as_their_table_says(database: Database) -> None:
    """A row goes with the member, or stays with the id of a former player, as it is marked."""
    await fill(database)
    await PersonalStore(database, Random(1)).forget(ALICE_ID)
    async with database.connect() as connection:
        for column, of in ids_of_members(metadata):
            left = (await connection.execute(select(column))).scalars().all()
            assert of.erasing is not Erasing.ROW or left == [], column
            assert of.erasing is not Erasing.FORMER or left[0] < 0, column


async def test_all_is_exported(database: Database) -> None:
    """Each section has alice's row, and her name as it is in that table."""
    await fill(database)
    found = [page async for page in PersonalStore(database, Random(1)).pages(ALICE_ID)]
    assert [section for section, rows in found if not rows] == []
    told = json.dumps(found)
    named = [table for table in metadata.sorted_tables if any(map(is_name, table.c))]
    assert named
    assert [table.name for table in named if name_in(table) not in told] == []


async def test_all_is_erased(database: Database) -> None:
    """No row has alice's id or name, except that a role stays noted until it is taken back."""
    await fill(database)
    await PersonalStore(database, Random(1)).forget(ALICE_ID)
    async with database.connect() as connection:
        for table in metadata.sorted_tables:
            kept = str((await connection.execute(select(table))).all())
            assert "Alice" not in kept
            assert table is given_roles or str(ALICE_ID) not in kept, table.name


async def test_achievements_of_a_match_that_began_meanwhile(database: Database) -> None:
    """On PostgreSQL an earlier erasure may have taken the name that such a match has noted."""
    await fill(database)
    async with database.begin() as connection:
        await connection.execute(delete(members))
    await PersonalStore(database, Random(1)).forget(ALICE_ID)
    async with database.connect() as connection:
        assert (await connection.execute(select(achievements))).all() == []


@pytest.mark.parametrize(
    "table",
    [*filter(_comes_first, metadata.sorted_tables)],
    ids=str,
)
async def test_a_server_with_any_data_may_have_been_left(database: Database, table: Table) -> None:
    """The bot asks Discord about it, even if no row says that the bot was ever on it."""
    async with database.begin() as connection:
        row = {column.name: value_of(column) for column in table.columns}
        await connection.execute(insert(table).values(row))
    assert await ServerDataStore(database, go_on).not_left() == {1}


async def test_a_match_begun_outside_of_servers_is_no_server(database: Database) -> None:
    """The bot doesn't ask Discord about it, and then erase it as a server that it has left."""
    async with database.begin() as connection:
        row = {column.name: value_of(column) for column in invitations.columns}
        await connection.execute(insert(invitations).values(row | {"guild_id": 0}))
    assert await ServerDataStore(database, go_on).not_left() == set()
