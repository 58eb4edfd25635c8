"""Another transaction that comes in the middle of one, at a certain statement."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.util import await_only

from bot.db.database import Database

# The other transaction comes so far in this time, or waits for a lock.
_LONG_ENOUGH = 0.3


@asynccontextmanager
async def meanwhile(
    database: Database, at: str, act: Callable[[], Coroutine[Any, Any, object]]
) -> AsyncIterator[None]:
    """Let `act` begin before the first statement that has `at` in it or its values; await its end.

    Neither transaction may fail, not even if it is then done again: a deadlock lasts a second.
    """
    acting, failed = list[asyncio.Task[object]](), list[BaseException]()

    def wait(_: Connection, __: object, statement: str, given: object, *___: object) -> None:
        if not acting and at in f"{statement} {given}":
            acting.append(asyncio.create_task(act()))
            await_only(asyncio.sleep(_LONG_ENOUGH))

    def note(context: ExceptionContext) -> None:
        failed.append(context.original_exception)

    engine = database.sync_engine
    event.listen(engine, "before_cursor_execute", wait)
    event.listen(engine, "handle_error", note)
    try:
        yield
        await acting[0]
    finally:
        event.remove(engine, "before_cursor_execute", wait)
        event.remove(engine, "handle_error", note)
    assert failed == []
