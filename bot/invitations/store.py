"""Invitations in the database. A change is only written over the revision that was read."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Update,
    bindparam,
    insert,
    or_,
    select,
    update,
)

from bot.db.database import Database
from bot.db.errors import ChangedError, CorruptRowError, unique
from bot.db.servers import in_channels_of_server
from bot.db.store import Store, transaction
from bot.db.tables import OPEN_INVITATION, invitation_seats, invitations
from bot.identity import ChannelId, InvitationId, MemberId, MessageId, ServerId
from bot.invitations.model import Invitation, InvitationStatus, NewInvitation
from bot.invitations.rows import holder_row, invitation_row, read_invitation, reading
from bot.matches.model import NewMatch, StoredMatch, Waiting
from bot.matches.store import insert_match
from bot.shards import Hears

log = logging.getLogger(__name__)

_OPEN = invitations.c.status == InvitationStatus.OPEN.value
# The most invitations that lapse in one round.
_MOST = 100
_LATE = (
    select(invitations.c.id, invitations.c.guild_id)
    .where(_OPEN, invitations.c.expires_at <= bindparam("now"))
    .order_by(invitations.c.expires_at)
)
_SOME = reading(invitations.c.id.in_(bindparam("ids", expanding=True)))
# Whole invitations are read by these ids. In one statement with the order, SQLite would read all
# invitations.
_SEATED_IDS = (
    select(invitations.c.id)
    .join(invitation_seats, invitation_seats.c.invitation_id == invitations.c.id)
    .where(
        invitation_seats.c.user_id == bindparam("member"),
        _OPEN,
        invitations.c.expires_at > bindparam("now"),
    )
    .order_by(invitations.c.expires_at, invitations.c.id)
    .limit(100)
)
_ON_SERVER = or_(*in_channels_of_server(invitations))
_WITH_SEAT = reading(invitations.c.id.in_(_SEATED_IDS))
_WITH_SEAT_ON_SERVER = reading(invitations.c.id.in_(_SEATED_IDS.where(_ON_SERVER)))
_HOLD = (
    update(invitation_seats)
    .where(
        invitation_seats.c.invitation_id == bindparam("of_invitation"),
        invitation_seats.c.seat == bindparam("of_seat"),
    )
    .values({name: bindparam(name) for name in ("user_id", "name", "agreed", "level")})
)
_CALL_OFF = (
    update(invitations)
    .where(invitations.c.channel_id == bindparam("channel"), _OPEN)
    .values(status=InvitationStatus.CALLED_OFF.value, revision=invitations.c.revision + 1)
    .returning(invitations.c.message_id)
)


class AlreadyOpenError(Exception):
    """The owner has an open invitation in this channel."""


class InvitationStore(Store):
    """The invitations of one database."""

    def __init__(self, database: Database):
        super().__init__(database)
        self._late = _LATE.where(database.serves(invitations.c.guild_id))

    async def load(self, invitation_id: InvitationId) -> Invitation | None:
        """Return the invitation, None if there is none; raise CorruptRowError."""
        rows = await self._fetch(reading(invitations.c.id == invitation_id))
        return read_invitation(rows) if rows else None

    async def open_in(self, channel_id: ChannelId) -> list[Invitation]:
        """Return the open invitations of a channel that can be read, the oldest first."""
        here = reading(_OPEN, invitations.c.channel_id == channel_id)
        return _read(await self._fetch(here))[0]

    async def with_seat(
        self, member_id: MemberId, server_id: ServerId | None, now: int
    ) -> list[Invitation]:
        """Return up to 100 open invitations with a seat for a member, the first to lapse first.

        They are those of a server, or of all places if `server_id` is None. Invitations that can't
        be read are left out, and logged when they lapse.
        """
        some = _WITH_SEAT if server_id is None else _WITH_SEAT_ON_SERVER
        values = {"member": member_id, "now": now, "server_id": server_id}
        found, _ = _read(await self._fetch(some, values))
        return sorted(found, key=lambda one: one.expires_at)

    async def waiting(self, channel_id: ChannelId, now: int) -> Waiting | None:
        """Return the newest open invitation of a channel that can be read, None if there is none.

        Invitations whose time has run out by `now` (Unix seconds) don't count.
        """
        in_time = [one for one in await self.open_in(channel_id) if one.expires_at > now]
        if not in_time:
            return None
        newest = in_time[-1]
        return Waiting(newest.owner.name, newest.shown, has_free_seat=None in newest.seats)

    async def expired(self, now: int, hears: Hears) -> list[Invitation]:
        """Return the open invitations here whose time ran out by `now`; close unreadable ones.

        Returns up to a hundred, those whose time ran out first (Unix seconds), of the servers that
        the bot `hears`. An unreadable invitation is logged; left open, it would keep others open.
        """
        late = await self._fetch(self._late, {"now": now})
        ids = [row.id for row in late if hears(row.guild_id)][:_MOST]
        rows = await self._fetch(_SOME, {"ids": ids}) if ids else ()
        found, unread = _read(rows)
        for invitation_id, error in unread.items():
            log.error("invitation %s lapses unread", invitation_id, exc_info=error)
            this = invitations.c.id == invitation_id
            await self._execute(_becoming(InvitationStatus.LAPSED, this))
        return found

    @transaction
    def create(
        self, connection: Connection, new: NewInvitation, now: int, expires_at: int
    ) -> Invitation:
        """Return the new invitation as it is stored, open; raise AlreadyOpenError."""
        with unique(OPEN_INVITATION, AlreadyOpenError):
            inserted = insert(invitations).returning(invitations.c.id)
            result = connection.execute(inserted, invitation_row(new, now, expires_at))
        invitation_id = result.scalar_one()
        rows = [
            {"invitation_id": invitation_id, "seat": seat, **holder_row(holder)}
            for seat, holder in enumerate(new.seats)
        ]
        connection.execute(insert(invitation_seats), rows)
        stored = reading(invitations.c.id == invitation_id)
        return read_invitation(connection.execute(stored).all())

    async def note_posted(self, invitation_id: InvitationId, message_id: MessageId) -> None:
        """Note the message that shows the invitation."""
        noting = update(invitations).where(invitations.c.id == invitation_id)
        await self._execute(noting.values(message_id=message_id))

    @transaction
    def change(self, connection: Connection, before: Invitation, after: Invitation) -> Invitation:
        """Write `after` over `before` and return it.

        Raises ChangedError, and writes nothing, if the database no longer holds `before`. Raises
        AlreadyOpenError if the new owner already has an open invitation in the channel.
        """
        return _change(connection, before, after)

    @staticmethod
    def insert_match(
        connection: Connection, new: NewMatch, now: int, *, before: Invitation, begun: Invitation
    ) -> StoredMatch:
        """Insert the match of an invitation, and write `begun` over `before`.

        Raises ChannelTakenError, and ChangedError if the database no longer holds `before`.
        """
        _change(connection, before, begun)
        return insert_match(connection, new, now)


def _read(rows: Sequence[Row[Any]]) -> tuple[list[Invitation], dict[InvitationId, CorruptRowError]]:
    """Return the invitations in these rows, and those that can't be read, with the reason."""
    found = list[Invitation]()
    unread = dict[InvitationId, CorruptRowError]()
    for invitation_id, of_one in groupby(rows, key=lambda row: row.id):
        try:
            found.append(read_invitation(list(of_one)))
        except CorruptRowError as error:
            unread[invitation_id] = error
    return found, unread


def _becoming(status: InvitationStatus, which: ColumnElement[bool]) -> Update:
    changed = {"status": status.value, "revision": invitations.c.revision + 1}
    return update(invitations).where(which, _OPEN).values(changed)


def _as_read(before: Invitation) -> ColumnElement[bool]:
    return (invitations.c.id == before.id) & (invitations.c.revision == before.revision)


def _change(connection: Connection, before: Invitation, after: Invitation) -> Invitation:
    """Write `after` over `before` in the caller's transaction, and return it.

    Raises ChangedError, AlreadyOpenError.
    """
    becoming = _becoming(after.status, _as_read(before))
    if after.owner != before.owner:
        becoming = becoming.values(owner_id=after.owner.id, owner_name=after.owner.name)
    with unique(OPEN_INVITATION, AlreadyOpenError):
        result = connection.execute(becoming)
    if result.rowcount != 1:
        raise ChangedError
    changed = [
        {"of_invitation": before.id, "of_seat": seat, **holder_row(holder)}
        for seat, holder in enumerate(after.seats)
        if holder != before.seats[seat]
    ]
    if changed:
        connection.execute(_HOLD, changed)
    return replace(after, revision=before.revision + 1)


def call_off_all(connection: Connection, channel_id: ChannelId) -> list[MessageId | None]:
    """Close the open invitations of a channel; return the messages that show them.

    None stands for an invitation whose message is not known.
    """
    return list(connection.execute(_CALL_OFF, {"channel": channel_id}).scalars())
