"""Nonces, which simcord ignores: Discord makes only one message of all with the same nonce."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from simcord.http import router

# Discord promises "a few minutes".
_SECONDS = 240


def install(patch: pytest.MonkeyPatch, now: Callable[[], float]) -> None:
    """Let simcord answer a nonce that it has seen lately with the message that it has made then.

    `now` returns the time in seconds.
    """
    dispatch, made = router.dispatch, dict[str, tuple[float, Any]]()

    def once(backend: Any, method: str, path: str, **sent: Any) -> Any:
        body = sent.get("json")
        nonce = body.get("nonce") if isinstance(body, dict) else None
        if not nonce:
            return dispatch(backend, method, path, **sent)
        at, answer = made.get(nonce, (-math.inf, None))
        if now() - at > _SECONDS:
            answer = dispatch(backend, method, path, **sent)
            made[nonce] = now(), answer
        return answer

    patch.setattr(router, "dispatch", once)
