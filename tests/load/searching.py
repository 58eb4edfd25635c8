"""Many simultaneous games against a searching computer, and the presses of a bystander.

    python -m tests.load.searching --games 20 --seconds 30 [--processes N]

The searches must not delay the answers to the bystander.
"""

import argparse
import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random

from .discord_server import LoopbackDiscord
from .presses import percentile
from .processes import bot_process
from .tables import Table, rowbot_free_squares

# A solved board on which a search takes some time.
BOARD: dict[str, int | str] = {"rows": 5, "columns": 5, "line": 4, "level": "perfect"}
_EVERY_SECONDS = 0.1
# How long a player looks at a board before pressing. Random, since equal pauses would keep all
# players in step.
_LOOKS_SECONDS = (0.5, 1.5)
_PATIENCE_SECONDS = 300.0


@dataclass
class Beside:
    """The latencies of a bystander's presses, and the searches meanwhile; in seconds.

    Of each turn with a search: after what time the member's move was `shown`, and the answer.
    """

    latencies: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    searched: list[float] = field(default_factory=list)
    promised: int = 0
    driver_late: float = 0.0


async def beside_searches(games: int, seconds: float, processes: int = 1) -> Beside:
    """Measure a bystander beside `games` games, each played at a human pace."""
    found = Beside()
    places = games + 1
    settings = {"ENGINE_PROCESSES": str(processes)}
    async with (
        _unpaused(),
        LoopbackDiscord(channels=places, members=places, timeout=_PATIENCE_SECONDS) as server,
        bot_process("bot", server, **settings),
    ):
        first, *others = [
            Table(server, channel, user, rowbot_free_squares, **(BOARD if number else {}))
            for number, (channel, user) in enumerate(
                zip(server.channel_ids, server.user_ids, strict=True)
            )
        ]
        await first.sit_down()
        await first.press()  # the first press after a start is not representative
        players = [
            asyncio.create_task(_play(table, found, Random(number)))
            for number, table in enumerate(others)
        ]
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            await _press(first, found)
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
    return found


@asynccontextmanager
async def _unpaused() -> AsyncIterator[None]:
    """Disable the garbage collector: the driver's pauses would be measured as the bot's."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def _press(table: Table, found: Beside) -> None:
    due = time.perf_counter() + _EVERY_SECONDS
    await table.sit_down()
    await asyncio.sleep(max(0.0, due - time.perf_counter()))
    found.driver_late = max(found.driver_late, time.perf_counter() - due)
    answer = await table.press()
    assert answer is not None and not answer.promised, "a press without a search must be answered"
    found.latencies.append(answer.seconds)


async def _play(table: Table, found: Beside, chance: Random) -> None:
    await asyncio.sleep(chance.uniform(0, max(_LOOKS_SECONDS)))
    while True:
        await table.sit_down()
        await asyncio.sleep(chance.uniform(*_LOOKS_SECONDS))
        began = time.perf_counter()
        answer = await table.press()
        assert answer is not None and not answer.ephemeral, f"no turn: {answer}"
        found.shown.append(answer.seconds)
        found.searched.append(time.perf_counter() - began)
        found.promised += answer.promised


def main() -> None:
    """Run the measurement with the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.searching", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    found = asyncio.run(beside_searches(args.games, args.seconds, args.processes))
    times = ", ".join(f"p{p} {1000 * percentile(found.latencies, p):.1f} ms" for p in (50, 99, 100))
    print(f"{len(found.latencies)} presses beside {args.games} games: {times}")
    shown, slowest = max(found.shown, default=0.0), max(found.searched, default=0.0)
    print(f"{len(found.searched)} turns with a search, {found.promised} promised first,", end=" ")
    print(f"the move shown after at most {shown:.2f} s, the answer after {slowest:.2f} s;", end=" ")
    print(f"the driver was {1000 * found.driver_late:.1f} ms late")


if __name__ == "__main__":
    main()
