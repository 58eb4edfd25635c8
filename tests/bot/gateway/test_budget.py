"""The budget for the bot's requests."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.gateway.budget import Budget, Urgency
from bot.gateway.channels import Channels
from bot.gateway.components import view_of
from bot.gateway.requests import Requests
from bot.identity import MemberId
from tests.bot.playing import HERE


async def test_the_most_urgent_go_first() -> None:
    """Of the turns that wait, mentions come before posts and posts before removals."""
    # Slow enough for all to ask before the second turn, also on a busy machine.
    budget, came = Budget(at_once=1, a_second=20), []

    async def ask(name: str, urgency: Urgency) -> None:
        await budget.turn(urgency)
        came.append(name)

    asked = [
        ("first", Urgency.TIDY),
        ("removal", Urgency.TIDY),
        ("post", Urgency.POST),
        ("mention", Urgency.MENTION),
        ("another mention", Urgency.MENTION),
    ]
    await asyncio.gather(*(ask(*one) for one in asked))
    assert came == ["first", "mention", "another mention", "post", "removal"]


@pytest.mark.parametrize(
    "budget", [Budget(at_once=5, a_second=100), Budget(at_once=10, a_second=200, part=0.5)]
)
async def test_no_more_than_the_rate(budget: Budget) -> None:
    """After the first turns, which come at once, turns come at the rate, or the part of it."""
    began = time.monotonic()
    await asyncio.gather(*(budget.turn(Urgency.POST) for _ in range(15)))
    assert time.monotonic() - began >= 0.09


async def test_a_caller_that_gives_up_takes_no_turn() -> None:
    """A cancelled caller doesn't hold up the next."""
    budget = Budget(at_once=1, a_second=100)
    await budget.turn(Urgency.POST)
    waiting = [asyncio.create_task(budget.turn(Urgency.POST)) for _ in range(2)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.wait_for(waiting[1], 1)


async def test_requests_wait_by_the_clock_alone() -> None:
    """No task hands out turns, since simcord, which moves the clock, would take it for stuck."""
    budget = Budget(at_once=1, a_second=100)
    waiting = {asyncio.create_task(budget.turn(Urgency.POST)) for _ in range(3)}
    await asyncio.sleep(0)
    assert asyncio.all_tasks() - waiting == {asyncio.current_task()}
    await asyncio.gather(*waiting)


class NotingRequests(Requests):
    """Requests that are noted instead of made."""

    def __init__(self) -> None:
        super().__init__()
        self.noted = list[Urgency]()

    async def make(self, urgency: Urgency, request: Any) -> Any:
        self.noted.append(urgency)
        return SimpleNamespace(id=1)


async def test_a_message_that_notifies_somebody_is_more_urgent() -> None:
    """A reminder passes requests for which nobody waits."""
    requests = NotingRequests()
    channels = Channels(discord.Client(intents=discord.Intents.none()), requests)
    for notify in (MemberId(1), None):
        await channels.send(HERE, view_of("Your move."), notify)
    assert requests.noted == [Urgency.MENTION, Urgency.POST]
