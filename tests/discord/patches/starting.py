"""Processes that start quickly, for the searches and the pictures of the tests in Discord.

Each test has a bot of its own, and its first search would start Python and import the core: a tenth
of a second of CPU, and half a second for a chart, which a loaded machine then drew too late. Here
the processes are forked from one that has imported everything. It begins with the first test, since
simcord waits for a search no longer than for all else. `tests/bot/workers` and `tests/bot/pictures`
test how the bot itself starts them.
"""

import multiprocessing
from multiprocessing import connection, forkserver
from multiprocessing.context import BaseContext
from types import SimpleNamespace

import pytest
from simcord import _dpy_internals

from bot.workers import processes
from tests.bot.forking import PRELOADED

_QUICK = "forkserver" in multiprocessing.get_all_start_methods()


def context(method: str) -> BaseContext:
    """Return the way to start processes: forked if the system can, otherwise the bot's own way."""
    return multiprocessing.get_context("forkserver" if _QUICK else method)


def install(patch: pytest.MonkeyPatch) -> None:
    """Let the bot's pools start their processes by `context`."""
    if _QUICK:
        multiprocessing.set_forkserver_preload(PRELOADED)
        forkserver.ensure_running()
    quick = SimpleNamespace(get_context=context, active_children=multiprocessing.active_children)
    patch.setattr(processes, "multiprocessing", quick)
    # The wait for the end of a forked process has a time limit, which simcord's clock never
    # reaches.
    patch.setattr(connection, "time", SimpleNamespace(monotonic=_dpy_internals.real_monotonic))
