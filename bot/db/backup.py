"""Backing up a database to one file, and restoring it: by SQLite's copy, or PostgreSQL's programs.

A backup gets its name only when it is whole and was checked. A restore checks the file first, and
leaves the database as it was until the new one is in place.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.db import dumps, files
from bot.db.holding import held, sqlite_path
from bot.db.migrations import is_known
from bot.host_errors import HostError

# The number of ids that a restore leaves out. Ids that were given after the backup are still on
# Discord's messages: if they were given again, old buttons would act on new matches and challenges.
_SKIPPED_IDS = 10_000
_MAGIC = {"SQLite": b"SQLite format 3\0", "PostgreSQL": b"PGDMP"}


def suffix(url: str) -> str:
    """Return how the name of a backup of this database ends."""
    return ".db" if sqlite_path(url) else ".dump"


async def back_up(url: str, file: Path) -> None:
    """Write the database to a new file, even while a bot runs; raise HostError."""
    try:
        with _beside(file) as part:
            if path := sqlite_path(url):
                await asyncio.to_thread(files.copy, path, part)
            else:
                await dumps.dump(url, part)
            part.replace(file)
    except (OSError, files.FileError, dumps.ToolError) as error:
        raise HostError(f"The backup {file} can't be made: {_reason(error)}.") from error


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """Yield an empty file for the backup that is to be `file`; raise HostError and OSError."""
    if file.exists():
        raise HostError(f"{file} exists already; a backup takes a new file.")
    if not file.parent.is_dir():
        raise HostError(f"The backup {file} can't be made: make the folder {file.parent} first.")
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)  # there are names in it
        yield part
    finally:
        with suppress(OSError):  # the error that matters was raised before
            part.unlink(missing_ok=True)


async def restore(url: str, file: Path) -> str:
    """Replace the database by that of a backup; return a sentence on the fate of the old one.

    Raises HostError, also if a bot runs.
    """
    path = sqlite_path(url)
    try:
        # Checked first, because holding a new database makes its file, which would stay.
        _check_kind(file, "SQLite" if path else "PostgreSQL")
        checked = asyncio.to_thread(files.revision, file) if path else dumps.revision(file)
        _check_revision(file, await checked)
        with held(url):
            if path is not None:
                former = await asyncio.to_thread(files.replace, path, file, _SKIPPED_IDS)
                return f"the former one is kept as {former}" if former else "there was none before"
            await dumps.load(url, file, _SKIPPED_IDS)
            return "the former tables were replaced in one transaction"
    except (OSError, files.FileError, dumps.ToolError) as error:
        raise HostError(f"{file} can't be restored: {_reason(error)}.") from error


def _check_kind(file: Path, kind: str) -> None:
    with file.open("rb") as opened:
        begins = opened.read(16)
    if not begins.startswith(_MAGIC[kind]):
        raise HostError(
            f"{file} is no backup of {kind}, and DATABASE_URL is a database of {kind}. Name another"
            " file; one of SQLite is copied to PostgreSQL by `import`."
        )


def _check_revision(file: Path, revision: str | None) -> None:
    if revision is None:
        raise HostError(f"{file} holds no database of Rowbot.")
    if not is_known(revision):
        raise HostError(
            f"{file} was made by a newer version of Rowbot (revision {revision}). Update Rowbot."
        )


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        told = error.strerror or str(error)
        return f"{told}: {error.filename}" if error.filename else told
    return str(error)
