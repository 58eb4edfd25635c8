"""Timers and caches in a fuzzer."""

import time

import pytest
from cachetools import TTLCache

from .timers import simulate_all_time


def test_a_cache_forgets_by_the_simulated_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, a second of it takes long."""
    simulate_all_time(monkeypatch)
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    cache = TTLCache[str, None](10, 14 * 60)
    cache["token"] = None
    now += 14 * 60 - 1
    assert "token" in cache
    now += 1
    assert "token" not in cache
