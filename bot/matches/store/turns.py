"""A turn: a match is only written over the state that it was read from."""

from dataclasses import replace
from functools import cache

from sqlalchemy import Connection, Update, bindparam, update

from bot.db.errors import ChangedError, unique
from bot.db.tables import LIVE_CHANNEL, matches, offers, seats
from bot.identity import MatchId
from bot.matches.model import StoredMatch
from bot.matches.rows import Columns, ranks_of, turn_columns
from bot.matches.store.boards import left_by_end, write_old_boards
from bot.matches.store.start import ChannelTakenError
from bot.ratings.ledger import Ledger

_RANK = (
    update(seats)
    .where(seats.c.match_id == bindparam("of_match"), seats.c.seat == bindparam("of_seat"))
    .values(rank=bindparam("new_rank"))
)
_END_OFFERS = update(offers).where(offers.c.match_id == bindparam("of_match")).values(ply=None)


def write_turn(
    connection: Connection, before: StoredMatch, after: StoredMatch, ledger: Ledger
) -> StoredMatch:
    """Write `after` over `before` within the caller's transaction; return `after` with its rating.

    Raises ChangedError if the database holds something else by now, and ChannelTakenError.
    """
    _update(connection, before, after)
    ends_or_resumes = after.match.outcome != before.match.outcome
    if ends_or_resumes or after.match.ply < before.match.ply:
        # An offer belongs to a running or to a finished match, and to a ply, which comes again.
        end_offers(connection, after.id)
    if not ends_or_resumes:
        return after
    if (left := left_by_end(after)) is not None:
        write_old_boards(connection, {left: after.id})
    return _rank_and_rate(connection, after, ledger)


def end_offers(connection: Connection, match_id: MatchId) -> None:
    """End the offers of a match; their questions are still to lose their buttons."""
    connection.execute(_END_OFFERS, {"of_match": match_id})


def _update(connection: Connection, before: StoredMatch, after: StoredMatch) -> None:
    """Write the columns that differ; raise ChangedError or ChannelTakenError."""
    was, becomes = turn_columns(before), turn_columns(after)
    changed = {name: value for name, value in becomes.items() if value != was[name]}
    if before.archived and not after.archived:
        changed["put_away_at"] = None
    read: Columns = {"match_id": before.id, "seen": before.revision}
    updating = _updating(frozenset(changed), archived=before.archived)
    with unique(LIVE_CHANNEL, ChannelTakenError):
        count = connection.execute(updating, read | changed).rowcount
    if count != 1:
        raise ChangedError


@cache
def _updating(columns: frozenset[str], *, archived: bool) -> Update:
    """Return the statement that changes `columns`, if the match is still as it was read.

    Unchanged columns stay out of it: SQLite rewrites the indexes of all named columns.
    """
    return (
        update(matches)
        .where(
            matches.c.id == bindparam("match_id"),
            matches.c.revision == bindparam("seen"),
            # Archiving a match doesn't change its revision.
            matches.c.put_away_at.is_not(None) if archived else matches.c.put_away_at.is_(None),
            matches.c.rated_as.is_(None),  # a match that was rated stays as it is
        )
        .values({name: bindparam(name) for name in columns})
        .values(revision=matches.c.revision + 1)
    )


def _rank_and_rate(connection: Connection, stored: StoredMatch, ledger: Ledger) -> StoredMatch:
    """Write the ranks and ratings of a match that has ended or been reopened; return it."""
    match = stored.match
    connection.execute(
        _RANK,
        [
            {"of_match": stored.id, "of_seat": seat, "new_rank": rank}
            for seat, rank in enumerate(ranks_of(match))
        ],
    )
    entry = ledger.enter(connection, stored.id, stored.place.server_id, match, stored.moved_at)
    return replace(stored, entry=entry)
