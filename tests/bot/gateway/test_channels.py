"""Calls in the background: which are made again."""

import discord
import pytest
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from bot.gateway.channels import Channels
from bot.gateway.errors import NoWayError
from tests.bot.processes import until


@pytest.mark.parametrize(
    ("error", "tries"),
    [
        (ConnectionResetError(), 2),
        (PoolTimeoutError(), 2),
        (NoWayError(), 1),
        (ValueError(), 1),
    ],
    ids=lambda given: type(given).__name__,
)
async def test_which_failures_are_tried_again(error: Exception, tries: int) -> None:
    """Those that may pass, of Discord's and of the database, which many calls read first."""
    channels = Channels(discord.Client(intents=discord.Intents.none()))
    made = list[Exception]()

    async def call() -> None:
        made.append(error)
        if len(made) == 1:
            raise error

    channels.later(call, pauses=(0.0,))
    await until(lambda: channels.backlog == {"under way": 0, "put off": 0})
    assert len(made) == tries
