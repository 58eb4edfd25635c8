"""The data of one member or one server in the database: export and erasure."""

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    text,
    tuple_,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.database import upsert, write
from bot.db.errors import retried
from bot.db.tables import (
    achievements,
    given_roles,
    guild_settings,
    guilds,
    honour_roles,
    invitation_seats,
    invitations,
    matches,
    member_everywhere,
    member_settings,
    members,
    offers,
    old_boards,
    puzzle_servers,
    puzzle_tries,
    puzzles,
    questions,
    ratings,
    seats,
    standings,
    tournament_entrants,
    tournament_games,
    tournament_notes,
    tournaments,
)
from bot.identity import MatchId, MemberId, Posted, ServerId
from bot.matches.rows import read_place
from bot.shards import Shards

_PSEUDONYM_BITS = 62


class PersonalStore:
    """The personal data of one database; `rng` makes up the ids of former players."""

    def __init__(self, engine: AsyncEngine, rng: Random):
        self._engine = engine
        self._rng = rng

    async def pages(self, user_id: MemberId) -> AsyncIterator[tuple[str, list[dict[str, Any]]]]:
        """Yield everything that is stored about a member, on every server, as JSON's types.

        It comes section by section, each with its name and in pages; the last page may be empty.
        Other players are left out: their data isn't the member's.
        """
        for section in _sections(user_id):
            key, last = len(section.key), None
            while True:
                async with self._engine.connect() as connection:
                    found = (await connection.execute(section.after(last))).mappings().all()
                yield section.name, [_readable(row, key) for row in found]
                if len(found) < _PAGE:
                    break
                last = tuple(found[-1].values())[-key:]

    async def live(self, user_id: MemberId) -> Sequence[MatchId]:
        """Return the ids of the matches that a member is playing."""
        playing = (
            select(seats.c.match_id)
            .join(matches, matches.c.id == seats.c.match_id)
            .where(seats.c.user_id == user_id, matches.c.ended_at.is_(None))
            .distinct()
        )
        async with self._engine.connect() as connection:
            return (await connection.execute(playing)).scalars().all()

    async def invited(self, user_id: MemberId) -> list[Posted]:
        """Return the messages of the open invitations of a member, or with a seat for them.

        Each is in a place whose locale is the language that is spoken there.
        """
        asking = (
            select(invitations, guild_settings.c.language)
            .outerjoin(guild_settings, guild_settings.c.guild_id == invitations.c.guild_id)
            .where(invitations.c.status == "open", _concerns(user_id))
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(asking)).all()
        return [
            Posted(replace(read_place(row), locale=row.language or row.locale), row.message_id)
            for row in rows
            if row.message_id
        ]

    async def asked(self, user_id: MemberId) -> Sequence[MatchId]:
        """Return the ids of the matches of a member in which messages ask players to agree."""
        asking = (
            select(seats.c.match_id)
            .join(questions, questions.c.match_id == seats.c.match_id)
            .where(seats.c.user_id == user_id)
            .distinct()
        )
        async with self._engine.connect() as connection:
            return (await connection.execute(asking)).scalars().all()

    @retried
    async def forget(self, user_id: MemberId) -> None:
        """Erase a member; on each server, their seats go to a former player with a random id.

        So they do in each channel elsewhere.

        The seats of one former player stay together, because the others' ratings follow from them.
        Nothing tells who that player was, or that two servers had the same one.
        """
        await write(self._engine, self._forget, user_id)

    def _forget(self, connection: Connection, user_id: MemberId) -> None:
        # The role itself is taken back soon, because nothing speaks for it any more. On SQLite this
        # also lets nobody else write from here on, so no match begins that isn't found below.
        unconfirmed = update(given_roles).where(given_roles.c.user_id == user_id)
        connection.execute(unconfirmed.values(held=False))
        played = defaultdict[tuple[ServerId, int], list[MatchId]](list)
        for server_id, channel_id, match_id in connection.execute(_PLAYED, {"member": user_id}):
            played[server_id, channel_id].append(match_id)
        for server_id in _with_tournaments_of(connection, user_id):
            played.setdefault((server_id, 0), [])
        for (server_id, _), match_ids in sorted(played.items()):
            former = MemberId(-1 - self._rng.getrandbits(_PSEUDONYM_BITS))
            if match_ids:
                whose = {"member": user_id, "former": former}
                connection.execute(_GIVE_SEATS, [{"match": one, **whose} for one in match_ids])
            for table, also in ((ratings, {}), (standings, {"present": False})):
                connection.execute(
                    update(table)
                    .where(table.c.guild_id == server_id, table.c.user_id == user_id)
                    .values(user_id=former, **also)
                )
            _forget_tournaments(connection, server_id, user_id, former)
        # After the seats, whose rows an achievement locks: one being written comes first.
        for own in (members, member_settings, member_everywhere, achievements, puzzle_tries):
            connection.execute(delete(own).where(own.c.user_id == user_id))
        _erase_invitations(connection, _concerns(user_id))

    @retried
    async def erase_invitations(self, before: int) -> int:
        """Erase a batch of closed invitations whose time ran out `before` (Unix seconds).

        Returns how many there were, so 0 when all are erased.
        """
        old = and_(_CLOSED, invitations.c.expires_at < before)
        return await write(self._engine, _erase_invitations, old, _BATCH)


# The matches of a member; elsewhere than on servers also their channel, else 0.
_PLAYED = (
    select(
        matches.c.guild_id,
        case((matches.c.guild_id == 0, matches.c.channel_id), else_=0),
        matches.c.id,
    )
    .join(seats, seats.c.match_id == matches.c.id)
    .where(seats.c.user_id == bindparam("member"))
    .distinct()
)
# Match by match: a condition for the matches of a place would have SQLite read all of them.
_GIVE_SEATS = (
    update(seats)
    .where(seats.c.match_id == bindparam("match"), seats.c.user_id == bindparam("member"))
    .values(user_id=bindparam("former"), name=None)
)


def _with_tournaments_of(connection: Connection, user_id: MemberId) -> Sequence[ServerId]:
    """Return the servers on which a member has entered a tournament, or done something to one."""
    parts = (
        tournaments.c.organiser_id == user_id,
        *(
            tournaments.c.id.in_(select(table.c.tournament_id).where(table.c.user_id == user_id))
            for table in (tournament_entrants, tournament_notes)
        ),
    )
    found = select(tournaments.c.guild_id).where(or_(*parts)).distinct()
    return connection.execute(found).scalars().all()


def _forget_tournaments(
    connection: Connection, server_id: ServerId, user_id: MemberId, former: MemberId
) -> None:
    """Give a member's part in the tournaments of a server to a former player.

    One who waits for a tournament to start leaves it, and withdraws from one that is being played.
    """
    here = select(tournaments.c.id).where(tournaments.c.guild_id == server_id)
    entered = select(tournament_entrants.c.tournament_id).where(
        tournament_entrants.c.user_id == user_id
    )
    theirs = or_(tournaments.c.organiser_id == user_id, tournaments.c.id.in_(entered))
    changed = update(tournaments).where(tournaments.c.guild_id == server_id, theirs)
    connection.execute(changed.values(revision=tournaments.c.revision + 1))
    connection.execute(
        update(tournaments)
        .where(tournaments.c.guild_id == server_id, tournaments.c.organiser_id == user_id)
        .values(organiser_id=former, organiser_name=None)
    )
    entrant = (
        tournament_entrants.c.user_id == user_id,
        tournament_entrants.c.tournament_id.in_(here),
    )
    connection.execute(
        delete(tournament_entrants).where(*entrant, tournament_entrants.c.number.is_(None))
    )
    latest = (
        select(func.coalesce(func.max(tournament_games.c["round"]), 0))
        .where(tournament_games.c.tournament_id == tournament_entrants.c.tournament_id)
        .scalar_subquery()
    )
    gone = func.coalesce(tournament_entrants.c.withdrawn_after, latest)
    connection.execute(
        update(tournament_entrants)
        .where(*entrant)
        .values(user_id=former, name=None, withdrawn_after=gone)
    )
    connection.execute(
        update(tournament_notes)
        .where(tournament_notes.c.user_id == user_id, tournament_notes.c.tournament_id.in_(here))
        .values(user_id=None, name=None)
    )


def _concerns(user_id: MemberId) -> ColumnElement[bool]:
    """Return the condition for invitations of this member, or with a seat kept for them."""
    seated = select(invitation_seats.c.invitation_id).where(invitation_seats.c.user_id == user_id)
    return or_(invitations.c.owner_id == user_id, invitations.c.id.in_(seated))


def _erase_invitations(
    connection: Connection, which: ColumnElement[bool], most: int | None = None
) -> int:
    """Erase invitations, `most` of them or all; return how many there were."""
    some = select(invitations.c.id).where(which).limit(most)
    ids = connection.execute(some).scalars().all()
    seated = invitation_seats.c.invitation_id.in_(ids)
    connection.execute(delete(invitation_seats).where(seated))
    connection.execute(delete(invitations).where(invitations.c.id.in_(ids)))
    return len(ids)


_OF_PLACE = ("guild_id", "channel_id", "context", "guest_of", "locale")
_OF_MATCH = ("id", *_OF_PLACE, "game", "options", "start", "moves", "withdrawals")
_OF_RESULT = (
    "ending",
    "ending_seat",
    "started_at",
    "ended_at",
    "hinted",
    "undone",
    "rated_as",
    "unrated",
    "paired_with",
    "clock",
    "shared_at",
    "tournament_id",
)
_OF_SEAT = ("seat", "name", "rank", "points", "rating_before", "rating_after", "provisional")

_OF_TRY = ("opened_at", "seen_at", "steps", "missed", "ended_at", "solved", "day")


# Rows of a page: few enough to be held in memory, many enough for a query.
_PAGE = 500


@dataclass(frozen=True)
class _Section:
    """A part of the export: what to select, and the columns by which its rows are ordered."""

    name: str
    rows: Select[Any]
    key: tuple[ColumnElement[Any], ...]

    def after(self, last: tuple[Any, ...] | None) -> Select[Any]:
        """Return the statement for the page after the row with the key `last`.

        The columns of the key are the last ones of a row.
        """
        page = self.rows.add_columns(*(c.label(f"key_{n}") for n, c in enumerate(self.key)))
        if last is not None:
            page = page.where(tuple_(*self.key) > last)
        return page.order_by(*self.key).limit(_PAGE)


def _sections(user_id: MemberId) -> tuple[_Section, ...]:
    """Return all that is stored about a member."""
    played = (
        select(
            *(matches.c[name] for name in (*_OF_MATCH, *_OF_RESULT)),
            *(seats.c[name].label(f"your_{name}") for name in _OF_SEAT),
        )
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == user_id)
    )
    theirs = ("id", *_OF_PLACE, "game", "options", "clock", "status", "expires_at")
    inviting = invitations.c.owner_id == user_id
    concerning = select(
        *(invitations.c[name] for name in theirs),
        inviting.label("you_invited"),
        case((inviting, invitations.c.owner_name)).label("your_name"),
    ).where(_concerns(user_id))
    solving = (
        select(puzzles.c.guild_id, puzzles.c.start, *(puzzle_tries.c[name] for name in _OF_TRY))
        .join(puzzle_tries, puzzle_tries.c.puzzle_id == puzzles.c.id)
        .where(puzzle_tries.c.user_id == user_id)
    )
    return (
        _Section("settings", *_of_member(member_settings, user_id)),
        _Section("everywhere", *_of_member(member_everywhere, user_id)),
        _Section("called", *_of_member(members, user_id)),
        _Section("matches", played, (seats.c.match_id, seats.c.seat)),
        _Section("ratings", *_of_member(ratings, user_id)),
        _Section("standings", *_of_member(standings, user_id)),
        _Section("achievements", *_of_member(achievements, user_id)),
        _Section("roles", *_of_member(given_roles, user_id)),
        _Section("invitations", concerning, (invitations.c.id,)),
        _Section("invited to", *_of_member(invitation_seats, user_id)),
        _Section("puzzles", solving, (puzzle_tries.c.puzzle_id,)),
        _Section("tournaments", *_of_tournaments(user_id)),
        _Section("tournament games", *_of_games(user_id)),
        _Section("tournament notes", *_of_notes(user_id)),
    )


def _of_tournaments(
    user_id: MemberId,
) -> tuple[Select[Any], tuple[ColumnElement[Any], ...]]:
    """Return the tournaments that a member has entered or organises, with their part in it."""
    own = ("place", "name", "number", "strength", "withdrawn_after", "rank")
    columns = [column for column in tournaments.c if not column.name.startswith("organiser")]
    organising = tournaments.c.organiser_id == user_id
    found = (
        select(
            *columns,
            organising.label("you_organise"),
            case((organising, tournaments.c.organiser_name)).label("organiser_name"),
            *(tournament_entrants.c[name].label(f"your_{name}") for name in own),
        )
        .outerjoin(
            tournament_entrants,
            and_(
                tournament_entrants.c.tournament_id == tournaments.c.id,
                tournament_entrants.c.user_id == user_id,
            ),
        )
        .where(
            or_(
                tournament_entrants.c.user_id == user_id,
                organising,
            )
        )
    )
    return found, (tournaments.c.id,)


def _of_games(user_id: MemberId) -> tuple[Select[Any], tuple[ColumnElement[Any], ...]]:
    """Return the pairings of a member in tournaments, in which all have their numbers."""
    number = tournament_entrants.c.number
    paired = (
        select(*tournament_games.c)
        .join(
            tournament_entrants,
            tournament_entrants.c.tournament_id == tournament_games.c.tournament_id,
        )
        .where(
            tournament_entrants.c.user_id == user_id,
            or_(tournament_games.c.first == number, tournament_games.c.second == number),
        )
    )
    return paired, tuple(tournament_games.primary_key)


def _of_notes(user_id: MemberId) -> tuple[Select[Any], tuple[ColumnElement[Any], ...]]:
    """Return what was noted of a member in tournaments."""
    noted = select(*tournament_notes.c).where(tournament_notes.c.user_id == user_id)
    return noted, (tournament_notes.c.id,)


def _of_member(
    table: Table, user_id: MemberId
) -> tuple[Select[Any], tuple[ColumnElement[Any], ...]]:
    """Return the rows of a member in a table, and the rest of its key."""
    key = tuple(column for column in table.primary_key if column.name != "user_id")
    return select(*table.c).where(table.c.user_id == user_id), key


def _readable(row: Mapping[str, Any], key: int) -> dict[str, Any]:
    """Return a row without the `key` columns at its end, and with its options as an object.

    Options that can't be read stay the text that is stored.
    """
    told = dict(list(row.items())[: len(row) - key])
    if "options" in told:
        with suppress(ValueError):
            told["options"] = json.loads(told["options"])
    return told


class ServerDataStore:
    """The servers of `shards` that have data in one database, and when the bot left them."""

    def __init__(self, engine: AsyncEngine, shards: Shards = Shards.ALL):
        self._engine = engine
        self._shards = shards

    @retried
    async def note_left(self, server_id: ServerId, now: int) -> None:
        """Note that the bot left a server."""
        async with self._engine.begin() as connection:
            await connection.run_sync(upsert, guilds, [{"id": server_id, "removed_at": now}])

    @retried
    async def note_present(self, server_ids: Iterable[ServerId]) -> None:
        """Note that the bot is on these servers, so that none of them is erased."""
        left = select(guilds.c.id).where(guilds.c.removed_at.is_not(None))
        async with self._engine.begin() as connection:
            back = set((await connection.execute(left)).scalars()) & set(server_ids)
            for server_id in back:
                here = update(guilds).where(guilds.c.id == server_id)
                await connection.execute(here.values(removed_at=None))

    async def left_by(self, moment: int) -> Sequence[ServerId]:
        """Return the servers that the bot left by `moment` (Unix seconds)."""
        left = select(guilds.c.id).where(guilds.c.removed_at <= moment)
        async with self._engine.connect() as connection:
            return self._here((await connection.execute(left)).scalars())

    async def not_left(self) -> set[ServerId]:
        """Return the servers with data that the bot isn't known to have left."""
        left = select(guilds.c.id).where(guilds.c.removed_at.is_not(None))
        known = union(
            select(guilds.c.id),
            select(guild_settings.c.guild_id),
            select(honour_roles.c.guild_id),
            select(puzzle_servers.c.guild_id),
            select(invitations.c.guild_id).where(invitations.c.guild_id != 0),
            select(tournaments.c.guild_id),
        )
        async with self._engine.connect() as connection:
            everywhere = set((await connection.execute(known)).scalars())
            return set(self._here(everywhere - set((await connection.execute(left)).scalars())))

    def _here(self, server_ids: Iterable[ServerId]) -> list[ServerId]:
        return [server_id for server_id in server_ids if self._shards.serve(server_id)]

    async def idle(self, server_ids: Collection[ServerId], since: int) -> Sequence[ServerId]:
        """Return those of these servers on which no match has begun `since` (Unix seconds)."""
        begun = select(matches.c.guild_id).where(
            matches.c.guild_id.in_(server_ids), matches.c.started_at >= since
        )
        async with self._engine.connect() as connection:
            busy = set((await connection.execute(begun.distinct())).scalars())
        return [server_id for server_id in server_ids if server_id not in busy]

    async def erase(self, server_id: ServerId) -> bool:
        """Erase a server that the bot has left; return False if it has come back meanwhile.

        Each batch is a transaction, so that no press waits for long. What is left over after a
        crash or a return is whole: a batch takes matches with all that belongs to them.
        """
        for erase_some in _ERASURES:
            erased = _BATCH
            while erased:
                async with self._engine.begin() as connection:
                    found = await connection.run_sync(_erase_batch, server_id, erase_some)
                if found is None:
                    return False
                erased = found
        return True


# Rows that one transaction erases, with those that belong to them.
_BATCH = 200
# As the index has it.
_CLOSED = text("invitations.status != 'open'")
# A write, so that nobody notes the server's return before the batch has ended.
_STILL_LEFT = (
    update(guilds)
    .where(guilds.c.id == bindparam("server"), guilds.c.removed_at.is_not(None))
    .values(removed_at=guilds.c.removed_at)
)


def _erase_batch(
    connection: Connection,
    server_id: ServerId,
    erase_some: Callable[[Connection, ServerId], int],
) -> int | None:
    """Return how many rows were erased, None if the bot is on the server again."""
    if connection.execute(_STILL_LEFT, {"server": server_id}).rowcount != 1:
        return None
    return erase_some(connection, server_id)


def _erase_matches(connection: Connection, server_id: ServerId) -> int:
    some = select(matches.c.id).where(matches.c.guild_id == server_id).limit(_BATCH)
    ids = connection.execute(some).scalars().all()
    for table in (offers, questions, old_boards, seats):
        connection.execute(delete(table).where(table.c.match_id.in_(ids)))
    # The matches of a series refer to its first.
    connection.execute(update(matches).where(matches.c.series_id.in_(ids)).values(series_id=None))
    connection.execute(delete(matches).where(matches.c.id.in_(ids)))
    return len(ids)


def _erase_tournaments(connection: Connection, server_id: ServerId) -> int:
    some = select(tournaments.c.id).where(tournaments.c.guild_id == server_id).limit(_BATCH)
    ids = connection.execute(some).scalars().all()
    for table in (tournament_games, tournament_entrants, tournament_notes):
        connection.execute(delete(table).where(table.c.tournament_id.in_(ids)))
    connection.execute(delete(tournaments).where(tournaments.c.id.in_(ids)))
    return len(ids)


def _erase_server_invitations(connection: Connection, server_id: ServerId) -> int:
    return _erase_invitations(connection, invitations.c.guild_id == server_id, _BATCH)


def _rows_of(table: Table) -> Callable[[Connection, ServerId], int]:
    """Return the function that erases some rows of a server from a table without references."""
    key = tuple_(*table.primary_key)

    def erase_some(connection: Connection, server_id: ServerId) -> int:
        of_server = table.c.guild_id == server_id
        some = select(*table.primary_key).where(of_server).limit(_BATCH)
        return connection.execute(delete(table).where(key.in_(some))).rowcount

    return erase_some


def _erase_server(connection: Connection, server_id: ServerId) -> int:
    connection.execute(delete(guilds).where(guilds.c.id == server_id))
    return 0


# The last one forgets that there was a server.
_ERASURES: tuple[Callable[[Connection, ServerId], int], ...] = (
    _erase_tournaments,  # their games refer to matches
    _erase_matches,
    _erase_server_invitations,
    *map(_rows_of, (ratings, standings, members, guild_settings)),
    *map(_rows_of, (achievements, honour_roles, given_roles)),
    *map(_rows_of, (puzzle_tries, puzzles, puzzle_servers)),
    _erase_server,
)
