"""The quick start of child processes."""

import os
import sys
from multiprocessing import forkserver

import pytest

from bot.workers.fair_queue import Ticket
from bot.workers.processes import ProcessPool
from tests.bot.playing import SERVER

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows can't fork")


async def test_a_search_has_its_share_of_a_busy_machine() -> None:
    """It is as important to the system as the test that waits for it."""
    pool = ProcessPool(1, seconds=60)
    here = os.getpriority(os.PRIO_PROCESS, 0)
    there = await pool.run(Ticket(SERVER), os.getpriority, os.PRIO_PROCESS, 0)
    await pool.close()
    assert there == here


def test_the_process_to_fork_from_is_there_before_the_first_search() -> None:
    """It takes seconds to import everything, in which simcord would wait for the search."""
    assert forkserver._forkserver._forkserver_pid is not None  # type: ignore[attr-defined]  # noqa: SLF001
