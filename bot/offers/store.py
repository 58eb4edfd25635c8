"""Offers in the database, and the questions that ask for them.

An offer is a seat that wants something at a ply. A question is a message that asks the others to
agree; it stays in the database as long as it has its buttons.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Select,
    delete,
    func,
    insert,
    select,
)

from bot.db.database import Database
from bot.db.statements import change, fetch, fetch_scalars, insert_into, transaction
from bot.db.tables import matches, offers, questions
from bot.identity import MatchId, MessageId
from bot.matches.model import OfferKind
from bot.offers.model import Question


class OfferStore:
    """The offers of one database."""

    def __init__(self, database: Database):
        self._database = database
        here = database.serves(matches.c.guild_id)
        newest = func.max(questions.c.message_id).desc()
        questioned = select(questions.c.match_id).join(matches).where(here)
        self._questioned = questioned.group_by(questions.c.match_id).order_by(newest)

    @transaction
    def offer(
        self, connection: Connection, match_id: MatchId, kind: OfferKind, seat: int, ply: int
    ) -> tuple[int, ...]:
        """Note that `seat` offers `kind` at `ply`, or agrees to it.

        Returns the seats whose offer of `kind` now stands at `ply`; the asker comes first.
        """
        # Offers in one match wait for each other: of two that cross, the second sees the first.
        connection.execute(select(matches.c.id).where(matches.c.id == match_id).with_for_update())
        standing = _standing(match_id, kind, ply)
        asked = connection.execute(standing).scalars().first()
        row = {"match_id": match_id, "kind": kind.value, "seat": seat, "ply": ply}
        connection.execute(delete(offers).where(*_of(match_id, kind), offers.c.seat == seat))
        connection.execute(insert(offers), row | {"agreeing": asked not in (None, seat)})
        return tuple(connection.execute(standing).scalars())

    async def offered(self, match_id: MatchId, kind: OfferKind, ply: int) -> tuple[int, ...]:
        """Return the seats whose offer of `kind` stands at `ply`; the asker comes first."""
        return tuple(await fetch_scalars(self._database, _standing(match_id, kind, ply)))

    async def decline(self, match_id: MatchId, kind: OfferKind) -> None:
        """Forget the offers of `kind` in a match."""
        await change(self._database, delete(offers).where(*_of(match_id, kind)))

    async def take_back(self, match_id: MatchId, kind: OfferKind, seat: int, ply: int) -> None:
        """Forget that `seat` offers `kind` at `ply`, or agrees to it."""
        own = offers.c.seat == seat, offers.c.ply == ply
        await change(self._database, delete(offers).where(*_of(match_id, kind), *own))

    @transaction
    def note_question(
        self,
        connection: Connection,
        match_id: MatchId,
        question: Question,
        before: Collection[MessageId],
    ) -> None:
        """Note a message that asks players to agree, in place of those `before`."""
        if before:
            connection.execute(_closing(match_id, before))
        # A question that is pressed although its offer is void may be known already.
        noting = insert_into(connection, questions).on_conflict_do_nothing()
        connection.execute(noting, {"match_id": match_id, **vars(question)})

    async def questions(self, match_id: MatchId) -> list[Question]:
        """Return the questions of a match, the oldest first."""
        asked = (
            select(questions.c.message_id, questions.c.kind, questions.c.seat)
            .where(questions.c.match_id == match_id)
            .order_by(questions.c.message_id)
        )
        rows = await fetch(self._database, asked)
        return [Question(row.message_id, OfferKind(row.kind), row.seat) for row in rows]

    async def questioned(self, most: int) -> Sequence[MatchId]:
        """Return up to `most` matches here that have questions, those with the newest first."""
        return await fetch_scalars(self._database, self._questioned.limit(most))

    async def forget_questions(self, match_id: MatchId, message_ids: Collection[MessageId]) -> None:
        """Forget questions, which have lost their buttons."""
        await change(self._database, _closing(match_id, message_ids))


def _closing(match_id: MatchId, message_ids: Collection[MessageId]) -> Delete:
    return delete(questions).where(
        questions.c.match_id == match_id, questions.c.message_id.in_(message_ids)
    )


def _of(match_id: MatchId, kind: OfferKind) -> tuple[ColumnElement[bool], ...]:
    return offers.c.match_id == match_id, offers.c.kind == kind.value


def _standing(match_id: MatchId, kind: OfferKind, ply: int) -> Select[int]:
    standing = select(offers.c.seat).where(*_of(match_id, kind), offers.c.ply == ply)
    return standing.order_by(offers.c.agreeing, offers.c.seat)
