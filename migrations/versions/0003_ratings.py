"""Ratings, standings by period, members' names, servers, rating changes by seat, withdrawals.

Earlier matches that are rated by the rules of this version get their ordinals. The program computes
their ratings and standings when it opens the database (`bot.ratings.rerate`).
"""

from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_FEWEST_PLIES = 4
_RATED_A_DAY = 10
_DAY = 86_400


def upgrade() -> None:
    """Apply this revision."""
    undone = sa.Column("undone", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("matches", undone)
    withdrawals = sa.Column("withdrawals", sa.Text, nullable=False, server_default=sa.text("''"))
    op.add_column("matches", withdrawals)
    op.add_column("matches", sa.Column("rated_as", sa.BigInteger))
    points = sa.Column("points", sa.Float(53), nullable=False, server_default=sa.text("0"))
    op.add_column("seats", points)
    op.add_column("seats", sa.Column("rating_before", sa.Integer))
    op.add_column("seats", sa.Column("rating_after", sa.Integer))
    _index("ix_matches_rated_day", ["guild_id", "ended_at"])
    _index("uq_matches_rated_as", ["guild_id", "rated_as"], unique=True)
    _ratings()
    _standings()
    _members()
    _number_earlier_matches()


def _index(name: str, columns: list[str], *, unique: bool = False) -> None:
    rated = sa.text("rated_as IS NOT NULL")
    op.create_index(
        name, "matches", columns, unique=unique, sqlite_where=rated, postgresql_where=rated
    )


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "game", name="pk_ratings"),
    )


def _standings() -> None:
    op.create_table(
        "standings",
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("period", sa.String(8), nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
        sa.Column("rating", sa.Integer),
        sa.Column("ranked", sa.Boolean, nullable=False),
        sa.Column("present", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "game", "period", name="pk_standings"),
    )
    one_list = ["guild_id", "game", "period", "present"]
    by_rating = [*one_list, "ranked", "rating", "user_id"]
    op.create_index("ix_standings_by_rating", "standings", by_rating)
    op.create_index("ix_standings_by_wins", "standings", [*one_list, "wins", "user_id"])


def _members() -> None:
    op.create_table(
        "members",
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("present", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name="pk_members"),
    )
    op.create_table(
        "guilds",
        sa.Column("id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("removed_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_guilds"),
    )


def _number_earlier_matches() -> None:
    """Give the earlier matches that are rated their ordinals; note names and servers."""
    connection = op.get_bind()
    rows = connection.execute(sa.text(_PLAYED)).all()
    matches: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        matches[row.id].append(row)
    _number(connection, matches)
    _sum_up_series(connection, matches)
    names = {(r.guild_id, r.user_id): r.name for r in rows if r.user_id is not None and r.name}
    _insert(connection, _NAMED, [{"g": g, "u": u, "n": name} for (g, u), name in names.items()])
    _insert(connection, _SERVER, [{"g": g} for g in {row.guild_id for row in rows}])


_PLAYED = """
    SELECT m.id, m.guild_id, m.series_id, m.moves, m.ended_at, m.hinted,
           s.seat, s.user_id, s.level, s.name, s.rank
    FROM matches m JOIN seats s ON s.match_id = m.id ORDER BY m.id, s.seat
"""
_NAMED = "INSERT INTO members (guild_id, user_id, name, present) VALUES (:g, :u, :n, true)"
_SERVER = "INSERT INTO guilds (id) VALUES (:g)"


def _insert(connection: sa.Connection, statement: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(sa.text(statement), rows)


def _number(connection: sa.Connection, matches: dict[int, list[Any]]) -> None:
    numbers, played_today = Counter[int](), Counter[tuple[int, ...]]()
    rated = []
    ended = [seats for seats in matches.values() if _may_count(seats)]
    for seats in sorted(ended, key=lambda seats: (seats[0].ended_at, seats[0].id)):
        match = seats[0]
        people = sorted(seat.user_id for seat in seats)
        pairs = [(match.guild_id, match.ended_at // _DAY, *p) for p in combinations(people, 2)]
        if all(played_today[pair] < _RATED_A_DAY for pair in pairs):
            played_today.update(pairs)
            numbers[match.guild_id] += 1
            rated.append({"id": match.id, "number": numbers[match.guild_id]})
    _insert(connection, "UPDATE matches SET rated_as = :number WHERE id = :id", rated)


def _may_count(seats: list[Any]) -> bool:
    match = seats[0]
    people = {seat.user_id for seat in seats} - {None}
    long_enough = len(match.moves.split()) >= _FEWEST_PLIES
    return (
        match.ended_at is not None
        and not match.hinted
        and long_enough
        and len(people) == len(seats)
        and all(seat.rank is not None for seat in seats)
    )


def _sum_up_series(connection: sa.Connection, matches: dict[int, list[Any]]) -> None:
    """Note the points that each seat's player had in the series before a match."""
    series: dict[int, dict[Any, float]] = defaultdict(lambda: defaultdict(float))
    brought = []
    for match_id, seats in matches.items():
        points = series[seats[0].series_id or match_id]
        firsts = sum(seat.rank == 1 for seat in seats)
        brought += [
            {"id": match_id, "seat": s.seat, "points": points[s.user_id, s.level]} for s in seats
        ]
        for seat in seats:
            if seat.rank == 1:
                points[seat.user_id, seat.level] += 1 if firsts == 1 else 0.5
    statement = "UPDATE seats SET points = :points WHERE match_id = :id AND seat = :seat"
    _insert(connection, statement, [row for row in brought if row["points"]])
