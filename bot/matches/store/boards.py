"""The messages that show matches, and those that are to be removed, in the database."""

from collections.abc import Collection, Mapping
from functools import cache

from sqlalchemy import BigInteger, Connection, Executable, bindparam, delete, select, update

from bot.db.statements import insert_for
from bot.db.tables import matches, old_boards
from bot.identity import MatchId, MessageId

_SHOWN = (
    update(matches).where(matches.c.id == bindparam("match_id")).values(board_id=bindparam("board"))
)
# The match may have been erased meanwhile.
_OLD_BOARD = select(bindparam("message", type_=BigInteger), matches.c.id).where(
    matches.c.id == bindparam("of_match")
)
_REMOVED = delete(old_boards).where(old_boards.c.message_id == bindparam("message"))


def write_boards(
    connection: Connection,
    shown: Mapping[MatchId, MessageId],
    old: Mapping[MessageId, MatchId],
    gone: Collection[MessageId],
) -> None:
    """Write the boards that show matches, and the `old` ones without those that are `gone`."""
    if shown:
        rows = [{"match_id": match_id, "board": shown[match_id]} for match_id in sorted(shown)]
        connection.execute(_SHOWN, rows)
    if old:
        write_old_boards(connection, old)
    if gone:
        connection.execute(_REMOVED, [{"message": message_id} for message_id in sorted(gone)])


def write_old_boards(connection: Connection, old: Mapping[MessageId, MatchId]) -> None:
    """Note messages that are to be removed, each with its match, in the caller's transaction."""
    rows = [{"message": message_id, "of_match": old[message_id]} for message_id in sorted(old)]
    connection.execute(_noting(connection.dialect.name), rows)


@cache
def _noting(dialect: str) -> Executable:
    """Return the statement that notes a message if its match exists, once."""
    names = [old_boards.c.message_id.name, old_boards.c.match_id.name]
    noting = insert_for(dialect, old_boards).from_select(names, _OLD_BOARD)
    return noting.on_conflict_do_nothing()
