"""PostgreSQL's own programs for a database in one file: pg_dump, pg_restore, psql."""

import asyncio
import os
import shutil
from asyncio.subprocess import PIPE
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.db.database import APPLICATION, for_libpq, reach
from bot.host_errors import HostError

_CONNECTED = text(
    "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE :bot"
    " AND datname = current_database() AND pid <> pg_backend_pid()"
)
# Not only the tables of the backup: a newer version may have made others.
_DROP_TABLES = """
    DO $$ DECLARE found record; BEGIN
        FOR found IN SELECT schemaname, tablename FROM pg_tables WHERE schemaname = current_schema()
        LOOP EXECUTE format('DROP TABLE %I.%I CASCADE', found.schemaname, found.tablename);
        END LOOP;
    END $$
"""
# The script of a dump leaves an empty search path, with which there is no current schema.
_SKIP_IDS = """
    RESET search_path;
    SELECT setval(format('%I.%I', schemaname, sequencename), coalesce(last_value, 0) + {})
    FROM pg_sequences WHERE schemaname = current_schema()
"""
_UPDATE = "; install PostgreSQL's client programs of the server's version"
_OURS = ("--no-owner", "--no-privileges")


class ToolError(Exception):
    """One of PostgreSQL's programs isn't installed, or failed."""


async def dump(url: str, file: Path) -> None:
    """Write a checked dump of the database to `file`; raise ToolError."""
    await _run("pg_dump", "--format=custom", *_OURS, f"--file={file}", url=url)
    await _run("pg_restore", "--list", str(file))


async def try_out(url: str) -> None:
    """Raise ToolError if the programs are missing, or can't dump the database."""
    await _run("pg_restore", "--version")
    await _run("pg_dump", "--schema-only", f"--file={os.devnull}", url=url)


async def revision(file: Path) -> str | None:
    """Return the revision of a dump, None if it isn't Rowbot's; raise ToolError."""
    only = ("--data-only", "--table=alembic_version", "--file=-")
    rows = (await _run("pg_restore", *only, str(file))).splitlines()
    begins = (number for number, row in enumerate(rows, 1) if row.startswith("COPY "))
    following = next((rows[number] for number in begins), r"\.")
    return None if following == r"\." else following


async def load(url: str, file: Path, skipped_ids: int) -> None:
    """Replace all tables of the database by those of a dump, in one transaction.

    The next `skipped_ids` ids of each table are never given. Raises ToolError, or HostError if a
    bot is connected.
    """
    async with reach(url) as engine, engine.connect() as connection:
        await check_alone(connection)
    # The dump's folder has room; a container's /tmp has little.
    with TemporaryDirectory(dir=file.parent, prefix=f"{file.name}.") as folder:
        script = f"--file={folder}/restore.sql"
        await _run("pg_restore", *_OURS, script, str(file))
        quiet = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction")
        skip = f"--command={_SKIP_IDS.format(skipped_ids)}"
        await _run("psql", *quiet, f"--command={_DROP_TABLES}", script, skip, url=url)


async def check_alone(connection: AsyncConnection) -> None:
    """Raise HostError if a bot is connected to the same database."""
    if (await connection.execute(_CONNECTED, {"bot": f"{APPLICATION}%"})).scalar_one():
        raise HostError("A Rowbot is connected to the database. Stop it first.")


async def _run(program: str, *arguments: str, url: str | None = None) -> str:
    """Return the output of a program, connected to `url`; raise ToolError."""
    if (found := shutil.which(program)) is None:
        raise ToolError(f"{program} isn't installed; it comes with PostgreSQL's client programs")
    environment = dict(os.environ)
    if url is not None:
        database = make_url(url)
        # Others can read the arguments of a process, but not its environment.
        environment |= {"PGPASSWORD": database.password} if database.password else {}
        environment["PGOPTIONS"] = "-c lock_timeout=10s"
        arguments = (f"--dbname={_for_libpq(database)}", *arguments)
    process = await asyncio.create_subprocess_exec(
        found, *arguments, env=environment, stdout=PIPE, stderr=PIPE
    )
    try:
        said, complained = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        reason = complained.decode(errors="replace").strip().splitlines() or ["no reason given"]
        older = "version" in reason[0]
        raise ToolError(f"{program} failed ({reason[0]}){_UPDATE if older else ''}")
    return said.decode()


def _for_libpq(url: URL) -> str:
    """Return a URL, without its password, as PostgreSQL's programs write it."""
    plain = url.set(drivername="postgresql", query=for_libpq(url.query))
    return plain._replace(password=None).render_as_string()
