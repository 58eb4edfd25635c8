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

from bot.failures import ExitCode
from bot.shards import Shards

from .discord_server import LoopbackDiscord

ROOT = Path(__file__).resolve().parents[2]
# discord.py is ready two seconds after the last guild; then the bot needs a moment to idle.
SETTLE_SECONDS = 3.0
_END_SECONDS = 60.0  # what the units in deploy/ and the compose files give it
_AGAIN_SECONDS = 1.0
_MOST_SAID = 1 << 16
_TOLD_LINES = 40


class BotProcess:
    """A bot in a process of its own, which can be ended and started again in the same folder.

    Once it was online, it is started again whenever it asks for that by its exit status, as by a
    host's supervisor; `started_again` counts these starts. `under` is the command of a program that
    runs it, such as valgrind.
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
        self.url = settings.get("DATABASE_URL", f"sqlite:///{self.database}")
        self._command = [*under, sys.executable, "-m", "tests.load.launch", server.base_url, module]
        self._module, self._server, self._folder = module, server, folder
        self._settings = settings
        self._shards = Shards.parse(settings["SHARDS"]).ids if "SHARDS" in settings else [0]
        self._env = os.environ | {"DISCORD_TOKEN": "loopback"} | settings
        self._env["DATABASE_URL"] = self.url
        self._child: asyncio.subprocess.Process | None = None
        self._supervising: asyncio.Task[None] | None = None
        self._launching = asyncio.Lock()
        self.started_again = 0

    @property
    def process(self) -> psutil.Process:
        """The process that runs."""
        assert self._child is not None, "the bot was started"
        return psutil.Process(self._child.pid)

    @property
    def cpu_seconds(self) -> float:
        """The CPU time of the process so far."""
        return _cpu_seconds(self.process)

    @property
    def workers_seconds(self) -> float:
        """The CPU time so far of the processes that search and draw for it."""
        return sum(map(_cpu_seconds, self.process.children(recursive=True)))

    @property
    def mib(self) -> float:
        """The memory of the process, without that of its workers."""
        return mib(self.process)

    def another(self) -> "BotProcess":
        """Return another process with the same settings, folder and log."""
        return BotProcess(self._module, self._server, self._folder, **self._settings)

    async def start(self, *, beside: bool = False) -> None:
        """Start the bot and wait until it is online.

        Raises RuntimeError, with the end of its log, if it ends before. All other processes have
        ended, unless it runs `beside` them.
        """
        gateway = self._server.gateway
        if not beside:
            gateway.forget()
        identified = {shard: gateway.identified[shard] + 1 for shard in self._shards}
        child = await self._launch()
        online = asyncio.ensure_future(self._server.bot_online(identified))
        exited = asyncio.ensure_future(child.wait())
        done, pending = await asyncio.wait({online, exited}, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        if exited in done:
            await asyncio.wait({self._logging}, timeout=_END_SECONDS)
            raise RuntimeError(f"the bot exited with status {exited.result()}:\n{self.last_said()}")
        online.result()
        self._supervising = asyncio.create_task(self._supervise(child))

    async def _supervise(self, child: asyncio.subprocess.Process) -> None:
        while await child.wait() == ExitCode.TRY_AGAIN:
            await asyncio.sleep(_AGAIN_SECONDS)
            async with self._launching:  # not to be cut off, which would leave a process behind
                child = await self._launch()
            self.started_again += 1

    async def _launch(self) -> asyncio.subprocess.Process:
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

    def last_said(self) -> str:
        """Return the last lines of the log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-_TOLD_LINES:])

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send the bot a signal, wait until it has ended, and return its exit status."""
        assert self._child is not None, "the bot was started"
        if self._supervising is not None:
            async with self._launching:
                self._supervising.cancel()
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
    module: str,
    server: LoopbackDiscord,
    *,
    under: Sequence[str] = (),
    **settings: str,
) -> AsyncIterator[BotProcess]:
    """Run a bot in a folder of its own; the end of its log is printed if anything is raised."""
    with tempfile.TemporaryDirectory() as folder:
        bot = BotProcess(module, server, Path(folder), under=under, **settings)
        try:
            await bot.start()
            yield bot
        except BaseException:
            print(bot.last_said(), file=sys.stderr)
            raise
        finally:
            if status := await bot.end():
                print(f"the bot exited with status {status}", file=sys.stderr)


def _cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def mib(process: psutil.Process) -> float:
    """Return the memory of a process in MiB."""
    return process.memory_info().rss / (1 << 20)
