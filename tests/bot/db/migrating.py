"""Databases of earlier versions."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from bot.db.database import reach
from bot.db.migrations import MIGRATIONS

Insertion: TypeAlias = str | tuple[str, Mapping[str, Any] | Sequence[Mapping[str, Any]]]
"""A statement that inserts rows, with its values if they aren't in it."""


def upgrade_to(connection: Connection, revision: str) -> None:
    """Migrate a database up to one revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


async def made_at(url: str, revision: str, *insertions: Insertion) -> None:
    """Migrate a new database up to one revision, and insert rows there."""
    async with reach(url) as engine, engine.begin() as connection:
        await connection.run_sync(upgrade_to, revision)
        for insertion in insertions:
            statement, values = (insertion, {}) if isinstance(insertion, str) else insertion
            await connection.execute(text(statement), values)
