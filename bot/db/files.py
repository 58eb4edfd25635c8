"""Copies of SQLite files, checked; a thread is the place for it, since all of a file is read.

SQLite's backup makes a copy in one step, which shows the database at one moment. The step holds up
no writer, thanks to the write-ahead log. A copy in several steps would begin anew after each write
in between.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from urllib.parse import quote

# What SQLite may keep beside a database file.
_LOGS = ("-wal", "-shm")
_MIB = 1 << 20
# What a copy leaves free on its disk. A bot that runs may write there, too: if a copy took the last
# room, moves would be refused until it was removed.
LEFT_FREE = 10 * _MIB


class FileError(Exception):
    """SQLite can't read or write a file."""


def copy(source: Path, target: Path) -> None:
    """Write a checked copy of a database over the empty file `target`; raise FileError."""
    if not source.exists():
        raise FileError(f"there is no {source} yet, or DATABASE_URL has to name another file")
    with _opened(source) as there, _opened(target) as here:
        _check_room(there, target)
        try:
            there.backup(here)
        except sqlite3.Error as error:  # SQLite doesn't say which of the two failed
            raise FileError(f"{source} can't be copied to {target}: {error}") from error
        here.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        _check(source, here)
    with target.open("rb+") as written:
        os.fsync(written.fileno())


def _check_room(source: sqlite3.Connection, target: Path) -> None:
    """Raise FileError if the disk has no room for a copy."""
    sizes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    (size,) = source.execute(sizes).fetchone()
    folder = target.absolute().parent
    free = shutil.disk_usage(folder).free
    if free < (needed := size + LEFT_FREE):
        has = f"the disk of {folder} has {free / _MIB:.1f} MiB free"
        raise FileError(f"{has}, and {needed / _MIB:.1f} are needed")


def revision(file: Path) -> str | None:
    """Return the revision of a sound database, None if it isn't Rowbot's; raise FileError."""
    with _opened(file) as connection:
        _check(file, connection)
        known = connection.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
        ).fetchone()
        row = known and connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(row[0]) if row else None


def replace(path: Path, backup: Path, skipped_ids: int) -> Path | None:
    """Put a copy of `backup` in the place of `path`; return the former one's name, None if empty.

    At any moment there is a whole database at `path`. The next `skipped_ids` ids of each table are
    never given, unless the backup is of an early version, which doesn't note its last ids. Raises
    FileError and OSError.
    """
    new = path.with_name(f"{path.name}.new")
    try:
        new.unlink(missing_ok=True)
        new.touch(mode=0o600)
        copy(backup, new)
        _skip(new, skipped_ids)
        parts = [path, *(path.with_name(path.name + log) for log in _LOGS)]
        filled = any(part.exists() and part.stat().st_size for part in parts)
        former = _keep(path) if filled else None
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
    return former


def _skip(file: Path, ids: int) -> None:
    """Leave out this many ids of each table, if the database notes its last ids."""
    with _opened(file) as connection, connection:
        counted = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'")
        if counted.fetchone():
            connection.execute("UPDATE sqlite_sequence SET seq = seq + ?", (ids,))


def _keep(path: Path) -> Path:
    """Give the database at `path` a second name, and leave no log that the next one would read.

    Returns that name, which is always a new one: a second restore mustn't overwrite the only copy.
    """
    first = path.with_name(f"{path.name}.former")
    more = (first.with_name(f"{first.name}-{number}") for number in count(2))
    former = next(name for name in chain([first], more) if not name.exists())
    with suppress(FileError), _opened(path) as connection:  # a damaged one is kept as it is
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for log in _LOGS:
        left = path.with_name(path.name + log)
        if left.exists():
            left.replace(former.with_name(former.name + log))
    try:
        os.link(path, former)
    except OSError:  # the file system has no links
        shutil.copy2(path, former)
    return former


def _check(file: Path, connection: sqlite3.Connection) -> None:
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise FileError(f"{file} is damaged: {found.splitlines()[-1]}")  # first comes a heading


@contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a file that exists; raise FileError in place of SQLite's errors."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=rw", uri=True)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise FileError(f"{file}: {error}") from error
