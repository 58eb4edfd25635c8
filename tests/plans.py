"""How the databases find the rows of each statement that the bot executes in a test.

A test with a few rows never shows that a statement reads all of them. So each statement is
explained, once in a run. SQLite doesn't know how many rows there are: its plan only depends on how
a statement is written. PostgreSQL knows that the tests' tables are small. Here it is told to avoid
reading them whole, so that its plan shows whether any index fits.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from inspect import currentframe
from pathlib import Path
from typing import Any

from greenlet import getcurrent  # type: ignore[import-untyped]  # it has no stubs
from sqlalchemy import Connection, TextClause, event

from bot.db.database import Database
from bot.db.tables import metadata

# The tables and indexes that may be read whole, and why.
_SMALL = {
    "facts": "the program has a few",
    "guilds": "a row for each server",
    "guild_settings": "a row for each server",
    "honour_roles": "a few for each server",
    "puzzle_servers": "a row for each server",
    "given_roles": "up to a thousand for each role",
    "member_settings": "members who have chosen",
    "offers": "live matches have them",
    "old_boards": "they are removed",
    "ix_matches_computer_due": "matches that wait for the computer",
    "ix_matches_live_guild": "live matches",
    "ix_matches_guests": "matches that haven't ended",
    "uq_matches_live_channel": "live matches",
    "ix_matches_unhonoured": "matches that have just ended",
    "ix_invitations_expiry": "open invitations",
    "ix_invitations_unchanged": "invitations that have just closed",
    "ix_tournaments_unfinished": "tournaments that go on",
}
# Patterns of the statements that may read all rows of a table or of a server, and why.
_MEANT = {
    r"DELETE FROM (ratings|standings)$": "`rerate`",
    r"SELECT matches.guild_id, min\(matches.rated_as\)": "`rerate`",
    r"SELECT DISTINCT standings.user_id, standings.period FROM standings": "`rerate`",
    r"SELECT guilds.id FROM guilds UNION": "now and then, in the background",
    r"SELECT DISTINCT matches.guild_id FROM matches WHERE matches.guild_id IN": "as that one",
    r"SELECT matches.id FROM matches WHERE matches.id IN \(SELECT tournament_games": "at a start",
    r"SELECT \(EXISTS \(SELECT \* FROM matches WHERE": "the first row is enough",
    r"SELECT puzzles.id FROM puzzles WHERE puzzles.guild_id": "a server has few a day",
}

_WHAT_TO_DO = "it needs an index; or tests/plans.py says why all rows may be read"

_TESTS, _BOT = (str(Path(__file__).parents[1] / name) for name in ("tests", "bot"))
_STEP = re.compile(r"(SCAN|SEARCH) (\w+)(?: USING (?:COVERING )?INDEX (\w+))?(?:.* \((.*)\))?")
_ALIAS = re.compile(r"\b(\w+) AS (\w+)\b")

# By kind of database: all statements that were noted, and those that weren't explained yet.
_seen = defaultdict[str, set[str]](set)
_unexplained = defaultdict[str, dict[str, tuple[Any, ...]]](dict)


def watch(engine: Database) -> None:
    """Note the statements that the bot executes from now on."""
    event.listen(engine.sync_engine, "before_cursor_execute", _note)


def _note(
    connection: Connection, _cursor: Any, statement: str, values: Any, context: Any, is_many: bool
) -> None:
    compiled, database = context and context.compiled, connection.dialect.name
    if not compiled or isinstance(compiled.statement, TextClause):
        return
    if compiled.string not in _seen[database] and _is_of_bot():
        _seen[database].add(compiled.string)
        _unexplained[database][statement] = tuple(values[0] if is_many else values)


def _is_of_bot() -> bool:
    """Return whether the bot executes a statement, not a test: the innermost frame of either tells.

    If neither is found, as in SQLite's thread, the statement is taken for the bot's.
    """
    running = getcurrent()
    frame = currentframe()
    while True:
        while frame is not None:
            file = frame.f_code.co_filename
            if file.startswith(_TESTS) and file != __file__:
                return False
            if file.startswith(_BOT) and not file.startswith(f"{_BOT}/db"):
                return True
            frame = frame.f_back
        if running.parent is None:
            return True
        running = running.parent
        frame = running.gr_frame


async def reading_all(engine: Database) -> list[str]:
    """Return the new statements that read all rows of a growing table, each with those steps."""
    if not _unexplained[engine.dialect.name]:
        return []
    async with engine.connect() as connection:
        return await connection.run_sync(_reading_all)


def _reading_all(connection: Connection) -> list[str]:
    found = []
    new = _unexplained[connection.dialect.name]
    while new:
        statement, values = new.popitem()
        plain = " ".join(statement.split())
        steps = whole_reads(connection, statement, values)
        if steps and not any(re.match(pattern, plain) for pattern in _MEANT):
            found.append("\n  ".join([plain, *steps, _WHAT_TO_DO]))
    return found


def whole_reads(connection: Connection, statement: str, values: Sequence[Any] = ()) -> list[str]:
    """Return the steps of a statement that read all rows of a growing table.

    `values` are the values of the driver's parameters.
    """
    if connection.dialect.name == "sqlite":
        return [*_by_sqlite(connection, statement, tuple(values))]
    for way in ("seqscan", "hashjoin", "mergejoin"):
        connection.exec_driver_sql(f"SET LOCAL enable_{way} = off")
    explained = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", tuple(values))
    plan = explained.scalar_one()
    return [*_by_postgresql((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])]


def _by_sqlite(connection: Connection, statement: str, values: tuple[Any, ...]) -> Iterator[str]:
    tables = {alias: table for table, alias in _ALIAS.findall(statement)}
    for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values):
        if (step := _STEP.match(row[-1])) is None:
            continue
        verb, name, index, given = step.groups()
        of_server = given == "guild_id=?" and "LIMIT" not in statement
        table = tables.get(name, name)
        if table in metadata.tables and (verb == "SCAN" or of_server) and _grows(table, index):
            yield row[-1]


def _by_postgresql(node: dict[str, Any]) -> Iterator[str]:
    kind, table, index = node["Node Type"], node.get("Relation Name"), node.get("Index Name")
    # An index scan without a filter is a step of a join, which would begin elsewhere if there were
    # more rows.
    by_no_column = kind.startswith("Index") and "Filter" in node and "Index Cond" not in node
    if (kind == "Seq Scan" or by_no_column) and _grows(table, index):
        yield f"{kind} of {table} by {index}"
    for child in node.get("Plans", ()):
        yield from _by_postgresql(child)


def _grows(table: str | None, index: str | None) -> bool:
    return not _SMALL.keys() & {table, index}
