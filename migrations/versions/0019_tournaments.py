"""Tables for tournaments, and the tournament of a match."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply this revision."""
    op.create_table(
        "tournaments",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.String(16), nullable=True),
        sa.Column("organiser_id", sa.BigInteger(), nullable=False),
        sa.Column("organiser_name", sa.Text(), nullable=True),
        sa.Column("format", sa.String(32), nullable=False),
        sa.Column("swiss_rounds", sa.Integer(), nullable=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("clock", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("role_id", sa.BigInteger(), nullable=True),
        sa.Column("channels", sa.Text(), nullable=False),
        sa.Column("when_full", sa.Boolean(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.Column("retry_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_guild_id_stage", "tournaments", ["guild_id", "stage"])
    unfinished = "stage IN ('open', 'running') OR shown < revision OR NOT told"
    op.create_index(
        "ix_tournaments_unfinished",
        "tournaments",
        ["id"],
        sqlite_where=sa.text(unfinished),
        postgresql_where=sa.text(unfinished),
    )
    op.create_table(
        "tournament_entrants",
        sa.Column("tournament_id", _KEY, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("strength", sa.Float(53), nullable=True),
        sa.Column("withdrawn_after", sa.Integer(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_tournament_entrants_tournament_id",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "place", name="pk_tournament_entrants"),
    )
    op.create_index(
        "uq_tournament_entrants_user",
        "tournament_entrants",
        ["user_id", "tournament_id"],
        unique=True,
    )
    op.create_table(
        "tournament_games",
        sa.Column("tournament_id", _KEY, nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table", sa.Integer(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer(), nullable=True),
        sa.Column("draw_wins", sa.Integer(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("match_id", _KEY, nullable=True),
        sa.Column("points_first", sa.Float(53), nullable=True),
        sa.Column("points_second", sa.Float(53), nullable=True),
        sa.Column("how", sa.String(16), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_tournament_games_tournament_id",
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_tournament_games_match_id"),
        sa.PrimaryKeyConstraint(
            "tournament_id", "round", "table", "game", name="pk_tournament_games"
        ),
    )
    op.create_index("uq_tournament_games_match", "tournament_games", ["match_id"], unique=True)
    op.create_index("ix_tournament_games_channel_id", "tournament_games", ["channel_id"])
    op.create_table(
        "tournament_notes",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("tournament_id", _KEY, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("game", sa.String(16), nullable=True),
        sa.Column("result", sa.String(16), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_tournament_notes_tournament_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_tournament_notes"),
    )
    op.create_index("ix_tournament_notes_tournament_id", "tournament_notes", ["tournament_id"])
    op.add_column("matches", sa.Column("tournament_id", sa.BigInteger(), nullable=True))
