"""The invitations that concern a member, and their erasure, which takes their seats with them."""

from sqlalchemy import ColumnElement, Connection, delete, select, union

from bot.db.tables import invitation_seats, invitations
from bot.identity import MemberId


def concerns(member_id: MemberId) -> ColumnElement[bool]:
    """Return the condition for invitations of this member, or with a seat kept for them.

    With an `OR`, PostgreSQL would read all invitations.
    """
    own = select(invitations.c.id).where(invitations.c.owner_id == member_id)
    seated = select(invitation_seats.c.invitation_id).where(invitation_seats.c.user_id == member_id)
    return invitations.c.id.in_(union(own, seated))


def erase_invitations(
    connection: Connection, which: ColumnElement[bool], most: int | None = None
) -> int:
    """Erase invitations, `most` of them or all; return how many there were."""
    some = select(invitations.c.id).where(which).limit(most)
    ids = connection.execute(some).scalars().all()
    seated = invitation_seats.c.invitation_id.in_(ids)
    connection.execute(delete(invitation_seats).where(seated))
    connection.execute(delete(invitations).where(invitations.c.id.in_(ids)))
    return len(ids)
