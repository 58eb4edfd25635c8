"""Rows to invitations and back: the one place that knows how those are written down."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from bot.invitations.model import Guest, Holder, Invitation, InvitationStatus
from bot.matches.model import Person, Place
from bot.matches.rows import CorruptRowError, read_options, write_options
from core.engine.levels import Level
from core.errors import GameError
from core.game import Game
from core.games import GAMES
from core.players import Computer


def read_invitation(rows: Sequence[Row[Any]]) -> Invitation:
    """Return the invitation in `rows` (one per seat, in order); raise CorruptRowError."""
    row = rows[0]
    try:
        game = GAMES[row.game]
        return Invitation(
            id=row.id,
            place=Place(row.guild_id, row.channel_id),
            game=row.game,
            options=read_options(game, row.options),
            owner=Person(row.owner_id, row.owner_name),
            seats=_holders(game, rows),
            expires_at=row.expires_at,
            fill_level=Level(row.fill_level) if row.fill_level else None,
            status=InvitationStatus(row.status),
            message_id=row.message_id,
            clock=row.clock,
            revision=row.revision,
        )
    except (GameError, KeyError, TypeError, ValueError) as error:
        raise CorruptRowError(f"invitation {row.id}: {error!r}") from error


def _holders(game: Game, rows: Sequence[Row[Any]]) -> tuple[Holder, ...]:
    numbers = [row.seat for row in rows]
    if numbers != list(range(game.seats)):
        raise ValueError(f"seats {numbers}")
    return tuple(_holder(row) for row in rows)


def _holder(row: Row[Any]) -> Holder:
    if row.level:
        return Computer(Level(row.level))
    if row.user_id is None:
        return None
    if row.name is None:
        raise ValueError(f"nobody's name at {row.seat}")
    return Guest(Person(row.user_id, row.name), row.agreed)


def invitation_row(invitation: Invitation) -> dict[str, Any]:
    """Return the columns of a new invitation."""
    return {
        "guild_id": invitation.place.guild_id,
        "channel_id": invitation.place.channel_id,
        "game": invitation.game,
        "options": write_options(invitation.options),
        "owner_id": invitation.owner.id,
        "owner_name": invitation.owner.name,
        "fill_level": invitation.fill_level and invitation.fill_level.value,
        "status": invitation.status.value,
        "expires_at": invitation.expires_at,
        "clock": invitation.clock,
        "revision": invitation.revision,
    }


def holder_row(holder: Holder) -> dict[str, Any]:
    """Return the columns of `invitation_seats` that say who has a seat."""
    guest = holder if isinstance(holder, Guest) else None
    return {
        "user_id": guest and guest.person.id,
        "name": guest and guest.person.name,
        "agreed": guest is not None and guest.agreed,
        "level": holder.level.value if isinstance(holder, Computer) else None,
    }
