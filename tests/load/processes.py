"""A bot in its own process: start, stop, CPU time and memory."""

import asyncio
import os
import signal
import sys
import tempfile
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import psutil

from .discord_server import LoopbackDiscord

ROOT = Path(__file__).resolve().parents[2]
# discord.py is ready two seconds after the last guild; then the bot needs a moment to idle.
SETTLE_SECONDS = 3.0
_END_SECONDS = 20.0
_MOST_SAID = 1 << 16


class BotProcess:
    """A bot in a process of its own, which can be ended and started again in the same folder.

    `under` is the command of a program that runs it, such as valgrind.
    """

    def __init__(
        self,
        module: str,
        server: LoopbackDiscord,
        folder: Path,
        *,
        under: Sequence[str] = (),
        **settings: str,
    ) -> None:
        self.log = folder / "bot.log"
        self.database = folder / "load.db"
        self._under = under
        self._command = [*under, sys.executable, "-m", "tests.load.launch", server.base_url, module]
        self._server = server
        self._folder = folder
        self._module = module
        self._settings = settings
        self.url = settings.get("DATABASE_URL", f"sqlite:///{self.database}")
        self._env = os.environ | {
            "DISCORD_TOKEN": "loopback",
            **settings,
            "DATABASE_URL": self.url,
        }
        self._child: asyncio.subprocess.Process | None = None

    @property
    def process(self) -> psutil.Process:
        """The process that runs."""
        assert self._child is not None, "the bot was started"
        return psutil.Process(self._child.pid)

    def another(self) -> "BotProcess":
        """Return another process with the same settings and the same log."""
        return BotProcess(
            self._module, self._server, self._folder, under=self._under, **self._settings
        )

    async def start(self, *, beside: bool = False) -> None:
        """Start the bot and wait until it is online; raise RuntimeError if it ends before.

        All other processes have ended, unless it runs `beside` them.
        """
        if beside:
            self._server.gateway.online.clear()
        else:
            self._server.gateway.forget()
        await _online(await self.launch(), self._server)

    async def launch(self) -> asyncio.subprocess.Process:
        """Start the bot and return its process, beside others that run."""
        self._child = await asyncio.create_subprocess_exec(
            *self._command, cwd=ROOT, env=self._env, stdout=PIPE, stderr=STDOUT
        )
        assert self._child.stdout is not None
        self._logging = asyncio.create_task(self._keep_log(self._child.stdout))
        return self._child

    async def _keep_log(self, output: asyncio.StreamReader) -> None:
        """Write what a process says to the log, which the bot's own full disk doesn't reach."""
        with self.log.open("ab", buffering=0) as log:
            while said := await output.read(_MOST_SAID):
                log.write(said)

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send the bot a signal, wait until it has ended, and return its exit status."""
        assert self._child is not None, "the bot was started"
        if self._child.returncode is None:
            self._child.send_signal(number)
        try:
            async with asyncio.timeout(_END_SECONDS):
                await self._child.wait()
        except TimeoutError:
            self._child.kill()
        await asyncio.wait({self._logging}, timeout=_END_SECONDS)
        return await self._child.wait()


@asynccontextmanager
async def bot_process(
    module: str, server: LoopbackDiscord, **settings: str
) -> AsyncIterator[psutil.Process]:
    """Run a bot as `fresh_process` does, and wait until it idles, so that it can be measured."""
    async with fresh_process(module, server, **settings) as process:
        await asyncio.sleep(SETTLE_SECONDS)
        yield process


@asynccontextmanager
async def fresh_process(
    module: str, server: LoopbackDiscord, **settings: str
) -> AsyncIterator[psutil.Process]:
    """Run a bot against the server; raise RuntimeError with its log if it doesn't come online."""
    with tempfile.TemporaryDirectory() as folder:
        bot = BotProcess(module, server, Path(folder), **settings)
        try:
            await bot.start()
            yield bot.process
        except BaseException:
            log = bot.log.read_text(errors="replace")
            print(*log.splitlines()[-40:], sep="\n", file=sys.stderr)
            raise
        finally:
            if status := await bot.end():
                print(f"the bot exited with status {status}", file=sys.stderr)


async def _online(child: asyncio.subprocess.Process, server: LoopbackDiscord) -> None:
    online = asyncio.ensure_future(server.bot_online())
    exited = asyncio.ensure_future(child.wait())
    done, pending = await asyncio.wait({online, exited}, return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    if exited in done:
        raise RuntimeError(f"the bot exited with status {exited.result()} before it was online")
    online.result()


def cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU time of a process so far."""
    times = process.cpu_times()
    return float(times.user + times.system)


def mib(size: int) -> float:
    """Return a number of bytes in MiB."""
    return size / (1 << 20)
