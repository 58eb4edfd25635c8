"""Matches from rows and back."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Select, exists, func, select, true

from bot.db.errors import CorruptRowError
from bot.db.tables import guild_settings, matches, member_settings, offers, seats, tournaments
from bot.forms import Form
from bot.identity import (
    ChannelId,
    Context,
    MatchId,
    MemberId,
    MessageId,
    Place,
    ServerId,
    TournamentId,
)
from bot.matches.clock import Timing, timing
from bot.matches.model import NewMatch, StoredMatch
from bot.ratings.model import Change, Entry, Unrated
from core.engine.levels import Level
from core.errors import GameError
from core.game import Game
from core.games import GAMES
from core.grid import Move
from core.match import Match
from core.match.leaving import Withdrawal
from core.options import Options
from core.outcome import Ending, Termination
from core.players import Computer, Member, Player
from core.position import Position

DAMAGED = (GameError, KeyError, TypeError, ValueError)
"""The errors of reading a row that is damaged, or that another version wrote."""

Columns: TypeAlias = dict[str, str | int | float | bool | None]
"""Values by the names of their columns."""


class Noted(NamedTuple):
    """The newest message that shows a match, and the revision that it shows.

    No message need show the last revision of a match that was begun or played again.
    """

    board_id: MessageId | None
    shown: int

    @property
    def order(self) -> tuple[int, int]:
        """The key by which the newer of two boards is the greater one.

        Of two boards of the same revision the later message is newer: the earlier one may have been
        removed already, and be reported a second time.
        """
        return self.shown, self.board_id or 0


NOT_SHOWN = Noted(None, -1)
"""Stands for the newest board of a match if none is known."""


class SeatRow(NamedTuple):
    """A row of `reading`: a match joined with one of its seats, in the order of the columns."""

    id: MatchId
    guild_id: ServerId
    channel_id: ChannelId
    context: str
    guest_of: ServerId | None
    series_id: MatchId | None
    board_id: MessageId | None
    game: str
    options: str
    start: str
    moves: str
    ending: str | None
    ending_seat: int | None
    withdrawals: str
    hinted: bool
    undone: bool
    rated_as: int | None
    unrated: str | None
    ended_at: int | None
    clock: int | None
    deadline: int | None
    due_at: int | None
    moved_at: int
    put_away_at: int | None
    paired_with: MatchId | None
    locale: str | None
    tournament_id: TournamentId | None
    draw_wins: int | None
    revision: int
    shown: int
    asking: bool
    played_again: bool
    format: str | None
    seat: int
    user_id: MemberId | None
    level: str | None
    name: str | None
    points: float
    rating_before: int | None
    rating_after: int | None
    provisional: bool | None
    board: str | None
    boards: str | None
    language: str | None
    boards_stay: bool


# The fields stand as `reading` selects them: of the match, those from `asking` to `format`, of the
# seat, of the settings.
_at = SeatRow._fields.index
_MATCH_COLUMNS = SeatRow._fields[: _at("asking")]
_SEAT_COLUMNS = SeatRow._fields[_at("seat") : _at("board")]

_ASKING = exists().where(offers.c.match_id == matches.c.id, offers.c.message_id.is_not(None))
_later = matches.alias("later")
_PLAYED_AGAIN = matches.c.ended_at.is_not(None) & exists().where(
    _later.c.series_id == func.coalesce(matches.c.series_id, matches.c.id),
    _later.c.id > matches.c.id,
)
_FORMAT = select(tournaments.c.format).where(tournaments.c.id == matches.c.tournament_id)


def reading(where: ColumnElement[bool]) -> Select[Any]:
    """Return the statement that reads whole matches: a row for each seat, in order."""
    return (
        select(
            *(matches.c[name] for name in _MATCH_COLUMNS),
            _ASKING.label("asking"),
            _PLAYED_AGAIN.label("played_again"),
            _FORMAT.scalar_subquery().label("format"),
            *(seats.c[name] for name in _SEAT_COLUMNS),
            member_settings.c.board,
            guild_settings.c.boards,
            guild_settings.c.language,
            func.coalesce(guild_settings.c.boards_stay, true()).label("boards_stay"),
        )
        .join(seats, seats.c.match_id == matches.c.id)
        .outerjoin(member_settings, member_settings.c.user_id == seats.c.user_id)
        .outerjoin(guild_settings, guild_settings.c.guild_id == matches.c.guild_id)
        .where(where)
        .order_by(matches.c.id, seats.c.seat)
    )


def seat_rows_of(found: Iterable[Sequence[Any]]) -> list[SeatRow]:
    """Return the rows that a statement of `reading` has found.

    Making a match reads forty columns by name, which takes ten times as long with SQLAlchemy's own
    rows.
    """
    return [SeatRow._make(row) for row in found]


def read_match(rows: Sequence[SeatRow], noted: Noted = NOT_SHOWN) -> StoredMatch:
    """Return the match in `rows` (one per seat, in order); raise CorruptRowError.

    Its board is the one in the rows or the one that is `noted`, whichever is newer.
    """
    row = rows[0]
    board_id, shown = max(noted, Noted(row.board_id, row.shown), key=lambda one: one.order)
    try:
        match = _match(rows)
        place = read_place(row.guild_id, row.channel_id, row.context, row.guest_of, row.locale)
        if row.ended_at is not None and match.outcome is None:
            raise ValueError("it has ended without an outcome")
        unrated = Unrated(row.unrated) if row.unrated else None
        forms = _forms(rows)
    except DAMAGED as error:
        raise CorruptRowError(f"match {row.id}: {error!r}") from error
    return StoredMatch(
        id=row.id,
        place=place,
        match=match,
        names=tuple(seat.name for seat in rows),
        series_id=row.series_id or row.id,
        brought=tuple(seat.points for seat in rows),
        board_id=board_id,
        board_unsure=board_id is None or shown < row.revision,
        ended_at=row.ended_at,
        hinted=row.hinted,
        undone=row.undone,
        entry=Entry(_changes(rows) if row.rated_as else (), unrated, row.paired_with),
        clock=row.clock,
        timing=Timing(row.deadline, row.due_at),
        moved_at=row.moved_at,
        revision=row.revision,
        archived=row.put_away_at is not None,
        tournament_id=row.tournament_id,
        draw_wins=row.draw_wins,
        knockout=row.format == "knockout",
        forms=forms,
        language=row.language or row.locale,
        boards_stay=bool(row.boards_stay),
        asking=bool(row.asking),
        played_again=bool(row.played_again),
    )


def read_place(
    server_id: ServerId,
    channel_id: ChannelId,
    context: str,
    guest_of: ServerId | None,
    locale: str | None,
) -> Place:
    """Return where a match or an invitation is, from `place_columns`; raise ValueError."""
    return Place(server_id or None, channel_id, locale, Context(context), guest_of)


def place_columns(place: Place) -> Columns:
    """Return the columns that tell where a match or an invitation is."""
    return {
        "guild_id": place.server_id or 0,
        "channel_id": place.channel_id,
        "locale": place.locale,
        "context": place.context.value,
        "guest_of": place.guest_of,
    }


def _forms(rows: Sequence[SeatRow]) -> dict[MemberId, Form]:
    """Return the form of boards of each member at a seat, if they or the server have chosen one.

    Raises ValueError.
    """
    chosen = ((row.user_id, row.board or row.boards) for row in rows)
    return {member_id: Form(form) for member_id, form in chosen if member_id and form}


def _match(rows: Sequence[SeatRow]) -> Match:
    """Return the match in `rows`; raise one of DAMAGED."""
    row = rows[0]
    match = Match(
        game := GAMES[row.game],
        read_options(game, row.options),
        tuple(_player(seat) for seat in rows),
        _start(game, row.start),
        tuple(map(_move, row.moves.split())),
        read_ending(row.ending, row.ending_seat),
        _withdrawals(row.withdrawals),
    )
    _check(match)
    return match


def _changes(rows: Sequence[SeatRow]) -> tuple[Change, ...]:
    """Return the changes of ratings by a match; none until `rerate` has computed all of them."""
    known = [
        Change(seat.rating_before, seat.rating_after, bool(seat.provisional))
        for seat in rows
        if seat.rating_before is not None and seat.rating_after is not None
    ]
    return tuple(known) if len(known) == len(rows) else ()


def _check(match: Match) -> None:
    """Raise GameError or ValueError now, and not at the next move, if `match` can't be played."""
    seats = match.game.seats
    if len(match.players) != seats or (match.ending and (match.ending.seat or 0) >= seats):
        raise ValueError(match.players, match.ending)
    _ = match.outcome  # replays the moves


@lru_cache(maxsize=256)
def _start(game: Game, text: str) -> Position:
    """Return a start position. Most matches begin from the same few."""
    return game.parse(text)


@lru_cache(maxsize=1024)
def _move(text: str) -> Move:
    """Return a stored move. There are few different ones, and each press reads its match's."""
    return Move.parse(text)


@lru_cache(maxsize=256)
def read_options(game: Game, text: str) -> Options:
    """Return stored options, read-only, because matches share them; raise one of DAMAGED."""
    options = json.loads(text)
    if not isinstance(options, dict):
        raise TypeError(text)
    return MappingProxyType(game.resolve(options))


def _player(row: SeatRow) -> Player:
    if row.level:
        return Computer(Level(row.level))
    if row.user_id is None:
        raise ValueError(f"nobody sits at {row.seat}")
    return Member(row.user_id)


def read_ending(termination: str | None, seat: int | None) -> Ending | None:
    """Return how a match ended away from the board, from its columns; None if it didn't."""
    return Ending(Termination(termination), seat) if termination else None


def ending_columns(ending: Ending | None) -> Columns:
    """Return the columns of how a match ended away from the board."""
    return {
        "ending": ending.termination.value if ending else None,
        "ending_seat": ending.seat if ending else None,
    }


def _withdrawals(text: str) -> tuple[Withdrawal, ...]:
    parted = (one.split(":") for one in text.split())
    return tuple(Withdrawal(int(seat), int(ply), Termination(why)) for seat, ply, why in parted)


def _state_columns(match: Match) -> Columns:
    """Return the columns of `matches` that tell how a match stands."""
    gone = (f"{one.seat}:{one.ply}:{one.termination}" for one in match.withdrawals)
    return {
        "moves": " ".join(map(str, match.moves)),
        "withdrawals": " ".join(gone),
        **ending_columns(match.ending),
        "computer_due": isinstance(match.next_player, Computer),
    }


def turn_columns(stored: StoredMatch) -> Columns:
    """Return every column of `matches` that a turn may change."""
    return {
        **_state_columns(stored.match),
        "ended_at": stored.ended_at,
        "undone": stored.undone,
        "moved_at": stored.moved_at,
        "deadline": stored.timing.deadline,
        "due_at": stored.timing.due_at,
    }


def match_row(new: NewMatch, now: int) -> Columns:
    """Return the columns of a match that begins `now`."""
    match = new.match
    return {
        **place_columns(new.place),
        "series_id": new.series.id,
        "game": match.game.key,
        "options": write_options(match.options),
        "start": match.initial.notation,
        "started_at": now,
        "clock": new.clock,
        "moved_at": now,
        "tournament_id": new.tournament_id,
        "draw_wins": new.draw_wins,
        "unrated": new.unrated.value if new.unrated else None,
        **_state_columns(match),
        "ended_at": now if match.outcome else None,
        **asdict(timing(match, new.clock, now)),
    }


def write_options(options: Options) -> str:
    """Return resolved options as JSON; equal options give equal texts."""
    return json.dumps(dict(options))


def seat_rows(match_id: MatchId, new: NewMatch) -> list[Columns]:
    """Return the rows of `seats` for a new match."""
    match = new.match
    return [
        {
            "match_id": match_id,
            "seat": seat,
            "user_id": player.id if isinstance(player, Member) else None,
            "level": player.level.value if isinstance(player, Computer) else None,
            "name": new.names[seat],
            "rank": rank,
            "points": new.series.points.get(player, 0),
        }
        for seat, (player, rank) in enumerate(zip(match.players, ranks_of(match), strict=True))
    ]


def ranks_of(match: Match) -> tuple[int | None, ...]:
    """Return the rank of each seat; None before the end, and if the match has no result."""
    if match.outcome is None or not match.outcome.counts:
        return (None,) * match.game.seats
    return match.outcome.ranks
