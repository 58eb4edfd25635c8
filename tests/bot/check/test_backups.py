"""The findings of `check` about the nightly backups."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.check.backups import check_backups


def free_is(mebibytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every disk have this much room."""
    usage = shutil.disk_usage("/")._replace(free=mebibytes << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)


def names(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


async def test_the_folder_of_backups(sqlite_url: str, tmp_path: Path) -> None:
    """A folder that backups can't be written to is reported; the check leaves no file in it."""
    assert (await check_backups(sqlite_url, tmp_path)).well
    assert (await check_backups(sqlite_url, tmp_path / "yet to come")).well
    assert names(tmp_path) == []
    (tmp_path / "file").touch()
    for place in ("nowhere/backups", "file/backups", f"{'a' * 300}/backups"):
        finding = await check_backups(sqlite_url, tmp_path / place)
        assert not finding.well and f"{place} (BACKUP_DIR) can't be written to" in finding.text


async def test_the_folder_is_told_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that is started in another folder has another one."""
    monkeypatch.chdir(tmp_path)
    finding = await check_backups("sqlite:///rowbot.db", Path("backups"))
    assert finding.text.startswith(f"{tmp_path / 'backups'} is made")


async def test_the_room_for_backups(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next backup needs room beside what it leaves to a running bot."""
    os.truncate(_touched(tmp_path / "rowbot.db"), 40 << 20)
    for free, sign, told in (
        (49, "✗", "has 49 MiB free, and the next one needs 50. Make room"),
        (50, "✓", "50 MiB free"),
    ):
        free_is(free, monkeypatch)
        finding = await check_backups(sqlite_url, tmp_path / "backups")
        assert (finding.sign, told in finding.text) == (sign, True), finding


async def test_the_programs_for_backups(
    postgres: Any, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check runs PostgreSQL's programs, since every nightly backup fails without them."""
    monkeypatch.setenv("PATH", str(postgres.bin_path))
    assert (await check_backups(postgres_url, tmp_path)).well
    old = tmp_path / "pg_dump"
    old.write_text("#!/bin/sh\necho 'aborting because of server version mismatch' >&2; exit 1\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
    finding = await check_backups(postgres_url, tmp_path)
    assert not finding.well and "mismatch" in finding.text and "install" in finding.text
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    finding = await check_backups(postgres_url, tmp_path)
    assert not finding.well and "isn't installed" in finding.text


async def test_the_room_for_dumps(
    postgres: Any, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next dump takes about as much as the last one, of whatever size the one before was."""
    monkeypatch.setenv("PATH", str(postgres.bin_path))
    free_is(49, monkeypatch)
    assert (await check_backups(postgres_url, tmp_path)).well
    for day, size in (("22", 1), ("23", 40)):
        os.truncate(_touched(tmp_path / f"rowbot-2026-11-{day}.dump"), size << 20)
    finding = await check_backups(postgres_url, tmp_path)
    assert not finding.well and "the next one needs 50" in finding.text


def _touched(file: Path) -> Path:
    file.touch()
    return file
