"""On SQLite, the id of an erased row isn't given again.

SQLite gives the next row the highest id in the table plus one, unless the table was declared
otherwise when it was made. So these tables are made anew. PostgreSQL gives no id twice.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import CreateIndex, CreateTable

revision = "0038"
down_revision = "0037"

_TABLES = ("matches", "invitations", "tournaments", "tournament_notes", "puzzles")


def upgrade() -> None:
    """Apply this revision."""
    if op.get_context().dialect.name == "sqlite":
        for name in _TABLES:
            _make_anew(name)


def _make_anew(name: str) -> None:
    """Make a table anew, with its rows and indexes.

    After a failure, Alembic's own way drops the new table. On a full disk, SQLite has rolled the
    new table back by then, and the host would only be told that there is no such table.
    """
    connection = op.get_bind()
    former = sa.Table(name, sa.MetaData(), autoload_with=connection)
    table = former.to_metadata(former.metadata, name=f"new_{name}")
    table.dialect_options["sqlite"]["autoincrement"] = True
    connection.execute(CreateTable(table))
    connection.execute(sa.insert(table).from_select(former.c.keys(), sa.select(former)))
    op.drop_table(name)
    op.rename_table(table.name, name)
    for index in sorted(former.indexes, key=lambda index: str(index.name)):
        connection.execute(CreateIndex(index))
