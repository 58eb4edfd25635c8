"""Rows to records and back: the one place that knows how a match is written down."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from bot.records import Challenge, ChallengeStatus, Person, Place, StoredMatch
from bot.storage.tables import challenges, matches, seats
from core.engine.levels import Level
from core.errors import GameError
from core.game import Options, Termination
from core.games import GAMES
from core.grid import Move
from core.match import Computer, Ending, Match, Member, Player


class CorruptRowError(Exception):
    """A stored row that is no match of a game that we know."""


def read_match(rows: Sequence[Row[Any]]) -> StoredMatch:
    """Return the match in `rows` (one per seat, in order); raise CorruptRowError."""
    row = rows[0]._mapping
    try:
        match = Match(
            game := GAMES[row[matches.c.game]],
            json.loads(row[matches.c.options]),
            tuple(_player(r) for r in rows),
            game.parse(row[matches.c.start]),
            tuple(Move.parse(move) for move in row[matches.c.moves].split()),
            _ending(row[matches.c.ending], row[matches.c.ending_seat]),
        )
        _ = match.outcome  # replays the moves, so that a bad row shows here and nowhere later
    except (GameError, KeyError, ValueError) as error:
        raise CorruptRowError(f"match {row[matches.c.id]}: {error!r}") from error
    return StoredMatch(
        id=row[matches.c.id],
        place=Place(row[matches.c.guild_id], row[matches.c.channel_id]),
        match=match,
        names=tuple(r._mapping[seats.c.name] for r in rows),
        series_id=row[matches.c.series_id] or row[matches.c.id],
        board_id=row[matches.c.board_id],
    )


def _player(row: Row[Any]) -> Player:
    level = row._mapping[seats.c.level]
    return Computer(Level(level)) if level else Member(row._mapping[seats.c.user_id])


def _ending(termination: str | None, seat: int | None) -> Ending | None:
    return Ending(Termination(termination), seat) if termination else None


def write_moves(match: Match) -> str:
    """Return the moves in notation, separated by blanks."""
    return " ".join(map(str, match.moves))


def progress(match: Match, now: int) -> dict[str, Any]:
    """Return the columns of `matches` that a turn changes."""
    ending = match.ending
    return {
        "moves": write_moves(match),
        "ending": ending and ending.termination.value,
        "ending_seat": ending and ending.seat,
        "computer_due": isinstance(match.next_player, Computer),
        "ended_at": now if match.outcome else None,
    }


def match_row(place: Place, match: Match, series_id: int | None, now: int) -> dict[str, Any]:
    """Return the columns of a new match."""
    return {
        "guild_id": place.guild_id,
        "channel_id": place.channel_id,
        "series_id": series_id,
        "game": match.game.key,
        "options": write_options(match.options),
        "start": str(match.start),
        "started_at": now,
        **progress(match, now),
    }


def write_options(options: Options) -> str:
    """Return resolved options as JSON; equal options give equal texts."""
    return json.dumps(dict(options))


def seat_rows(match_id: int, match: Match, names: Sequence[str | None]) -> list[dict[str, Any]]:
    """Return the rows of `seats` for a new match."""
    return [
        {
            "match_id": match_id,
            "seat": seat,
            "user_id": player.id if isinstance(player, Member) else None,
            "level": player.level.value if isinstance(player, Computer) else None,
            "name": names[seat],
            "rank": match.outcome.ranks[seat] if match.outcome else None,
        }
        for seat, player in enumerate(match.players)
    ]


def read_challenge(row: Row[Any]) -> Challenge:
    """Return the challenge in `row`."""
    m = row._mapping
    c = challenges.c
    return Challenge(
        id=m[c.id],
        place=Place(m[c.guild_id], m[c.channel_id]),
        game=m[c.game],
        options=json.loads(m[c.options]),
        challenger=Person(m[c.challenger_id], m[c.challenger_name]),
        opponent=Person(m[c.opponent_id], m[c.opponent_name]),
        challenger_first=m[c.challenger_first],
        expires_at=m[c.expires_at],
        status=ChallengeStatus(m[c.status]),
        message_id=m[c.message_id],
    )
