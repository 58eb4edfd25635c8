"""Databases of earlier versions."""

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from bot.db.migrations import MIGRATIONS


def upgrade_to(connection: Connection, revision: str) -> None:
    """Migrate a database up to one revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
