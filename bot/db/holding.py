"""One process at a time on an SQLite file.

Writers of one process wait in a queue, but writers of two processes would poll, and give up after a
while. So a bot holds its file while it runs, and anything else that needs the file alone is
refused. PostgreSQL has locks of its own for all that.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from filelock import FileLock, Timeout
from sqlalchemy.engine import make_url

from bot.host_errors import HostError

_MOVE_IT = "put the database on a disk of this machine"


def sqlite_path(url: str) -> Path | None:
    """Return the file of an SQLite URL, None for another database."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database is None:
        return None
    return Path(parsed.database)


@contextmanager
def held(url: str) -> Iterator[None]:
    """Hold the file of an SQLite URL for this process; for another database, hold nothing.

    Raises HostError, or OSError if that is impossible.
    """
    path = sqlite_path(url)
    with nullcontext() if path is None else hold_file(path):
        yield


@contextmanager
def hold_file(path: Path) -> Iterator[None]:
    """Hold an SQLite file for this process; raise HostError, or OSError if that is impossible.

    When the process ends, the system lets go of the file, even after a kill. A new file is readable
    by its owner alone, and so are the logs that SQLite writes beside it: there are names in them.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(f"unable to open {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise IsADirectoryError(f"unable to open database file: {path} is a folder")
    # `fallback_to_soft`: without `flock`, filelock would only leave a mark, which outlives a kill.
    # `mode`: anybody who can read the file could take the lock, and then the bot wouldn't start.
    file = f"{path}.lock"
    lock = FileLock(file, timeout=0, mode=0o600, fallback_to_soft=False, thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:  # also raised on some file systems without locks
        raise HostError(
            f"Another Rowbot has the database {path} open. Stop it first, or give this one another"
            f" DATABASE_URL. If there is none, the file system has no locks: {_MOVE_IT}."
        ) from error
    except OSError as error:  # of some network drives, too, which have no locks
        raise OSError(f"{file} can't be locked ({error.strerror}): {_MOVE_IT}") from error
    try:
        if not path.exists():
            path.touch(mode=0o600)
        yield
    finally:
        lock.release()


def check_writable(url: str) -> None:
    """Raise OSError if the file of an SQLite URL is there, and can't be written to.

    SQLite would open such a file, and refuse each write. Call this before there is any connection:
    closing a file lets go of all locks that the process has on it.
    """
    path = sqlite_path(url)
    if path is not None and path.exists():
        path.open("r+b").close()
