"""Tournaments as a whole: read, created, ended, and the message that shows each."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Connection,
    Row,
    Select,
    bindparam,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.errors import DoneElsewhereError, unique
from bot.db.statements import change, read, write
from bot.db.tables import (
    CREATED,
    guild_settings,
    matches,
    tournament_entrants,
    tournament_games,
    tournament_notes,
    tournaments,
)
from bot.identity import InteractionId, MessageId, Person, Place, TournamentId
from bot.matches.store import LIVE, end_unread
from bot.tournaments.model import Stage
from bot.tournaments.rows import read_tournament, tournament_row
from bot.tournaments.store.steps import add_notes, raise_revision, write_ranks
from bot.tournaments.stored import Note, StoredTournament, TournamentSettings

_OF: BindParameter[int] = bindparam("tournament", type_=BigInteger)
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
_BY_KEY = (tournament_games.c["round"], tournament_games.c["table"], tournament_games.c["game"])
_GAMES_OF = (
    select(tournament_games).where(tournament_games.c.tournament_id == _OF).order_by(*_BY_KEY)
)
_NOTES = (
    select(tournament_notes)
    .where(tournament_notes.c.tournament_id == _OF)
    .order_by(tournament_notes.c.id)
)


class TournamentStore:
    """The tournaments of one database."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def load(self, tournament_id: TournamentId) -> StoredTournament | None:
        """Return the tournament, None if there is none; raise CorruptRowError."""
        rows, *parts = await read(self._engine, _rows, tournament_id)
        return read_tournament(rows[0], *parts) if rows else None

    async def create(
        self,
        place: Place,
        organiser: Person,
        settings: TournamentSettings,
        now: int,
        command: InteractionId | None,
    ) -> TournamentId:
        """Write a new tournament, and return its id.

        Raises DoneElsewhereError if the same `command` has created one.
        """
        row = tournament_row(place, organiser, settings, now, command)
        created = insert(tournaments).returning(tournaments.c.id)

        def create(connection: Connection) -> TournamentId:
            with unique(CREATED, DoneElsewhereError):
                return TournamentId(connection.execute(created, row).scalar_one())

        return await write(self._engine, create)

    async def not_by_itself(self, tournament_id: TournamentId) -> None:
        """Let an open tournament start only by its button; raise ChangedError."""
        by_button = {"starts_at": None, "when_full": False}
        await write(self._engine, raise_revision, tournament_id, (Stage.OPEN,), by_button)

    async def start_later(self, tournament_id: TournamentId, starts_at: int) -> None:
        """Put off the start of an open tournament; raise ChangedError."""
        later = {"starts_at": starts_at}
        await write(self._engine, raise_revision, tournament_id, (Stage.OPEN,), later)

    async def end(self, before: StoredTournament, ranks: Mapping[int, int], now: int) -> None:
        """End a tournament; `ranks` are those of the entrants by number.

        Raises ChangedError if it isn't as it was read.
        """
        await write(self._engine, _end, before, ranks, now)

    async def cancel(self, before: StoredTournament, note: Note, *, call_off: bool) -> None:
        """Cancel a tournament at the moment of `note`, which says why.

        The matches that are still being played are called off with it if `call_off`, otherwise they
        become ordinary ones. Raises ChangedError if its stage isn't as it was read.
        """
        await write(self._engine, partial(_cancel, call_off=call_off), before, note)

    # --- its message

    async def posted(
        self, tournament_id: TournamentId, message_id: MessageId | None, revision: int
    ) -> None:
        """Note which message shows which revision of a tournament."""
        await self._set(tournament_id, message_id=message_id, shown=revision)

    async def answered(self, tournament_id: TournamentId, message_id: MessageId) -> None:
        """Note the message that shows a tournament as created; the sweep may now take it on."""
        await self._set(tournament_id, message_id=message_id, shown=0, retry_at=0)

    async def told(self, tournament_id: TournamentId) -> None:
        """Note that the end was announced."""
        await self._set(tournament_id, told=True)

    async def put_off(self, tournament_id: TournamentId, until: int) -> None:
        """Note that a failed step isn't to be tried again before this moment (Unix seconds)."""
        await self._set(tournament_id, retry_at=until)

    async def _set(self, tournament_id: TournamentId, **values: int | bool | None) -> None:
        """Set columns that are no part of what the message shows: the revision stays."""
        own = update(tournaments).where(tournaments.c.id == tournament_id)
        await change(self._engine, own.values(**values))


def _rows(connection: Connection, tournament_id: TournamentId) -> list[Sequence[Row[Any]]]:
    """Return the row of a tournament, if there is one, and those of its parts."""
    parts: Sequence[Select[Any]] = (_ONE, _ENTRANTS, _GAMES_OF, _NOTES)
    return [connection.execute(part, {"tournament": tournament_id}).all() for part in parts]


def _end(
    connection: Connection, before: StoredTournament, ranks: Mapping[int, int], now: int
) -> None:
    ended = {"stage": Stage.ENDED.value, "ended_at": now, "told": False}
    raise_revision(connection, before.id, (before.value.stage,), ended, before.revision)
    write_ranks(connection, before.id, ranks)


def _cancel(
    connection: Connection, before: StoredTournament, note: Note, *, call_off: bool
) -> None:
    cancelled = {"stage": Stage.CANCELLED.value, "ended_at": note.at}
    raise_revision(connection, before.id, (before.value.stage,), cancelled)
    games = select(tournament_games.c.match_id).where(tournament_games.c.tournament_id == before.id)
    own = matches.c.id.in_(games)
    if call_off:
        end_unread(connection, LIVE & own, note.at)
    left = update(matches).where(own, matches.c.ended_at.is_(None))
    connection.execute(left.values(tournament_id=None))
    add_notes(connection, before.id, [note])
