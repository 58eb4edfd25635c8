"""All that is stored about a member, section by section, as it is exported."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
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

from bot.db.tables import (
    achievements,
    given_roles,
    invitation_seats,
    invitations,
    matches,
    member_settings,
    members,
    offers,
    puzzle_tries,
    puzzles,
    ratings,
    seats,
    standings,
    tournament_entrants,
    tournament_games,
    tournament_notes,
    tournaments,
)
from bot.identity import MemberId, ServerId, TournamentId

PAGE = 500
"""Rows of a page: few enough to be held in memory, many enough for a query."""

# Columns that only the bot's own work needs, or that hold somebody else's data.
_HIDDEN_OF_MATCH = (
    *("board_id", "computer_due", "due_at", "shared_id"),
    *("honoured", "revision", "shown"),
)
_HIDDEN_OF_OFFER = "id", "wanting", "message_id"
_HIDDEN_OF_INVITATION = (
    *("owner_id", "owner_name", "fill_level"),
    *("message_id", "revision", "pressable"),
)


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
        _of_member("settings", member_settings, member_id),
        _of_member("called", members, member_id),
        Section("matches", _played_by(member_id), (seats.c.match_id, seats.c.seat)),
        Section("offers", _offered_by(member_id), (offers.c.id, seats.c.seat)),
        _of_player("ratings", ratings, member_id),
        _of_player("standings", standings, member_id),
        _of_player("achievements", achievements, member_id),
        _of_member("roles", given_roles, member_id),
        Section("invitations", _invitations_of(member_id), (invitations.c.id,)),
        _of_member("invited to", invitation_seats, member_id),
        Section("puzzles", _solved_by(member_id), (puzzle_tries.c.puzzle_id,)),
        Section("tournaments", _tournaments_of(member_id), (tournaments.c.id,)),
        Section("tournament games", _games_of(member_id), tuple(tournament_games.primary_key)),
        Section("tournament notes", _noted(member_id), (tournament_notes.c.id,)),
    )


def _but(table: Table, *hidden: str) -> list[ColumnElement[Any]]:
    """Return the columns of a table but those that are `hidden`."""
    return [column for column in table.c if column.name not in hidden]


def _played_by(member_id: MemberId) -> Select[Any]:
    """Return the matches in which a member has a seat, with the stored columns of that seat."""
    own = _but(seats, "match_id", "user_id", "level")
    return (
        select(*_but(matches, *_HIDDEN_OF_MATCH), *(one.label(f"your_{one.name}") for one in own))
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == member_id)
    )


def _offered_by(member_id: MemberId) -> Select[Any]:
    """Return the offers that a member has made or agreed to."""
    seat = cast(seats.c.seat, String)
    own = and_(seats.c.match_id == offers.c.match_id, offers.c.wanting.contains(seat))
    asking = offers.c.wanting.startswith(seat)
    return (
        select(*_but(offers, *_HIDDEN_OF_OFFER), asking.label("you_asked"))
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
        *_but(invitations, *_HIDDEN_OF_INVITATION),
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


def _of_player(name: str, table: Table, member_id: MemberId) -> Section:
    """Return the section with the rows of a player in a table, whose key begins with the server."""
    section = _of_member(name, table, member_id)
    here = section.rows.where(table.c.guild_id.in_(played_on(member_id)))
    return replace(section, rows=here)


def _of_member(name: str, table: Table, member_id: MemberId) -> Section:
    """Return the section with the rows of a member in a table, ordered by the rest of its key."""
    key = tuple(column for column in table.primary_key if column.name != "user_id")
    return Section(name, select(*table.c).where(table.c.user_id == member_id), key)


def readable(row: Mapping[str, Any], key: int) -> dict[str, Any]:
    """Return a row without the `key` columns at its end, and with its options as an object.

    Options that can't be read stay as the stored text.
    """
    told = dict(list(row.items())[: len(row) - key])
    if "options" in told:
        with suppress(ValueError):
            told["options"] = json.loads(told["options"])
    return told
