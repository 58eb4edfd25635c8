"""Tournaments in the database: read whole, and changed a step at a time.

Each step is one transaction that begins by raising the tournament's revision, and only if it is in
the stage that the step is for. So of two steps at once, the second waits for the first and sees it.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    text,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db import CorruptRowError
from bot.db.database import write
from bot.db.errors import retried, unique
from bot.db.shares import served
from bot.db.tables import (
    ENTRANT,
    matches,
    ratings,
    seats,
    tournament_entrants,
    tournament_games,
    tournament_notes,
    tournaments,
)
from bot.identity import (
    ChannelId,
    MatchId,
    MemberId,
    MessageId,
    Person,
    Place,
    ServerId,
    TournamentId,
)
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.store import ChangedError, insert_match
from bot.ratings.model import START, Rating
from bot.shards import Shards
from bot.tournaments.model import How, Pairing, Played, Stage, Tournament
from bot.tournaments.rows import (
    ENTRANTS,
    GAMES_OF,
    NOTES,
    ONE,
    game_row,
    note_row,
    points_columns,
    read_listed,
    read_tournament,
    tournament_row,
)
from bot.tournaments.stored import Ended, Listed, Note, Settings, StoredTournament
from core.players import Member

log = logging.getLogger(__name__)


class JoinedError(Exception):
    """The member has joined already."""


# In the words of the partial index, which SQLite wouldn't use otherwise.
_UNFINISHED = text("(stage IN ('open', 'running') OR shown < revision OR NOT told)")
_GAME = and_(
    tournament_games.c.tournament_id == bindparam("of"),
    tournament_games.c["round"] == bindparam("of_round"),
    tournament_games.c["table"] == bindparam("of_table"),
    tournament_games.c["game"] == bindparam("of_game"),
)
_OVER = tournament_games.c.points_first.is_not(None)
_OF_TOURNAMENT = tournament_games.c.tournament_id == tournaments.c.id
_MATCH_ENDED = exists().where(
    _OF_TOURNAMENT,
    ~_OVER,
    matches.c.id == tournament_games.c.match_id,
    matches.c.ended_at.is_not(None),
)
_NOT_BEGUN = exists().where(
    _OF_TOURNAMENT,
    ~_OVER,
    or_(tournament_games.c.match_id.is_(None), tournament_games.c.channel_id.is_(None)),
)
_FULL = (
    select(func.count())
    .where(tournament_entrants.c.tournament_id == tournaments.c.id)
    .scalar_subquery()
    >= tournaments.c.places
)
_NOTHING_ON = ~exists().where(_OF_TOURNAMENT, ~_OVER)
_DUE = (
    select(tournaments.c.id)
    .where(
        _UNFINISHED,
        tournaments.c.retry_at <= bindparam("now"),
        or_(
            tournaments.c.shown < tournaments.c.revision,
            ~tournaments.c.told,
            and_(
                tournaments.c.stage == Stage.OPEN.value,
                or_(
                    tournaments.c.starts_at <= bindparam("now"),
                    and_(tournaments.c.when_full, _FULL),
                ),
            ),
            and_(
                tournaments.c.stage == Stage.RUNNING.value,
                or_(_MATCH_ENDED, _NOT_BEGUN, _NOTHING_ON),
            ),
        ),
    )
    .order_by(tournaments.c.id)
)
_GOING_ON = select(tournaments.c.id).where(
    _UNFINISHED, tournaments.c.stage.in_((Stage.OPEN.value, Stage.RUNNING.value))
)
_PLAYED_IN = (
    select(tournament_games.c.tournament_id)
    .join(tournaments, _OF_TOURNAMENT)
    .where(~_OVER, tournaments.c.stage == Stage.RUNNING.value)
    .distinct()
)
_PLAYED_SINCE = (
    select(matches.c.id)
    .join(tournament_games, tournament_games.c.match_id == matches.c.id)
    .join(tournaments, _OF_TOURNAMENT)
    .where(
        or_(
            tournaments.c.stage == Stage.RUNNING.value,
            tournaments.c.ended_at >= bindparam("since"),
        ),
        matches.c.moved_at >= bindparam("since"),
    )
    .order_by(matches.c.moved_at.desc())
)
_ENDED = (
    select(
        tournament_games.c["round"],
        tournament_games.c["table"],
        tournament_games.c["game"],
        matches.c.id,
        matches.c.ending,
        matches.c.ending_seat,
        matches.c.moves,
        seats.c.rank,
    )
    .join(matches, matches.c.id == tournament_games.c.match_id)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(
        tournament_games.c.tournament_id == bindparam("tournament"),
        ~_OVER,
        matches.c.ended_at.is_not(None),
    )
    .order_by(matches.c.id, seats.c.seat)
)
_RELEASE = (
    update(matches)
    .where(
        matches.c.id.in_(
            select(tournament_games.c.match_id).where(
                tournament_games.c.tournament_id == bindparam("of")
            )
        ),
        matches.c.ended_at.is_(None),
    )
    .values(tournament_id=None)
)
_WON = (
    select(func.count())
    .select_from(tournament_entrants)
    .join(tournaments, tournaments.c.id == tournament_entrants.c.tournament_id)
    .where(
        tournament_entrants.c.user_id == bindparam("member"),
        tournament_entrants.c.rank == 1,
        tournaments.c.guild_id == bindparam("server"),
        tournaments.c.stage == Stage.ENDED.value,
    )
)


class TournamentStore:
    """The tournaments of one database. Those on the servers of `shards` are taken on here."""

    def __init__(self, engine: AsyncEngine, shards: Shards = Shards.ALL):
        self._engine = engine
        here = served(tournaments.c.guild_id, shards)
        self._due, self._going_on = _DUE.where(here), _GOING_ON.where(here)
        self._played_since = _PLAYED_SINCE.where(here)

    # --- reading

    async def load(self, tournament_id: TournamentId) -> StoredTournament | None:
        """Return the tournament, None if there is none; raise CorruptRowError."""
        of = {"tournament": tournament_id}
        async with self._engine.connect() as connection:
            row = (await connection.execute(ONE, of)).one_or_none()
            if row is None:
                return None
            found = [(await connection.execute(s, of)).all() for s in (ENTRANTS, GAMES_OF, NOTES)]
        return read_tournament(row, *found)

    async def due(self, now: int) -> Sequence[TournamentId]:
        """Return the tournaments here in which something is due `now` (Unix seconds)."""
        async with self._engine.connect() as connection:
            return (await connection.execute(self._due, {"now": now})).scalars().all()

    async def going_on(self) -> Sequence[TournamentId]:
        """Return the tournaments here that are open to join or being played."""
        async with self._engine.connect() as connection:
            return (await connection.execute(self._going_on)).scalars().all()

    async def played_since(self, since: int) -> Sequence[MatchId]:
        """Return the matches of tournaments here that have changed since then (Unix seconds).

        The newest changes come first. A tournament that has ended before that has none.
        """
        async with self._engine.connect() as connection:
            rows = await connection.execute(self._played_since, {"since": since})
            return rows.scalars().all()

    async def held_in(self, channel_id: ChannelId) -> Sequence[TournamentId]:
        """Return the tournaments in a channel that are open to join or being played."""
        held = _GOING_ON.where(tournaments.c.channel_id == channel_id)
        async with self._engine.connect() as connection:
            return (await connection.execute(held)).scalars().all()

    async def listed(self, server_id: ServerId, most: int) -> list[Listed]:
        """Return up to `most` tournaments of a server: those not over first, then the newest.

        One that can't be read is logged and left out, so that it doesn't hide the others.
        """
        last = tournaments.c.stage.in_((Stage.ENDED.value, Stage.CANCELLED.value))
        of_server = (
            select(
                tournaments.c.id,
                tournaments.c.channel_id,
                tournaments.c.stage,
                tournaments.c.game,
                tournaments.c.options,
                tournaments.c.format,
            )
            .where(tournaments.c.guild_id == server_id)
            .order_by(last, tournaments.c.id.desc())
            .limit(most)
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(of_server)).all()
        found = list[Listed]()
        for row in rows:
            try:
                found.append(read_listed(row))
            except CorruptRowError:
                log.exception("a tournament is missing in a list")
        return found

    async def played_in(self, channel_id: ChannelId) -> Sequence[TournamentId]:
        """Return the running tournaments with a game in a channel or thread that isn't over."""
        played = _PLAYED_IN.where(tournament_games.c.channel_id == channel_id)
        async with self._engine.connect() as connection:
            return (await connection.execute(played)).scalars().all()

    async def of_channel(self, channel_id: ChannelId) -> TournamentId | None:
        """Return the newest tournament with a game in a channel or thread, None without any."""
        played_here = select(func.max(tournament_games.c.tournament_id)).where(
            tournament_games.c.channel_id == channel_id
        )
        async with self._engine.connect() as connection:
            return (await connection.execute(played_here)).scalar_one()

    async def won(self, server_id: ServerId, member_id: MemberId) -> int:
        """Return the number of tournaments that a member has won on a server."""
        of = {"server": server_id, "member": member_id}
        async with self._engine.connect() as connection:
            return int((await connection.execute(_WON, of)).scalar_one())

    async def strengths(self, stored: StoredTournament) -> dict[MemberId, float]:
        """Return the ratings of those who have joined, in points of the tournament's game."""
        members = [person.id for person in stored.joined]
        rated = select(ratings.c.user_id, ratings.c.mu, ratings.c.sigma).where(
            ratings.c.guild_id == stored.place.server_id,
            ratings.c.game == stored.settings.game.key,
            ratings.c.user_id.in_(members),
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(rated)).all()
        found = {user_id: float(Rating(mu, sigma).points) for user_id, mu, sigma in rows}
        return {member: found.get(member, float(START)) for member in members}

    async def ended(self, tournament_id: TournamentId) -> list[Ended]:
        """Return the matches that have ended and whose results aren't entered yet."""
        async with self._engine.connect() as connection:
            rows = (await connection.execute(_ENDED, {"tournament": tournament_id})).all()
        by_match: dict[MatchId, list[Row[Any]]] = {}
        for row in rows:
            by_match.setdefault(row.id, []).append(row)
        return [
            Ended(
                (one[0].round, one[0].table, one[0].game),
                one[0].id,
                one[0].ending,
                one[0].ending_seat,
                len(one[0].moves.split()),
                tuple(row.rank for row in one),
            )
            for one in by_match.values()
        ]

    # --- before the start

    @retried
    async def create(
        self, place: Place, organiser: Person, settings: Settings, now: int
    ) -> TournamentId:
        """Write a new tournament, and return its id."""
        async with self._engine.begin() as connection:
            row = tournament_row(place, organiser, settings, now)
            result = await connection.execute(insert(tournaments).returning(tournaments.c.id), row)
            return TournamentId(result.scalar_one())

    @retried
    async def join(self, tournament_id: TournamentId, person: Person) -> None:
        """Add a member to an open tournament.

        Raises ChangedError if it isn't open, and JoinedError.
        """
        await write(self._engine, _join, tournament_id, person)

    @retried
    async def leave(self, tournament_id: TournamentId, member_id: MemberId) -> bool:
        """Take a member out of an open tournament; return False if they aren't in it.

        Raises ChangedError if it isn't open.
        """
        return await write(self._engine, _leave, tournament_id, member_id)

    @retried
    async def start(self, stored: StoredTournament, value: Tournament) -> None:
        """Begin a tournament with the entrants of `value`, and take out all others who joined.

        Raises ChangedError if somebody has joined or left meanwhile.
        """
        await write(self._engine, _start, stored, value)

    @retried
    async def not_by_itself(self, tournament_id: TournamentId) -> None:
        """Let an open tournament start by button alone; raise ChangedError."""
        by_button = {"starts_at": None, "when_full": False}
        await write(self._engine, _change, tournament_id, (Stage.OPEN,), by_button)

    # --- while it is played

    @retried
    async def pair(self, before: StoredTournament, begun: Sequence[Played]) -> None:
        """Write the pairings that begin.

        Raises ChangedError if the tournament isn't as it was read.
        """
        await write(self._engine, _pair, before, begun)

    @retried
    async def enter(
        self,
        before: StoredTournament,
        results: Sequence[Played],
        withdrawn: Mapping[int, int] | None = None,
        notes: Iterable[Note] = (),
    ) -> None:
        """Write the results of pairings, with traces of what was done.

        `withdrawn` are the numbers of those who withdraw, with the last round that they are paired
        in. A result that is there already is only replaced by a correction. Raises ChangedError if
        the tournament was cancelled.
        """
        await write(self._engine, _enter, before, results, withdrawn or {}, notes)

    @retried
    async def opened(
        self, stored: StoredTournament, pairing: Pairing, channel_id: ChannelId | None
    ) -> None:
        """Note where a pairing is played, None if its channel is gone.

        The tournament's message is to show it, so the revision grows.
        """
        await write(self._engine, _opened, stored.id, pairing, channel_id)

    @retried
    async def begin_match(
        self, tournament_id: TournamentId, pairing: Pairing, new: NewMatch, now: int
    ) -> StoredMatch:
        """Begin the match of a pairing, and return it; the two are written together.

        Raises ChannelTakenError, and ChangedError if the pairing has a match or a result, the data
        of a player was erased, or the tournament was cancelled.
        """
        return await write(self._engine, _begin_match, tournament_id, pairing, new, now)

    @retried
    async def finish(
        self,
        before: StoredTournament,
        stage: Stage,
        ranks: Mapping[int, int],
        now: int,
        *notes: Note,
    ) -> None:
        """End a tournament, or cancel it; `ranks` are those of the entrants by number.

        The matches of one that is cancelled become ordinary ones if they are still being played.
        Raises ChangedError if it isn't as it was read: at the end all of it, else its stage.
        """
        await write(self._engine, _finish, before, stage, ranks, now, notes)

    # --- its message

    async def posted(
        self, tournament_id: TournamentId, message_id: MessageId | None, revision: int
    ) -> None:
        """Note which message shows which revision of a tournament."""
        await self._set(tournament_id, message_id=message_id, shown=revision)

    async def answered(self, tournament_id: TournamentId, message_id: MessageId) -> None:
        """Note the message that shows a tournament as it was created; the sweep may take it on."""
        await self._set(tournament_id, message_id=message_id, shown=0, retry_at=0)

    async def told(self, tournament_id: TournamentId) -> None:
        """Note that the end was announced."""
        await self._set(tournament_id, told=True)

    async def put_off(self, tournament_id: TournamentId, until: int) -> None:
        """Note that a failed step isn't to be tried again before this moment (Unix seconds)."""
        await self._set(tournament_id, retry_at=until)

    @retried
    async def _set(self, tournament_id: TournamentId, **values: int | bool | None) -> None:
        """Set columns that are no part of what the message shows: the revision stays."""
        change = update(tournaments).where(tournaments.c.id == tournament_id).values(**values)
        async with self._engine.begin() as connection:
            await connection.execute(change)


# Run by `write`, each as a transaction.


def _of(tournament_id: TournamentId, key: tuple[int, int, int]) -> dict[str, int]:
    return {"of": tournament_id, "of_round": key[0], "of_table": key[1], "of_game": key[2]}


def _change(
    connection: Connection,
    tournament_id: TournamentId,
    stages: Iterable[Stage],
    values: Mapping[str, Any] | None = None,
    revision: int | None = None,
) -> None:
    """Raise the revision of a tournament, if it is in one of `stages`, and at `revision`.

    Otherwise raises ChangedError. The row is locked by this until the transaction ends.
    """
    where: list[ColumnElement[bool]] = [
        tournaments.c.id == tournament_id,
        tournaments.c.stage.in_([stage.value for stage in stages]),
    ]
    if revision is not None:
        where.append(tournaments.c.revision == revision)
    changed = update(tournaments).where(*where)
    changed = changed.values(revision=tournaments.c.revision + 1, **(values or {}))
    if connection.execute(changed).rowcount != 1:
        raise ChangedError


def _join(connection: Connection, tournament_id: TournamentId, person: Person) -> None:
    _change(connection, tournament_id, (Stage.OPEN,))
    of = tournament_entrants.c.tournament_id == tournament_id
    last = connection.execute(select(func.max(tournament_entrants.c.place)).where(of)).scalar_one()
    row = {"tournament_id": tournament_id, "place": (last or 0) + 1}
    with unique(ENTRANT, JoinedError):
        connection.execute(
            insert(tournament_entrants), row | {"user_id": person.id, "name": person.name}
        )


def _leave(connection: Connection, tournament_id: TournamentId, member_id: MemberId) -> bool:
    _change(connection, tournament_id, (Stage.OPEN,))
    return (
        connection.execute(
            delete(tournament_entrants).where(
                tournament_entrants.c.tournament_id == tournament_id,
                tournament_entrants.c.user_id == member_id,
            )
        ).rowcount
        == 1
    )


def _start(connection: Connection, stored: StoredTournament, value: Tournament) -> None:
    running = {"stage": Stage.RUNNING.value}
    _change(connection, stored.id, (Stage.OPEN,), running, stored.revision)
    of = tournament_entrants.c.tournament_id == stored.id
    staying = [entrant.person.id for entrant in value.entrants]
    connection.execute(
        delete(tournament_entrants).where(of, tournament_entrants.c.user_id.not_in(staying))
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


def _pair(connection: Connection, before: StoredTournament, begun: Sequence[Played]) -> None:
    _change(connection, before.id, (Stage.RUNNING,), revision=before.revision)
    connection.execute(insert(tournament_games), [game_row(before.id, one) for one in begun])


def _enter(
    connection: Connection,
    before: StoredTournament,
    results: Sequence[Played],
    withdrawn: Mapping[int, int],
    notes: Iterable[Note],
) -> None:
    _change(connection, before.id, (Stage.RUNNING, Stage.ENDED))
    for played in results:
        points = points_columns(played)
        replaces = true() if played.how is How.CORRECTED else ~_OVER
        change = update(tournament_games).where(_GAME, replaces).values(points)
        connection.execute(change, _of(before.id, played.pairing.key))
    for number, after in withdrawn.items():
        connection.execute(
            update(tournament_entrants)
            .where(
                tournament_entrants.c.tournament_id == before.id,
                tournament_entrants.c.number == number,
                tournament_entrants.c.withdrawn_after.is_(None),
            )
            .values(withdrawn_after=after)
        )
    _note(connection, before.id, notes)


def _note(connection: Connection, tournament_id: TournamentId, notes: Iterable[Note]) -> None:
    rows = [note_row(tournament_id, note) for note in notes]
    if rows:
        connection.execute(insert(tournament_notes), rows)


def _opened(
    connection: Connection,
    tournament_id: TournamentId,
    pairing: Pairing,
    channel_id: ChannelId | None,
) -> None:
    _change(connection, tournament_id, (Stage.RUNNING,))
    change = update(tournament_games).where(_GAME).values(channel_id=channel_id)
    connection.execute(change, _of(tournament_id, pairing.key))


def _begin_match(
    connection: Connection,
    tournament_id: TournamentId,
    pairing: Pairing,
    new: NewMatch,
    now: int,
) -> StoredMatch:
    # Locks the row: a cancellation comes before, or finds the match.
    running = (tournaments.c.id == tournament_id) & (tournaments.c.stage == Stage.RUNNING.value)
    held = update(tournaments).where(running).values(stage=Stage.RUNNING.value)
    if connection.execute(held).rowcount != 1:
        raise ChangedError
    entered = select(tournament_entrants.c.user_id).where(
        tournament_entrants.c.tournament_id == tournament_id,
        tournament_entrants.c.number.in_(pairing.entrants),
    )
    # One of them may have been erased since the pairing was read.
    seated = {player.id for player in new.match.players if isinstance(player, Member)}
    if {*connection.execute(entered).scalars()} != seated:
        raise ChangedError
    begun = insert_match(connection, replace(new, tournament_id=tournament_id), now)
    taken = (
        update(tournament_games)
        .where(_GAME, tournament_games.c.match_id.is_(None), ~_OVER)
        .values(match_id=begun.id)
    )
    if connection.execute(taken, _of(tournament_id, pairing.key)).rowcount != 1:
        raise ChangedError
    return begun


def _finish(
    connection: Connection,
    before: StoredTournament,
    stage: Stage,
    ranks: Mapping[int, int],
    now: int,
    notes: Iterable[Note],
) -> None:
    ended: dict[str, Any] = {"stage": stage.value}
    if not before.over:
        ended |= {"ended_at": now, "told": stage is not Stage.ENDED}
    revision = before.revision if stage is Stage.ENDED else None
    _change(connection, before.id, (before.value.stage,), ended, revision)
    if stage is Stage.CANCELLED:
        connection.execute(_RELEASE, {"of": before.id})
    if ranks:
        connection.execute(
            update(tournament_entrants)
            .where(
                tournament_entrants.c.tournament_id == before.id,
                tournament_entrants.c.number == bindparam("of_number"),
            )
            .values(rank=bindparam("new_rank")),
            [{"of_number": number, "new_rank": rank} for number, rank in ranks.items()],
        )
    _note(connection, before.id, notes)
