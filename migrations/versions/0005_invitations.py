"""Invitations, with a holder for each seat, in place of challenges between two members.

Challenges keep their ids, so that the buttons of open ones still work.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Apply this revision."""
    agreeing = sa.Column("agreeing", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("offers", agreeing)
    _invitations()
    _seats()
    _take_over_challenges()
    op.drop_index("uq_challenges_open", "challenges")
    op.drop_index("ix_challenges_expiry", "challenges")
    op.drop_table("challenges")


def _invitations() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("owner_id", sa.BigInteger, nullable=False),
        sa.Column("owner_name", sa.Text, nullable=False),
        sa.Column("fill_level", sa.String(16)),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("clock", sa.Integer),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_invitations"),
    )
    _open_index("uq_invitations_open", ["channel_id", "owner_id"], unique=True)
    _open_index("ix_invitations_expiry", ["expires_at"])


def _open_index(name: str, columns: list[str], *, unique: bool = False) -> None:
    is_open = sa.text("status = 'open'")
    op.create_index(
        name, "invitations", columns, unique=unique, sqlite_where=is_open, postgresql_where=is_open
    )


def _seats() -> None:
    op.create_table(
        "invitation_seats",
        sa.Column("invitation_id", _KEY, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("name", sa.Text),
        sa.Column("agreed", sa.Boolean, nullable=False),
        sa.Column("level", sa.String(16)),
        sa.ForeignKeyConstraint(
            ["invitation_id"], ["invitations.id"], name="fk_invitation_seats_invitation_id"
        ),
        sa.PrimaryKeyConstraint("invitation_id", "seat", name="pk_invitation_seats"),
    )
    op.create_index("ix_invitation_seats_user", "invitation_seats", ["user_id"])


_INVITATIONS = """
    INSERT INTO invitations (id, guild_id, channel_id, game, options, owner_id, owner_name, status,
                             message_id, expires_at, clock, revision)
    SELECT id, guild_id, channel_id, game, options, challenger_id, challenger_name,
           CASE status WHEN 'accepted' THEN 'begun' ELSE status END, message_id, expires_at,
           clock, 0
    FROM challenges
"""
_CHALLENGERS = """
    INSERT INTO invitation_seats (invitation_id, seat, user_id, name, agreed)
    SELECT id, CASE WHEN challenger_first THEN 0 ELSE 1 END, challenger_id, challenger_name, true
    FROM challenges
"""
_OPPONENTS = """
    INSERT INTO invitation_seats (invitation_id, seat, user_id, name, agreed)
    SELECT id, CASE WHEN challenger_first THEN 1 ELSE 0 END, opponent_id, opponent_name,
           status = 'accepted'
    FROM challenges
"""
# PostgreSQL's sequence doesn't count ids that were given explicitly.
_COUNT_ON = """
    SELECT setval(pg_get_serial_sequence('invitations', 'id'), max(id)) FROM invitations
"""


def _take_over_challenges() -> None:
    connection = op.get_bind()
    for statement in (_INVITATIONS, _CHALLENGERS, _OPPONENTS):
        connection.execute(sa.text(statement))
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(_COUNT_ON))
