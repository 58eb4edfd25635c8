"""Facts that the program keeps about itself; and errors, which don't show a row's values."""

import traceback

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from bot.db.database import Database
from bot.db.facts import FactStore
from bot.db.tables import members
from bot.logs import redacting


async def test_a_fact_is_kept_and_replaced(database: Database) -> None:
    """A fact is read as it was last written, by any store over the database."""
    facts = FactStore(database)
    assert await facts.get("commands") is None
    await facts.put("commands", "old")
    await facts.put("commands", "new")
    assert await FactStore(database).get("commands") == "new"


async def test_an_error_does_not_tell_the_values(database: Database) -> None:
    """The logged traceback of a refused row doesn't contain a member's name."""
    row = {"guild_id": 1, "user_id": 2, "name": "Alice (Smith)", "present": None}
    async with database.connect() as connection:
        with pytest.raises(IntegrityError) as refused:
            await connection.execute(insert(members), row)
    told = "".join(traceback.format_exception(refused.value))
    assert "INSERT INTO members" in told
    assert "Alice" not in redacting([])(told)
