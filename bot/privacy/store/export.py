"""All that is stored about a member, section by section, as it is exported."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    CompoundSelect,
    Select,
    String,
    Table,
    and_,
    case,
    cast,
    or_,
    select,
    tuple_,
    union,
)

from bot.db.people import ids_of_members, is_internal
from bot.db.tables import (
    invitation_seats,
    invitations,
    matches,
    members,
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
from bot.identity import MemberId, ServerId, TournamentId

PAGE = 500
"""Rows of a page: few enough to be held in memory, many enough for a query."""


@dataclass(frozen=True)
class Section:
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
        return page.order_by(*self.key).limit(PAGE)


def sections(member_id: MemberId) -> tuple[Section, ...]:
    """Return all that is stored about a member."""
    return (
        *_whole_rows(member_id),
        Section("matches", _played_by(member_id), (seats.c.match_id, seats.c.seat)),
        Section("offers", _offered_by(member_id), (offers.c.id, seats.c.seat)),
        Section("invitations", _invitations_of(member_id), (invitations.c.id,)),
        Section("puzzles", _solved_by(member_id), (puzzle_tries.c.puzzle_id,)),
        Section("tournaments", _tournaments_of(member_id), (tournaments.c.id,)),
        Section("tournament games", _games_of(member_id), tuple(tournament_games.primary_key)),
        Section("tournament notes", _noted(member_id), (tournament_notes.c.id,)),
    )


def _whole_rows(member_id: MemberId) -> Iterator[Section]:
    """Yield the sections with the rows of a table as they are, ordered by the rest of its key."""
    for column, of in ids_of_members(metadata):
        if of.section:
            rows = select(*column.table.c).where(column == member_id)
            if not is_indexed(column):
                rows = rows.where(column.table.c.guild_id.in_(played_on(member_id)))
            key = tuple(one for one in column.table.primary_key if one is not column)
            yield Section(of.section, rows, key)


def is_indexed(column: Column[Any]) -> bool:
    """Return whether an index, or the key of its table, begins with a column.

    In a table where none does, the key begins with the server, and rows of a member are only on
    servers on which they have played.
    """
    table = column.table
    return column in {table.primary_key.columns[0], *(index.columns[0] for index in table.indexes)}


def _but(table: Table, *hidden: str) -> list[ColumnElement[Any]]:
    """Return the columns of a table for an export, but those that are `hidden`."""
    return [one for one in table.c if not is_internal(one) and one.name not in hidden]


def _played_by(member_id: MemberId) -> Select[Any]:
    """Return the matches in which a member has a seat, with the stored columns of that seat."""
    own = _but(seats, "match_id", "user_id")
    return (
        select(*_but(matches), *(one.label(f"your_{one.name}") for one in own))
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == member_id)
    )


def _offered_by(member_id: MemberId) -> Select[Any]:
    """Return the offers that a member has made or agreed to."""
    seat = cast(seats.c.seat, String)
    own = and_(seats.c.match_id == offers.c.match_id, offers.c.wanting.contains(seat))
    asking = offers.c.wanting.startswith(seat)
    return (
        select(*_but(offers), asking.label("you_asked"))
        .join(seats, own)
        .where(seats.c.user_id == member_id)
    )


def _concerns(member_id: MemberId) -> ColumnElement[bool]:
    """Return the condition for invitations of this member, or with a seat kept for them.

    It has no `OR`, with which PostgreSQL would read all invitations.
    """
    own = select(invitations.c.id).where(invitations.c.owner_id == member_id)
    seated = select(invitation_seats.c.invitation_id).where(invitation_seats.c.user_id == member_id)
    return invitations.c.id.in_(union(own, seated))


def _invitations_of(member_id: MemberId) -> Select[Any]:
    """Return the invitations that concern a member, without the names of other owners."""
    inviting = invitations.c.owner_id == member_id
    return select(
        *_but(invitations, "owner_id", "owner_name"),
        inviting.label("you_invited"),
        case((inviting, invitations.c.owner_name)).label("your_name"),
    ).where(_concerns(member_id))


def _solved_by(member_id: MemberId) -> Select[Any]:
    """Return the puzzles that a member has tried to solve, with their tries."""
    return (
        select(puzzles.c.start, *_but(puzzle_tries, "puzzle_id", "user_id"))
        .join(puzzle_tries, puzzle_tries.c.puzzle_id == puzzles.c.id)
        .where(puzzle_tries.c.user_id == member_id)
    )


def _tournaments_of(member_id: MemberId) -> Select[Any]:
    """Return the tournaments that a member has entered or organises, with their part in it."""
    own = ("place", "name", "number", "strength", "withdrawn_after", "rank")
    theirs = union(organised_by(member_id), entered_by(member_id))
    organising = tournaments.c.organiser_id == member_id
    return (
        select(
            *_but(tournaments, "organiser_id", "organiser_name"),
            organising.label("you_organise"),
            case((organising, tournaments.c.organiser_name)).label("organiser_name"),
            *(tournament_entrants.c[name].label(f"your_{name}") for name in own),
        )
        .outerjoin(
            tournament_entrants,
            and_(
                tournament_entrants.c.tournament_id == tournaments.c.id,
                tournament_entrants.c.user_id == member_id,
            ),
        )
        .where(tournaments.c.id.in_(theirs))
    )


def _games_of(member_id: MemberId) -> Select[Any]:
    """Return the pairings of a member in tournaments, which name entrants by their numbers."""
    number = tournament_entrants.c.number
    return (
        select(*tournament_games.c)
        .join(
            tournament_entrants,
            tournament_entrants.c.tournament_id == tournament_games.c.tournament_id,
        )
        .where(
            tournament_entrants.c.user_id == member_id,
            or_(tournament_games.c.first == number, tournament_games.c.second == number),
        )
    )


def _noted(member_id: MemberId) -> Select[Any]:
    """Return the interventions of a member, and those that concern them, without other names."""
    notes = tournament_notes.c
    by_you = notes.by_id == member_id
    return select(
        *_but(tournament_notes, "user_id", "name", "by_id", "by_name"),
        by_you.label("you_took_somebody_out"),
        case((by_you, notes.by_name), else_=notes.name).label("your_name"),
    ).where(notes.id.in_(notes_on(member_id)))


def notes_on(member_id: MemberId) -> CompoundSelect[int]:
    """Return the ids of the notes that name a member.

    An `OR` would make PostgreSQL read all notes.
    """
    notes = tournament_notes.c
    return union(
        select(notes.id).where(notes.user_id == member_id),
        select(notes.id).where(notes.by_id == member_id),
    )


def organised_by(member_id: MemberId) -> Select[TournamentId]:
    """Return the ids of the tournaments that a member organises."""
    return select(tournaments.c.id).where(tournaments.c.organiser_id == member_id)


def entered_by(member_id: MemberId) -> Select[TournamentId]:
    """Return the ids of the tournaments that a member has entered."""
    entrants = tournament_entrants.c
    return select(entrants.tournament_id).where(entrants.user_id == member_id)


def played_on(member_id: MemberId) -> Select[ServerId]:
    """Return the servers on which a member has played; results are only on these."""
    return select(members.c.guild_id).where(members.c.user_id == member_id)


def readable(row: Mapping[str, Any], key: int) -> dict[str, Any]:
    """Return a row without the `key` columns at its end, and with its options as an object.

    Options that can't be read stay as the stored text.
    """
    told = dict(list(row.items())[: len(row) - key])
    if "options" in told:
        with suppress(ValueError):
            told["options"] = json.loads(told["options"])
    return told
