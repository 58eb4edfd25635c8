"""The fuzzers run, and find planted faults."""

from pathlib import Path

import pytest

from bot.gateway.budget import Budget
from bot.gateway.channels import Channels
from bot.gateway.components import button
from bot.tournaments import view
from tests.discord import conftest  # noqa: F401 - makes simcord quicker and stricter
from tests.discord.fuzz.run import FuzzOfPlaces
from tests.discord.tournaments.fuzz import FuzzOfTournaments

from .fuzzer import Fuzzer, fuzz


@pytest.mark.slow
@pytest.mark.parametrize("kind", [FuzzOfPlaces, FuzzOfTournaments])
async def test_boards_that_are_never_removed(
    kind: type[Fuzzer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are found soon, with the acts before; without the defect nothing is found."""
    sound = await fuzz(kind, 1, steps=24, minutes=5, url=f"sqlite:///{tmp_path / 'sound.db'}")
    assert not sound.wrong, "\n".join(sound.lines())
    assert sound.counts["steps"] == 24
    monkeypatch.setattr(Channels, "remove_later", lambda *_, **__: None)
    broken = await fuzz(kind, 1, steps=100, minutes=5, url=f"sqlite:///{tmp_path / 'broken.db'}")
    told = [line for line in broken.wrong if line.startswith("stale: ")]
    assert told, "\n".join(broken.lines())
    assert broken.wrong[told[0]] and f"seed 1: {len(broken.acts)} acts" in [*broken.lines()][-1]


class _HandsOver(FuzzOfPlaces):
    """In each rest a process serves that knows no tokens, and so makes many requests."""

    steps_to_rest = 4

    async def step(self) -> None:
        await super().step()
        if not self.has_standby:
            await self.stand_by()


@pytest.mark.slow
async def test_requests_that_wait_for_their_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What members see is judged once these are made."""
    monkeypatch.setattr(Budget.__init__, "__defaults__", (1, 30.0))
    report = await fuzz(_HandsOver, 1, steps=8, minutes=5, url=f"sqlite:///{tmp_path / 'f.db'}")
    assert not report.wrong, "\n".join(report.lines())


class _PlaysInThreads(FuzzOfPlaces):
    """Members keep asking busy channels for matches."""

    steps_to_rest = 24

    async def step(self) -> None:
        await self._members.play_in_thread(self._rooms[0])
        await super().step()


@pytest.mark.slow
async def test_threads_for_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong in the threads that the bot opens is found, too."""
    monkeypatch.setattr(Channels, "remove_later", lambda *_, **__: None)
    report = await fuzz(_PlaysInThreads, 2, 24, 5, f"sqlite:///{tmp_path / 'broken.db'}")
    assert report.counts["threads"] > 1
    told = [line for line in report.wrong if line.startswith("stale: ") and "'s thread" in line]
    assert told, "\n".join(report.lines())


@pytest.mark.slow
async def test_requests_that_discord_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are found, although simcord accepts them."""
    monkeypatch.setattr(view, "button", lambda label, *more: button(label.ljust(81, "."), *more))
    broken = await fuzz(FuzzOfTournaments, 1, 24, 5, url=f"sqlite:///{tmp_path / 'broken.db'}")
    told = [line for line in broken.wrong if line.startswith("refused: ")]
    assert told and all("label" in line for line in told), "\n".join(broken.lines())
