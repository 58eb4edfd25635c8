"""The games of tournaments that are being played: paired, opened, begun, and their results."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, Update, bindparam, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.db.errors import ChangedError
from bot.db.statements import fetch, write
from bot.db.tables import matches, seats, tournament_entrants, tournament_games, tournaments
from bot.identity import ChannelId, MatchId, TournamentId
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.rows import read_ending
from bot.matches.store import LIVE, end_unread, insert_match
from bot.tournaments.model import Pairing, PairingKey, Stage, TournamentGame
from bot.tournaments.rows import game_row, points_columns
from bot.tournaments.store.steps import OVER, add_notes, raise_revision, write_ranks
from bot.tournaments.stored import Ended, Note, StoredTournament
from core.outcome import Ending, Termination
from core.players import Member

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
        ~OVER,
        matches.c.ended_at.is_not(None),
    )
    .order_by(matches.c.id, seats.c.seat)
)
# How matches end that have no result but the one that was entered.
_WITHOUT_RESULT = (Termination.CALLED_OFF.value, Termination.ADJUDICATION.value)


class GameStore:
    """The games of the tournaments of one database."""

    def __init__(self, engine: AsyncEngine):
        self._engine = engine

    async def ended(self, tournament_id: TournamentId) -> list[Ended]:
        """Return the matches that have ended and whose results aren't entered yet."""
        by_match: dict[MatchId, list[Row[Any]]] = {}
        for row in await fetch(self._engine, _ENDED, {"tournament": tournament_id}):
            by_match.setdefault(row.id, []).append(row)
        return [
            Ended(
                PairingKey(one[0].round, one[0].table, one[0].game),
                read_ending(one[0].ending, one[0].ending_seat),
                len(one[0].moves.split()),
                tuple(row.rank for row in one),
            )
            for one in by_match.values()
        ]

    async def pair(self, before: StoredTournament, begun: Sequence[TournamentGame]) -> None:
        """Write the pairings that begin.

        Raises ChangedError if the tournament isn't as it was read.
        """
        await write(self._engine, _pair, before, begun)

    async def enter(
        self,
        tournament_id: TournamentId,
        results: Sequence[TournamentGame],
        withdrawn: Mapping[int, int] | None = None,
        notes: Iterable[Note] = (),
    ) -> None:
        """Write the results of pairings, with traces of what was done.

        `withdrawn` are the numbers of those who withdraw, with the last round that they are paired
        in. A result that is there already stays. Raises ChangedError if the tournament is over.
        """
        await write(self._engine, _enter, tournament_id, results, withdrawn or {}, notes)

    async def correct(
        self,
        before: StoredTournament,
        result: TournamentGame,
        note: Note,
        ranks: Mapping[int, int],
        *,
        tell: bool,
    ) -> MatchId | None:
        """Write the result of a pairing over the one that is there, with the trace of who did it.

        Returns its match if that ends so: if it was still being played, or had no result of its
        own. `ranks` are those of the entrants by number if the tournament has ended; `tell` asks
        for another announcement of its end. Raises ChangedError if the tournament isn't as it was
        read.
        """
        correct = partial(_correct, tell=tell)
        return await write(self._engine, correct, before, result, note, ranks)

    async def opened(
        self, tournament_id: TournamentId, pairing: Pairing, channel_id: ChannelId | None
    ) -> None:
        """Note where a pairing is played, None if its channel is gone.

        The tournament's message is to show it, so the revision grows.
        """
        await write(self._engine, _opened, tournament_id, pairing, channel_id)

    async def begin_match(
        self, tournament_id: TournamentId, pairing: Pairing, new: NewMatch, now: int
    ) -> StoredMatch:
        """Begin the match of a pairing, and return it; the two are written together.

        Raises ChannelTakenError, and ChangedError if the pairing has a match or a result, the data
        of a player was erased, or the tournament was cancelled.
        """
        return await write(self._engine, _begin_match, tournament_id, pairing, new, now)


# Run by `write`, each as a transaction.


def _update(tournament_id: TournamentId, pairing: Pairing) -> Update:
    """Return the update of the row of a pairing."""
    return update(tournament_games).where(
        tournament_games.c.tournament_id == tournament_id,
        tournament_games.c["round"] == pairing.round,
        tournament_games.c["table"] == pairing.table,
        tournament_games.c["game"] == pairing.game,
    )


def _pair(
    connection: Connection, before: StoredTournament, begun: Sequence[TournamentGame]
) -> None:
    raise_revision(connection, before.id, (Stage.RUNNING,), revision=before.revision)
    connection.execute(insert(tournament_games), [game_row(before.id, one) for one in begun])


def _enter(
    connection: Connection,
    tournament_id: TournamentId,
    results: Sequence[TournamentGame],
    withdrawn: Mapping[int, int],
    notes: Iterable[Note],
) -> None:
    raise_revision(connection, tournament_id, (Stage.RUNNING,))
    for played in results:
        own = _update(tournament_id, played.pairing).where(~OVER)
        connection.execute(own.values(points_columns(played)))
    for number, after in withdrawn.items():
        connection.execute(
            update(tournament_entrants)
            .where(
                tournament_entrants.c.tournament_id == tournament_id,
                tournament_entrants.c.number == number,
                tournament_entrants.c.withdrawn_after.is_(None),
            )
            .values(withdrawn_after=after)
        )
    add_notes(connection, tournament_id, notes)


def _correct(
    connection: Connection,
    before: StoredTournament,
    result: TournamentGame,
    note: Note,
    ranks: Mapping[int, int],
    *,
    tell: bool,
) -> MatchId | None:
    values = {"told": False} if tell else None
    raise_revision(connection, before.id, (Stage.RUNNING, Stage.ENDED), values, before.revision)
    own = _update(before.id, result.pairing).values(points_columns(result))
    match_id = connection.execute(own.returning(tournament_games.c.match_id)).scalar_one()
    write_ranks(connection, before.id, ranks)
    add_notes(connection, before.id, [note])
    if match_id is None:
        # SQLite would look for it among all matches.
        return None
    of_it = (matches.c.id == match_id) & (LIVE | matches.c.ending.in_(_WITHOUT_RESULT))
    return match_id if end_unread(connection, of_it, note.at, _decided(result)) else None


def _decided(result: TournamentGame) -> Ending:
    """Return how the match of a pairing ends whose result was entered by hand."""
    points = result.points
    if not points or not any(points):
        return Ending(Termination.CALLED_OFF)
    drawn = points[0] == points[1]
    return Ending(Termination.ADJUDICATION, None if drawn else points.index(min(points)))


def _opened(
    connection: Connection,
    tournament_id: TournamentId,
    pairing: Pairing,
    channel_id: ChannelId | None,
) -> None:
    raise_revision(connection, tournament_id, (Stage.RUNNING,))
    connection.execute(_update(tournament_id, pairing).values(channel_id=channel_id))


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
    begun = insert_match(connection, new, now)
    own = _update(tournament_id, pairing).where(tournament_games.c.match_id.is_(None), ~OVER)
    if connection.execute(own.values(match_id=begun.id)).rowcount != 1:
        raise ChangedError
    return begun
