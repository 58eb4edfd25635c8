"""Databases of earlier versions."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from bot.db.database import create_engine
from bot.db.migrations import MIGRATIONS

Values: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]]


def upgrade_to(connection: Connection, revision: str) -> None:
    """Migrate a database up to one revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


async def made_at(url: str, revision: str, *rows: tuple[str, Values]) -> None:
    """Migrate a new database up to one revision, and let statements insert their values there."""
    engine = create_engine(url)
    async with engine.begin() as connection:
        await connection.run_sync(upgrade_to, revision)
        for statement, values in rows:
            await connection.execute(text(statement), values)
    await engine.dispose()
