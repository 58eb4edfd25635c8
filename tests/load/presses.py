"""Presses on a bot's boards, and their cost."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import psutil

from .interactions import Answer
from .processes import cpu_seconds
from .tables import Table

# A game on 3x3 takes three to five presses before the next must be started.
_A_ROUND = 3
_REST_SECONDS = 0.2


@dataclass
class Report:
    """The cost of a run of presses; latencies are in seconds, memory is in bytes.

    `driver_late` is the driver's own worst delay: on a busy machine the latencies mean little.
    """

    count: int = 0
    refused: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    rss_after: int = 0
    driver_late: float = 0.0
    latencies: list[float] = field(default_factory=list)

    @property
    def cpu_ms_per_press(self) -> float:
        """CPU time per press; starting games is not measured."""
        return 1000 * self.cpu_seconds / self.count

    def percentile_ms(self, percent: float) -> float:
        """Return a percentile of the latencies in milliseconds (nearest rank)."""
        return 1000 * percentile(self.latencies, percent)


def percentile(times: Sequence[float], percent: float) -> float:
    """Return a percentile by the nearest rank; 0 if there are no times."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0


async def run_presses(
    process: psutil.Process, tables: Sequence[Table], presses: int, rate: float | None = None
) -> Report:
    """Run `presses` presses, spread over the tables, and return their cost.

    With a rate, presses start on schedule and latencies count from the scheduled time. Without one,
    each press waits for the previous one. Only turns are measured: new games start between rounds.
    """
    report = Report()
    while report.count < presses:
        for table in tables:
            await table.sit_down()
        await asyncio.sleep(_REST_SECONDS)
        cpu, began = cpu_seconds(process), time.perf_counter()
        await _round(report, tables, min(presses - report.count, len(tables) * _A_ROUND), rate)
        report.seconds += time.perf_counter() - began
        await asyncio.sleep(_REST_SECONDS)
        report.cpu_seconds += cpu_seconds(process) - cpu
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
