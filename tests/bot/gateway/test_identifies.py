"""Discord's limit of identifies: a bot that is started again and again stays below it."""

from dataclasses import dataclass

import pytest

from bot.gateway.identifies import Allowance, Identifies, TooEarlyError
from bot.times import DAY

TOTAL = 1000


@dataclass
class Day:
    """The time, and Discord's count of identifies, which starts anew a day after its first one."""

    now: float = 0
    used: int = 0
    until: float = DAY

    def clock(self) -> float:
        return self.now

    async def ask(self) -> Allowance:
        if self.now >= self.until:
            self.used, self.until = 0, self.now + DAY
        return Allowance(TOTAL, TOTAL - self.used, self.until - self.now)

    def process(self) -> Identifies:
        """Return the `Identifies` of a newly started process."""
        return Identifies(self.ask, self.clock)

    async def identify(self, identifies: Identifies) -> None:
        """Identify as soon as it may be."""
        while True:
            try:
                await identifies.count()
            except TooEarlyError:
                self.now += 5
            else:
                self.used += 1
                assert self.used <= TOTAL
                return


@pytest.mark.parametrize("same_process", [True, False])
async def test_a_crash_loop_of_two_days(*, same_process: bool) -> None:
    """Whether sessions or processes end, a second after each identify, the day's limit holds.

    Half of the limit may be used at once; the rest is spread, so that some are always left.
    """
    day = Day()
    identifies = day.process()
    most = []
    while day.now < 2 * DAY:
        await day.identify(identifies if same_process else day.process())
        day.now += 1
        most.append(day.used)
        if day.now < DAY / 2:
            assert day.used < 0.75 * TOTAL
    assert max(most) == 0.95 * TOTAL


async def test_an_ordinary_start_doesnt_wait() -> None:
    """With more than half of the day's identifies left, nothing waits."""
    day = Day(used=499)
    assert await day.process().wait()
    assert day.now == 0


async def test_the_reserve_of_identifies_is_kept() -> None:
    """With only the reserve left, the next identify waits until Discord's count starts anew."""
    day = Day(used=950)
    await day.identify(day.process())
    assert day.now >= DAY


async def test_a_wait_ends_with_the_program() -> None:
    """A bot that is stopped while it waits doesn't identify."""
    identifies = Day(used=TOTAL).process()
    await identifies.close()
    assert not await identifies.wait()
