"""Processes that start quickly, for the searches and the pictures of the tests in Discord.

Each test has a bot of its own, and its first search would start Python and import the core: a tenth
of a second of CPU, and half a second for a chart, which a loaded machine then drew too late. Here
the processes are forked from one that has imported everything. `tests/bot/workers` and
`tests/bot/pictures` test how the bot itself starts them.
"""

import multiprocessing
from multiprocessing import connection
from multiprocessing.context import BaseContext
from types import SimpleNamespace

import pytest
from simcord import _dpy_internals

from bot.workers import processes

PRELOADED = [
    "bot.workers.child",
    "bot.workers.search_worker",
    "bot.pictures.worker",
    "bot.pictures.frames",
    "bot.pictures.chart",
    "tests.bot.engines",
]


def context(method: str) -> BaseContext:
    """Return the way to start processes: forked if the system can, otherwise the bot's own way."""
    quick = "forkserver" in multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("forkserver" if quick else method)


def install(patch: pytest.MonkeyPatch) -> None:
    """Let the bot's pools start their processes by `context`."""
    multiprocessing.set_forkserver_preload(PRELOADED)
    quick = SimpleNamespace(get_context=context, active_children=multiprocessing.active_children)
    patch.setattr(processes, "multiprocessing", quick)
    # The wait for the end of a forked process has a time limit, which simcord's clock never
    # reaches.
    patch.setattr(connection, "time", SimpleNamespace(monotonic=_dpy_internals.real_monotonic))
