"""Invitations from rows and back."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, select

from bot.db.errors import CorruptRowError
from bot.db.tables import guild_settings, invitation_seats, invitations, member_settings
from bot.forms import Form
from bot.identity import MemberId, Person
from bot.invitations.model import Guest, Holder, Invitation, InvitationStatus, NewInvitation
from bot.matches.rows import (
    DAMAGED,
    Columns,
    place_columns,
    read_options,
    read_place,
    write_options,
)
from core.engine.levels import Level
from core.game import Game
from core.games import GAMES
from core.players import Computer


def reading(*where: ColumnElement[bool]) -> Select[Any]:
    """Return the statement that reads whole invitations: a row for each seat, in order."""
    seats = (column for column in invitation_seats.c if column.name != "invitation_id")
    return (
        select(*invitations.c, guild_settings.c.language, *seats, member_settings.c.board)
        .outerjoin(invitation_seats, invitation_seats.c.invitation_id == invitations.c.id)
        .outerjoin(member_settings, member_settings.c.user_id == invitation_seats.c.user_id)
        .outerjoin(guild_settings, guild_settings.c.guild_id == invitations.c.guild_id)
        .where(*where)
        .order_by(invitations.c.id, invitation_seats.c.seat)
    )


def read_invitation(rows: Sequence[Row[Any]]) -> Invitation:
    """Return the invitation in `rows` (one per seat, in order); raise CorruptRowError."""
    row = rows[0]
    try:
        game = GAMES[row.game]
        place = read_place(row.guild_id, row.channel_id, row.context, row.guest_of, row.locale)
        return Invitation(
            id=row.id,
            place=place,
            game=game,
            options=read_options(game, row.options),
            owner=Person(row.owner_id, row.owner_name),
            seats=_holders(game, rows),
            created_at=row.created_at,
            expires_at=row.expires_at,
            fill_level=Level(row.fill_level) if row.fill_level else None,
            status=InvitationStatus(row.status),
            message_id=row.message_id,
            clock=row.clock,
            revision=row.revision,
            forms=_forms(rows),
            language=row.language or row.locale,
        )
    except DAMAGED as error:
        raise CorruptRowError(f"invitation {row.id}: {error!r}") from error


def _holders(game: Game, rows: Sequence[Row[Any]]) -> tuple[Holder, ...]:
    numbers = [row.seat for row in rows]
    if numbers != list(range(game.seats)):
        raise ValueError(f"seats {numbers}")
    return tuple(_holder(row) for row in rows)


def _forms(rows: Sequence[Row[Any]]) -> dict[MemberId, Form]:
    """Return the form of boards of each member at a seat who has chosen one; raise ValueError."""
    return {row.user_id: Form(row.board) for row in rows if row.user_id and row.board}


def _holder(row: Row[Any]) -> Holder:
    if row.level:
        return Computer(Level(row.level))
    if row.user_id is None:
        return None
    if row.name is None:
        raise ValueError(f"the member at {row.seat} has no name")
    return Guest(Person(row.user_id, row.name), row.agreed)


def invitation_row(new: NewInvitation, now: int, expires_at: int) -> Columns:
    """Return the columns of an invitation made `now`, which is open until `expires_at`."""
    return {
        **place_columns(new.place),
        "game": new.game.key,
        "options": write_options(new.options),
        "owner_id": new.owner.id,
        "owner_name": new.owner.name,
        "fill_level": new.fill_level.value if new.fill_level else None,
        "status": InvitationStatus.OPEN.value,
        "created_at": now,
        "expires_at": expires_at,
        "clock": new.clock,
        "revision": 0,
    }


def holder_row(holder: Holder) -> Columns:
    """Return the columns of `invitation_seats` that say who has a seat."""
    guest = holder if isinstance(holder, Guest) else None
    return {
        "user_id": guest.person.id if guest else None,
        "name": guest.person.name if guest else None,
        "agreed": guest is not None and guest.agreed,
        "level": holder.level.value if isinstance(holder, Computer) else None,
    }
