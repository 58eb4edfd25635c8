"""Equal questions share one piece of work."""

import asyncio

import pytest

from bot.workers.fair_queue import FairQueue, Ticket, TooLateError
from bot.workers.shared import SharedWork


class Oracle:
    """Counts how often it works; it answers when it is let, or fails."""

    def __init__(self) -> None:
        self.queue = FairQueue(1)
        self.shared = SharedWork[str, str]()
        self.worked = 0

    def ask(self, question: str, until: float | None = None) -> asyncio.Task[str]:
        ticket = Ticket(1, until=until)
        return asyncio.create_task(self.shared.ask(question, ticket, self._work))

    async def _work(self, ticket: Ticket) -> str:
        async with self.queue.place(ticket):
            self.worked += 1
            await asyncio.sleep(0)
            return "42"


async def test_one_answer_for_equal_questions() -> None:
    """Those who ask at the same time share it; whoever asks later has it worked out anew."""
    oracle = Oracle()
    asked = [oracle.ask(question) for question in ("why", "why", "how")]
    assert [await answer for answer in asked] == ["42"] * 3
    assert oracle.worked == 2
    await oracle.ask("why")
    assert oracle.worked == 3


async def test_who_gives_up_takes_no_answer_from_others() -> None:
    """If the first asker is cancelled, the second is answered."""
    oracle = Oracle()
    first, second = oracle.ask("why"), oracle.ask("why")
    await asyncio.sleep(0)
    first.cancel()
    assert await second == "42"
    assert oracle.worked == 1


async def test_who_asked_later_waits_longer() -> None:
    """If the first asker's time runs out in the queue, the work is begun for the second."""
    oracle, now = Oracle(), asyncio.get_running_loop().time()
    async with oracle.queue.place(Ticket(1)):
        first, second = oracle.ask("why", now + 0.01), oracle.ask("why", now + 60)
        with pytest.raises(TooLateError):
            await first
        assert not second.done()
    assert await second == "42"
    assert oracle.worked == 1


async def test_who_asks_in_the_moment_of_a_failure() -> None:
    """Work that was dropped in the same turn of the event loop is begun anew."""
    shared, begun = SharedWork[str, str](), list[Ticket]()

    async def work(ticket: Ticket) -> str:
        begun.append(ticket)
        if ticket.until is not None:
            raise TooLateError
        return "42"

    first = asyncio.create_task(shared.ask("why", Ticket(1, until=0), work))
    await asyncio.sleep(0)
    # It asks after the work has failed, and before the callback of that can forget the work.
    second = asyncio.create_task(shared.ask("why", Ticket(1), work))
    async with asyncio.timeout(5):
        assert await second == "42"
    with pytest.raises(TooLateError):
        await first
    assert len(begun) == 2
