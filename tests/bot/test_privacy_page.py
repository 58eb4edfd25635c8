"""PRIVACY.md names all that the program stores about people, and for how long."""

import re
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from bot.clocks.store import go_on
from bot.db.database import Database
from bot.db.tables import metadata
from bot.identity import ServerId
from bot.privacy.store import PersonalStore, ServerDataStore
from tests.bot.privacy.filling import ALICE_ID, IDS, fill, is_name
from tests.bot.processes import ROOT

_ROW = re.compile(r"^\| (`.+`) \| (.+) \| (.+) \|$", re.MULTILINE)


def rows() -> list[tuple[str, str, str]]:
    """Return the page's rows: the table, its data about people, how long it is kept."""
    found = _ROW.findall((ROOT / "PRIVACY.md").read_text(encoding="utf-8"))
    return [(table, told, kept) for names, told, kept in found for table in _named(names)]


def _named(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


def page() -> dict[str, str]:
    """Return what the page says of each table."""
    return {table: told for table, told, _ in rows()}


def kept() -> dict[str, str]:
    """Return how long each table is kept, as the page says."""
    found: dict[str, str] = {}
    above = ""
    for table, _, told in rows():
        found[table] = above = above if told == "as above" else told
    return found


async def content(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables."""
    async with database.connect() as connection:
        return {
            table.name: [tuple(row) for row in await connection.execute(select(table))]
            for table in metadata.sorted_tables
        }


def test_every_table_is_named() -> None:
    """The page has to say what data about people a new table has."""
    assert {*page()} == {*metadata.tables}


@pytest.mark.parametrize("table", sorted(metadata.tables))
def test_every_column_that_names_a_person_is_named(table: str) -> None:
    """The row of a table names its columns with ids and names of members."""
    people = [one for one in metadata.tables[table].columns if one in IDS or is_name(one)]
    told = page()[table]
    assert [one.name for one in people if f"`{one.name}`" not in told] == []
    assert not (people and "no members" in told)


async def test_a_server_is_erased_as_the_page_says(database: Database) -> None:
    """Tables that are kept "until the server is erased" have no row of it afterwards."""
    await fill(database)
    server = ServerId(1)
    left = ServerDataStore(database, go_on)
    await left.note_left(server, 1)
    assert await left.erase(server)
    for table, found in (await content(database)).items():
        assert (found == []) == ("the server is" in kept()[table]), table


async def test_a_member_is_erased_as_the_page_says(database: Database) -> None:
    """Tables that are kept until a member is erased are those that an erasure changes."""
    await fill(database)
    before = await content(database)
    await PersonalStore(database, Random(1)).forget(ALICE_ID)
    for table, found in (await content(database)).items():
        changed = found != before[table]
        assert changed == (re.search("member .*erased", kept()[table]) is not None), table
