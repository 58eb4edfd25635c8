"""The steps by which a database finds rows among many others."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVarTuple

from sqlalchemy import RowMapping, Select, Table, insert, select, text

from bot.db.database import Database

Ts = TypeVarTuple("Ts")

_COPIES = 1000
_COUNTS = text(
    "SELECT oid, relpages, reltuples FROM pg_class WHERE relnamespace = 'public'::regnamespace"
)
_COUNTED = text("UPDATE pg_class SET relpages = :relpages, reltuples = :reltuples WHERE oid = :oid")


async def planned(
    database: Database,
    statement: Select[*Ts],
    table: Table,
    differing: Callable[[int], Mapping[str, object]],
) -> list[str]:
    """Return the steps of a statement after the table's only row was copied a thousand times.

    `statement` has its values filled in. `differing(n)` are the columns in which the n-th copy
    differs. Nothing is committed.
    """
    counts: Sequence[RowMapping] = ()
    compiled = statement.compile(database.sync_engine, compile_kwargs={"literal_binds": True})
    explain = "EXPLAIN QUERY PLAN"
    async with database.connect() as connection:
        one = (await connection.execute(select(table))).mappings().one()
        copies = [{**one, **differing(number)} for number in range(1, _COPIES + 1)]
        await connection.execute(insert(table), copies)
        if database.dialect.name == "postgresql":
            # Without a new count PostgreSQL would take the table for small, and scan it.
            explain = "EXPLAIN"
            counts = (await connection.execute(_COUNTS)).mappings().all()
            await connection.execute(text(f"ANALYZE {table.name}"))
            await connection.execute(text("SET LOCAL enable_seqscan = off"))
        plan = await connection.execute(text(f"{explain} {compiled}"))
        await connection.rollback()
    if counts:
        # A rollback leaves the copies' pages and counts, which would change the plans that
        # `tests.plans` looks at.
        async with database.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            await connection.execute(text(f"VACUUM FULL {table.name}"))
            await connection.execute(_COUNTED, [dict(row) for row in counts])
    return [row[-1].strip() for row in plan]
