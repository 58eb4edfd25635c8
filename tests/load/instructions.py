"""The instructions of a turn in the bot's own process, counted by valgrind's callgrind.

    python -m tests.load.instructions --rounds 6
    python -m tests.load.instructions --rounds 6 --bot bare

They are the same on a busy machine, where CPU isn't. The system's part isn't counted. The bot runs
some fifty times slower under valgrind (Debian's `valgrind`), so it takes minutes to start. Its
loops go on meanwhile: what they take while nobody presses is counted first, and taken off by the
time. Their work for the turns stays in it, such as writing boards. It falls into some rounds more
than into others, so the median is told.
"""

import argparse
import asyncio
import re
import tempfile
import time
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

from .discord_server import LoopbackDiscord
from .processes import BotProcess
from .tables import FreeSquares, Table, bare_free_squares, rowbot_free_squares

_TABLES = 4
# Early boards: a match against the computer has three presses at least.
_PRESSES_EACH = 2
_START_SECONDS = 1200.0
_WARM_ROUNDS = 2
_IDLE_SECONDS = 40.0
# After the presses: the old boards go in the background.
_REST_SECONDS = 2.0
_TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


class _Bot(NamedTuple):
    """A bot, how its free squares are found, and the options of `/play` for those that play."""

    module: str
    free_squares: FreeSquares
    options: Mapping[str, int | str] = {}

    @property
    def plays(self) -> bool:
        """Whether it plays games to their end; the bare ones only show buttons."""
        return bool(self.options)


_BOTS = {
    "rowbot": _Bot("bot", rowbot_free_squares, {"rows": 3, "columns": 3, "level": "easy"}),
    "bare": _Bot("tests.load.bare_bot", bare_free_squares),
    "lean": _Bot("tests.load.lean_bot", bare_free_squares),
}
_BUTTONS = "13"  # of Rowbot's board


class Callgrind:
    """Counts the instructions of a program that it runs; its files are in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._began = 0.0
        self.command = ("valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={folder}/%p")

    async def begin(self, pid: int) -> None:
        """Count from now on."""
        await self._control("--zero", pid)
        self._began = time.perf_counter()

    async def end(self, pid: int) -> tuple[int, float]:
        """Return the instructions since `begin`, and the seconds."""
        await self._control("--dump", pid)
        seconds = time.perf_counter() - self._began
        [file] = self._folder.glob(f"{pid}.*")
        found = _TOTAL.search(file.read_text(errors="replace"))
        file.unlink()
        assert found is not None, "callgrind writes the total"
        return int(found[1]), seconds

    async def _control(self, action: str, pid: int) -> None:
        control = await asyncio.create_subprocess_exec(
            "callgrind_control", action, str(pid), stdout=PIPE, stderr=STDOUT
        )
        said, _ = await control.communicate()
        if control.returncode:
            raise RuntimeError(said.decode())


async def count(bot: _Bot, rounds: int) -> str:
    """Return the median, over rounds of all tables, of the instructions of a turn."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as counts:
        callgrind = Callgrind(Path(counts))
        server = LoopbackDiscord(channels=_TABLES, members=_TABLES, timeout=_START_SECONDS)
        async with server:
            process = BotProcess(
                bot.module, server, Path(folder), under=callgrind.command, BUTTONS=_BUTTONS
            )
            try:
                await process.start()
            except RuntimeError:
                print(process.log.read_text(errors="replace"))
                raise
            places = zip(server.channel_ids, server.user_ids, strict=True)
            tables = [Table(server, c, u, bot.free_squares, **bot.options) for c, u in places]
            try:
                return await _counted(process.process.pid, callgrind, tables, rounds, bot)
            finally:
                await process.end()


async def _counted(
    pid: int, callgrind: Callgrind, tables: list[Table], rounds: int, bot: _Bot
) -> str:
    for _ in range(_WARM_ROUNDS):
        await _sit_down(tables, bot)
        await _press(tables)
    await callgrind.begin(pid)
    await asyncio.sleep(_IDLE_SECONDS)
    idle, seconds = await callgrind.end(pid)
    a_second = idle / seconds
    print(f"loops: {a_second / 1e6:.3f} million a second", flush=True)
    each: list[float] = []
    for _ in range(rounds):
        await _sit_down(tables, bot)
        await callgrind.begin(pid)
        pressed = await _press(tables)
        total, seconds = await callgrind.end(pid)
        each.append((total - a_second * seconds) / pressed)
        print(f"{pressed} presses: {each[-1] / 1e6:.2f} million each", flush=True)
    return f"a turn, the median of {rounds} rounds: {median(each) / 1e6:.2f} million"


async def _sit_down(tables: list[Table], bot: _Bot) -> None:
    """Have a new match at every table, and let the bot come to rest."""
    for table in tables:
        while table.seated:
            if bot.plays:
                await table.press()
            else:
                table.leave()
        await table.sit_down()
    await asyncio.sleep(_REST_SECONDS)


async def _press(tables: list[Table]) -> int:
    """Press at every table, wait until the old boards are gone, and return how often."""
    presses = 0
    for table in tables:
        for _ in range(_PRESSES_EACH):
            presses += await table.press() is not None
    await asyncio.sleep(_REST_SECONDS)
    return presses


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.instructions", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--bot", choices=_BOTS, default="rowbot")
    args = parser.parse_args()
    print(asyncio.run(count(_BOTS[args.bot], args.rounds)))


if __name__ == "__main__":
    main()
