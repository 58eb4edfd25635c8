"""The short form of the soak; the long one is `python -m tests.load.soak`."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.postgresql import running

from .soak import Gauge, Soak, growth


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_nothing_is_lost_nothing_stuck(database: str, tmp_path: Path) -> None:
    """After minutes of faults every acknowledged move is stored, and each channel can play."""
    with running(durable=True) if database == "postgresql" else nullcontext() as postgres:
        soak = Soak(1, minutes=3, games=30, rooms=6, folder=tmp_path, postgres=postgres)
        report = await soak.run()
    assert not report.wrong, "\n".join(report.lines())


def _gauges(seconds: int, **an_hour: float) -> Iterator[Gauge]:
    """Yield a process's gauges, one every five seconds, in which something grows by the hour."""
    for at in range(0, seconds, 5):
        used = {"memory": 100.0, "files": 20.0, "threads": 10.0}
        used |= {name: used[name] + rate * at / 3600 for name, rate in an_hour.items()}
        memory, files, threads = used.values()
        yield Gauge(at, 1, memory, 0.0, int(files), int(threads))


@pytest.mark.parametrize(
    ("what", "rate", "told"),
    [
        ("memory", 20, None),
        ("memory", 60, "memory grew by 44 MiB in 44 minutes"),
        ("files", 10, None),
        ("files", 60, "open files from"),
        ("threads", 5, None),
        ("threads", 30, "threads from"),
    ],
)
def test_a_leak_is_found(what: str, rate: float, told: str | None) -> None:
    """A process that fills its caches isn't reported; a leak is, if it had the time to show."""
    assert list(growth([*_gauges(200, **{what: 100 * rate})])) == []
    found = list(growth([*_gauges(3600, **{what: rate})]))
    assert len(found) == (told is not None)
    assert all(line.startswith("growth: ") and told in line for line in found if told)
