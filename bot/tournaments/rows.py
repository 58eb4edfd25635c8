"""Tournaments from rows and back."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row

from bot.db.errors import CorruptRowError
from bot.identity import ChannelId, Person, Place, TournamentId
from bot.matches.rows import DAMAGED, Columns, read_options, write_options
from bot.tournaments.model import (
    Entrant,
    Format,
    How,
    Pairing,
    PairingKey,
    Stage,
    Tournament,
    TournamentGame,
)
from bot.tournaments.stored import Listed, Note, NoteKind, StoredTournament, TournamentSettings
from core.games import GAMES

# The answer to the command arrives within this time, if at all.
_SHOWN_WITHIN_SECONDS = 15
_NO_POINTS = "?"

_Rows = Sequence[Row[Any]]


def read_tournament(row: Any, entrants: _Rows, games: _Rows, notes: _Rows) -> StoredTournament:
    """Return the tournament in these rows; raise CorruptRowError."""
    try:
        settings = _settings(row)
        return StoredTournament(
            id=row.id,
            place=Place(row.guild_id, row.channel_id, row.locale),
            organiser=Person(row.organiser_id, row.organiser_name or ""),
            settings=settings,
            tournament=_tournament(row, settings, entrants, games),
            joined=tuple(_person(one) for one in entrants),
            notes=tuple(map(_note, notes)),
            message_id=row.message_id,
            revision=row.revision,
            shown=row.shown,
            told=row.told,
            ended_at=row.ended_at,
            language=row.language or row.locale,
        )
    except DAMAGED as error:
        raise CorruptRowError(f"tournament {row.id}: {error!r}") from error


def read_listed(row: Any) -> Listed:
    """Return a tournament as lists have it; raise CorruptRowError."""
    try:
        return Listed(row.id, row.channel_id, Stage(row.stage), _settings(row))
    except DAMAGED as error:
        raise CorruptRowError(f"tournament {row.id}: {error!r}") from error


def _settings(row: Any) -> TournamentSettings:
    game = GAMES[row.game]
    return TournamentSettings(
        game=game,
        options=read_options(game, row.options),
        format=Format(row.format),
        clock=row.clock,
        places=row.places,
        role_id=row.role_id,
        rated=row.rated,
        starts_at=row.starts_at,
        when_full=row.when_full,
        swiss_rounds=row.swiss_rounds,
        channels=tuple(ChannelId(int(word)) for word in row.channels.split()),
    )


def _tournament(
    row: Any, settings: TournamentSettings, entrants: _Rows, games: _Rows
) -> Tournament:
    numbered = sorted((e for e in entrants if e.number is not None), key=lambda e: e.number)
    if [e.number for e in numbered] != list(range(len(numbered))):
        raise ValueError(f"numbers {[e.number for e in numbered]}")
    return Tournament(
        id=row.id,
        format=settings.format,
        entrants=tuple(
            Entrant(e.number, _person(e), e.strength, e.withdrawn_after) for e in numbered
        ),
        games=tuple(map(_game, games)),
        stage=Stage(row.stage),
        swiss_rounds=settings.swiss_rounds,
        worse_seat=settings.game.worse_seat(settings.options),
    )


def _person(row: Row[Any]) -> Person:
    return Person(row.user_id, row.name or "")


def _game(row: Row[Any]) -> TournamentGame:
    sides = [(row.first, row.points_first), (row.second, row.points_second)]
    sitting = [(number, points) for number, points in sides if number is not None]
    entrants = tuple(number for number, _ in sitting)
    over = row.points_first is not None
    return TournamentGame(
        Pairing(row.round, row.table, row.game, entrants, row.draw_wins),
        tuple(points for _, points in sitting) if over else None,
        How(row.how or How.PLAYED),
        row.channel_id,
        row.match_id,
        elsewhere=row.match_channel_id not in (None, row.channel_id),
    )


def _note(row: Row[Any]) -> Note:
    who = None if row.user_id is None else _person(row)
    kind = NoteKind(row.kind)
    if row.game is None:
        by = None if row.by_id is None else Person(row.by_id, row.by_name)
        return Note(row.at, kind, who, by=by)
    before, after = map(_read_points, row.result.split(" "))
    return Note(row.at, kind, who, PairingKey.parse(row.game), before, after)


def _read_points(text: str) -> tuple[float, ...] | None:
    """Return the points written by `_points_text`."""
    return None if text == _NO_POINTS else tuple(map(float, text.split("-")))


def tournament_row(
    place: Place, organiser: Person, settings: TournamentSettings, now: int
) -> Columns:
    """Return the columns of a new tournament."""
    return {
        **vars(settings),
        "game": settings.game.key,
        "options": write_options(settings.options),
        "format": settings.format.value,
        "channels": " ".join(map(str, settings.channels)),
        "guild_id": place.server_id,
        "channel_id": place.channel_id,
        "locale": place.locale,
        "organiser_id": organiser.id,
        "organiser_name": organiser.name,
        "stage": Stage.OPEN.value,
        "created_at": now,
        "revision": 0,
        "shown": -1,
        "told": True,
        # If the answer to the command doesn't show the tournament by then, the sweep does.
        "retry_at": now + _SHOWN_WITHIN_SECONDS,
    }


def game_row(tournament_id: TournamentId, played: TournamentGame) -> Columns:
    """Return the columns of a pairing that has just begun, or that nobody has to play."""
    pairing = played.pairing
    first, second = (*pairing.entrants, None)[:2]  # nobody is second in a bye
    return {
        "tournament_id": tournament_id,
        "round": pairing.round,
        "table": pairing.table,
        "game": pairing.game,
        "first": first,
        "second": second,
        "draw_wins": pairing.draw_wins,
        **points_columns(played),
    }


def points_columns(played: TournamentGame) -> Columns:
    """Return the columns of the result of a pairing; all are None while it is being played."""
    points = (*(played.points or ()), None, None)
    how = played.how.value if played.over or played.undecided else None
    return {"points_first": points[0], "points_second": points[1], "how": how}


def note_row(tournament_id: TournamentId, note: Note) -> Columns:
    """Return the columns of a line of the trace."""
    return {
        "tournament_id": tournament_id,
        "at": note.at,
        "kind": note.kind.value,
        "user_id": note.who.id if note.who else None,
        "name": note.who.name if note.who else None,
        "by_id": note.by.id if note.by else None,
        "by_name": note.by.name if note.by else None,
        "game": str(note.game) if note.game else None,
        "result": f"{_points_text(note.before)} {_points_text(note.after)}" if note.game else None,
    }


def _points_text(points: Sequence[float] | None) -> str:
    """Return the points of a pairing, such as 1-0 or 0.5-0.5."""
    return "-".join(f"{one:g}" for one in points) if points else _NO_POINTS
