"""Databases of earlier versions."""

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from bot.db.database import reach
from bot.db.migrations import MIGRATIONS, rebuilding


def upgrade_to(connection: Connection, revision: str) -> None:
    """Migrate a database up to one revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


async def made_at(url: str, revision: str, *insertions: str) -> None:
    """Migrate a database up to one revision, and insert rows there."""
    async with reach(url) as engine, rebuilding(engine) as connection:
        await connection.run_sync(upgrade_to, revision)
        for insertion in insertions:
            await connection.execute(text(insertion))
