"""Rows to records and back: the one place that knows how a match is written down."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any

from sqlalchemy import Row

from bot.db.tables import matches, seats
from bot.matches.clock import Timing, timing
from bot.matches.model import Change, Place, Series, StoredMatch
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


class CorruptRowError(Exception):
    """A stored row that is no match, or no invitation, of a game that we know."""


# What `read_match` needs of a match joined with its seats.
MATCH_COLUMNS = (
    *(matches.c[name] for name in ("id", "guild_id", "channel_id", "series_id", "board_id")),
    *(matches.c[name] for name in ("game", "options", "start", "moves", "ending", "ending_seat")),
    *(matches.c[name] for name in ("withdrawals", "hinted", "undone", "rated_as", "ended_at")),
    *(matches.c[name] for name in ("clock", "deadline", "due_at", "put_away_at")),
    *(seats.c[name] for name in ("seat", "user_id", "level", "name", "points")),
    *(seats.c[name] for name in ("rating_before", "rating_after")),
)


def read_match(rows: Sequence[Row[Any]]) -> StoredMatch:
    """Return the match in `rows` (one per seat, in order); raise CorruptRowError."""
    row = rows[0]
    try:
        match = _match(rows)
    except (GameError, KeyError, TypeError, ValueError) as error:
        raise CorruptRowError(f"match {row.id}: {error!r}") from error
    return StoredMatch(
        id=row.id,
        place=Place(row.guild_id, row.channel_id),
        match=match,
        names=tuple(seat.name for seat in rows),
        series_id=row.series_id or row.id,
        brought=tuple(seat.points for seat in rows),
        board_id=row.board_id,
        ended_at=row.ended_at,
        hinted=row.hinted,
        undone=row.undone,
        changes=_changes(rows) if row.rated_as else (),
        clock=row.clock,
        timing=Timing(row.deadline, row.due_at),
        put_away=row.put_away_at is not None,
    )


def _match(rows: Sequence[Row[Any]]) -> Match:
    """Return the match in `rows`; raise GameError, KeyError, TypeError or ValueError."""
    row = rows[0]
    match = Match(
        game := GAMES[row.game],
        read_options(game, row.options),
        tuple(_player(seat) for seat in rows),
        _start(game, row.start),
        tuple(Move.parse(move) for move in row.moves.split()),
        _ending(row.ending, row.ending_seat),
        _withdrawals(row.withdrawals),
    )
    _check(match)
    return match


def _changes(rows: Sequence[Row[Any]]) -> tuple[Change, ...]:
    """Return the ratings that a match has changed; none until they are worked out (`rerate`)."""
    changes = [(seat.rating_before, seat.rating_after) for seat in rows]
    return tuple(Change(*c) for c in changes) if None not in chain(*changes) else ()


def _check(match: Match) -> None:
    """Raise GameError or ValueError, here and nowhere later, unless `match` can be played."""
    seats = match.game.seats
    if len(match.players) != seats or (match.ending and (match.ending.seat or 0) >= seats):
        raise ValueError(match.players, match.ending)
    _ = match.outcome  # replays the moves


@lru_cache(maxsize=256)
def _start(game: Game, text: str) -> Position:
    """Return a start position; most matches begin from the same few."""
    return game.parse(text)


@lru_cache(maxsize=256)
def read_options(game: Game, text: str) -> Options:
    """Return stored options, read-only, because matches share them."""
    options = json.loads(text)
    if not isinstance(options, dict):
        raise TypeError(text)
    return MappingProxyType(game.resolve(options))


def _player(row: Row[Any]) -> Player:
    if not row.level and row.user_id is None:
        raise ValueError(f"nobody sits at {row.seat}")
    return Computer(Level(row.level)) if row.level else Member(row.user_id)


def _ending(termination: str | None, seat: int | None) -> Ending | None:
    return Ending(Termination(termination), seat) if termination else None


def _withdrawals(text: str) -> tuple[Withdrawal, ...]:
    parted = (one.split(":") for one in text.split())
    return tuple(Withdrawal(int(seat), int(ply), Termination(why)) for seat, ply, why in parted)


def _write_withdrawals(match: Match) -> str:
    return " ".join(f"{gone.seat}:{gone.ply}:{gone.termination}" for gone in match.withdrawals)


def write_moves(match: Match) -> str:
    """Return the moves in notation, separated by blanks."""
    return " ".join(map(str, match.moves))


def progress(match: Match, now: int) -> dict[str, Any]:
    """Return the columns of `matches` that a turn changes."""
    ending = match.ending
    return {
        "moves": write_moves(match),
        "withdrawals": _write_withdrawals(match),
        "ending": ending and ending.termination.value,
        "ending_seat": ending and ending.seat,
        "computer_due": isinstance(match.next_player, Computer),
        "ended_at": now if match.outcome else None,
    }


def match_row(
    place: Place, match: Match, series: Series, now: int, clock: int | None
) -> dict[str, Any]:
    """Return the columns of a new match."""
    return {
        "guild_id": place.guild_id,
        "channel_id": place.channel_id,
        "series_id": series.id,
        "game": match.game.key,
        "options": write_options(match.options),
        "start": match.initial.notation,
        "started_at": now,
        "clock": clock,
        **progress(match, now),
        **asdict(timing(match, clock, now)),
    }


def write_options(options: Options) -> str:
    """Return resolved options as JSON; equal options give equal texts."""
    return json.dumps(dict(options))


def seat_rows(
    match_id: int, match: Match, names: Sequence[str | None], series: Series
) -> list[dict[str, Any]]:
    """Return the rows of `seats` for a new match."""
    return [
        {
            "match_id": match_id,
            "seat": seat,
            "user_id": player.id if isinstance(player, Member) else None,
            "level": player.level.value if isinstance(player, Computer) else None,
            "name": names[seat],
            "rank": match.outcome.ranks[seat] if match.outcome else None,
            "points": series.points.get(player, 0),
        }
        for seat, player in enumerate(match.players)
    ]
