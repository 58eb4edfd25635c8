"""An offer and the message that asks for it are one row."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Apply this revision."""
    rows = list(_rows())
    op.drop_table("questions")
    op.drop_table("offers")
    offers = op.create_table(
        "offers",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("match_id", _KEY, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("ply", sa.Integer),
        sa.Column("wanting", sa.String(16), nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_offers_match_id"),
        sa.PrimaryKeyConstraint("id", name="pk_offers"),
        sqlite_autoincrement=True,
    )
    op.create_index("uq_offers_standing", "offers", ["match_id", "kind", "ply"], unique=True)
    op.bulk_insert(offers, rows)


def _rows() -> Iterator[dict[str, Any]]:
    """Yield the new rows: an offer with the last message that asks for it, or one of these alone.

    Of each kind of offers in a match, only those of the latest ply may stand.
    """
    wanting, plies = defaultdict[Any, str](str), dict[Any, int]()
    offers = "SELECT match_id, kind, ply, seat FROM offers ORDER BY ply, agreeing, seat"
    for match_id, kind, ply, seat in op.get_bind().execute(sa.text(offers)):
        if plies.get((match_id, kind)) != ply:
            wanting[match_id, kind] = ""
        plies[match_id, kind] = ply
        wanting[match_id, kind] += str(seat)
    asking = "SELECT match_id, kind, seat, message_id FROM questions ORDER BY message_id DESC"
    for match_id, kind, seat, message_id in op.get_bind().execute(sa.text(asking)):
        row = {"match_id": match_id, "kind": kind, "message_id": message_id}
        if wanting[match_id, kind].startswith(str(seat)):
            yield row | {"ply": plies[match_id, kind], "wanting": wanting.pop((match_id, kind))}
        else:
            yield row | {"ply": None, "wanting": str(seat)}
    for (match_id, kind), seats in wanting.items():
        if seats:
            row = {"match_id": match_id, "kind": kind, "message_id": None}
            yield row | {"ply": plies[match_id, kind], "wanting": seats}
