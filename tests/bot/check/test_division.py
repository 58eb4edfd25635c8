"""The finding of `check` about the shards that the bot's processes serve."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.check.division import check_division
from bot.db.lease import Lease, served
from bot.shards import Shards

ALL = [Shards.ALL]
HALVES = [Shards(0, 1, 4), Shards(2, 3, 4)]


@pytest.mark.parametrize(
    ("held", "own", "told"),
    [
        ([], None, "✓ shards: no process serves them now"),
        ([], HALVES[0], "✓ shards: no process serves them now"),
        (ALL, None, "✓ shards: one process serves them all"),
        (ALL, Shards(0, 3, 4), "✓ shards: one process serves them all"),
        (ALL, HALVES[0], "✗ shards: End the process without SHARDS, for which 0-1/4 has to wait"),
        (HALVES, None, "✓ shards: 0-1/4 and 2-3/4 are all"),
        (HALVES, HALVES[1], "✓ shards: 0-1/4 and 2-3/4 are all"),
        (HALVES[:1], HALVES[1], "✓ shards: 0-1/4 and 2-3/4 are all"),
        (HALVES[:1], None, "✗ shards: With 0-1/4 nobody serves 2, 3. "),
        (HALVES[:1], Shards(3, 3, 4), "✗ shards: With 0-1/4 and 3-3/4 nobody serves 2. "),
        (HALVES[:1], Shards(1, 3, 4), "✗ shards: With 0-1/4 and 1-3/4 nobody serves 2, 3. "),
        (
            HALVES[:1],
            Shards(4, 7, 8),
            "✗ shards: Give SHARDS the same number after the slash everywhere, not 0-1/4 and 4-7/8",
        ),
    ],
)
def test_a_division(held: Sequence[Shards], own: Shards | None, told: str) -> None:
    """A shard that nobody serves, or will serve after this start, is named."""
    assert str(check_division(held, own)).startswith(told)


async def test_the_processes_that_serve(postgres_url: str) -> None:
    """A process that only waits isn't among them."""
    assert await served(postgres_url) == []
    right, left = (Lease(postgres_url, part) for part in reversed(HALVES))
    for lease in (right, left):
        await lease.take()
    standby = Lease(postgres_url, HALVES[0])
    taking = asyncio.create_task(standby.take())
    await asyncio.sleep(0.3)
    assert await served(postgres_url) == HALVES
    taking.cancel()
    await asyncio.gather(taking, return_exceptions=True)
    await standby.let_go()
    await right.let_go()
    await left.let_go()
    every = Lease(postgres_url, None)
    await every.take()
    assert await served(postgres_url) == ALL
    await every.let_go()
