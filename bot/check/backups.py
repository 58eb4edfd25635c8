"""The nightly backups: whether they can be made, and have room."""

import shutil
from pathlib import Path
from tempfile import TemporaryFile

from bot.backups.feature import kept
from bot.check.model import Finding, amiss, well
from bot.db.dumps import ToolError, try_out
from bot.db.files import LEFT_FREE
from bot.db.holding import sqlite_path

_MIB = 1 << 20


async def check_backups(url: str, folder: Path) -> Finding:
    """Return whether the nightly backups can be made, and whether the next one has room."""
    try:
        if not sqlite_path(url):
            await try_out(url)
    except ToolError as error:
        return amiss("backups", f"{error}.")
    return _check_folder(url, folder)


def _check_folder(url: str, folder: Path) -> Finding:
    folder = folder.absolute()  # a bot that is started elsewhere has another one
    try:
        is_there = folder.exists()
        place = folder if is_there else folder.parent
        with TemporaryFile(dir=place):
            pass
        free = shutil.disk_usage(place).free
        size = _size(url, folder)
    except OSError as error:
        return amiss("backups", f"{folder} (BACKUP_DIR) can't be written to: {error.strerror}")
    if free < (needed := size + LEFT_FREE):
        told = f"{folder} (BACKUP_DIR) has {free // _MIB} MiB free"
        return amiss("backups", f"{told}, and the next one needs {needed // _MIB}. Make room there")
    where = f"can be written to {folder}" if is_there else f"{folder} is made at the first backup"
    return well("backups", f"{where}, {free // _MIB} MiB free")


def _size(url: str, folder: Path) -> int:
    """Return the bytes that the next backup takes; raise OSError.

    One of SQLite takes as much as the file, and one of PostgreSQL about as much as the last one. If
    there is none yet, the size is 0.
    """
    there = kept(url, folder)
    alike = sqlite_path(url) or (there[-1] if there else None)
    return alike.stat().st_size if alike and alike.exists() else 0
