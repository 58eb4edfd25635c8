"""Processes in tests: Python with given settings, and the bot's child processes."""

import asyncio
import logging
import multiprocessing
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.__main__ import main
from bot.failures import ExitCode
from bot.settings import Settings

ROOT = Path(__file__).parents[2]


class Ended(NamedTuple):
    """The exit code and output of a finished process."""

    code: int | None
    said: str
    complained: str


@asynccontextmanager
async def python(
    folder: Path, *arguments: str, settings: Mapping[str, str] | None = None
) -> AsyncIterator[Process]:
    """Start Python in `folder` with these settings alone; kill it afterwards."""
    ours = {name.upper() for name in Settings.model_fields}
    environment = {k: v for k, v in os.environ.items() if k.upper() not in ours}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        cwd=folder,
        env=environment | {"PYTHONPATH": str(ROOT)} | dict(settings or {}),
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        async with asyncio.timeout(120):  # on a busy machine a start takes long
            yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()  # also closes the pipes


async def run(folder: Path, *arguments: str, settings: Mapping[str, str] | None = None) -> Ended:
    """Run Python until it ends."""
    async with python(folder, *arguments, settings=settings) as process:
        said, complained = await process.communicate()
        return Ended(process.returncode, said.decode(), complained.decode())


def run_here(folder: Path, *arguments: str, settings: Mapping[str, str] | None = None) -> Ended:
    """Run the program until it ends, in this process, which saves a start.

    Other tests show that a real process exits with that code, and prints the sentence.
    """
    said, complained = StringIO(), StringIO()
    root = logging.getLogger()
    handlers = list(root.handlers)
    levels = {logger: logger.level for logger in (root, *_loggers())}
    ours = {name.upper() for name in Settings.model_fields}
    with pytest.MonkeyPatch.context() as here:
        here.chdir(folder)
        for name in [name for name in os.environ if name.upper() in ours]:
            here.delenv(name)
        for name, value in (settings or {}).items():
            here.setenv(name, value)
        try:
            with redirect_stdout(said), redirect_stderr(complained):
                code = main(arguments)
        finally:
            root.handlers[:] = handlers
            for logger in _loggers():
                logger.setLevel(levels.get(logger, logging.NOTSET))
            root.setLevel(levels[root])
    return Ended(code, said.getvalue(), complained.getvalue())


async def run_beside(
    folder: Path, *arguments: str, settings: Mapping[str, str] | None = None
) -> Ended:
    """Run the program as `run_here` does, in a thread beside the test's event loop."""
    return await asyncio.to_thread(run_here, folder, *arguments, settings=settings)


def _loggers() -> list[logging.Logger]:
    known = logging.getLogger().manager.loggerDict.values()
    return [logger for logger in known if isinstance(logger, logging.Logger)]


def one_sentence(ended: Ended, code: ExitCode) -> str:
    """Return the only line on stderr of a process that ended with this exit code."""
    assert ended.code == code
    assert ended.said == ""
    (sentence,) = ended.complained.splitlines()
    return sentence


def children() -> set[int]:
    """Return the ids of the processes that this one has started with multiprocessing."""
    return {child.pid for child in multiprocessing.active_children() if child.pid is not None}


async def longest_pause(work: asyncio.Future[Any]) -> float:
    """Return the longest time that the event loop was blocked, as a share of the time of `work`.

    A time in seconds would be longer on a busy machine.
    """
    longest, began = 0.0, time.perf_counter()
    while not work.done():
        tick = time.perf_counter()
        await asyncio.sleep(0.005)
        longest = max(longest, time.perf_counter() - tick)
    return longest / (time.perf_counter() - began)


async def until(true: Callable[[], bool]) -> None:
    """Wait until `true()` holds; raise TimeoutError after a minute."""
    async with asyncio.timeout(60):  # on a busy machine a process starts slowly
        while not true():  # noqa: ASYNC110 - the end of a process sends no notification
            await asyncio.sleep(0.01)
