"""The steps that a tournament takes by itself: it starts, enters results, pairs, ends.

The state of a tournament follows from its rows. `Progress.advance` may be called at any time, and
after a kill at any point: no step is taken twice.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import replace

from bot.db.errors import CorruptRowError
from bot.identity import MemberId, TournamentId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.refusals import Refusal
from bot.shards import Hears
from bot.times import MINUTE
from bot.tournaments.model import How, Stage, TournamentGame
from bot.tournaments.pairings import next_pairings
from bot.tournaments.service import TournamentService
from bot.tournaments.standings import final_ranks
from bot.tournaments.store import TournamentStore
from bot.tournaments.stored import SEATS, Ended, Note, NoteKind, StoredTournament
from core.outcome import Ending, Termination
from core.players import Member

log = logging.getLogger(__name__)

_STRANDED = Ending(Termination.STRANDED)
# A start that is late by more than the first time is put off by the second, since nobody could join
# before it. Opening the games of other tournaments delays it, too, but members can join meanwhile.
_LATE_SECONDS, _PUT_OFF_SECONDS = 5 * MINUTE, 10 * MINUTE


class Progress:
    """Takes the steps of tournaments for which nobody has to ask.

    `missing` returns the permissions without which a tournament can't go on in its channel, and
    `tell` shows a note there in the background. `hears` says whether members of a server can join.
    `now` gives Unix seconds.
    """

    def __init__(
        self,
        service: TournamentService,
        store: TournamentStore,
        matches: MatchService,
        missing: Callable[[StoredTournament], Awaitable[Sequence[str]]],
        tell: Callable[[StoredTournament, Note], None],
        hears: Hears,
        now: Callable[[], int],
    ):
        self._service = service
        self._store = store
        self._matches = matches
        self._missing = missing
        self._tell = tell
        self._hears = hears
        self._now = now

    async def advance(self, tournament_id: TournamentId) -> StoredTournament:
        """Return the tournament after all steps that it can take by itself; raise Refusal.

        Before a start and before a round, Discord is asked who has left; the lock is free
        meanwhile. The director opens the pairings that have no match, and shows the tournament.
        """
        stored = await self._enter_all(tournament_id)
        while await self._step(stored):
            stored = await self._enter_all(tournament_id)
        return stored

    async def _enter_all(self, tournament_id: TournamentId) -> StoredTournament:
        """Enter all results that are known, and return the tournament."""
        while True:
            async with self._service.held(tournament_id) as stored:
                running = stored.tournament.stage is Stage.RUNNING
                if not (running and (await self._enter(stored) or await self._forfeit(stored))):
                    return stored

    async def _step(self, stored: StoredTournament) -> bool:
        """Start a tournament, begin pairings, or end it; return False if there is nothing to do.

        If the tournament has changed meanwhile, this does nothing and returns True, so that it is
        called again.
        """
        if stored.tournament.stage is Stage.OPEN:
            return await self._start_by_itself(stored)
        return stored.tournament.stage is Stage.RUNNING and await self._pair_or_finish(stored)

    async def _start_by_itself(self, stored: StoredTournament) -> bool:
        """Start a tournament whose time has come, or that is full.

        While nobody can join, it waits, and a start that is late then, or because the bot was away,
        is put off. If a permission is missing, the tournament doesn't start by itself, neither now
        nor later.
        """
        server_id, starts_at, now = stored.place.server_id, stored.settings.starts_at, self._now()
        assert server_id is not None, "tournaments are on servers"
        if not (self._is_due(stored) and self._hears(server_id)):
            return False
        if await self._missing(stored):
            await self._store.start_at(stored.id, None)
            return True
        if starts_at is not None and now - starts_at > _LATE_SECONDS:
            await self._store.start_at(stored.id, now + _PUT_OFF_SECONDS)
            return True
        gone = await self._service.gone(stored, stored.joined)
        async with self._service.held(stored.id) as held:
            if held.tournament.stage is Stage.OPEN and self._is_due(held):
                await self._start(held, gone)
        return True

    async def _start(self, held: StoredTournament, gone: Collection[MemberId]) -> None:
        """Start a tournament without those who are `gone`; cancel it if too few are left.

        One that starts when it is full goes on waiting instead: their places are free.
        """
        if held.settings.starts_at is None and gone:
            await self._store.leave(held.id, gone)
            return
        try:
            await self._service.begin(held, gone)
        except Refusal:
            await self._service.call_off(held, NoteKind.FEW)

    def _is_due(self, stored: StoredTournament) -> bool:
        """Return whether an open tournament is to start now: its time has come, or it is full."""
        starts_at = stored.settings.starts_at
        if starts_at is not None:
            return starts_at <= self._now()
        return stored.filled

    async def _enter(self, held: StoredTournament) -> bool:
        """Enter the results of the matches that have ended."""
        ended = await self._store.ended(held.id)
        if not ended:
            return False
        results, gone, notes = list[TournamentGame](), list[int](), list[Note]()
        for one in ended:
            game = held.tournament.by_key[one.key]
            result = _result(game, one)
            results.append(result)
            entrants = game.pairing.entrants
            gone += [entrants[seat] for seat in _absent(one)]
            if one.ending == _STRANDED:
                kind = NoteKind.UNDECIDED if result.undecided else NoteKind.CLOSED
                notes.append(Note(self._now(), kind, game=one.key, after=result.points))
        await self._store.enter(held, results, self._gone(held, gone), notes)
        for note in notes:
            self._tell(held, note)
        return True

    def _gone(self, held: StoredTournament, numbers: Iterable[int]) -> dict[int, Note]:
        """Return the notes of entrants who are gone, by their numbers, unless they are out."""
        entrants = (held.tournament.entrants[number] for number in numbers)
        now = self._now()
        return {e.number: Note(now, NoteKind.GONE, e.person) for e in entrants if e.here}

    async def _forfeit(self, held: StoredTournament) -> bool:
        """Enter the results of pairings that nobody has to play, since an entrant has withdrawn."""
        tournament = held.tournament
        unplayed = [
            game.pairing
            for game in tournament.being_played
            if game.match_id is None or game.undecided
        ]
        forfeited = [played for one in unplayed if (played := tournament.walkover(one))]
        if forfeited:
            await self._store.enter(held, forfeited)
        return bool(forfeited)

    async def _pair_or_finish(self, stored: StoredTournament) -> bool:
        """Begin the pairings that may begin, without members who have left; else end it.

        The tournament is over if nothing is being played and nothing can be paired any more.
        """
        tournament = stored.tournament
        pairings = await asyncio.to_thread(next_pairings, tournament)
        if not pairings and tournament.being_played:
            return False
        gone: Collection[MemberId] = ()
        here = [entrant for entrant in tournament.entrants if entrant.here]
        if pairings and pairings[0].round > tournament.round:
            gone = await self._service.gone(stored, (entrant.person for entrant in here))
        async with self._service.held(stored.id) as held:
            if held.revision != stored.revision:
                return True
            if gone:
                left = [entrant.number for entrant in here if entrant.person.id in gone]
                await self._store.enter(held, withdrawn=self._gone(held, left))
            elif pairings:
                begun = [
                    tournament.walkover(pairing) or TournamentGame(pairing) for pairing in pairings
                ]
                await self._store.pair(stored, begun)
            else:
                await self._store.end(stored, final_ranks(tournament), self._now())
        return True

    async def resign_withdrawn(self, stored: StoredTournament) -> list[StoredMatch]:
        """Let entrants who have withdrawn lose their running matches; return these matches."""
        changed = []
        for played in stored.tournament.being_played:
            entrants = [stored.tournament.entrants[number] for number in played.pairing.entrants]
            leaving = [entrant.person.id for entrant in entrants if not entrant.here]
            if not leaving or played.match_id is None:
                continue
            try:
                async with self._matches.held(played.match_id) as live:
                    changed.append(await self._let_lose(live, stored, leaving[0]))
            except (Refusal, CorruptRowError) as error:  # it has just ended, or can't be read
                log.info("match %s goes on without a resignation: %s", played.match_id, error)
        return changed

    async def _let_lose(
        self, live: StoredMatch, stored: StoredTournament, member_id: MemberId
    ) -> StoredMatch:
        """Let an entrant who has withdrawn lose a match, and return it; raise Refusal."""
        member = Member(member_id)
        why = stored.withdrawal_of(member_id)
        if why is NoteKind.DROPPED:
            return await self._matches.change(live, lambda played: played.drop(member))
        if why is NoteKind.GONE:
            return await self._matches.change(live, lambda played: played.depart(member))
        return await self._matches.resign(live, member_id)


def _absent(ended: Ended) -> Sequence[int]:
    """Return the seats of players who were gone when a match ended: left, or never made a move."""
    ending = ended.ending
    if ending is None:
        return ()
    if ending.termination is Termination.ABANDONED:
        return (0, 1)
    left = ending.termination is Termination.DEPARTURE
    seat = ending.seat if left else ending.unmoved(ended.plies)
    return () if seat is None else (seat,)


def _result(game: TournamentGame, ended: Ended) -> TournamentGame:
    """Return a game with the result of its match.

    It stays undecided if it could no longer be played, and a draw would decide it: the player with
    draw odds would win without a move.
    """
    if ended.ending == _STRANDED and game.pairing.draw_wins is not None:
        return replace(game, how=How.UNDECIDED)
    return TournamentGame(game.pairing, _points(ended))


def _points(ended: Ended) -> tuple[float, ...]:
    """Return the points of a match that has ended.

    A match that was called off counts as drawn. If both players have left, nobody gets a point. If
    a player was taken out, the match has a result only in the tournament.
    """
    ending, ranks = ended.ending, ended.ranks
    if ending is not None and ending.termination is Termination.DROPPED:
        ranks = ending.outcome(SEATS).ranks
    if None in ranks:
        both = 0.0 if ending == Ending(Termination.ABANDONED) else 0.5
        return (both, both)
    return (0.5, 0.5) if ranks == (1, 1) else tuple(float(rank == 1) for rank in ranks)
