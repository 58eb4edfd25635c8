"""The nightly backups: whether they can be made, and have room."""

import shutil
from pathlib import Path
from tempfile import TemporaryFile

from bot.backups.feature import kept
from bot.check.model import Finding, amiss, well, worse
from bot.db.dumps import ToolError, try_out
from bot.db.files import LEFT_FREE
from bot.db.holding import sqlite_path

_MIB = 1 << 20


async def check_backups(url: str, folder: Path, keep: int) -> Finding:
    """Return whether the nightly backups can be made, and whether `keep` of them have room."""
    try:
        if not sqlite_path(url):
            await try_out(url)
    except ToolError as error:
        return amiss("backups", f"{error}.")
    return _check_folder(url, folder, keep)


def _check_folder(url: str, folder: Path, keep: int) -> Finding:
    folder = folder.absolute()  # a bot that is started elsewhere has another one
    try:
        is_there = folder.exists()
        place = folder if is_there else folder.parent
        with TemporaryFile(dir=place):
            pass
        free = shutil.disk_usage(place).free
        count, size = _kept(url, folder)
    except OSError as error:
        return amiss("backups", f"{folder} (BACKUP_DIR) can't be written to: {error.strerror}")
    told = f"{folder} (BACKUP_DIR) has {free // _MIB} MiB free"
    if free < (needed := size + LEFT_FREE):
        return amiss("backups", f"{told}, and the next one needs {needed // _MIB}. Make room there")
    # The oldest one is removed only after a newer one was made.
    if free < size * (keep + 1 - count) + LEFT_FREE:
        more = f"enough for {(free - LEFT_FREE) // size} more, and BACKUP_KEEP is {keep}"
        return worse("backups", f"{told}, {more}. Make room there, or keep fewer")
    where = f"can be written to {folder}" if is_there else f"{folder} is made at the first backup"
    return well("backups", f"{where}, {free // _MIB} MiB free")


def _kept(url: str, folder: Path) -> tuple[int, int]:
    """Return the number of backups that are there, and the bytes that the next one takes.

    One of SQLite takes as much as the file, and one of PostgreSQL about as much as the last one. If
    there is none yet, the size is 0. Raises OSError.
    """
    there = kept(url, folder)
    alike = sqlite_path(url) or (there[-1] if there else None)
    return len(there), alike.stat().st_size if alike and alike.exists() else 0
