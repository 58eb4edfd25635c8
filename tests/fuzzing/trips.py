"""The bot's trips to the database: they fail before their work is done, or once it is written.

If a trip fails once its work is written, the reply to a commit was lost. A seed decides everything,
trip by trip. The text of an injected error, and so the log, contains `INJECTED`.
"""

import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import logs
from bot.app import unix_now
from bot.db.sqlite import Connection

from .process import check_alive
from .requests import INJECTED


class Trips:
    """The bot's trips to an SQLite database; those of the fuzzer itself never fail.

    On PostgreSQL too, a killed process makes no more trips.

    `failed` tells whether any has failed since `clear`. `lost` are the moments, in Unix seconds, at
    which a loop had no reply to what it wrote.
    """

    def __init__(self, rng: Random, counts: Counter[str], patch: pytest.MonkeyPatch):
        self._rng = rng
        self._counts = counts
        self._failing, self._kind, self._written = 0, "", False
        self.failed = False
        self.lost: list[int] = []
        patch.setattr(Connection, "do", _while_alive(self._watched(Connection.do)))
        patch.setattr(AsyncConnection, "run_sync", _while_alive(AsyncConnection.run_sync))

    def fail(self, times: int, kind: str, *, written: bool) -> None:
        """Let the next `times` trips of a kind fail: those for an "interaction" or a "loop".

        If `written`, only trips that write fail, once that is done. Now and then one in between
        passes.
        """
        self._failing, self._kind, self._written = times, kind, written

    def calm(self) -> None:
        """Let no trip fail from now on."""
        self._failing = 0

    def clear(self) -> None:
        """Forget which trips have failed so far."""
        self.failed = False

    @property
    def failing(self) -> bool:
        """Whether trips fail, or have failed since `clear`."""
        return bool(self._failing) or self.failed

    def _watched(self, do: Callable[..., Any]) -> Callable[..., Any]:
        async def watched(one: Any, work: Callable[[], Any], *, writes: bool) -> Any:
            if not self._written:
                self._pass("before")
            result = await do(one, work, writes=writes)
            if self._written and writes:
                self._pass("after")
            return result

        return watched

    def _pass(self, when: str) -> None:
        """Raise the error with which a trip fails, if it does."""
        if not self._failing or self._kind not in logs.subject() or self._rng.random() < 0.5:
            return
        self._failing -= 1
        self.failed = True
        self._counts[f"database {when}"] += 1
        if self._written and self._kind == "loop":
            self.lost.append(unix_now())
        error = sqlite3.OperationalError(INJECTED)
        error.sqlite_errorname = "SQLITE_IOERR"
        raise OperationalError("a statement", None, error)


def _while_alive(do: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def done(*given: Any, **how: Any) -> Any:
        check_alive()
        return await do(*given, **how)

    return done
