"""Drivers: play many games against a bot process and measure it.

    python -m tests.load.play {bare|lean|rowbot} --presses N --rate R
    python -m tests.load.play compare --presses N --rate R
    python -m tests.load.play memory --turns 10000

The server side runs in this process and the bot in another one, so that the bot's CPU time and
memory can be read on their own.
"""

import argparse
import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from .discord_server import Answer, LoopbackDiscord
from .payloads import Json, buttons

ROOT = Path(__file__).resolve().parents[2]
CHANNELS = 200
WARM_UP = 200
CHECKPOINTS = 10
# discord.py calls itself ready two seconds after the last guild; then let it come to rest.
SETTLE_SECONDS = 3.0
# A game on 3x3 takes three to five presses; then the next one must be started.
_A_ROUND = 3
_REST_SECONDS = 0.2
PATH = ("play", "tictactoe")

FreeSquares = Callable[[Json], list[str]]


def bare_free_squares(message: Json) -> list[str]:
    """Return the custom_ids of all buttons: the bare bot never takes a square."""
    return [button["custom_id"] for button in buttons(message)]


class RowbotFreeSquares:
    """Rowbot's free squares: move buttons that show the emoji of an empty square."""

    def __init__(self) -> None:
        self._empty: str | None = None

    def __call__(self, message: Json) -> list[str]:
        """Return the custom_ids of the free squares, none once the game is over."""
        squares = [b for b in buttons(message) if b.get("custom_id", "").startswith("m:")]
        squares = [b for b in squares if not b.get("disabled")]
        if squares and self._empty is None:
            # The very first board is untouched, so what it shows most often is emptiness.
            self._empty = Counter(map(_face, squares)).most_common(1)[0][0]
        return [b["custom_id"] for b in squares if _face(b) == self._empty]


def _face(button: Json) -> str:
    return str((button.get("emoji") or {}).get("name") or button.get("label"))


@dataclass(frozen=True)
class BotKind:
    """A bot that can be measured."""

    module: str
    free_squares: Callable[[], FreeSquares]


BOTS = {
    "bare": BotKind("tests.load.bare_bot", lambda: bare_free_squares),
    "lean": BotKind("tests.load.lean_bot", lambda: bare_free_squares),
    "rowbot": BotKind("bot", RowbotFreeSquares),
}


@dataclass
class Report:
    """What a run of presses cost; latencies are in seconds, memory is in bytes.

    `driver_late` is how late the driver itself was at worst: a busy machine spoils latencies.
    """

    rss_before: int
    count: int = 0
    refused: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    rss_after: int = 0
    driver_late: float = 0.0
    latencies: list[float] = field(default_factory=list)

    @property
    def cpu_ms_per_press(self) -> float:
        """CPU time per press; games are started between the rounds that are measured."""
        return 1000 * self.cpu_seconds / self.count

    def percentile_ms(self, percent: float) -> float:
        """Return a percentile of the latencies in milliseconds (nearest rank)."""
        ordered = sorted(self.latencies)
        return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


class Table:
    """One player in one channel, who presses free squares and starts game after game."""

    def __init__(
        self,
        server: LoopbackDiscord,
        channel_id: int,
        user_id: int,
        free_squares: FreeSquares,
        **options: int | str,
    ) -> None:
        self._server = server
        self._channel_id = channel_id
        self._user_id = user_id
        self._free_squares = free_squares
        self._options = options
        self._random = random.Random(channel_id)
        self._message: Json | None = None
        self._final_id: int | None = None
        # One press at a time: the next one needs the board that this one brings.
        self._turn = asyncio.Lock()

    async def sit_down(self) -> None:
        """Start a game where none is going on."""
        if self._message is None:
            self._message = await self._start()

    async def press(self) -> Answer | None:
        """Press some free square and return the answer, once the old board is gone.

        Returns None where the game is over already.
        """
        async with self._turn:
            if (message := self._message) is None:
                return None
            custom_id = self._random.choice(self._free_squares(message))
            answer = await self._server.press(self._user_id, message, custom_id)
            if answer.ephemeral or answer.message is None:
                return answer
            shown = await answer.shown
            self._message = shown
            if shown["id"] != message["id"]:
                await self._server.wait_gone(int(message["id"]))
            if not self._free_squares(shown):
                self._game_over(int(shown["id"]))
            return answer

    def _game_over(self, final_id: int) -> None:
        # The bot may still want to change the latest final board, but older ones only pile up.
        if self._final_id is not None:
            self._server.forget(self._final_id)
        self._final_id = final_id
        self._message = None

    async def _start(self) -> Json:
        """Return the first board of a new game; raise RuntimeError if the bot gives none."""
        answer = await self._server.slash(self._user_id, self._channel_id, PATH, self._options)
        if answer.message is None or not self._free_squares(answer.message):
            raise RuntimeError(f"no board to play on: {answer}")
        # The bot must have read the reply to its callback before it can know the new buttons.
        await asyncio.sleep(0.02)
        return answer.message


async def run_presses(
    process: psutil.Process, tables: Sequence[Table], presses: int, rate: float | None = None
) -> Report:
    """Return what `presses` presses, spread over the tables, cost the bot.

    With a rate they start on schedule, however slow the bot is, and latencies count from the
    scheduled time. Without one each waits for the one before. Only turns are measured: where games
    have ended, new ones are started between rounds.
    """
    report = Report(rss_before=process.memory_info().rss)
    while report.count < presses:
        for table in tables:
            await table.sit_down()
        await asyncio.sleep(_REST_SECONDS)
        cpu, began = _cpu_seconds(process), time.perf_counter()
        await _round(report, tables, min(presses - report.count, len(tables) * _A_ROUND), rate)
        report.seconds += time.perf_counter() - began
        await asyncio.sleep(_REST_SECONDS)
        report.cpu_seconds += _cpu_seconds(process) - cpu
    report.rss_after = process.memory_info().rss
    return report


async def _round(report: Report, tables: Sequence[Table], presses: int, rate: float | None) -> None:
    if rate is None:
        for n in range(presses):
            _count(report, await tables[n % len(tables)].press(), None)
    else:
        await _on_schedule(report, tables, presses, rate)


async def _on_schedule(report: Report, tables: Sequence[Table], presses: int, rate: float) -> None:
    async def one(table: Table, due: float) -> None:
        _count(report, await table.press(), due)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for n in range(presses):
            due = began + n / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            report.driver_late = max(report.driver_late, time.perf_counter() - due)
            group.create_task(one(tables[n % len(tables)], due))


def _count(report: Report, answer: Answer | None, due: float | None) -> None:
    if answer is None:
        return
    report.count += 1
    report.refused += answer.ephemeral
    report.latencies.append(answer.seconds if due is None else answer.at - due)


def _cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@asynccontextmanager
async def bot_process(
    module: str, server: LoopbackDiscord, **settings: str
) -> AsyncIterator[psutil.Process]:
    """Run a bot against the server; raise RuntimeError with its log if it does not come up."""
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


@asynccontextmanager
async def warm_bot(name: str) -> AsyncIterator[tuple[psutil.Process, list[Table]]]:
    """Run a bot with a started game in every channel, warmed up."""
    kind = BOTS[name]
    async with (
        LoopbackDiscord(channels=CHANNELS, members=CHANNELS) as server,
        bot_process(kind.module, server) as process,
    ):
        free_squares = kind.free_squares()
        places = zip(server.channel_ids, server.user_ids, strict=True)
        tables = [Table(server, channel, user, free_squares) for channel, user in places]
        await run_presses(process, tables, WARM_UP)
        yield process, tables
        if server.unknown:
            print(f"unanswered requests: {Counter(server.unknown)}", file=sys.stderr)


async def measure(name: str, presses: int, rate: float | None) -> Report:
    """Return the report of one bot."""
    async with warm_bot(name) as (process, tables):
        return await run_presses(process, tables, presses, rate)


async def memory(name: str, turns: int) -> None:
    """Print the bot's memory after the warm-up and at checkpoints up to `turns` turns."""
    async with warm_bot(name) as (process, tables):
        first = process.memory_info().rss
        print(f"{name}: {'turns':>8} {'RSS MiB':>9} {'growth':>8}")
        print(f"{name}: {0:>8} {_mib(first):>9.1f} {0:>8.1f}", flush=True)
        done = 0
        for n in range(1, CHECKPOINTS + 1):
            step = turns * n // CHECKPOINTS - done
            report = await run_presses(process, tables, step)
            done += step
            rss = report.rss_after
            print(f"{name}: {done:>8} {_mib(rss):>9.1f} {_mib(rss - first):>8.1f}", flush=True)


def _mib(size: int) -> float:
    return size / (1 << 20)


_COLUMNS = "bot presses refused seconds ms/press p50ms p99ms maxms latems RSSMiB"


def print_reports(reports: dict[str, Report]) -> None:
    """Print one line per bot."""
    print("".join(f"{title:>10}" for title in _COLUMNS.split()))
    for name, r in reports.items():
        counts = f"{name:>10}{r.count:>10}{r.refused:>10}{r.seconds:>10.1f}"
        cpu = f"{r.cpu_ms_per_press:>10.2f}"
        times = "".join(f"{r.percentile_ms(percent):>10.1f}" for percent in (50, 99, 100))
        rest = f"{1000 * r.driver_late:>10.1f}{_mib(r.rss_after):>10.1f}"
        print(f"{counts}{cpu}{times}{rest}")


async def compare(presses: int, rate: float | None) -> None:
    """Print the reports of both bots, run one after the other, and the ratio of their costs."""
    reports = {name: await measure(name, presses, rate) for name in BOTS}
    print_reports(reports)
    for yardstick in ("bare", "lean"):
        ratio = reports["rowbot"].cpu_ms_per_press / reports[yardstick].cpu_ms_per_press
        print(f"rowbot / {yardstick}: {ratio:.2f} in CPU per press")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.load.play", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", choices=[*BOTS, "compare", "memory"])
    parser.add_argument("--presses", type=int, default=2000)
    parser.add_argument("--rate", type=float, help="presses a second; sequential without")
    parser.add_argument("--turns", type=int, default=10_000, help="for memory")
    parser.add_argument("--bot", choices=list(BOTS), default="rowbot", help="for memory")
    return parser.parse_args()


def main() -> None:
    """Do what the command line says."""
    args = _arguments()
    if args.what == "compare":
        asyncio.run(compare(args.presses, args.rate))
    elif args.what == "memory":
        asyncio.run(memory(args.bot, args.turns))
    else:
        report = asyncio.run(measure(args.what, args.presses, args.rate))
        print_reports({args.what: report})


if __name__ == "__main__":
    main()
