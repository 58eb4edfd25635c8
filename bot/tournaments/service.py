"""The actions of members and organisers: create a tournament, join, leave, start, cancel.

`bot.tournaments.corrections` enters results by hand, and `bot.tournaments.progress` takes all other
steps.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TypeAlias

from bot.db.errors import ChangedError
from bot.identity import (
    ChannelId,
    MemberId,
    Person,
    Place,
    ServerId,
    TournamentId,
)
from bot.locks import LockKind, Locks
from bot.matches.clock import checked_clock
from bot.matches.model import NewMatch, StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.ratings.model import Unrated
from bot.refusals import Refusal
from bot.tournaments.intervening import (
    Intervener,
    check_may,
    check_on,
    check_open,
    entrant_here,
    to_drop,
)
from bot.tournaments.model import FEWEST, MOST, Format, Pairing, TournamentGame, seeded
from bot.tournaments.store import TournamentStore
from bot.tournaments.stored import Note, NoteKind, StoredTournament, TournamentSettings
from core.players import Member

WhoLeft: TypeAlias = Callable[[ServerId, Collection[MemberId]], Awaitable[Collection[MemberId]]]
"""Returns which members have left a server, as far as Discord tells."""

# The most members on a waiting list.
_MOST_WAITING = 50
# A larger round robin has more games than a server has threads, or anybody has patience.
MOST_ROUND_ROBIN = 32
MOST_SWISS_ROUNDS = 16


class TournamentService:
    """Tournaments. `who_left` asks Discord for members who have left a server.

    `now` gives Unix seconds.
    """

    def __init__(
        self,
        store: TournamentStore,
        match_store: MatchStore,
        matches: MatchService,
        starter: MatchStarter,
        who_left: WhoLeft,
        now: Callable[[], int],
    ):
        self._store = store
        self._match_store = match_store
        self._matches = matches
        self._starter = starter
        self._who_left = who_left
        self._now = now
        self._locks = Locks[TournamentId](LockKind.TOURNAMENT)

    @asynccontextmanager
    async def held(self, tournament_id: TournamentId) -> AsyncIterator[StoredTournament]:
        """Hold a tournament's lock, and yield the tournament as it is then; raise Refusal.

        Nobody waits for Discord while holding it: Discord is asked beforehand, and the tournament
        may have changed meanwhile.
        """
        async with self._locks.of(tournament_id):
            yield await self.get(tournament_id)

    @asynccontextmanager
    async def changing(self, tournament_id: TournamentId) -> AsyncIterator[StoredTournament]:
        """Hold a tournament, as `held` does.

        Raises Refusal, too, if the tournament changes meanwhile, such as by an erasure.
        """
        try:
            async with self.held(tournament_id) as stored:
                yield stored
        except ChangedError as error:
            raise Refusal("refusal.tournament.changed") from error

    async def get(
        self, tournament_id: TournamentId, server_id: ServerId | None = None
    ) -> StoredTournament:
        """Return the tournament; raise Refusal if there is none, or none on that server."""
        stored = await self._store.load(tournament_id)
        if stored is None or server_id not in (None, stored.place.server_id):
            raise Refusal("refusal.tournament.none")
        return stored

    # --- by members and organisers

    async def create(
        self, place: Place, organiser: Person, settings: TournamentSettings
    ) -> StoredTournament:
        """Return a new tournament, which members can join; raise Refusal."""
        check_settings(settings)
        return await self.get(await self._store.create(place, organiser, settings, self._now()))

    async def join(self, tournament_id: TournamentId, person: Person) -> StoredTournament:
        """Return the tournament that a member has joined; raise Refusal."""
        async with self.changing(tournament_id) as stored:
            check_open(stored)
            if any(one.id == person.id for one in stored.joined):
                raise Refusal("refusal.tournament.joined")
            if len(stored.joined) >= stored.settings.places + _MOST_WAITING:
                raise Refusal("refusal.tournament.full")
            await self._store.join(tournament_id, person)
            return await self.get(tournament_id)

    async def leave(self, tournament_id: TournamentId, member_id: MemberId) -> None:
        """Let a member leave before the start; raise Refusal."""
        async with self.changing(tournament_id) as stored:
            check_open(stored)
            if all(person.id != member_id for person in stored.joined):
                raise Refusal("refusal.tournament.not_in")
            await self._store.leave(tournament_id, [member_id])

    async def withdraw(self, tournament_id: TournamentId, member_id: MemberId) -> None:
        """Let a member withdraw after the start; raise Refusal.

        They lose the games that have begun, and are paired no more.
        """
        async with self.changing(tournament_id) as stored:
            entrant = entrant_here(stored, member_id)
            note = Note(self._now(), NoteKind.LEFT, entrant.person)
            await self._store.enter(stored, withdrawn={entrant.number: note})

    async def drop(
        self, tournament_id: TournamentId, player: Person, by: Intervener
    ) -> tuple[Note, Sequence[TournamentGame]]:
        """Take a player out for the organiser or a moderator.

        Returns the note that says so, and the games that this ends.

        Taken out after the start, the player counts as withdrawn; before the start, they may join
        again. Raises Refusal.
        """
        async with self.changing(tournament_id) as stored:
            entrant = to_drop(stored, player, by)
            note = Note(self._now(), NoteKind.DROPPED, player, by=by.person)
            if entrant is None:
                await self._store.leave(tournament_id, [player.id], note)
                return note, ()
            await self._store.enter(stored, withdrawn={entrant.number: note})
            return note, stored.tournament.played_now(entrant.number)

    async def start(self, tournament_id: TournamentId, by: Intervener) -> None:
        """Start a tournament for its organiser or a moderator; raise Refusal."""
        seen = await self.get(tournament_id)
        check_may(seen, by)
        check_open(seen)
        gone = await self.gone(seen, seen.joined)
        async with self.changing(tournament_id) as stored:
            check_open(stored)
            await self.begin(stored, gone)

    async def cancel(self, tournament_id: TournamentId, by: Intervener) -> StoredTournament:
        """Return the tournament, called off by its organiser or a moderator; raise Refusal.

        Games that are being played go on as ordinary matches.
        """
        async with self.changing(tournament_id) as stored:
            check_may(stored, by)
            check_on(stored)
            await self.call_off(stored, NoteKind.CANCELLED, by.person)
            return await self.get(tournament_id)

    async def channel_deleted(self, tournament_id: TournamentId) -> StoredTournament:
        """Cancel a tournament whose channel was deleted, and return it; raise Refusal.

        The channel's threads are gone too, so games in them are called off: nobody may lose on time
        a game that can't be played. Games in channels that the organiser has named go on as
        ordinary matches.
        """
        async with self.held(tournament_id) as stored:
            check_on(stored)
            await self.call_off(stored, NoteKind.DELETED)
            return await self.get(tournament_id)

    async def released(self, cancelled: StoredTournament) -> list[StoredMatch]:
        """Return the matches of a cancelled tournament that go on as ordinary ones.

        Those that can't be read are missing.
        """
        games = cancelled.tournament.being_played
        found = [game.match_id for game in games if game.match_id is not None]
        return [one for one in await self._match_store.load_all(found) if not one.match.outcome]

    # --- the steps that change a tournament while it is held; they raise ChangedError

    async def begin(self, stored: StoredTournament, gone: Collection[MemberId]) -> None:
        """Start a tournament without those who are `gone`; raise Refusal if too few are left.

        Members on the waiting list take their places.
        """
        staying = [person for person in stored.joined if person.id not in gone]
        taking_part = staying[: stored.settings.places]
        if len(taking_part) < FEWEST:
            raise Refusal("refusal.tournament.few", count=FEWEST)
        strengths = await self._store.strengths(stored)
        entrants = seeded([(person, strengths[person.id]) for person in taking_part])
        await self._store.start(stored, entrants, gone)

    async def call_off(
        self, stored: StoredTournament, reason: NoteKind, by: Person | None = None
    ) -> None:
        """Cancel a tournament, and note the reason.

        If its channel was deleted, and with it the threads of its games, the games are called off.
        """
        call_off = reason is NoteKind.DELETED and stored.settings.in_threads
        await self._store.cancel(stored, Note(self._now(), reason, by), call_off=call_off)

    # --- for the steps that a tournament takes by itself

    async def leave_channel(
        self, stored: StoredTournament, pairing: Pairing, channel_id: ChannelId | None
    ) -> None:
        """Let a game be opened in another channel, unless it has left this one, or ended."""
        with suppress(ChangedError):
            await self._store.note_channel(stored.id, pairing, None, before=channel_id)

    async def begin_match(
        self, stored: StoredTournament, pairing: Pairing, place: Place
    ) -> StoredMatch:
        """Return the match of a pairing, which begins in `place`.

        Raises Refusal if another match holds the channel, and ChangedError if the pairing has a
        match or a result by now.
        """
        settings = stored.settings
        people = stored.tournament.people(pairing)
        players = [Member(one.id) for one in people]
        new = NewMatch(
            place,
            self._starter.set_up(settings.game, settings.options, players),
            [one.name for one in people],
            clock=settings.clock,
            tournament_id=stored.id,
            draw_wins=pairing.seat_of_draw,
            unrated=None if settings.rated else Unrated.TOURNAMENT,
        )
        async with self._matches.lock(place.channel_id):
            insert = partial(self._store.insert_match, tournament_id=stored.id, pairing=pairing)
            return await self._starter.start(new, agreed=True, insert=insert)

    async def gone(
        self, stored: StoredTournament, people: Iterable[Person]
    ) -> Collection[MemberId]:
        """Ask Discord which of these members have left the tournament's server."""
        assert stored.place.server_id is not None, "tournaments are on servers"
        return await self._who_left(stored.place.server_id, [person.id for person in people])


def check_settings(settings: TournamentSettings) -> None:
    """Raise Refusal for settings outside the limits."""
    most = MOST_ROUND_ROBIN if settings.format.cycles else MOST
    if not FEWEST <= settings.places <= most:
        raise Refusal("refusal.tournament.places", low=FEWEST, high=most)
    rounds = settings.swiss_rounds
    swiss = settings.format is Format.SWISS
    if rounds is not None and not (swiss and 1 <= rounds <= MOST_SWISS_ROUNDS):
        raise Refusal("refusal.tournament.rounds")
    if checked_clock(settings.clock) is None:
        raise Refusal("refusal.tournament.clock")
