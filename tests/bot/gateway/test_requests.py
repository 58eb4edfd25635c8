"""Work in the background: which is done again."""

import pytest
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from bot.gateway.errors import NoWayError
from bot.gateway.requests import Requests
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
    requests = Requests()
    made = list[Exception]()

    async def work() -> None:
        made.append(error)
        if len(made) == 1:
            raise error

    requests.later(work, pauses=(0.0,))
    await until(lambda: requests.backlog == {"under way": 0, "put off": 0})
    assert len(made) == tries
