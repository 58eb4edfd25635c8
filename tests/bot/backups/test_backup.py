"""Backups and restores, by the commands and by the bot each night."""

import asyncio
import os
import shutil
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from bot.backups.feature import Backups
from bot.db.backup import back_up, restore, suffix
from bot.db.database import open_database
from bot.db.tables import guilds, metadata
from bot.failures import ExitCode
from bot.gateway import loops
from bot.host_errors import HostError
from bot.identity import ChannelId, Place
from bot.matches.model import NewMatch
from bot.matches.store import MatchStore
from tests.bot.playing import HERE, NAMES, NOW, begin
from tests.bot.processes import one_sentence, run_beside, until


@pytest.fixture
def url(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, migrated_url: str) -> str:
    """Return a migrated database on each engine in turn, with PostgreSQL's programs on the path."""
    if migrated_url.startswith("postgresql"):
        programs = request.getfixturevalue("postgres").bin_path
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return migrated_url


async def fill(url: str) -> None:
    """Begin a match."""
    async with open_database(url) as database:
        await MatchStore(database).create(NewMatch(HERE, begin(), NAMES), NOW)


async def servers(url: str) -> list[int]:
    async with open_database(url) as database, database.connect() as connection:
        return list((await connection.execute(select(guilds.c.id))).scalars())


def remove(url: str) -> None:
    Path(url.removeprefix("sqlite:///")).unlink()


def content(place: Path) -> Any:
    """Return the content of a file, or the names in a folder."""
    return sorted(file.name for file in place.iterdir()) if place.is_dir() else place.read_bytes()


@pytest.fixture
async def backup(url: str, tmp_path: Path) -> Path:
    """Return the backup of a database with a match, which was made while it was open."""
    file = tmp_path / f"backup{suffix(url)}"
    await fill(url)
    async with open_database(url):
        await back_up(url, file)
    return file


# --- there and back


async def test_a_restore_brings_back_what_was_there(url: str, backup: Path) -> None:
    """All that was written since is gone, even a newer version's table, and the match is back."""
    async with open_database(url) as database, database.begin() as connection:
        await connection.execute(text("UPDATE guilds SET id = 77"))
        await connection.execute(text("CREATE TABLE later (id INTEGER PRIMARY KEY)"))
        await connection.execute(text("UPDATE alembic_version SET version_num = 'ffff'"))
    await restore(url, backup)
    assert await servers(url) == [HERE.server_id]
    async with open_database(url) as database, database.connect() as connection:
        with pytest.raises(Exception, match="later"):
            await connection.execute(text("SELECT * FROM later"))


async def test_ids_given_since_the_backup_are_not_given_again(url: str, backup: Path) -> None:
    """So the buttons of matches that the restore lost don't act on later matches."""
    async with open_database(url) as database:
        store = MatchStore(database)
        other = NewMatch(Place(HERE.server_id, ChannelId(21)), begin(), NAMES)
        lost = (await store.create(other, NOW)).id
    await restore(url, backup)
    async with open_database(url) as database:
        later = (await MatchStore(database).create(other, NOW)).id
    assert later > lost + 1000


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_a_backup_is_its_owners_alone(backup: Path) -> None:
    """Nobody else may read it, since it has members' names."""
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


async def test_a_restore_into_an_empty_place(url: str, backup: Path) -> None:
    """A database that is empty, or doesn't exist yet, gets all of the backup."""
    async with open_database(url) as database, database.begin() as connection:
        await connection.run_sync(metadata.drop_all)
        await connection.execute(text("DROP TABLE alembic_version"))
    if url.startswith("sqlite"):
        remove(url)
    await restore(url, backup)
    assert await servers(url) == [HERE.server_id]


async def test_a_backup_during_writes(migrated_sqlite_url: str, tmp_path: Path) -> None:
    """SQLite's writers aren't held up, and the copy shows the database at one moment."""
    await fill(migrated_sqlite_url)
    async with open_database(migrated_sqlite_url) as database, database.connect() as writing:
        await writing.execute(text("UPDATE guilds SET id = 1"))
        await back_up(migrated_sqlite_url, tmp_path / "backup.db")
        await writing.commit()
    await restore(migrated_sqlite_url, tmp_path / "backup.db")
    assert await servers(migrated_sqlite_url) == [HERE.server_id]


async def test_two_restores_lose_no_database(migrated_sqlite_url: str, tmp_path: Path) -> None:
    """Former SQLite databases, even damaged ones, stay beside the new one under their own names."""
    await fill(migrated_sqlite_url)
    await back_up(migrated_sqlite_url, tmp_path / "backup.db")
    (tmp_path / "rowbot.db").write_bytes(b"the only copy")
    for told in ("rowbot.db.former", "rowbot.db.former-2", "rowbot.db.former-3"):
        assert (await restore(migrated_sqlite_url, tmp_path / "backup.db")).endswith(told)
        assert await servers(migrated_sqlite_url) == [HERE.server_id]
    assert (tmp_path / "rowbot.db.former").read_bytes() == b"the only copy"


async def test_a_restore_on_a_new_machine_keeps_nothing(
    migrated_sqlite_url: str, tmp_path: Path
) -> None:
    """If there was no database before, no empty file is left that looks like a former one."""
    await fill(migrated_sqlite_url)
    await back_up(migrated_sqlite_url, tmp_path / "backup.db")
    remove(migrated_sqlite_url)
    assert await restore(migrated_sqlite_url, tmp_path / "backup.db") == "there was none before"
    assert not (tmp_path / "rowbot.db.former").exists()


# --- refused


async def test_a_restore_beside_a_bot(url: str, backup: Path) -> None:
    """It is refused as long as a bot has the database open."""
    async with open_database(url) as database, database.connect():
        with pytest.raises(HostError, match="Stop it first"):
            await restore(url, backup)
    await restore(url, backup)


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:1500])


def nonsense(file: Path) -> None:
    file.write_text("This is a letter to my aunt.")


SPOILT: dict[Callable[[Path], None], str] = {
    cut_off: "can't be restored",
    nonsense: "is no backup of (SQLite|PostgreSQL), .* Name another",
    Path.unlink: "No such file",
}


async def test_a_file_that_is_no_backup(url: str, backup: Path, tmp_path: Path) -> None:
    """Such a file is refused with the reason, and the database stays as it is."""
    for spoil, reason in SPOILT.items():
        spoilt = Path(shutil.copy(backup, tmp_path / f"spoilt{backup.suffix}"))
        spoil(spoilt)
        with pytest.raises(HostError, match=reason):
            await restore(url, spoilt)
        assert await servers(url) == [HERE.server_id]


async def test_a_refused_restore_on_a_new_machine(sqlite_url: str, tmp_path: Path) -> None:
    """It leaves no empty file that would be taken for a database."""
    (tmp_path / "letter.db").write_text("This is a letter to my aunt.")
    for name in ("missing.db", "letter.db"):
        with pytest.raises(HostError):
            await restore(sqlite_url, tmp_path / name)
    assert not (tmp_path / "rowbot.db").exists()


async def test_a_database_that_cant_be_locked(tmp_path: Path, migrated: Path) -> None:
    """The reason names the lock file that can't be opened, and not only the backup."""
    lock = tmp_path / "rowbot.db.lock"
    lock.mkdir()
    with pytest.raises(HostError, match=rf"{lock} can't be locked \(Is a directory\)"):
        await restore(f"sqlite:///{tmp_path / 'rowbot.db'}", migrated)


async def test_a_newer_backup(url: str, tmp_path: Path) -> None:
    """A backup by a newer version is refused, and the database stays as it is."""
    await fill(url)
    file = tmp_path / f"newer{suffix(url)}"
    change = "UPDATE alembic_version SET version_num = '{}'"
    async with open_database(url) as database:
        async with database.begin() as connection:
            now = await connection.execute(text("SELECT version_num FROM alembic_version"))
            was = now.scalar_one()
            await connection.execute(text(change.format("ffff")))
        await back_up(url, file)
        async with database.begin() as connection:
            await connection.execute(text(change.format(was)))
    with pytest.raises(HostError, match="newer version of Rowbot"):
        await restore(url, file)
    assert await servers(url) == [HERE.server_id]


async def test_a_file_that_exists(url: str, backup: Path) -> None:
    """A backup overwrites nothing."""
    before = content(backup)
    with pytest.raises(HostError, match="exists already"):
        await back_up(url, backup)
    assert content(backup) == before


async def test_a_file_without_a_name(url: str) -> None:
    """A folder in place of a file is refused with a sentence."""
    for name in (".", "..", ""):
        with pytest.raises(HostError, match="exists already"):
            await back_up(url, Path(name))


async def test_a_backup_without_a_database_makes_none(sqlite_url: str, tmp_path: Path) -> None:
    """A `backup` in the wrong folder names the file that it looked for, and creates none."""
    with pytest.raises(HostError, match=r"there is no \S*rowbot\.db yet, or DATABASE_URL"):
        await back_up(sqlite_url, tmp_path / "backup.db")
    assert content(tmp_path) == []


async def test_a_damaged_database_is_named(migrated_sqlite_url: str, tmp_path: Path) -> None:
    """The error names the database, not the unfinished backup, which is removed again."""
    await fill(migrated_sqlite_url)
    file = tmp_path / "rowbot.db"
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + b"\x77" * 8192 + whole[16384:])
    with pytest.raises(HostError, match=r"rowbot\.db is damaged: .+$"):
        await back_up(migrated_sqlite_url, tmp_path / "backup.db")


async def test_a_folder_that_is_missing(url: str, tmp_path: Path) -> None:
    """The host is told to create the folder, in one sentence."""
    with pytest.raises(HostError, match=r"make the folder .* first"):
        await back_up(url, tmp_path / "missing" / "backup")


async def test_a_disk_without_room(migrated_sqlite_url: str, tmp_path: Path) -> None:
    """The reason is told in one sentence, and no part of the file is left."""
    resource = pytest.importorskip("resource", reason="Windows has no limits for files")
    await fill(migrated_sqlite_url)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(HostError, match=r"can't be made: .*disk"):
            await back_up(migrated_sqlite_url, tmp_path / "backup.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not [name for name in content(tmp_path) if name.startswith("backup")]


async def test_a_disk_with_too_little_room(
    migrated_sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup that wouldn't fit isn't begun: it would take the room of a bot that runs."""
    await fill(migrated_sqlite_url)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=10 << 20))
    with pytest.raises(
        HostError, match=r"made: the disk of \S+ has 10\.0 MiB free, and 10\.\d are needed"
    ):
        await back_up(migrated_sqlite_url, tmp_path / "backup.db")
    assert not [name for name in content(tmp_path) if name.startswith("backup")]


async def test_a_restore_where_the_temporary_folder_is_small(
    url: str, backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the backup's folder needs room, and no temporary file is left there."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "no room"))
    before = content(tmp_path)
    await restore(url, backup)
    assert not [name for name in content(tmp_path) if name not in before and "former" not in name]


async def test_postgres_without_its_programs(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The missing program is named."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostError, match="pg_dump isn't installed"):
        await back_up(postgres_url, tmp_path / "backup.dump")
    assert content(tmp_path) == []


# --- the commands


async def test_backup_and_restore_tell_what_they_did(
    tmp_path: Path, migrated_sqlite_url: str
) -> None:
    """`backup` names the file that it wrote, and `restore` says where the former database is."""
    await fill(migrated_sqlite_url)
    for action in ("backup", "restore"):
        ended = await run_beside(tmp_path, action, "saved.db")
        assert ended.code == ExitCode.DONE
    assert "rowbot.db.former" in ended.complained
    ended = await run_beside(tmp_path, "backup", "saved.db")
    assert "exists already" in one_sentence(ended, ExitCode.TRY_AGAIN)


# --- each night


async def test_the_nightly_backup(migrated_sqlite_url: str, tmp_path: Path) -> None:
    """It is made once a day, from three o'clock on, in a new folder; the newest two are kept."""
    await fill(migrated_sqlite_url)
    folder = tmp_path / "backups"
    for day, made in ((22, ["22"]), (23, ["22", "23"]), (24, ["23", "24"])):
        for now in (datetime(2026, 11, day, hour, tzinfo=UTC) for hour in (3, 23)):
            backups = Backups(migrated_sqlite_url, folder, 2, 3, partial(int, now.timestamp()))
            await backups.back_up_if_due()
            assert content(folder) == [f"rowbot-2026-11-{one}.db" for one in made]
    before = datetime(2026, 11, 25, 2, 59, tzinfo=UTC).timestamp()
    await Backups(migrated_sqlite_url, folder, 2, 3, partial(int, before)).back_up_if_due()
    assert content(folder) == ["rowbot-2026-11-23.db", "rowbot-2026-11-24.db"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700  # there are names in the files


async def test_a_bot_that_comes_back_after_midnight(
    migrated_sqlite_url: str, tmp_path: Path
) -> None:
    """It makes the backup that it has missed at once, instead of waiting for the next night."""
    await fill(migrated_sqlite_url)
    now = datetime(2026, 11, 23, 0, 30, tzinfo=UTC).timestamp()
    await Backups(migrated_sqlite_url, tmp_path, 2, 23, partial(int, now)).back_up_if_due()
    assert "rowbot-2026-11-22.db" in content(tmp_path)


async def test_a_backup_that_a_kill_cut_off(migrated_sqlite_url: str, tmp_path: Path) -> None:
    """Its unfinished file, perhaps as large as the database, is removed with the next backup."""
    await fill(migrated_sqlite_url)
    folder = tmp_path / "backups"
    folder.mkdir()
    for left in ("rowbot-2026-11-22.db.part", "rowbot-2026-11-22.db.part-journal"):
        (folder / left).touch()
    now = datetime(2026, 11, 23, 3, tzinfo=UTC).timestamp()
    await Backups(migrated_sqlite_url, folder, 2, 3, partial(int, now)).back_up_if_due()
    assert content(folder) == ["rowbot-2026-11-23.db"]


async def test_an_old_backup_that_cant_be_removed(migrated_sqlite_url: str, tmp_path: Path) -> None:
    """The loop fails with one sentence until that is mended; the new one was made all the same."""
    await fill(migrated_sqlite_url)
    folder = tmp_path / "backups"
    (folder / "rowbot-2026-11-21.db").mkdir(parents=True)
    now = datetime(2026, 11, 23, 3, tzinfo=UTC).timestamp()
    nightly = Backups(migrated_sqlite_url, folder, 1, 3, partial(int, now))
    for _ in range(2):
        with pytest.raises(HostError, match=r"backup \S+/rowbot-2026-11-21\.db can't be removed: "):
            await nightly.back_up_if_due()
        assert "rowbot-2026-11-23.db" in content(folder)
    (folder / "rowbot-2026-11-21.db").rmdir()
    await nightly.back_up_if_due()


async def test_a_nightly_backup_that_fails(
    migrated_sqlite_url: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its loop counts the failure for the metrics and /readyz, logs one line, and tries again."""
    await fill(migrated_sqlite_url)
    folder = tmp_path / "disk" / "backups"
    monkeypatch.setattr(loops, "_AGAIN_SECONDS", 0.01)
    (loop,) = Backups(migrated_sqlite_url, folder, 2, 0, lambda: NOW).loops()
    loop.start(partial(asyncio.sleep, 0))
    await until(lambda: loop.failures == 1)
    (record,) = caplog.records
    assert "(BACKUP_DIR) can't be used: No such file or directory." in record.getMessage()
    assert not record.exc_info
    folder.parent.mkdir()
    await until(lambda: loop.succeeded_at is not None)
    await loop.stop()
    assert len(list(folder.iterdir())) == 1
    long = Backups(migrated_sqlite_url, tmp_path / ("a" * 300), 2, 0, lambda: NOW)
    with pytest.raises(HostError, match="can't be used: File name too long"):
        await long.back_up_if_due()


def test_a_nightly_backup_may_take_hours(tmp_path: Path) -> None:
    """If it were cut off as other long rounds are, a large database would never have a backup."""
    (loop,) = Backups("sqlite:///x.db", tmp_path, keep=7, hour=3, now=lambda: NOW).loops()
    assert loop.longest >= 3600
