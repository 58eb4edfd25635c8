"""A bot in its own process: start, stop, CPU time and memory."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil

from .discord_server import LoopbackDiscord

ROOT = Path(__file__).resolve().parents[2]
# discord.py is ready two seconds after the last guild; then the bot needs a moment to idle.
SETTLE_SECONDS = 3.0


@asynccontextmanager
async def bot_process(
    module: str, server: LoopbackDiscord, **settings: str
) -> AsyncIterator[psutil.Process]:
    """Run a bot against the server; raise RuntimeError with its log if it doesn't come online."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "bot.log")
        env = os.environ | {
            "DATABASE_URL": f"sqlite+aiosqlite:///{folder}/load.db",
            "DISCORD_TOKEN": "loopback",
            **settings,
        }
        command = [sys.executable, "-m", "tests.load.launch", server.base_url, module]
        with log.open("wb") as output:
            child = await asyncio.create_subprocess_exec(
                *command, cwd=ROOT, env=env, stdout=output, stderr=subprocess.STDOUT
            )
        try:
            await _online(child, server)
            yield psutil.Process(child.pid)
        except BaseException:
            print(*log.read_text(errors="replace").splitlines()[-40:], sep="\n", file=sys.stderr)
            raise
        finally:
            await _stop(child)


async def _online(child: asyncio.subprocess.Process, server: LoopbackDiscord) -> None:
    online = asyncio.ensure_future(server.bot_online())
    exited = asyncio.ensure_future(child.wait())
    done, pending = await asyncio.wait({online, exited}, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    if exited in done:
        raise RuntimeError(f"the bot exited with status {exited.result()} before it was online")
    online.result()
    await asyncio.sleep(SETTLE_SECONDS)


async def _stop(child: asyncio.subprocess.Process) -> None:
    if child.returncode is None:
        child.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(20):
            await child.wait()
    except TimeoutError:
        child.kill()
        await child.wait()
    if child.returncode:
        print(f"the bot exited with status {child.returncode}", file=sys.stderr)


def cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU time of a process so far."""
    times = process.cpu_times()
    return float(times.user + times.system)


def mib(size: int) -> float:
    """Return a number of bytes in MiB."""
    return size / (1 << 20)
