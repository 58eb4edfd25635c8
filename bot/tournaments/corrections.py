"""Results of games that the organiser or a moderator enters by hand."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.db.errors import ChangedError, CorruptRowError
from bot.identity import TournamentId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from bot.tournaments.model import (
    Entrant,
    Format,
    How,
    PairingKey,
    Stage,
    Tournament,
    TournamentGame,
)
from bot.tournaments.pairings import may_correct
from bot.tournaments.service import (
    Intervener,
    TournamentService,
    check_disinterested,
    check_may,
)
from bot.tournaments.standings import final_ranks, podium, standings
from bot.tournaments.store import TournamentStore
from bot.tournaments.stored import Note, NoteKind, StoredTournament


@dataclass(frozen=True)
class Correction:
    """A tournament after a result was entered by hand.

    `note` is the line of the trace, None if the game had that result. `ended` is the game's match
    if this has ended it, because it was still being played or had no result of its own.
    """

    stored: StoredTournament
    note: Note | None
    ended: StoredMatch | None


class Corrections:
    """Enters results by hand. `now` gives Unix seconds."""

    def __init__(
        self,
        service: TournamentService,
        store: TournamentStore,
        matches: MatchService,
        match_store: MatchStore,
        now: Callable[[], int],
    ):
        self._service = service
        self._store = store
        self._matches = matches
        self._match_store = match_store
        self._now = now

    async def correct(
        self,
        tournament_id: TournamentId,
        by: Intervener,
        key: PairingKey,
        points: tuple[float, float],
    ) -> Correction:
        """Enter the result of a pairing by hand, with a trace; raise Refusal.

        If this changes the first three ranks of a tournament that has ended, its end is announced
        again.
        """
        async with self._service.changing(tournament_id) as held:
            try:
                note, ended = await self._correct(held.stored, by, key, points)
            except ChangedError:  # for instance because a game was opened
                stored = await self._service.get(tournament_id)
                note, ended = await self._correct(stored, by, key, points)
            return Correction(await self._service.get(tournament_id), note, ended)

    async def _correct(
        self, stored: StoredTournament, by: Intervener, key: PairingKey, points: tuple[float, float]
    ) -> tuple[Note | None, StoredMatch | None]:
        """Enter a result by hand; return its note, and the match that this ends.

        Raises Refusal, and ChangedError if the tournament has changed meanwhile.
        """
        check_may(stored, by)
        played = _correctable(stored, key, points)
        check_disinterested(stored, by, [played])
        corrected = replace(played, points=points, how=How.CORRECTED)
        if played == corrected:
            return None, None
        back = await self._brought_back(stored, corrected)
        now = self._now()
        note = Note(now, NoteKind.CORRECTED, by.person, key, played.points, points)
        tournament = stored.tournament.corrected(corrected, back)
        ranks = dict[int, int]()
        tell = False
        if tournament.stage is Stage.ENDED:
            ranks = final_ranks(tournament)
            before, after = map(_on_podium, (stored.tournament, tournament))
            tell = before != after
        # Under the lock of the match's channel, so that an earlier move is shown before the end.
        async with self._matches.lock(played.channel_id or stored.place.channel_id):
            match_id = await self._store.correct(stored, corrected, note, ranks, back, tell=tell)
            with suppress(CorruptRowError):  # it ends all the same, and isn't shown
                return note, await self._match_store.load_ended(match_id) if match_id else None
        return note, None

    async def _brought_back(
        self, stored: StoredTournament, corrected: TournamentGame
    ) -> Entrant | None:
        """Return the entrant whom a corrected result brings back into the tournament, or None.

        They were withdrawn because they never moved in that game, and now have points for it. A
        Swiss tournament whose next round has begun goes on without them, and one that has ended
        isn't played on.
        """
        tournament = stored.tournament
        pairing = corrected.pairing
        for_good = tournament.format is Format.SWISS or tournament.stage is Stage.ENDED
        if for_good and tournament.round > pairing.round:
            return None
        for begun in await self._service.matches_of([corrected]):
            ending = begun.match.ending
            seat = None if ending is None else ending.unmoved(begun.match.ply)
            if seat is None:
                continue
            entrant = tournament.entrants[pairing.entrants[seat]]
            gone = stored.withdrawal_of(entrant.person.id) is NoteKind.GONE and not entrant.here
            if gone and corrected.points_of(entrant.number):
                return entrant
        return None


def _on_podium(tournament: Tournament) -> list[tuple[int, int, float]]:
    """Return rank, entrant and points of the first three ranks."""
    return [(one.rank, one.entrant, one.points) for one in podium(standings(tournament))]


def _correctable(
    stored: StoredTournament, key: PairingKey, points: tuple[float, float]
) -> TournamentGame:
    """Return the pairing whose result may be set to `points`; raise Refusal."""
    tournament = stored.tournament
    played = tournament.by_key.get(key)
    if tournament.stage is Stage.CANCELLED:
        raise Refusal("refusal.tournament.over")
    if played is None:
        raise Refusal("refusal.tournament.no_game")
    if played.pairing.is_bye:
        raise Refusal("refusal.tournament.bye")
    if tournament.format is Format.KNOCKOUT and points == (0.5, 0.5):
        raise Refusal("refusal.tournament.drawn")
    if not may_correct(tournament, played):
        raise Refusal("refusal.tournament.played_on")
    return played
