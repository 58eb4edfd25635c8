"""What a turn costs if its board is a picture: ``python -m tests.load.forms --pairs 10``.

Two members play the computer on 5x5, one with emoji and one with pictures, in alternate rounds.
The CPU of the drawing process is counted apart from the bot's.
"""

import argparse
import asyncio
from dataclasses import dataclass, field

import psutil

from .discord_server import LoopbackDiscord
from .presses import Report, run_presses
from .processes import bot_process, cpu_seconds
from .tables import Table, rowbot_free_squares

_FORMS = ("emoji", "picture")
_A_ROUND = 40
_BOARD: dict[str, int | str] = {"rows": 5, "columns": 5, "line": 4, "level": "easy"}


@dataclass
class _Form:
    """One form: its player's table, and what the rounds have cost."""

    table: Table
    bot_seconds: float = 0.0
    drawing_seconds: float = 0.0
    presses: int = 0
    latencies: list[float] = field(default_factory=list)

    def add(self, report: Report, drawing_seconds: float) -> None:
        """Add a round."""
        self.presses += report.count
        self.bot_seconds += report.cpu_seconds
        self.drawing_seconds += drawing_seconds
        self.latencies += report.latencies

    def line(self, name: str) -> str:
        """Return the costs of a turn in milliseconds."""
        times = Report(latencies=self.latencies)
        bot, drawing = (1000 * s / self.presses for s in (self.bot_seconds, self.drawing_seconds))
        cpu = f"bot {bot:.2f} ms of CPU, drawing {drawing:.2f} ms"
        answered = f"{times.percentile_ms(50):.1f} ms (p50), {times.percentile_ms(99):.1f} (p99)"
        return f"{name:>8} {self.presses:>6} turns: {cpu}, answered in {answered}"


def _children_seconds(process: psutil.Process) -> float:
    return sum(cpu_seconds(child) for child in process.children(recursive=True))


async def measure(pairs: int) -> list[str]:
    """Return a line for each form after so many rounds of both."""
    async with (
        LoopbackDiscord(channels=len(_FORMS), members=len(_FORMS)) as server,
        bot_process("bot", server) as process,
    ):
        forms = {}
        seats = zip(_FORMS, server.channel_ids, server.user_ids, strict=True)
        for name, channel, user in seats:
            await server.slash(user, channel, ("settings", "me"), {"board": name})
            forms[name] = _Form(Table(server, channel, user, rowbot_free_squares, **_BOARD))
            await run_presses(process, [forms[name].table], _A_ROUND)
        for _ in range(pairs):
            for form in forms.values():
                before = _children_seconds(process)
                report = await run_presses(process, [form.table], _A_ROUND)
                form.add(report, _children_seconds(process) - before)
        return [form.line(name) for name, form in forms.items()]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.forms", description=__doc__)
    parser.add_argument("--pairs", type=int, default=10)
    print(*asyncio.run(measure(parser.parse_args().pairs)), sep="\n")


if __name__ == "__main__":
    main()
