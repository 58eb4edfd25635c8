"""Tournaments: read whole, and changed a step at a time.

Each step is a transaction. It begins by raising the tournament's revision, which succeeds only at
the stage for which the step is meant, or only if the tournament is still as it was read. So of two
steps at once, the second waits for the first and sees its changes.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    Update,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from bot.db.errors import ChangedError, unique
from bot.db.statements import read
from bot.db.store import Store, transaction
from bot.db.tables import (
    ENTRANT,
    guild_settings,
    matches,
    ratings,
    seats,
    tournament_entrants,
    tournament_games,
    tournament_notes,
    tournaments,
)
from bot.identity import ChannelId, MatchId, MemberId, MessageId, Person, Place, TournamentId
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.rows import read_ending
from bot.matches.store import LIVE, end_unread, insert_match
from bot.ratings.model import START, Rating
from bot.tournaments.model import Entrant, Pairing, PairingKey, Stage, TournamentGame
from bot.tournaments.rows import game_row, note_row, points_columns, read_tournament, tournament_row
from bot.tournaments.stored import (
    Correction,
    Ended,
    Note,
    NoteKind,
    StoredTournament,
    TournamentSettings,
)
from core.outcome import Ending, Termination
from core.players import Member

OVER = tournament_games.c.points_first.is_not(None)
"""Whether a game is over."""

_OF: BindParameter[int] = bindparam("tournament", type_=BigInteger)
_BY_KEY = (tournament_games.c["round"], tournament_games.c["table"], tournament_games.c["game"])
_ONE = (
    select(*tournaments.c, guild_settings.c.language)
    .outerjoin(guild_settings, guild_settings.c.guild_id == tournaments.c.guild_id)
    .where(tournaments.c.id == _OF)
)
_ENTRANTS = (
    select(tournament_entrants)
    .where(tournament_entrants.c.tournament_id == _OF)
    .order_by(tournament_entrants.c.place)
)
_GAMES = (
    select(*tournament_games.c, matches.c.channel_id.label("match_channel_id"))
    .outerjoin(matches, matches.c.id == tournament_games.c.match_id)
    .where(tournament_games.c.tournament_id == _OF)
    .order_by(*_BY_KEY)
)
_NOTES = (
    select(tournament_notes)
    .where(tournament_notes.c.tournament_id == _OF)
    .order_by(tournament_notes.c.id)
)
_ENDED = (
    select(
        *_BY_KEY,
        matches.c.id,
        matches.c.ending,
        matches.c.ending_seat,
        matches.c.moves,
        seats.c.rank,
    )
    .join(matches, matches.c.id == tournament_games.c.match_id)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(
        tournament_games.c.tournament_id == _OF,
        ~OVER,
        tournament_games.c.how.is_(None),  # not one that waits for a result
        matches.c.ended_at.is_not(None),
    )
    .order_by(matches.c.id, seats.c.seat)
)
# The terminations of matches whose only result is the one that was entered by hand.
_WITHOUT_RESULT = (
    Termination.CALLED_OFF.value,
    Termination.STRANDED.value,
    Termination.ADJUDICATION.value,
    Termination.VOIDED.value,
)


class TournamentStore(Store):
    """The tournaments of one database."""

    async def load(self, tournament_id: TournamentId) -> StoredTournament | None:
        """Return the tournament, None if there is none; raise CorruptRowError."""
        rows, *parts = await read(self._database, _rows, tournament_id)
        return read_tournament(rows[0], *parts) if rows else None

    @transaction
    def create(
        self,
        connection: Connection,
        place: Place,
        organiser: Person,
        settings: TournamentSettings,
        now: int,
    ) -> TournamentId:
        """Write a new tournament, and return its id."""
        row = tournament_row(place, organiser, settings, now)
        created = connection.execute(insert(tournaments).returning(tournaments.c.id), row)
        return TournamentId(created.scalar_one())

    @transaction
    def start_at(
        self, connection: Connection, tournament_id: TournamentId, starts_at: int | None
    ) -> None:
        """Let an open tournament start at this moment; None lets it start by its button alone.

        Raises ChangedError.
        """
        start: dict[str, Any] = {"starts_at": starts_at, "when_full": False}
        _raise_revision(connection, tournament_id, _at(Stage.OPEN), **start)

    @transaction
    def end(
        self, connection: Connection, before: StoredTournament, ranks: Mapping[int, int], now: int
    ) -> None:
        """End a tournament; `ranks` are the ranks by entrants' numbers.

        Raises ChangedError if it isn't as it was read.
        """
        ended: dict[str, Any] = {"stage": Stage.ENDED.value, "ended_at": now, "told": False}
        _raise_revision(connection, before.id, _as_read(before), **ended)
        _write_ranks(connection, before.id, ranks)

    @transaction
    def cancel(
        self, connection: Connection, before: StoredTournament, note: Note, *, call_off: bool
    ) -> None:
        """Cancel a tournament at the moment of `note`, which says why.

        The matches that are still being played are called off with it if `call_off`, otherwise they
        become ordinary ones. Raises ChangedError if its stage isn't as it was read.
        """
        cancelled: dict[str, Any] = {"stage": Stage.CANCELLED.value, "ended_at": note.at}
        _raise_revision(connection, before.id, _at(before.tournament.stage), **cancelled)
        games = select(tournament_games.c.match_id)
        own = matches.c.id.in_(games.where(tournament_games.c.tournament_id == before.id))
        if call_off:
            end_unread(connection, LIVE & own, note.at, Ending(Termination.STRANDED))
        left = update(matches).where(own, matches.c.ended_at.is_(None))
        connection.execute(left.values(tournament_id=None))
        _add_note(connection, before.id, note)

    # --- those who take part, until it starts

    async def strengths(self, stored: StoredTournament) -> dict[MemberId, float]:
        """Return the ratings of those who have joined, in points of the tournament's game."""
        members = [person.id for person in stored.joined]
        rated = select(ratings.c.user_id, ratings.c.mu, ratings.c.sigma).where(
            ratings.c.guild_id == stored.place.server_id,
            ratings.c.game == stored.settings.game.key,
            ratings.c.user_id.in_(members),
        )
        rows = await self._fetch(rated)
        found = {user_id: float(Rating(mu, sigma).points) for user_id, mu, sigma in rows}
        return {member: found.get(member, float(START)) for member in members}

    @transaction
    def join(self, connection: Connection, tournament_id: TournamentId, person: Person) -> None:
        """Add a member to an open tournament.

        Raises ChangedError if it isn't open, or if the member has joined already.
        """
        _raise_revision(connection, tournament_id, _at(Stage.OPEN))
        of = tournament_entrants.c.tournament_id == tournament_id
        last = select(func.coalesce(func.max(tournament_entrants.c.place), 0)).where(of)
        row = {
            "tournament_id": tournament_id,
            "place": connection.execute(last).scalar_one() + 1,
            "user_id": person.id,
            "name": person.name,
        }
        with unique(ENTRANT, ChangedError):
            connection.execute(insert(tournament_entrants), row)

    @transaction
    def leave(
        self,
        connection: Connection,
        tournament_id: TournamentId,
        leaving: Collection[MemberId],
        note: Note | None = None,
    ) -> None:
        """Take members out of an open tournament; raise ChangedError if it isn't open.

        If somebody else takes them out, the `note` says who. Then ChangedError is raised too if
        they are gone already: they may have been erased, and the note has their names.
        """
        _raise_revision(connection, tournament_id, _at(Stage.OPEN))
        taken_out = _take_out(connection, tournament_id, leaving)
        if note is not None:
            if taken_out == 0:
                raise ChangedError
            _add_note(connection, tournament_id, note)

    @transaction
    def start(
        self,
        connection: Connection,
        stored: StoredTournament,
        entrants: Sequence[Entrant],
        gone: Collection[MemberId],
    ) -> None:
        """Begin a tournament with these `entrants`, and take out those who are `gone`.

        Raises ChangedError if somebody has joined or left meanwhile.
        """
        _raise_revision(connection, stored.id, _as_read(stored), stage=Stage.RUNNING.value)
        _take_out(connection, stored.id, gone)
        connection.execute(
            update(tournament_entrants)
            .where(
                tournament_entrants.c.tournament_id == stored.id,
                tournament_entrants.c.user_id == bindparam("member"),
            )
            .values(number=bindparam("new_number"), strength=bindparam("new_strength")),
            [
                {"member": e.person.id, "new_number": e.number, "new_strength": e.strength}
                for e in entrants
            ],
        )

    # --- its games: paired, opened, begun, and their results

    async def ended(self, tournament_id: TournamentId) -> list[Ended]:
        """Return the matches that have ended and whose results aren't entered yet."""
        rows = await self._fetch(_ENDED, {"tournament": tournament_id})
        by_match = groupby(rows, key=attrgetter("id"))
        return [_ended([*of_match]) for _, of_match in by_match]

    @transaction
    def pair(
        self, connection: Connection, before: StoredTournament, begun: Sequence[TournamentGame]
    ) -> None:
        """Write the pairings that begin.

        Raises ChangedError if the tournament isn't as it was read.
        """
        _raise_revision(connection, before.id, _as_read(before))
        connection.execute(insert(tournament_games), [game_row(before.id, one) for one in begun])

    @transaction
    def enter(
        self,
        connection: Connection,
        before: StoredTournament,
        results: Sequence[TournamentGame] = (),
        withdrawn: Mapping[int, Note] | None = None,
        notes: Sequence[Note] = (),
    ) -> None:
        """Write the results of pairings, who withdraws, and the `notes` on results.

        `withdrawn` maps the entrants' numbers to the notes that say why; they are paired in the
        current round, and no more. Raises ChangedError if the tournament isn't as it was read.
        """
        _raise_revision(connection, before.id, _as_read(before))
        for played in results:
            own = _update(before.id, played.pairing)
            connection.execute(own.values(points_columns(played)))
        for note in notes:
            _add_note(connection, before.id, note)
        for number, note in (withdrawn or {}).items():
            leaving = _entrant(before.id, number)
            connection.execute(leaving.values(withdrawn_after=before.tournament.round))
            _add_note(connection, before.id, note)

    @transaction
    def correct(
        self,
        connection: Connection,
        before: StoredTournament,
        correction: Correction,
    ) -> MatchId | None:
        """Replace the result of a pairing, and write the effects of that.

        Returns the pairing's match if this ends it. Raises ChangedError if the tournament isn't as
        it was read.
        """
        told: dict[str, Any] = {"told": False} if correction.tell else {}
        _raise_revision(connection, before.id, _as_read(before), **told)
        own = _update(before.id, correction.result.pairing)
        corrected = own.values(points_columns(correction.result))
        match_id = connection.execute(corrected.returning(tournament_games.c.match_id)).scalar_one()
        _write_ranks(connection, before.id, correction.ranks)
        _add_note(connection, before.id, correction.note)
        for number in correction.back:
            connection.execute(_entrant(before.id, number).values(withdrawn_after=None))
        for pairing in correction.replayed:
            connection.execute(delete(tournament_games).where(*_of_pairing(before.id, pairing)))
        if match_id is None:
            # With a NULL, SQLite would search all matches.
            return None
        of_it = (matches.c.id == match_id) & (LIVE | matches.c.ending.in_(_WITHOUT_RESULT))
        ended = end_unread(connection, of_it, correction.note.at, correction.ending)
        return match_id if ended else None

    @transaction
    def note_channel(
        self,
        connection: Connection,
        tournament_id: TournamentId,
        pairing: Pairing,
        channel_id: ChannelId | None,
        before: ChannelId | None = None,
    ) -> None:
        """Note where a pairing is played, None if the channel `before` is gone.

        The revision grows, because the tournament's message shows this. Raises ChangedError unless
        the tournament is running and the pairing is in the channel `before`.
        """
        _raise_revision(connection, tournament_id, _at(Stage.RUNNING))
        own = _update(tournament_id, pairing).where(tournament_games.c.channel_id == before)
        if connection.execute(own.values(channel_id=channel_id)).rowcount != 1:
            raise ChangedError

    @staticmethod
    def insert_match(
        connection: Connection,
        new: NewMatch,
        now: int,
        *,
        tournament_id: TournamentId,
        pairing: Pairing,
    ) -> StoredMatch:
        """Insert the match of a pairing, and note it in the pairing's row.

        Raises ChannelTakenError, and ChangedError if the pairing has a match or a result, the data
        of a player was erased, or the tournament was cancelled.
        """
        # Locks the row, so that a cancellation comes before this, or finds the match.
        running = tournaments.c.id == tournament_id, _at(Stage.RUNNING)
        held = update(tournaments).where(*running).values(stage=Stage.RUNNING.value)
        if connection.execute(held).rowcount != 1:
            raise ChangedError
        entered = select(tournament_entrants.c.user_id).where(
            tournament_entrants.c.tournament_id == tournament_id,
            tournament_entrants.c.number.in_(pairing.entrants),
        )
        # A player may have been erased since the pairing was read.
        seated = {player.id for player in new.match.players if isinstance(player, Member)}
        if {*connection.execute(entered).scalars()} != seated:
            raise ChangedError
        begun = insert_match(connection, new, now)
        own = _update(tournament_id, pairing).where(tournament_games.c.match_id.is_(None), ~OVER)
        if connection.execute(own.values(match_id=begun.id)).rowcount != 1:
            raise ChangedError
        return begun

    @staticmethod
    def note_called_off(connection: Connection, match_id: MatchId, by: Person, now: int) -> None:
        """Note in a match's tournament, if it belongs to one, that a moderator calls it off."""
        of_it = (
            select(tournament_games.c.tournament_id, *_BY_KEY)
            .join(tournaments, tournaments.c.id == tournament_games.c.tournament_id)
            .where(tournament_games.c.match_id == match_id, ~OVER)
            .where(tournaments.c.stage == Stage.RUNNING.value)
        )
        if (found := connection.execute(of_it).one_or_none()) is not None:
            key = PairingKey(found.round, found.table, found.game)
            note = Note(now, NoteKind.CALLED_OFF, by, key, after=(0.5, 0.5))
            _add_note(connection, found.tournament_id, note)

    # --- its message

    async def note_shown(
        self, tournament_id: TournamentId, message_id: MessageId | None, revision: int
    ) -> None:
        """Note which message shows which revision of a tournament."""
        await self._set(tournament_id, message_id=message_id, shown=revision)

    async def note_answer(self, tournament_id: TournamentId, message_id: MessageId) -> None:
        """Note the message that shows a tournament as created; the sweep may now take it on."""
        await self._set(tournament_id, message_id=message_id, shown=0, retry_at=0)

    async def note_told(self, tournament_id: TournamentId) -> None:
        """Note that the end was announced."""
        await self._set(tournament_id, told=True)

    async def put_off(self, tournament_id: TournamentId, until: int) -> None:
        """Note that a failed step isn't to be tried again before this moment (Unix seconds)."""
        await self._set(tournament_id, retry_at=until)

    async def _set(self, tournament_id: TournamentId, **values: int | bool | None) -> None:
        """Set columns that the message doesn't show, so that the revision stays."""
        own = update(tournaments).where(tournaments.c.id == tournament_id)
        await self._execute(own.values(**values))


def _ended(seated: Sequence[Row[Any]]) -> Ended:
    """Return the ended match of these rows, one for each seat."""
    row = seated[0]
    return Ended(
        PairingKey(row.round, row.table, row.game),
        read_ending(row.ending, row.ending_seat),
        len(row.moves.split()),
        tuple(seat.rank for seat in seated),
    )


def _rows(connection: Connection, tournament_id: TournamentId) -> list[Sequence[Row[Any]]]:
    """Return the row of a tournament, if there is one, and those of its parts."""
    parts: Sequence[Select[Any]] = (_ONE, _ENTRANTS, _GAMES, _NOTES)
    return [connection.execute(part, {"tournament": tournament_id}).all() for part in parts]


def _raise_revision(
    connection: Connection,
    tournament_id: TournamentId,
    condition: ColumnElement[bool],
    **values: Any,
) -> None:
    """Raise the revision of a tournament, and set other columns to `values`.

    Raises ChangedError unless the condition holds. This locks the row until the transaction ends.
    """
    raised = update(tournaments).where(tournaments.c.id == tournament_id, condition)
    raised = raised.values(revision=tournaments.c.revision + 1, **values)
    if connection.execute(raised).rowcount != 1:
        raise ChangedError


def _at(stage: Stage) -> ColumnElement[bool]:
    """Return the condition that a tournament is at this stage."""
    return tournaments.c.stage == stage.value


def _as_read(before: StoredTournament) -> ColumnElement[bool]:
    """Return the condition that a tournament is still as it was read."""
    return tournaments.c.revision == before.revision


def _update(tournament_id: TournamentId, pairing: Pairing) -> Update:
    """Return the update of the row of a pairing."""
    return update(tournament_games).where(*_of_pairing(tournament_id, pairing))


def _of_pairing(tournament_id: TournamentId, pairing: Pairing) -> list[ColumnElement[bool]]:
    """Return the condition for the row of a pairing."""
    own = tournament_games.c.tournament_id == tournament_id
    return [own, *(column == value for column, value in zip(_BY_KEY, pairing.key, strict=True))]


def _entrant(tournament_id: TournamentId, number: int | BindParameter[int]) -> Update:
    """Return the update of the row of an entrant."""
    entrants = tournament_entrants.c
    own = entrants.tournament_id == tournament_id, entrants.number == number
    return update(tournament_entrants).where(*own)


def _take_out(
    connection: Connection, tournament_id: TournamentId, members: Collection[MemberId]
) -> int:
    """Delete the rows of members who are no entrants of a tournament yet; return how many."""
    entrants = tournament_entrants.c
    out = entrants.tournament_id == tournament_id, entrants.user_id.in_(members)
    return connection.execute(delete(tournament_entrants).where(*out)).rowcount


def _write_ranks(
    connection: Connection, tournament_id: TournamentId, ranks: Mapping[int, int]
) -> None:
    """Write the final ranks of entrants, by their numbers."""
    if ranks:
        ranked = _entrant(tournament_id, bindparam("of_number")).values(rank=bindparam("new_rank"))
        rows = [{"of_number": number, "new_rank": rank} for number, rank in ranks.items()]
        connection.execute(ranked, rows)


def _add_note(connection: Connection, tournament_id: TournamentId, note: Note) -> None:
    """Add a line to the trace of a tournament."""
    connection.execute(insert(tournament_notes), note_row(tournament_id, note))
