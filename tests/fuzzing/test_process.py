"""The bot's processes in a fuzzer."""

import asyncio
from functools import partial

from bot.gateway.loops import Loop

from .process import Process, check_alive


async def test_a_killed_process_does_nothing_more() -> None:
    """Its tasks end where they next ask, a loop's too; those of another process go on."""
    killed, other, acts = Process(), Process(), list[str]()

    async def act(name: str) -> None:
        check_alive()
        acts.append(name)

    async def ready() -> None:
        """Begin at once."""

    loops = [Loop(name, 0.001, partial(act, name)) for name in ("killed", "other")]
    for process, loop in zip((killed, other), loops, strict=True):
        with process.runs():
            loop.start(ready)
    await asyncio.sleep(0.01)
    assert set(acts) == {"killed", "other"}
    killed.alive = False
    acts.clear()
    await asyncio.sleep(0.05)
    assert set(acts) == {"other"} and [loop.running for loop in loops] == [False, True]
    await loops[1].stop()


async def test_an_event_that_another_process_causes() -> None:
    """Its handlers belong to the process that gets it."""
    killed, other, handlers = Process(), Process(), list[asyncio.Task[None]]()

    async def handle() -> None:
        await asyncio.sleep(0)
        check_alive()

    def feed(_event: str, _payload: object) -> None:
        handlers.append(asyncio.create_task(handle()))

    with other.runs():
        killed.fed(feed)("MESSAGE_CREATE", {})
        other.fed(feed)("MESSAGE_CREATE", {})
    killed.alive = False
    await asyncio.wait(handlers)
    assert [handler.cancelled() for handler in handlers] == [True, False]
