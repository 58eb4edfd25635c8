"""The bot's requests to Discord: what Discord refuses, and the request at which the bot dies."""

import asyncio
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from simcord.backend.errors import BackendError
from simcord.env import Env
from simcord.http import router

_FAILING = (
    ("POST", "/webhooks/*"),
    ("POST", "/interactions/*"),
    ("PATCH", "/webhooks/*"),
    ("DELETE", "/webhooks/*"),
    ("POST", "/channels/*"),
    ("PATCH", "/channels/*"),
    ("DELETE", "/channels/*"),
    ("*", "*"),
)


class KilledError(asyncio.CancelledError):
    """The bot is dead: no task of it goes on."""


@dataclass(frozen=True)
class Asked:
    """A request; `status` and `code` are those of Discord's refusal, 0 without one."""

    method: str
    path: str
    status: int = 0
    code: int = 0


class Wire:
    """Watches the requests; `asked` are those since `clear`."""

    def __init__(self, env: Env, patch: pytest.MonkeyPatch):
        self.asked: list[Asked] = []
        self.dead = False
        self._env = env
        self._fatal: tuple[int, bool] | None = None
        self._dispatch = router.dispatch
        patch.setattr(router, "dispatch", self._pass)

    def clear(self) -> None:
        """Forget the requests so far."""
        self.asked.clear()

    def kill_at(self, count: int, *, carried_out: bool) -> None:
        """Let the bot die at a request, the first being 0, after or before it is `carried_out`."""
        self._fatal = (count, carried_out)

    def attend(self) -> None:
        """Let the bot live that runs from now on."""
        self._fatal, self.dead = None, False

    def fail(self, rng: Random) -> str:
        """Let Discord fail at the next requests of some kind; return which."""
        method, path = rng.choice(_FAILING)
        times = rng.choice((1, 1, 1, 2, 3, 5))
        status = rng.choice((500, 502, 503))
        self._env.inject_error(method, path, status=status, times=times)
        return f"{times} times {status} at {method} {path}"

    def heal(self) -> None:
        """Let Discord fail no more."""
        faults = self._env.backend.faults
        faults[:] = [fault for fault in faults if fault["status"] < 500]

    @property
    def failing(self) -> bool:
        """Whether Discord still fails."""
        return any(fault["status"] >= 500 for fault in self._env.backend.faults)

    def _pass(self, backend: Any, method: str, path: str, **given: Any) -> Any:
        self._die(carried_out=False)
        try:
            answer = self._dispatch(backend, method, path, **given)
        except BackendError as error:
            self.asked.append(Asked(method, path, error.status, error.code))
            raise
        self.asked.append(Asked(method, path))
        self._die(carried_out=True)
        return answer

    def _die(self, *, carried_out: bool) -> None:
        if self._fatal is not None and not self.dead:
            count, late = self._fatal
            if late is carried_out:
                self.dead = count == 0
                self._fatal = (count - 1, late)
        if self.dead:
            raise KilledError
