"""Facts that the program keeps about itself."""

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.facts import FactStore


async def test_a_fact_is_kept_and_replaced(database: AsyncEngine) -> None:
    """A fact is read as it was last written, by any store over the database."""
    facts = FactStore(database)
    assert await facts.get("commands") is None
    await facts.put("commands", "old")
    await facts.put("commands", "new")
    assert await FactStore(database).get("commands") == "new"
