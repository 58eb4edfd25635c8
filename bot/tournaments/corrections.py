"""Results of games that the organiser or a moderator enters by hand."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.db.errors import CorruptRowError
from bot.identity import TournamentId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.refusals import Refusal
from bot.tournaments.intervening import Intervener, check_disinterested, check_may
from bot.tournaments.model import (
    Format,
    How,
    PairingKey,
    Stage,
    Tournament,
    TournamentGame,
)
from bot.tournaments.pairings import may_correct
from bot.tournaments.service import TournamentService
from bot.tournaments.standings import final_ranks, podium
from bot.tournaments.store import TournamentStore
from bot.tournaments.stored import Correction, Note, NoteKind, StoredTournament
from core.outcome import Ending, Termination


@dataclass(frozen=True)
class Corrected:
    """A tournament after the result of one of its games was entered by hand.

    `note` is the line of the trace, None if the game had that result. `ended` is the game's match
    if this has ended it, because it was still being played or had no result of its own.
    """

    stored: StoredTournament
    game: TournamentGame
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
    ) -> Corrected:
        """Enter the result of a pairing by hand, with a trace; raise Refusal.

        If this changes the first three ranks of a tournament that has ended, its end is announced
        again.
        """
        async with self._service.changing(tournament_id) as stored:
            note, ended = await self._correct(stored, by, key, points)
            corrected = await self._service.get(tournament_id)
            return Corrected(corrected, corrected.tournament.by_key[key], note, ended)

    async def _correct(
        self, stored: StoredTournament, by: Intervener, key: PairingKey, points: tuple[float, float]
    ) -> tuple[Note | None, StoredMatch | None]:
        """Enter a result by hand; return its note, and the match that this ends.

        Raises Refusal, and ChangedError if the tournament has changed meanwhile.
        """
        check_may(stored, by)
        played = _correctable(stored, key, points)
        corrected = replace(played, points=points, how=How.CORRECTED)
        check_disinterested(stored, by, played, corrected)
        if played.points == points:  # nothing changes, however it came about
            return None, None
        now = self._now()
        note = Note(now, NoteKind.CORRECTED, by.person, key, played.points, points)
        correction = _correction(stored, corrected, note)
        # Under the lock of the match's channel, so that an earlier move is shown before the end.
        async with self._matches.lock(played.channel_id or stored.place.channel_id):
            match_id = await self._store.correct(stored, correction)
            with suppress(CorruptRowError):  # it ends all the same, and isn't shown
                return note, await self._match_store.load_ended(match_id) if match_id else None
        return note, None


def _correction(stored: StoredTournament, corrected: TournamentGame, note: Note) -> Correction:
    """Return a corrected result with its effects on entrants, other games and final ranks."""
    before, pairing = stored.tournament, corrected.pairing
    lost = before.by_key[pairing.key]
    back = [
        number
        for number in pairing.entrants
        if corrected.points_of(number) and stored.brings_back(lost, number)
    ]
    forfeited = (one for number in back for one in before.forfeited(number))
    replayed = [one for one in forfeited if one != pairing]
    ending = _ending(note.after)
    if before.stage is not Stage.ENDED:
        return Correction(corrected, note, ending, back, replayed)
    after = before.corrected(corrected, back)
    tell = _on_podium(before) != _on_podium(after)
    return Correction(corrected, note, ending, back, replayed, final_ranks(after), tell)


def _ending(points: Sequence[float] | None) -> Ending:
    """Return how the match of a pairing ends when these points are entered by hand."""
    if not points or not any(points):
        return Ending(Termination.VOIDED)
    drawn = points[0] == points[1]
    return Ending(Termination.ADJUDICATION, None if drawn else points.index(min(points)))


def _on_podium(tournament: Tournament) -> list[tuple[int, int, float]]:
    """Return rank, entrant and points of the first three ranks."""
    return [(one.rank, one.entrant, one.points) for one in podium(tournament)]


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
