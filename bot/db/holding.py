"""One process at a time on an SQLite file.

Writers of one process queue for each other; those of two would poll, and give up after a while. So
a bot holds its file while it runs, and what mustn't happen beside it is refused. PostgreSQL has
locks of its own for all that.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy.engine import make_url


class InUseError(Exception):
    """Another process has the database open."""


def sqlite_path(url: str) -> Path | None:
    """Return the file of an SQLite URL, None for another database."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database is None:
        return None
    return Path(parsed.database)


@contextmanager
def held(url: str) -> Iterator[None]:
    """Hold the file of an SQLite URL as `hold_file` does; nothing is held for another database."""
    path = sqlite_path(url)
    with nullcontext() if path is None else hold_file(path):
        yield


@contextmanager
def hold_file(path: Path) -> Iterator[None]:
    """Hold an SQLite file for this process; raise InUseError, or OSError if that is impossible.

    The system lets go of it when the process ends, however it ends. A new file is readable by its
    owner alone, and so are the logs that SQLite writes beside it: there are names in them.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(f"unable to open {path}: there is no folder {path.parent}")
    # Without `flock` filelock would leave a mark, which would outlive a process that is killed.
    lock = FileLock(f"{path}.lock", timeout=0, fallback_to_soft=False, thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise InUseError(
            f"Another Rowbot has the database {path} open. Stop it first, or give this one another"
            " DATABASE_URL."
        ) from error
    try:
        if not path.exists():
            path.touch(mode=0o600)
        yield
    finally:
        lock.release()
