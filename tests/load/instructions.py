"""The instructions of a turn in the bot's own process, counted by valgrind's callgrind.

    python -m tests.load.instructions --rounds 6
    python -m tests.load.instructions --rounds 6 --bare

Instructions of the system aren't counted. A busy machine changes nothing for the bare bot, but
Rowbot takes up to 1.4 times as many there, so compare runs side by side. The bot runs some fifty
times slower under valgrind (Debian's `valgrind`), so it takes minutes to start, and a round a
minute. Its loops go on meanwhile: their instructions while nobody presses are counted first, and
subtracted in proportion to the time. Their work for the turns, such as writing boards, stays in the
result. It falls into some rounds more than into others, so the report has the median.
"""

import argparse
import asyncio
import re
import tempfile
import time
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path
from statistics import median

from .discord_server import LoopbackDiscord
from .processes import bot_process
from .tables import Table, tables

_TABLES = 4
# Early boards: a match against the computer has three presses at least.
_PRESSES_EACH = 2
_START_SECONDS = 1200.0
_WARM_ROUNDS = 2
_IDLE_SECONDS = 40.0
# After the presses: the old boards go in the background.
_REST_SECONDS = 2.0
_TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


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


async def count(rounds: int, *, bare: bool) -> str:
    """Return the median, over rounds of all tables, of the instructions of a turn."""
    module, board = ("tests.load.bare_bot", {}) if bare else ("bot", {"level": "easy"})
    with tempfile.TemporaryDirectory() as folder:
        callgrind = Callgrind(Path(folder))
        server = LoopbackDiscord(channels=_TABLES, members=_TABLES, timeout=_START_SECONDS)
        async with server, bot_process(module, server, under=callgrind.command) as bot:
            seats = tables(server, **board)
            return await _counted(bot.process.pid, callgrind, seats, rounds, bare=bare)


async def _counted(
    pid: int, callgrind: Callgrind, seats: list[Table], rounds: int, *, bare: bool
) -> str:
    for _ in range(_WARM_ROUNDS):
        await _sit_down(seats, bare=bare)
        await _press(seats)
    await callgrind.begin(pid)
    await asyncio.sleep(_IDLE_SECONDS)
    idle, seconds = await callgrind.end(pid)
    a_second = idle / seconds
    print(f"loops: {a_second / 1e6:.3f} million a second", flush=True)
    each: list[float] = []
    for _ in range(rounds):
        await _sit_down(seats, bare=bare)
        await callgrind.begin(pid)
        pressed = await _press(seats)
        total, seconds = await callgrind.end(pid)
        each.append((total - a_second * seconds) / pressed)
        print(f"{pressed} presses: {each[-1] / 1e6:.2f} million each", flush=True)
    return f"a turn, the median of {rounds} rounds: {median(each) / 1e6:.2f} million"


async def _sit_down(seats: list[Table], *, bare: bool) -> None:
    """Have a new match at every table, and let the bot come to rest; bare ones never end."""
    for table in seats:
        while table.seated:
            if bare:
                table.leave()
            else:
                await table.press()
        await table.sit_down()
    await asyncio.sleep(_REST_SECONDS)


async def _press(seats: list[Table]) -> int:
    """Press at every table, wait until the old boards are gone, and return how often."""
    presses = 0
    for table in seats:
        for _ in range(_PRESSES_EACH):
            presses += await table.press() is not None
    await asyncio.sleep(_REST_SECONDS)
    return presses


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.instructions", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--bare", action="store_true", help="a bot of discord.py's quickstart")
    args = parser.parse_args()
    print(asyncio.run(count(args.rounds, bare=args.bare)))


if __name__ == "__main__":
    main()
