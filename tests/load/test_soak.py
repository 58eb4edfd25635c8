"""The short form of the soak; the long one is `python -m tests.load.soak`."""

import asyncio
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.bot.processes import until
from tests.postgresql import running

from . import processes
from .discord_server import LoopbackDiscord
from .mishaps import Mishap, Mishaps
from .processes import BotProcess
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


async def test_a_process_that_asks_for_another_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gets it each time, as from a host's supervisor, until it is ended."""

    async def be_online(*_: object) -> None:
        pass

    monkeypatch.setattr(processes, "_AGAIN_SECONDS", 0)
    monkeypatch.setattr(LoopbackDiscord, "bot_online", be_online)
    bot = BotProcess("tests.no_such_module", LoopbackDiscord(1, 1), tmp_path)  # it exits with 1
    await bot.start()
    await until(lambda: bot.started_again == 2)
    assert await bot.end() != 0
    started = bot.started_again
    await asyncio.sleep(0.1)
    assert bot.started_again == started


@pytest.mark.parametrize(
    ("mishap", "alone", "with_standby"),
    [
        (Mishap.KILL, (True, True), (True, False)),
        (Mishap.RESTART, (True, True), (False, False)),
        (Mishap.REPLACE, (False, False), (False, False)),
        (Mishap.STOP, (True, True), (True, True)),
    ],
)
def test_a_standby_leaves_little_to_excuse(
    mishap: Mishap, alone: tuple[bool, bool], with_standby: tuple[bool, bool]
) -> None:
    """After a kill it serves at once, and a hand-over keeps no press from its answer."""
    server = LoopbackDiscord(1, 1)
    for standby, away in ((False, alone), (True, with_standby)):
        mishaps = Mishaps(server, [], standby=standby, spans=[(mishap, 100.0, 120.0)])
        assert (mishaps.away(101.0), mishaps.away(110.0)) == away
