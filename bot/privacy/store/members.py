"""The personal data of members: export, and erasure."""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    select,
    text,
    union,
    update,
)

from bot.db.database import Database
from bot.db.people import Erasing, ids_of_members
from bot.db.statements import hold, write
from bot.db.store import Store, transaction
from bot.db.tables import (
    CLOSED_INVITATION,
    WAITING_INVITATION,
    given_roles,
    guild_settings,
    invitation_seats,
    invitations,
    matches,
    metadata,
    offers,
    puzzle_tries,
    puzzles,
    seats,
    tournament_entrants,
    tournament_games,
    tournament_notes,
    tournaments,
)
from bot.identity import MatchId, MemberId, Posted, ServerId, TournamentId
from bot.matches.rows import read_place
from bot.matches.store import seats_of
from bot.privacy.store.erasing import erase
from bot.privacy.store.export import (
    PAGE,
    entered_by,
    is_indexed,
    notes_on,
    organised_by,
    readable,
    sections,
)
from bot.ratings.ledger import COUNTING

_PSEUDONYM_BITS = 62
# The former player who gets all seats of erased members in invitations: no result depends on these.
_FORMER = MemberId(-1)
# Invitations that one transaction erases.
_BATCH = 200
# The matches of a member with their server, and with their channel if they aren't on a server, else
# 0.
_PLAYED = (
    select(
        matches.c.guild_id,
        case((matches.c.guild_id == 0, matches.c.channel_id), else_=0),
        matches.c.id,
    )
    .join(seats, seats.c.match_id == matches.c.id)
    .where(seats.c.user_id == bindparam("member"))
    .distinct()
    # A match that ends has locked its seats before those of an earlier one, if they are a pair.
    .order_by(matches.c.id.desc())
)
# Done match by match: with a condition for the matches of a place, SQLite would read all of them.
_GIVE_SEATS = (
    update(seats)
    .where(seats.c.match_id == bindparam("match"), seats.c.user_id == bindparam("member"))
    .values(user_id=bindparam("former"), name=None)
)
_ONE_REVISION_MORE = (
    update(tournaments)
    .where(tournaments.c.id == bindparam("tournament"))
    .values(revision=tournaments.c.revision + 1)
)
_ONE_SOLVER_LESS = (
    update(puzzles).where(puzzles.c.id == bindparam("puzzle")).values(solvers=puzzles.c.solvers - 1)
)
_LATEST_ROUND = (
    select(func.coalesce(func.max(tournament_games.c["round"]), 0))
    .where(tournament_games.c.tournament_id == tournament_entrants.c.tournament_id)
    .scalar_subquery()
)


class PersonalStore(Store):
    """The personal data of one database; `rng` makes up the ids of former players."""

    def __init__(self, database: Database, rng: Random):
        super().__init__(database)
        self._rng = rng

    async def pages(self, member_id: MemberId) -> AsyncIterator[tuple[str, list[dict[str, Any]]]]:
        """Yield everything that is stored about a member, on every server, as JSON's types.

        Each page has the name of its section and some of its rows; the last page of a section may
        be empty. Other players are left out, since their data isn't the member's.
        """
        for section in sections(member_id):
            key = len(section.key)
            last = None
            while True:
                async with self._database.connect() as connection:
                    found = (await connection.execute(section.after(last))).mappings().all()
                yield section.name, [readable(row, key) for row in found]
                if len(found) < PAGE:
                    break
                last = tuple(found[-1].values())[-key:]

    async def not_over(self, member_id: MemberId) -> Sequence[MatchId]:
        """Return the ids of a member's live and archived matches."""
        playing = _matches_of(member_id).join(matches, matches.c.id == seats.c.match_id)
        return await self._fetch_scalars(playing.where(matches.c.ended_at.is_(None)))

    async def invitations(self, member_id: MemberId) -> list[Posted]:
        """Return the messages of a member's own open invitations.

        The locale of each place is the language of its channel.
        """
        own = invitations.c.owner_id == member_id
        asking = (
            select(invitations, guild_settings.c.language)
            .outerjoin(guild_settings, guild_settings.c.guild_id == invitations.c.guild_id)
            .where(own, text(WAITING_INVITATION))
        )
        found = list[Posted]()
        for row in await self._fetch(asking):
            with suppress(ValueError):  # an unreadable place; its rows are erased all the same
                locale = row.language or row.locale
                place = read_place(row.guild_id, row.channel_id, row.context, row.guest_of, locale)
                if row.message_id:
                    found.append(Posted(place, row.message_id))
        return found

    async def asked(self, member_id: MemberId) -> Sequence[MatchId]:
        """Return the ids of the matches of a member in which messages ask players to agree."""
        asking = _matches_of(member_id).join(offers, offers.c.match_id == seats.c.match_id)
        return await self._fetch_scalars(asking.where(offers.c.message_id.is_not(None)))

    @transaction
    def forget(self, connection: Connection, member_id: MemberId) -> None:
        """Erase a member: their seats go to a former player with a random id.

        There is a different former player on each server, and in each channel outside of servers.
        The seats of one former player stay together, because the others' ratings follow from them.
        Nothing shows who that player was, or that a former player of another server was the same
        member.
        """
        # An unconfirmed role is taken back in the next round of `RoleKeeper`. On SQLite, this first
        # write also keeps others from writing until the end.
        unconfirmed = update(given_roles).where(given_roles.c.user_id == member_id)
        connection.execute(unconfirmed.values(joined_at=None))
        # A recount would write the member's id again. A match may also begin at this moment: either
        # it comes first, and its seats are found, or it finds that the member is gone. It locks the
        # row of an invitation or a tournament before it has seats, so these come first here, too.
        hold(connection, seats_of(member_id), shared=[COUNTING])
        _forget_invitations(connection, member_id)
        tournaments_on = _hold_tournaments(connection, member_id)
        formers = self._give_seats(connection, member_id)
        _forget_tries(connection, member_id)
        # After the seats have changed: an achievement that is being written has locked them, and
        # comes first. Before the results, since noting a departure locks in this order, too.
        servers = {server_id for server_id, _ in formers} | tournaments_on.keys()
        _erase_rows(connection, servers, member_id)
        for server_id, here in tournaments_on.items():
            _forget_tournaments(connection, here, member_id, formers[server_id, 0])
        for (server_id, _), former in sorted(formers.items()):
            _give_results(connection, server_id, member_id, former)

    def _give_seats(
        self, connection: Connection, member_id: MemberId
    ) -> defaultdict[tuple[ServerId, int], MemberId]:
        """Give a member's seats to former players.

        Returns the former players by server and channel, one of which is 0. Any other key gets a
        new one.
        """
        formers = defaultdict[tuple[ServerId, int], MemberId](
            lambda: MemberId(-1 - self._rng.getrandbits(_PSEUDONYM_BITS))
        )
        played = connection.execute(_PLAYED, {"member": member_id})
        given = [
            {"match": match_id, "member": member_id, "former": formers[server_id, channel_id]}
            for server_id, channel_id, match_id in played
        ]
        if given:
            connection.execute(_GIVE_SEATS, given)
        return formers

    async def erase_invitations(self, before: int) -> int:
        """Erase a batch of closed invitations whose time ran out `before` (Unix seconds).

        Returns the size of the batch, 0 once all are erased.
        """
        old = and_(text(CLOSED_INVITATION), invitations.c.expires_at < before)
        return await write(self._database, erase, invitations, old, _BATCH)


def _matches_of(member_id: MemberId) -> Select[MatchId]:
    """Return the ids of the matches in which a member has a seat."""
    return select(seats.c.match_id).where(seats.c.user_id == member_id).distinct()


def _give_results(
    connection: Connection, server_id: ServerId, member_id: MemberId, former: MemberId
) -> None:
    """Give a member's results on a server to a former player."""
    for column in _ids(Erasing.FORMER):
        rows = update(column.table).where(column.table.c.guild_id == server_id, column == member_id)
        absent = {"present": False} if "present" in column.table.c else {}
        connection.execute(rows.values({column.name: former, **absent}))


def _erase_rows(
    connection: Connection, server_ids: Collection[ServerId], member_id: MemberId
) -> None:
    """Erase the rows that go with a member, who has played on these servers."""
    for column in _ids(Erasing.ROW):
        theirs = column == member_id
        if not is_indexed(column):
            theirs &= column.table.c.guild_id.in_(server_ids)
        erase(connection, column.table, theirs)


@cache
def _ids(erasing: Erasing) -> Sequence[Column[Any]]:
    """Return the columns with ids of members whose rows are erased in this way."""
    return [column for column, of in ids_of_members(metadata) if of.erasing is erasing]


def _forget_tries(connection: Connection, member_id: MemberId) -> None:
    """Erase a member's tries at puzzles, and correct the puzzles' numbers of solvers."""
    tries = delete(puzzle_tries).where(puzzle_tries.c.user_id == member_id)
    erased = connection.execute(tries.returning(puzzle_tries.c.puzzle_id, puzzle_tries.c.solved))
    # In a fixed order, so that two erasures on PostgreSQL don't deadlock.
    if solved := sorted(puzzle_id for puzzle_id, was_solved in erased if was_solved):
        connection.execute(_ONE_SOLVER_LESS, [{"puzzle": puzzle_id} for puzzle_id in solved])


def _forget_invitations(connection: Connection, member_id: MemberId) -> None:
    """Erase a member's own invitations, and give up the seats in those of others.

    These seats go to a former player, the same in all of them. The member has left the open
    invitations, except for one that was made in this moment: that one lapses.
    """
    own = invitations.c.owner_id == member_id
    seated = select(invitation_seats.c.invitation_id).where(invitation_seats.c.user_id == member_id)
    which = invitations.c.id.in_(union(select(invitations.c.id).where(own), seated))
    # Locked before their seats, as an answer does it, and in order, as another erasure does it.
    some = select(invitations.c.id).where(which).order_by(invitations.c.id).with_for_update()
    connection.execute(some)
    erase(connection, invitations, own)
    waiting = update(invitations).where(text(WAITING_INVITATION), invitations.c.id.in_(seated))
    lapsed = {"status": "lapsed", "revision": invitations.c.revision + 1}
    connection.execute(waiting.values(lapsed))
    theirs = update(invitation_seats).where(invitation_seats.c.user_id == member_id)
    connection.execute(theirs.values(user_id=_FORMER, name=""))


def _hold_tournaments(
    connection: Connection, member_id: MemberId
) -> Mapping[ServerId, Sequence[TournamentId]]:
    """Return the tournaments that a member organises, has entered or changed, by their servers.

    The revision of those that a member organises or has entered grows, which locks them.
    """
    of_member = union(organised_by(member_id), entered_by(member_id))
    if changing := sorted(connection.execute(of_member).scalars()):
        connection.execute(_ONE_REVISION_MORE, [{"tournament": one} for one in changing])
    notes = tournament_notes.c
    noted = select(notes.tournament_id).where(notes.id.in_(notes_on(member_id)))
    theirs = union(organised_by(member_id), entered_by(member_id), noted)
    found = select(tournaments.c.guild_id, tournaments.c.id).where(tournaments.c.id.in_(theirs))
    by_server = defaultdict[ServerId, list[TournamentId]](list)
    for server_id, tournament_id in connection.execute(found):
        by_server[server_id].append(tournament_id)
    return by_server


def _forget_tournaments(
    connection: Connection, here: Sequence[TournamentId], member_id: MemberId, former: MemberId
) -> None:
    """Give a member's part in the tournaments `here`, those of one server, to a former player.

    The member leaves tournaments that haven't started, and withdraws from running ones. In ended
    tournaments only the name is erased, because the standings depend on who has withdrawn.
    """
    of_server = tournaments.c.id.in_(here)
    organising = tournaments.c.organiser_id == member_id
    running = select(tournaments.c.id).where(of_server, tournaments.c.stage == "running")
    entrants, notes = tournament_entrants.c, tournament_notes.c
    entrant = (entrants.user_id == member_id, entrants.tournament_id.in_(here))
    noted = notes.tournament_id.in_(here)
    playing = (entrants.tournament_id.in_(running), entrants.withdrawn_after.is_(None))
    of_tournaments, of_entrants = update(tournaments).where(of_server), update(tournament_entrants)
    of_notes = update(tournament_notes)
    for statement in (
        of_tournaments.where(organising).values(organiser_id=former, organiser_name=None),
        delete(tournament_entrants).where(*entrant, entrants.number.is_(None)),
        of_entrants.where(*entrant, *playing).values(withdrawn_after=_LATEST_ROUND),
        of_entrants.where(*entrant).values(user_id=former, name=None),
        of_notes.where(noted, notes.user_id == member_id).values(user_id=None, name=None),
        of_notes.where(noted, notes.by_id == member_id).values(by_id=None, by_name=None),
    ):
        connection.execute(statement)
