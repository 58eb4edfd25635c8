"""The nightly backup."""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.db.backup import back_up, suffix
from bot.gateway.feature import Feature
from bot.gateway.loops import Loop
from bot.host_errors import HostError
from bot.times import DAY, MINUTE

log = logging.getLogger(__name__)

_LOOK_EVERY_SECONDS = 10 * MINUTE
# A backup that is cut off would begin anew, while the thread of the first goes on copying.
_LONGEST_SECONDS = DAY


def kept(url: str, folder: Path) -> list[Path]:
    """Return the nightly backups of such a database in a folder, the oldest first."""
    return sorted(folder.glob(_name("????-??-??", url)))


def _name(day: str, url: str) -> str:
    return f"rowbot-{day}{suffix(url)}"


class Backups(Feature):
    """Writes one backup a day to a folder, from `hour` (UTC) on, and keeps the newest `keep`.

    The folder shows whether a day's backup was made. So a bot that was away at that hour makes it
    when it comes back, even after midnight. `now` gives Unix seconds.
    """

    def __init__(self, url: str, folder: Path, keep: int, hour: int, now: Callable[[], int]):
        self._url = url
        self._folder = folder
        self._keep = keep
        self._hour = hour
        self._now = now

    def loops(self) -> Sequence[Loop]:
        """Return the loop that checks whether a backup is due."""
        work = self.back_up_if_due
        return [Loop("the nightly backup", _LOOK_EVERY_SECONDS, work, longest=_LONGEST_SECONDS)]

    async def back_up_if_due(self) -> None:
        """Make the last backup that was due, unless there is one; raise HostError."""
        due = datetime.fromtimestamp(self._now(), UTC) - timedelta(hours=self._hour)
        file = self._folder / _name(f"{due:%Y-%m-%d}", self._url)
        if not self._has(file):
            await back_up(self._url, file)
            log.info("the database was backed up to %s", file)
            # Left by a kill, perhaps with a journal.
            _remove(self._folder.glob(f"{_name('????-??-??', self._url)}.part*"))
        _remove(kept(self._url, self._folder)[: -self._keep])

    def _has(self, file: Path) -> bool:
        """Return whether the folder, which is made if need be, has a file; raise HostError."""
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            return file.exists()
        except OSError as error:
            reason = f"the folder {self._folder} (BACKUP_DIR) can't be used: {error.strerror}"
            raise HostError(f"There is no backup: {reason}.") from error


def _remove(files: Iterable[Path]) -> None:
    for file in files:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise HostError(f"The old backup {file} can't be removed: {error.strerror}.") from error
