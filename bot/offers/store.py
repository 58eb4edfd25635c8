"""Offers in the database, each with the message that asks for it: its question.

An offer that has ended stays until its question has lost its buttons.
"""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, Row, case, delete, func, select, update

from bot.db.errors import ChangedError, CorruptRowError
from bot.db.statements import insert_into
from bot.db.store import Store, transaction
from bot.db.tables import matches, offers
from bot.identity import MatchId, MessageId, OfferId
from bot.matches.model import OfferKind
from bot.offers.model import Offer

_COLUMNS = offers.c.id, offers.c.kind, offers.c.ply, offers.c.wanting, offers.c.message_id


class OfferStore(Store):
    """The offers of one database."""

    @transaction
    def offer(
        self, connection: Connection, match_id: MatchId, kind: OfferKind, seat: int, ply: int
    ) -> Offer:
        """Note that `seat` offers `kind` at `ply`, or agrees to it; return the offer."""
        offering = insert_into(connection, offers)
        wanting, new = offers.c.wanting, offering.excluded.wanting
        joined = case((wanting.contains(new), wanting), else_=wanting + new)
        made = offering.on_conflict_do_update(
            index_elements=[offers.c.match_id, offers.c.kind, offers.c.ply],
            set_={"wanting": joined},
        ).returning(*_COLUMNS)
        row = {"match_id": match_id, "kind": kind.value, "ply": ply, "wanting": str(seat)}
        return _offer(connection.execute(made, row).one())

    async def offers(self, match_id: MatchId) -> list[Offer]:
        """Return the offers in a match, the oldest first; raise CorruptRowError."""
        found = select(*_COLUMNS).where(offers.c.match_id == match_id).order_by(offers.c.id)
        return [_offer(row) for row in await self._fetch(found)]

    async def questioned(self, most: int) -> Sequence[MatchId]:
        """Return up to `most` matches here that have questions, those with the newest first."""
        newest = func.max(offers.c.message_id).desc()
        here = offers.c.message_id.is_not(None), self._database.serves(matches.c.guild_id)
        found = select(offers.c.match_id).join(matches).where(*here).group_by(offers.c.match_id)
        return await self._fetch_scalars(found.order_by(newest).limit(most))

    async def end(self, offer_id: OfferId) -> None:
        """End an offer."""
        await self._execute(update(offers).where(_is(offer_id)).values(ply=None))

    @transaction
    def take_back(self, connection: Connection, offer_id: OfferId, seat: int) -> None:
        """Forget that `seat` wants what an offer asks for, and the offer if nobody else does."""
        others = func.replace(offers.c.wanting, str(seat), "")
        connection.execute(update(offers).where(_is(offer_id)).values(wanting=others))
        connection.execute(delete(offers).where(_is(offer_id), offers.c.wanting == ""))

    @transaction
    def note_question(
        self, connection: Connection, offer_id: OfferId, message_id: MessageId
    ) -> MessageId | None:
        """Note a message that asks for an offer; return the older one, which is to be removed.

        Raises ChangedError if the offer is gone, or has ended and has another question: the answer
        takes the place of that one.
        """
        known = select(offers.c.ply, offers.c.message_id).where(_is(offer_id)).with_for_update()
        row = connection.execute(known).one_or_none()
        if row is not None and row.message_id == message_id:
            return None
        if row is None or (row.ply is None and row.message_id is not None):
            raise ChangedError
        older, newer = sorted((row.message_id or MessageId(0), message_id))
        connection.execute(update(offers).where(_is(offer_id)).values(message_id=newer))
        return older or None

    @transaction
    def forget(self, connection: Connection, offer_id: OfferId) -> MessageId | None:
        """Forget an offer, and return its question, None if there is none."""
        forgetting = delete(offers).where(_is(offer_id)).returning(offers.c.message_id)
        return connection.execute(forgetting).scalar_one_or_none()


def _is(offer_id: OfferId) -> ColumnElement[bool]:
    return offers.c.id == offer_id


def _offer(row: Row[OfferId, str, int | None, str, MessageId | None]) -> Offer:
    """Return the offer in a row; raise CorruptRowError."""
    try:
        kind, wanting = OfferKind(row.kind), tuple(int(seat) for seat in row.wanting)
    except ValueError as error:
        raise CorruptRowError(f"offer {row.id}: {error!r}") from error
    return Offer(row.id, kind, row.ply, wanting, row.message_id)
