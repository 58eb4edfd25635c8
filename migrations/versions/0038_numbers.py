"""On SQLite, the id of an erased row isn't given again.

SQLite gives the next row the highest id that is there, and one more, unless the table was declared
otherwise when it was made. So these tables are made anew. PostgreSQL gives no id twice.
"""

from alembic import op

revision = "0038"
down_revision = "0037"

_TABLES = ("matches", "invitations", "tournaments", "tournament_notes", "puzzles")


def upgrade() -> None:
    """Apply this revision."""
    if op.get_context().dialect.name == "sqlite":
        for table in _TABLES:
            declared = {"sqlite_autoincrement": True}
            with op.batch_alter_table(table, recreate="always", table_kwargs=declared):
                pass
