"""The findings of `check` about the database, the files, and the processes that search and draw."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from bot.check.machine import check_database, check_pictures, check_secrets, check_texts
from bot.db.database import open_database, reach
from bot.failures import ExitCode
from tests.bot.db.migrating import made_at
from tests.bot.processes import ROOT, run_beside, run_here
from tests.bot.scripted_discord import scripted_discord
from tests.load.payloads import APP_ID


async def sql(url: str, statement: str) -> None:
    """Carry out a statement."""
    async with reach(url) as engine, engine.begin() as connection:
        await connection.execute(text(statement))


async def test_a_migrated_database(migrated_url: str) -> None:
    """It is reported as up to date and writable, and the check changes nothing in it."""
    for _ in range(2):
        finding = await check_database(migrated_url)
        assert finding.well and "writable, up to date" in finding.text
    assert ("MiB free" in finding.text) == migrated_url.startswith("sqlite")


async def test_a_database_to_be_migrated(migrated_url: str) -> None:
    """The migrations of the next start are counted, and not applied."""
    await sql(migrated_url, "UPDATE alembic_version SET version_num = '0006'")
    for _ in range(2):
        finding = await check_database(migrated_url)
        assert finding.well and "migrations at the next start" in finding.text


async def test_a_newer_database(migrated_url: str) -> None:
    """A database of a newer version is reported with what to do."""
    await sql(migrated_url, "UPDATE alembic_version SET version_num = 'ffff'")
    finding = await check_database(migrated_url)
    assert not finding.well and "Update Rowbot" in finding.text


async def test_the_database_of_another_application(migrated_url: str) -> None:
    """It is reported, as the start would refuse it; without a login nobody knows whose it is."""
    await sql(migrated_url, "INSERT INTO facts VALUES ('commands', '77 and the commands')")
    finding = await check_database(migrated_url, 5)
    assert not finding.well and "belongs to application 77," in finding.text
    assert "python -m bot adopt" in finding.text
    assert (await check_database(migrated_url, 77)).well
    assert (await check_database(migrated_url)).well


async def test_a_database_without_facts(migrated_url: str) -> None:
    """An early version's database has none, and belongs to no application yet."""
    await sql(migrated_url, "DROP TABLE facts")
    assert (await check_database(migrated_url, 5)).well


def test_a_damaged_file(tmp_path: Path, migrated: Path) -> None:
    """The whole file is read, so that damage is found which no other statement would meet."""
    file = Path(shutil.copy(migrated, tmp_path / "rowbot.db"))
    whole = file.read_bytes()
    file.write_bytes(whole[:-8192] + b"\0" * 4096 + whole[-4096:])
    found = asyncio.run(check_database(f"sqlite:///{file}"))
    assert not found.well
    assert found.text.endswith("database disk image is malformed. Restore a backup.")


def test_a_locked_file(tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program that writes to the file is named as the reason."""
    monkeypatch.setattr("bot.db.sqlite._WAIT_SECONDS", 0.1)
    file = Path(shutil.copy(migrated, tmp_path / "rowbot.db"))
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        found = asyncio.run(check_database(f"sqlite:///{file}"))
    assert not found.well
    assert found.text.endswith("database is locked. Close the other program that writes to it.")


async def test_a_file_yet_to_come(tmp_path: Path) -> None:
    """The check doesn't create a file that is missing, but its folder has to exist."""
    finding = await check_database(f"sqlite:///{tmp_path / 'rowbot.db'}")
    assert finding.well and "made at the first start" in finding.text
    assert not (tmp_path / "rowbot.db").exists()
    finding = await check_database(f"sqlite:///{tmp_path / 'nowhere' / 'rowbot.db'}")
    assert not finding.well and "folder is missing" in finding.text
    finding = await check_database(f"sqlite:///{tmp_path}")
    assert not finding.well and finding.text.endswith(
        "Name a file, in a folder to which Rowbot may write."
    )
    finding = await check_database(f"sqlite:///{tmp_path / ('a' * 300) / 'rowbot.db'}")
    assert not finding.well and "DATABASE_URL" in finding.text


def test_settings_that_nobody_else_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is reported if the file was made as in the guide, or if there is none."""
    monkeypatch.chdir(tmp_path)
    assert check_secrets() is None
    Path(".env").touch(mode=0o600)
    assert check_secrets() is None


async def test_a_full_disk(
    migrated_sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If little room is left beside an SQLite file, or too little, that is reported early.

    The file needn't be there yet.
    """
    usage, free = shutil.disk_usage(tmp_path), 7
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=free << 20))
    for url in (migrated_sqlite_url, f"sqlite:///{tmp_path / 'new.db'}"):
        finding = await check_database(url)
        assert not finding.well and "7 MiB are free" in finding.text
    free = 102
    assert (await check_database(migrated_sqlite_url)).well
    os.truncate(make_url(migrated_sqlite_url).database or "", 104 << 20)
    finding = await check_database(migrated_sqlite_url)
    assert not finding.well and "102 MiB are free" in finding.text


async def test_a_disk_too_full_for_an_update(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A migration needs twice the file's size as free room: for new tables, and for the log."""
    await made_at(sqlite_url, "0037")
    os.truncate(make_url(sqlite_url).database or "", 60 << 20)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=110 << 20))
    finding = await check_database(sqlite_url)
    assert not finding.well and "110 MiB are free, and 120 may be needed" in finding.text
    async with open_database(sqlite_url):
        pass
    assert (await check_database(sqlite_url)).well


async def test_a_database_that_cant_be_written_to(postgres_url: str) -> None:
    """A standby server, or a role that may only read, is reported."""
    name = make_url(postgres_url).database
    await sql(postgres_url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    finding = await check_database(postgres_url)
    assert not finding.well and "read-only transaction" in finding.text


async def test_a_server_that_is_away() -> None:
    """A database that can't be reached is named without its password."""
    finding = await check_database("postgresql://somebody:geheim@127.0.0.1:1/rowbot")
    assert not finding.well and "DATABASE_URL" in finding.text
    assert "geheim" not in finding.text


async def test_check_tells_whole_paths(
    tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report has whole paths, since a bot that is started in another folder has other files."""
    monkeypatch.chdir(tmp_path)
    yet_to_come = (await check_database("sqlite:///rowbot.db")).text
    assert f"SQLite in {tmp_path / 'rowbot.db'}, which is made at the first start" in yet_to_come
    shutil.copy(migrated, "rowbot.db")
    there = (await check_database("sqlite:///rowbot.db")).text
    assert f" in {tmp_path / 'rowbot.db'}, writable" in there


# --- the texts


def test_texts_that_arent_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a mere `git pull`, the check shows the sentence with which the next start would end."""
    monkeypatch.setattr("bot.i18n._FOLDER", tmp_path)
    source = tmp_path / "de" / "LC_MESSAGES" / "rowbot.po"
    source.parent.mkdir(parents=True)
    source.touch()
    finding = check_texts()
    assert not finding.well
    assert "Install it again: .venv/bin/pip install" in finding.text


# --- the whole report


def test_the_report(tmp_path: Path) -> None:
    """Without a token it says that the preview opens; both kinds of process do a small job."""
    ended = run_here(tmp_path, "check", settings={"BACKUP_DIR": "copies", "METRICS_PORT": "0"})
    assert (ended.code, ended.complained) == (ExitCode.DONE, "")
    lines = ended.said.splitlines()
    assert all(line.startswith("✓") for line in lines[:-1])
    assert "preview opens" in lines[0]
    assert "plain Python" in lines[4]
    subjects = "token texts database backups searches pictures fonts"
    assert [line.split()[1].rstrip(":") for line in lines] == subjects.split()
    assert not (tmp_path / "rowbot.db").exists()


async def test_a_report_with_the_token_of_another_application(
    tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The application is the one that Discord names for the token."""
    without_fonts(tmp_path)  # drawing is another test's subject
    monkeypatch.syspath_prepend(tmp_path)
    url = f"sqlite:///{shutil.copy(migrated, tmp_path / 'rowbot.db')}"
    await sql(url, "INSERT INTO facts VALUES ('commands', '77 and the commands')")
    async with scripted_discord():
        ended = await run_beside(tmp_path, "check", settings={"DISCORD_TOKEN": "a.b.c"})
    assert ended.code == ExitCode.TRY_AGAIN
    (amiss,) = [line for line in ended.said.splitlines() if line.startswith("✗ database")]
    assert f"application 77, and DISCORD_TOKEN to application {APP_ID}" in amiss


def without_fonts(folder: Path) -> None:
    """Put a broken library into the folder, so that the drawing process fails at once."""
    (folder / "matplotlib.py").write_text("raise ImportError('no fonts')")


async def test_pictures_that_cant_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is told."""
    without_fonts(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    finding = await check_pictures()
    assert not finding.well and "no fonts" in finding.text


def test_a_report_with_something_amiss(tmp_path: Path) -> None:
    """The report goes on after each finding, and the exit code covers all of it.

    If the output's encoding lacks a sign, as on Windows, the report has the sign's Unicode name. A
    line of `.env` that sets nothing is logged once, and what the report tells isn't logged.
    """
    (tmp_path / ".env").write_text("no setting\nDATABASE_URI=sqlite:///elsewhere.db")
    (tmp_path / ".env").chmod(0o644)
    without_fonts(tmp_path)
    settings = {
        "PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT))),
        "PYTHONIOENCODING": "cp1252",
        "DATABASE_URL": "sqlite:///no/such.db",
        "ENGINE_SECONDS": "60",  # enough on a loaded machine
    }
    ended = subprocess.run(
        [sys.executable, "-m", "bot", "check"],
        capture_output=True,
        check=False,
        text=True,
        cwd=tmp_path,
        env=os.environ | settings,
    )
    assert ended.returncode == ExitCode.TRY_AGAIN
    told = ended.stdout.splitlines()[:5]
    signed = [line.partition("} ")[::2] for line in told]
    assert [(sign, finding.split()[0]) for sign, finding in signed] == [
        (r"\N{BALLOT X", "settings:"),
        (r"\N{WARNING SIGN", "settings:"),
        (r"\N{CHECK MARK", "token:"),
        (r"\N{CHECK MARK", "texts:"),
        (r"\N{BALLOT X", "database:"),
    ]
    assert "did you mean DATABASE_URL?" in told[0]
    assert "chmod 600 .env" in told[1]
    assert ended.stderr.count("could not parse statement starting at line 1") == 1
    assert "did you mean" not in ended.stderr
    assert "3 of these should be mended" in ended.stderr.splitlines()[-1]
