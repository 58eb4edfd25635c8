"""The steps that change a tournament under its lock."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.identity import MemberId, Person
from bot.refusals import Refusal
from bot.tournaments.model import FEWEST, PairingKey, Stage, TournamentGame, seeded
from bot.tournaments.store import TournamentStore
from bot.tournaments.stored import Note, NoteKind, StoredTournament


@dataclass(frozen=True)
class HeldTournament:
    """A tournament as `stored` when its lock was taken, for as long as the lock is held.

    All steps raise ChangedError if its stage has changed meanwhile all the same, and `begin` if
    anything has. `now` gives Unix seconds.
    """

    stored: StoredTournament
    store: TournamentStore
    now: Callable[[], int]

    async def begin(self, gone: Collection[MemberId]) -> None:
        """Start the tournament without those who are `gone`; raise Refusal if too few are left.

        Members on the waiting list take their places.
        """
        stored = self.stored
        staying = [person for person in stored.joined if person.id not in gone]
        taking_part = staying[: stored.settings.places]
        if len(taking_part) < FEWEST:
            raise Refusal("refusal.tournament.few", count=FEWEST)
        strengths = await self.store.strengths(stored)
        entrants = seeded([(person, strengths[person.id]) for person in taking_part])
        tournament = replace(stored.tournament, stage=Stage.RUNNING, entrants=entrants)
        await self.store.start(stored, tournament, gone)

    async def enter(
        self,
        results: Sequence[TournamentGame] = (),
        *,
        leaving: Sequence[int] = (),
        kind: NoteKind = NoteKind.GONE,
        by: Person | None = None,
        notes: Mapping[PairingKey, Note] | None = None,
    ) -> Sequence[Note]:
        """Enter the results of pairings, and withdraw the entrants with the numbers in `leaving`.

        `notes` are those on results. Returns the notes of the entrants: `kind` says why they
        withdraw, and `by` who has taken them out. Entrants who have withdrawn before stay as they
        are, and get no note.
        """
        tournament = self.stored.tournament
        now = self.now()
        here = [
            tournament.entrants[number] for number in leaving if tournament.entrants[number].here
        ]
        withdrawn = {entrant.number: Note(now, kind, entrant.person, by=by) for entrant in here}
        await self.store.enter(self.stored.id, results, withdrawn, tournament.round, notes)
        return [*withdrawn.values()]

    async def cancel(self, reason: NoteKind, by: Person | None = None) -> None:
        """Cancel the tournament, and note the reason.

        If its channel was deleted, and with it the threads of its games, the games are called off.
        """
        note = Note(self.now(), reason, by)
        call_off = reason is NoteKind.DELETED and self.stored.settings.in_threads
        await self.store.cancel(self.stored, note, call_off=call_off)
