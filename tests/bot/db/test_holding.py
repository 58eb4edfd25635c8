"""One process at a time has an SQLite file open."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import select

from bot.check.machine import check_database
from bot.db.database import CannotOpenError, open_database
from bot.db.tables import matches
from bot.failures import ExitCode
from bot.host_errors import HostError
from tests.bot.processes import one_sentence, run, run_beside, run_here

_NOBODY = 65534


async def test_an_open_file_is_refused(migrated_sqlite_url: str) -> None:
    """A second opening is refused as long as the first lasts."""
    for _ in range(2):
        async with open_database(migrated_sqlite_url):
            with pytest.raises(HostError):
                async with open_database(migrated_sqlite_url):
                    pytest.fail("it was opened twice")


async def test_a_second_process_on_a_file_is_refused_in_words(
    tmp_path: Path, migrated_sqlite_url: str
) -> None:
    """Beside a running bot a second one, or `rerate`, ends with a sentence that says what to do."""
    settings = {"DATABASE_URL": migrated_sqlite_url, "DISCORD_TOKEN": "nobody's"}
    async with open_database(migrated_sqlite_url):
        second = await run(tmp_path, "-m", "bot", settings=settings)
        rerating = await run_beside(tmp_path, "rerate", settings=settings)
    for ended in (second, rerating):
        sentence = one_sentence(ended, ExitCode.TRY_AGAIN)
        assert "Another Rowbot has the database" in sentence
        assert "Stop it first" in sentence


@pytest.mark.skipif(os.name == "nt", reason="Windows has other locks")
@pytest.mark.parametrize("code", ["ENOSYS", "ENOLCK", "EOPNOTSUPP", "EACCES"])
def test_a_file_system_without_locks(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """The host is told where to put the database."""
    number: int = getattr(errno, code)

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    ended = run_here(tmp_path, "migrate", settings={"DATABASE_URL": sqlite_url})
    sentence = one_sentence(ended, ExitCode.TRY_AGAIN)
    assert "rowbot.db" in sentence
    assert "can't be locked" in sentence or "has no locks" in sentence
    assert "put the database on a disk of this machine" in sentence


def mode(file: Path) -> int:
    """Return who may read and write a file."""
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
async def test_a_new_file_is_its_owners_alone(tmp_path: Path, sqlite_url: str) -> None:
    """Only the owner may read it and the files beside it.

    The database and its logs hold names, and anybody who can read the lock file can take the lock.

    A file that is already there keeps its permissions.
    """
    file = tmp_path / "rowbot.db"
    async with open_database(sqlite_url) as engine, engine.connect() as connection:
        await connection.execute(select(matches))
        assert [mode(Path(f"{file}{log}")) for log in ("", "-wal", "-shm", ".lock")] == [0o600] * 4
    file.chmod(0o640)
    async with open_database(sqlite_url):
        assert mode(file) == 0o640


@contextmanager
def unprivileged() -> Iterator[None]:
    """Run without root's privileges, so that the permissions of files count."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
async def test_a_file_that_cant_be_written_to(migrated: Path) -> None:
    """A file that belongs to another user is refused before the bot takes presses.

    SQLite opens it in a folder that can be written to, and even begins to write.
    """
    with TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)  # noqa: PTH101 - it isn't a Path
        file = shutil.copy(migrated, folder)
        os.chmod(file, 0o444)  # noqa: PTH101
        url = f"sqlite:///{file}"
        with unprivileged():
            with pytest.raises(CannotOpenError, match=r"Permission denied: '\S*\.db'"):
                async with open_database(url):
                    pytest.fail("it was opened")
            found = await check_database(url)
    assert not found.well
    assert "Let the user that runs Rowbot write to that file" in found.text


async def test_postgres_is_shared(migrated_postgres_url: str) -> None:
    """A PostgreSQL database may be opened twice: `rerate` runs beside a bot there."""
    async with open_database(migrated_postgres_url), open_database(migrated_postgres_url):
        pass
