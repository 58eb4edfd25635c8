"""A member with a row in every table."""

import re
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, Table, insert

from bot.db.database import Database
from bot.db.people import ids_of_members
from bot.db.tables import metadata
from bot.identity import MemberId

# No other number in the rows contains it.
ALICE_ID = MemberId(77_000_077)
# The columns with ids of members, as the schema marks them.
IDS = {column for column, _ in ids_of_members(metadata)}


def hers(table: Table) -> bool:
    """Return whether a table has a column for members."""
    return not IDS.isdisjoint(table.columns)


def is_name(column: Column[Any]) -> bool:
    """Return whether a column has the name of a member."""
    return hers(column.table) and re.fullmatch(r"(.+_)?name", column.name) is not None


def name_in(table: Table) -> str:
    """Return alice's name in a table."""
    return f"Alice in {table.name}"


def value_of(column: Column[Any]) -> object:
    """Return the value of a column in alice's row; all ids but hers are 1."""
    if column in IDS:
        return ALICE_ID
    if is_name(column):
        return name_in(column.table)
    if column.name == "series_id":
        return None
    if column.name == "wanting":
        return "1"  # her seat
    if isinstance(column.type, Boolean):
        return True
    return 1 if isinstance(column.type, BigInteger | Integer | Float) else "{}"


async def fill(database: Database) -> None:
    """Put a row of alice into every table."""
    async with database.begin() as connection:
        for table in metadata.sorted_tables:
            row = {column.name: value_of(column) for column in table.columns}
            await connection.execute(insert(table).values(row))
