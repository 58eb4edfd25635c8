"""Those who take part in a tournament, until it starts."""

from collections.abc import Collection

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.errors import unique
from bot.db.statements import fetch, write
from bot.db.tables import ENTRANT, ratings, tournament_entrants
from bot.identity import MemberId, Person, TournamentId
from bot.ratings.model import START, Rating
from bot.tournaments.model import Stage, Tournament
from bot.tournaments.store.steps import raise_revision
from bot.tournaments.stored import StoredTournament


class JoinedError(Exception):
    """The member has joined already."""


class EntrantStore:
    """The members who have joined the tournaments of one database, and those who start them."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def strengths(self, stored: StoredTournament) -> dict[MemberId, float]:
        """Return the ratings of those who have joined, in points of the tournament's game."""
        members = [person.id for person in stored.joined]
        rated = select(ratings.c.user_id, ratings.c.mu, ratings.c.sigma).where(
            ratings.c.guild_id == stored.place.server_id,
            ratings.c.game == stored.settings.game.key,
            ratings.c.user_id.in_(members),
        )
        rows = await fetch(self._engine, rated)
        found = {user_id: float(Rating(mu, sigma).points) for user_id, mu, sigma in rows}
        return {member: found.get(member, float(START)) for member in members}

    async def join(self, tournament_id: TournamentId, person: Person) -> None:
        """Add a member to an open tournament.

        Raises ChangedError if it isn't open, and JoinedError.
        """
        await write(self._engine, _join, tournament_id, person)

    async def leave(self, tournament_id: TournamentId, member_id: MemberId) -> None:
        """Take a member out of an open tournament; raise ChangedError if it isn't open."""
        await write(self._engine, _leave, tournament_id, member_id)

    async def start(
        self, stored: StoredTournament, value: Tournament, gone: Collection[MemberId]
    ) -> None:
        """Begin a tournament with the entrants of `value`, and take out those who are `gone`.

        Raises ChangedError if somebody has joined or left meanwhile.
        """
        await write(self._engine, _start, stored, value, gone)


# Run by `write`, each as a transaction.


def _join(connection: Connection, tournament_id: TournamentId, person: Person) -> None:
    raise_revision(connection, tournament_id, (Stage.OPEN,))
    of = tournament_entrants.c.tournament_id == tournament_id
    last = connection.execute(select(func.max(tournament_entrants.c.place)).where(of)).scalar_one()
    row = {"tournament_id": tournament_id, "place": (last or 0) + 1}
    with unique(ENTRANT, JoinedError):
        connection.execute(
            insert(tournament_entrants), row | {"user_id": person.id, "name": person.name}
        )


def _leave(connection: Connection, tournament_id: TournamentId, member_id: MemberId) -> None:
    raise_revision(connection, tournament_id, (Stage.OPEN,))
    connection.execute(
        delete(tournament_entrants).where(
            tournament_entrants.c.tournament_id == tournament_id,
            tournament_entrants.c.user_id == member_id,
        )
    )


def _start(
    connection: Connection, stored: StoredTournament, value: Tournament, gone: Collection[MemberId]
) -> None:
    running = {"stage": Stage.RUNNING.value}
    raise_revision(connection, stored.id, (Stage.OPEN,), running, stored.revision)
    of = tournament_entrants.c.tournament_id == stored.id
    connection.execute(
        delete(tournament_entrants).where(of, tournament_entrants.c.user_id.in_(gone))
    )
    connection.execute(
        update(tournament_entrants)
        .where(of, tournament_entrants.c.user_id == bindparam("member"))
        .values(number=bindparam("new_number"), strength=bindparam("new_strength")),
        [
            {"member": e.person.id, "new_number": e.number, "new_strength": e.strength}
            for e in value.entrants
        ],
    )
