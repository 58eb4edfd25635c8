"""The steps of a tournament: those that members take, and those by which it goes on.

The state of a tournament follows from its rows. `advance` takes it as far as it goes: it enters the
results of matches that have ended, and begins the pairings that may begin then. It may be called at
any time, and after a kill at any point: no step is taken twice.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias
from weakref import WeakValueDictionary

from bot.db.errors import ChangedError
from bot.identity import (
    ChannelId,
    MemberId,
    MessageId,
    Person,
    Place,
    RoleId,
    ServerId,
    TournamentId,
)
from bot.matches.clock import checked_clock
from bot.matches.model import NewMatch, Series, StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.ratings.model import Unrated
from bot.refusals import Refusal
from bot.tournaments.model import FEWEST, MOST, Format, How, Pairing, Played, Stage, seeded
from bot.tournaments.pairings import is_over, may_correct, next_pairings
from bot.tournaments.standings import standings
from bot.tournaments.store import (
    EntrantStore,
    GameStore,
    JoinedError,
    TournamentLists,
    TournamentStore,
)
from bot.tournaments.stored import SEATS, Ended, Listed, Note, NoteKind, Settings, StoredTournament
from core.match import Match
from core.outcome import Termination
from core.players import Member

WhoLeft: TypeAlias = Callable[[ServerId, Collection[MemberId]], Awaitable[Collection[MemberId]]]
"""Returns which members have left a server, as far as Discord tells."""

# Members on the waiting list.
_MOST_WAITING = 50
# A larger round robin has more games than a server has threads, or anybody has patience.
MOST_ROUND_ROBIN = 32
MOST_SWISS_ROUNDS = 16
_MOST_LISTED = 25
# With fewer plies than this, one of the players hasn't moved.
_UNMOVED = 2


class TournamentService:
    """Tournaments. `who_left` asks Discord for members who have left a server."""

    def __init__(
        self,
        store: TournamentStore,
        entrants: EntrantStore,
        games: GameStore,
        lists: TournamentLists,
        matches: MatchService,
        starter: MatchStarter,
        who_left: WhoLeft,
    ):
        self.store = store
        self._entrants = entrants
        self.games = games
        self.lists = lists
        self.matches = matches
        self._starter = starter
        self._who_left = who_left
        self._locks: WeakValueDictionary[TournamentId, asyncio.Lock] = WeakValueDictionary()

    def lock(self, tournament_id: TournamentId) -> asyncio.Lock:
        """Return the lock that is held while a tournament is read and changed.

        Nobody waits for Discord under it: members are asked for before, and what may have changed
        meanwhile is read again.
        """
        return self._locks.setdefault(tournament_id, asyncio.Lock())

    async def get(
        self, tournament_id: TournamentId, server_id: ServerId | None = None
    ) -> StoredTournament:
        """Return the tournament; raise Refusal if there is none, or none on that server."""
        stored = await self.store.load(tournament_id)
        if stored is None or server_id not in (None, stored.place.server_id):
            raise Refusal("refusal.tournament.none")
        return stored

    async def listed(self, server_id: ServerId) -> list[Listed]:
        """Return a server's tournaments for a menu, those that aren't over first."""
        return await self.lists.listed(server_id, _MOST_LISTED)

    async def meant(self, place: Place, stage: Stage | None = None) -> TournamentId:
        """Return the tournament that a command means in a place, if it names none; raise Refusal.

        That is the tournament of the game that is being played there; for what only an open one
        takes, an open one of the channel comes first. Otherwise it is the only one of the channel
        that isn't over, at this `stage` if there are some; or the newest with a game there before,
        or else its newest if all are over, or the only one on the server that isn't.
        """
        if place.server_id is None:
            raise Refusal("refusal.not_on_server")
        channel_id = place.channel_id
        listed = await self.listed(place.server_id)
        going_on = [one for one in listed if one.stage in (Stage.OPEN, Stage.RUNNING)]
        here = [one for one in listed if one.channel_id == channel_id]
        on_here = [one for one in here if one in going_on]
        played = await self.lists.played_in(channel_id)
        before = await self.lists.of_channel(channel_id)
        at_stage = [one.id for one in on_here if one.stage is stage]
        ways: list[Sequence[TournamentId]] = [
            *([at_stage, played] if stage is Stage.OPEN else [played, at_stage]),
            [one.id for one in on_here],
            [] if before is None else [before],
            [one.id for one in here[:1]],
            [one.id for one in going_on],
        ]
        found = next(filter(None, ways), [])
        if len(found) != 1:
            raise Refusal("refusal.tournament.which" if found else "refusal.tournament.none")
        return found[0]

    # --- before the start

    async def create(self, place: Place, organiser: Person, settings: Settings) -> StoredTournament:
        """Return a new tournament, which members can join; raise Refusal.

        It isn't rated on a board where who begins decides: such matches count together with their
        rematch, and it has none.
        """
        check_settings(settings)
        now, game = self.matches.clock(), settings.game
        rated = settings.rated and not game.one_sided(settings.options)
        created = replace(settings, rated=rated)
        return await self.get(await self.store.create(place, organiser, created, now))

    async def join(
        self,
        tournament_id: TournamentId,
        person: Person,
        roles: Collection[RoleId] = (),
        name_of: Callable[[RoleId], str] = str,
    ) -> StoredTournament:
        """Return the tournament that a member with these `roles` has joined; raise Refusal.

        `name_of` returns the name of a role.
        """
        async with self.lock(tournament_id):
            stored = await self.get(tournament_id)
            _check_open(stored)
            role_id = stored.settings.role_id
            if role_id is not None and role_id not in roles:
                raise Refusal("refusal.tournament.role", role=name_of(role_id))
            if len(stored.joined) >= stored.settings.places + _MOST_WAITING:
                raise Refusal("refusal.tournament.full")
            try:
                await self._entrants.join(tournament_id, person)
            except JoinedError as error:
                raise Refusal("refusal.tournament.joined") from error
            except ChangedError:
                _check_open(await self.get(tournament_id))
                raise
            return await self.get(tournament_id)

    async def leave(self, tournament_id: TournamentId, member_id: MemberId) -> StoredTournament:
        """Return the tournament that a member has left before its start; raise Refusal."""
        async with self.lock(tournament_id):
            _check_open(await self.get(tournament_id))
            if not await self._entrants.leave(tournament_id, member_id):
                raise Refusal("refusal.tournament.not_in")
            return await self.get(tournament_id)

    async def withdraw(self, tournament_id: TournamentId, member_id: MemberId) -> StoredTournament:
        """Return the tournament from which a member has withdrawn; raise Refusal.

        They lose the games that have begun, and are paired no more.
        """
        async with self.lock(tournament_id):
            stored = await self.get(tournament_id)
            number = entrant_here(stored, member_id)
            await self._withdraw(stored, [number], NoteKind.LEFT)
            return await self.get(tournament_id)

    async def start(
        self, tournament_id: TournamentId, by: MemberId, *, moderator: bool
    ) -> StoredTournament:
        """Return the tournament, started by its organiser or a moderator; raise Refusal."""
        stored = await self.get(tournament_id)
        _check_may(stored, by, moderator=moderator)
        _check_open(stored)
        gone = await self._joined_and_gone(stored)
        async with self.lock(tournament_id):
            stored = await self.get(tournament_id)
            _check_open(stored)
            try:
                await self._start(stored, gone)
            except ChangedError as error:
                raise Refusal("refusal.try_again") from error
            return await self.get(tournament_id)

    async def _start(self, stored: StoredTournament, gone: Collection[MemberId]) -> None:
        """Begin without those who are `gone`; raise Refusal if the others are too few.

        Members on the waiting list take their places. Raises ChangedError.
        """
        staying = [person for person in stored.joined if person.id not in gone]
        taking_part = staying[: stored.settings.places]
        if len(taking_part) < FEWEST:
            raise Refusal("refusal.tournament.few", count=FEWEST)
        strengths = await self._entrants.strengths(stored)
        entrants = seeded([(person, strengths[person.id]) for person in taking_part])
        value = replace(stored.value, stage=Stage.RUNNING, entrants=entrants)
        await self._entrants.start(stored, value)

    async def cancel(
        self, tournament_id: TournamentId, by: Person, *, moderator: bool
    ) -> StoredTournament:
        """Return the tournament, called off by its organiser or a moderator; raise Refusal.

        Games that are being played go on as ordinary matches.
        """
        async with self.lock(tournament_id):
            stored = await self.get(tournament_id)
            check_may_cancel(stored, by.id, moderator=moderator)
            now = self.matches.clock()
            note = Note(now, NoteKind.CANCELLED, by)
            await self.store.finish(stored, Stage.CANCELLED, {}, now, note)
            return await self.get(tournament_id)

    async def channel_deleted(self, tournament_id: TournamentId) -> None:
        """Cancel a tournament whose channel was deleted; raise Refusal if there is none.

        Its threads are gone too, so their games are called off: nobody is to lose one on time that
        can't be played. Games in channels that were named go on as ordinary matches.
        """
        async with self.lock(tournament_id):
            stored = await self.get(tournament_id)
            if stored.over:
                return
            if not stored.settings.channels:
                for played in stored.value.being_played:
                    await self._call_off(stored, played.pairing)
            now = self.matches.clock()
            note = Note(now, NoteKind.DELETED)
            await self.store.finish(stored, Stage.CANCELLED, {}, now, note)
            await self.posted(await self.get(tournament_id), None)

    # --- corrections

    async def correct(
        self,
        tournament_id: TournamentId,
        by: Person,
        key: tuple[int, int, int],
        points: tuple[float, float],
        *,
        moderator: bool,
    ) -> tuple[StoredTournament, StoredMatch | None]:
        """Enter the result of a pairing by hand, with a trace; raise Refusal.

        Returns the tournament, and the match if it was still being played: it is called off.
        """
        async with self.lock(tournament_id):
            stored = await self.get(tournament_id)
            _check_may(stored, by.id, moderator=moderator)
            played = _correctable(stored, key, points)
            ended = await self._call_off(stored, played.pairing)
            corrected = Played(played.pairing, points, How.CORRECTED)
            before = points_text(played.points)
            now = self.matches.clock()
            game, after = ".".join(map(str, key)), points_text(points)
            note = Note(now, NoteKind.CORRECTED, by, game, before, after)
            await self.games.enter(stored, [corrected], notes=[note])
            stored = await self.get(tournament_id)
            if stored.value.stage is Stage.ENDED:
                await self._finish(stored)
            return await self.get(tournament_id), ended

    async def _call_off(self, stored: StoredTournament, pairing: Pairing) -> StoredMatch | None:
        match_id = stored.arena(pairing).match_id
        if match_id is None:
            return None
        async with self.matches.held(match_id) as match:
            return None if match.match.outcome else await self.matches.call_off(match)

    # --- going on

    async def advance(self, tournament_id: TournamentId) -> StoredTournament:
        """Return the tournament after all steps that it can take by itself; raise Refusal.

        Before a start and before a round, Discord is asked who has left. The lock is free
        meanwhile. Opening the pairings without a match, and showing the tournament, is left to the
        director.
        """
        stored = await self._entered(tournament_id)
        while await self._step(stored):
            stored = await self._entered(tournament_id)
        return stored

    async def _entered(self, tournament_id: TournamentId) -> StoredTournament:
        """Return the tournament with all results that are known."""
        async with self.lock(tournament_id):
            stored = await self.get(tournament_id)
            while stored.value.stage is Stage.RUNNING:
                if not (await self._enter(stored) or await self._forfeit(stored)):
                    break
                stored = await self.get(tournament_id)
            return stored

    async def _step(self, stored: StoredTournament) -> bool:
        """Start a tournament, begin pairings, or end it; return False if nothing is to be done.

        If it has changed meanwhile, nothing is done, and it is to be looked at again.
        """
        if stored.value.stage is Stage.OPEN:
            return await self._start_by_itself(stored)
        return stored.value.stage is Stage.RUNNING and await self._pair_or_finish(stored)

    async def _start_by_itself(self, stored: StoredTournament) -> bool:
        """Start a tournament whose time has come; cancel it if too few have joined."""
        if not self.starts_by_itself(stored):
            return False
        gone = await self._joined_and_gone(stored)
        async with self.lock(stored.id):
            stored = await self.get(stored.id)
            if stored.value.stage is not Stage.OPEN or not self.starts_by_itself(stored):
                return True
            try:
                await self._start(stored, gone)
            except Refusal:
                await self._not_enough(stored, gone)
        return True

    async def _not_enough(self, stored: StoredTournament, gone: Collection[MemberId]) -> None:
        """Cancel a tournament whose moment has come; otherwise take out those who are gone."""
        if stored.settings.starts_at is not None:
            now = self.matches.clock()
            await self.store.finish(stored, Stage.CANCELLED, {}, now, Note(now, NoteKind.FEW))
            return
        for member_id in gone:
            await self._entrants.leave(stored.id, member_id)

    def starts_by_itself(self, stored: StoredTournament) -> bool:
        """Return whether an open tournament is to start now, its time come or its places taken."""
        settings = stored.settings
        if settings.starts_at is not None:
            return settings.starts_at <= self.matches.clock()
        return settings.when_full and stored.full

    async def _enter(self, stored: StoredTournament) -> bool:
        """Enter the results of the matches that have ended."""
        ended = await self.games.ended(stored.id)
        if not ended:
            return False
        pairings = {played.pairing.key: played.pairing for played in stored.value.played}
        results, absent = list[Played](), list[int]()
        for one in ended:
            pairing = pairings[one.key]
            results.append(Played(pairing, _points(one)))
            absent += [pairing.entrants[seat] for seat in _absent(one)]
        await self._withdraw(stored, absent, NoteKind.GONE, results)
        return True

    async def _forfeit(self, stored: StoredTournament) -> bool:
        """Enter the results of pairings that nobody has to play, since an entrant has withdrawn."""
        value = stored.value
        not_begun = [
            played.pairing
            for played in value.being_played
            if stored.arena(played.pairing).match_id is None
        ]
        forfeited = [played for one in not_begun if (played := value.walkover(one))]
        if forfeited:
            await self.games.enter(stored, forfeited)
        return bool(forfeited)

    async def _pair_or_finish(self, stored: StoredTournament) -> bool:
        """Begin the pairings that may begin, without members who have left; else end it if over."""
        value = stored.value
        pairings = await asyncio.to_thread(next_pairings, value)
        if not pairings and not await asyncio.to_thread(is_over, value):
            return False
        gone: Collection[MemberId] = ()
        here = {entrant.person.id: entrant.number for entrant in value.entrants if entrant.here}
        if pairings and pairings[0].round > value.round:
            gone = await self._gone(stored, list(here))
        async with self.lock(stored.id):
            if (await self.get(stored.id)).revision != stored.revision:
                return True
            if gone:
                await self._withdraw(stored, [here[one] for one in gone], NoteKind.GONE)
            elif pairings:
                begun = [value.walkover(pairing) or Played(pairing) for pairing in pairings]
                await self.games.pair(stored, begun)
            else:
                await self._finish(stored)
        return True

    async def _withdraw(
        self,
        stored: StoredTournament,
        numbers: Sequence[int],
        kind: NoteKind,
        results: Sequence[Played] = (),
    ) -> None:
        value, now = stored.value, self.matches.clock()
        leaving = [value.entrants[number] for number in numbers if value.entrants[number].here]
        withdrawn = {entrant.number: value.round for entrant in leaving}
        notes = [Note(now, kind, entrant.person) for entrant in leaving]
        await self.games.enter(stored, results, withdrawn, notes)

    async def _joined_and_gone(self, stored: StoredTournament) -> Collection[MemberId]:
        """Return who has joined, and left the server."""
        return await self._gone(stored, [person.id for person in stored.joined])

    async def _gone(
        self, stored: StoredTournament, members: Collection[MemberId]
    ) -> Collection[MemberId]:
        assert stored.place.server_id is not None, "tournaments are on servers"
        return await self._who_left(stored.place.server_id, members)

    async def _finish(self, stored: StoredTournament) -> None:
        ranks = {score.entrant: score.rank for score in standings(stored.value)}
        await self.store.finish(stored, Stage.ENDED, ranks, self.matches.clock())

    async def left_by_withdrawn(self, stored: StoredTournament) -> list[StoredMatch]:
        """Let entrants who have withdrawn resign what they were playing; return those matches."""
        changed = []
        for played in stored.value.being_played:
            entrants = [stored.value.entrants[number] for number in played.pairing.entrants]
            leaving = [entrant.person.id for entrant in entrants if not entrant.here]
            match_id = stored.arena(played.pairing).match_id
            if not leaving or match_id is None:
                continue
            async with self.matches.held(match_id) as match:
                with suppress(Refusal):  # it has just ended
                    changed.append(await self.matches.resign(match, leaving[0]))
        return changed

    async def begin_match(
        self, stored: StoredTournament, pairing: Pairing, place: Place
    ) -> StoredMatch:
        """Return the match of a pairing, begun in its channel or thread.

        A match whose channel was deleted is moved there. Raises Refusal if another match holds the
        channel, and ChangedError if the pairing has a match or a result by now.
        """
        settings, match_id = stored.settings, stored.arena(pairing).match_id
        if match_id is not None:
            async with self.matches.held(match_id) as lost:
                return await self.matches.move(lost, place)
        people = [stored.value.entrants[number].person for number in pairing.entrants]

        async def write(match: Match, series: Series) -> StoredMatch:
            names = [person.name for person in people]
            unrated = None if settings.rated else Unrated.TOURNAMENT
            new = NewMatch(place, match, names, series, settings.clock, unrated=unrated)
            return await self.games.begin_match(stored.id, pairing, new, self.matches.clock())

        async with self.matches.lock(place.channel_id):
            players = [Member(person.id) for person in people]
            return await self._starter.start_with(
                place, settings.game, settings.options, players, write
            )

    async def free_channel(
        self, stored: StoredTournament, channels: Sequence[ChannelId]
    ) -> tuple[ChannelId | None, StoredMatch | None]:
        """Return one of the tournament's `channels` in which nobody plays, None if all are taken.

        A match against the computer that has rested is archived if it holds the last one; it is the
        second value.
        """
        taken = {stored.arena(played.pairing).channel_id for played in stored.value.being_played}
        left = [channel_id for channel_id in channels if channel_id not in taken]
        for channel_id in left:
            if await self.matches.store.live(channel_id) is None:
                return channel_id, None
        for channel_id in left:
            async with self.matches.lock(channel_id):
                archived = await self.matches.archive_idle(channel_id)
            if archived is not None:
                return channel_id, archived
        return None, None

    async def posted(self, stored: StoredTournament, message_id: MessageId | None) -> None:
        """Note the message that shows a tournament as it is."""
        await self.store.posted(stored.id, message_id, stored.revision)


def check_settings(settings: Settings) -> None:
    """Raise Refusal for settings outside the limits."""
    if settings.game.seats != SEATS:
        raise Refusal("refusal.tournament.seats", count=settings.game.seats)
    most = MOST_ROUND_ROBIN if "round_robin" in settings.format else MOST
    if not FEWEST <= settings.places <= most:
        raise Refusal("refusal.tournament.places", low=FEWEST, high=most)
    rounds = settings.swiss_rounds
    swiss = settings.format is Format.SWISS
    if rounds is not None and not (swiss and 1 <= rounds <= MOST_SWISS_ROUNDS):
        raise Refusal("refusal.tournament.rounds")
    if checked_clock(settings.clock) is None:
        raise Refusal("refusal.tournament.clock")


def points_text(points: Sequence[float] | None) -> str:
    """Return the points of a pairing, such as 1-0, and a question mark if there are none yet."""
    return "-".join(f"{one:g}" for one in points) if points else "?"


def _check_open(stored: StoredTournament) -> None:
    if stored.over:
        raise Refusal("refusal.tournament.over")
    if stored.value.stage is not Stage.OPEN:
        raise Refusal("refusal.tournament.started")


def entrant_here(stored: StoredTournament, member_id: MemberId) -> int:
    """Return the number of a member who may withdraw from a running tournament; raise Refusal."""
    if stored.over:
        raise Refusal("refusal.tournament.over")
    number = stored.number_of(member_id)
    if number is None:
        raise Refusal("refusal.tournament.not_in")
    if not stored.value.entrants[number].here:
        raise Refusal("refusal.tournament.left_already")
    return number


def check_may_cancel(stored: StoredTournament, by: MemberId, *, moderator: bool) -> None:
    """Raise Refusal unless this member may cancel the tournament now."""
    _check_may(stored, by, moderator=moderator)
    if stored.over:
        raise Refusal("refusal.tournament.over")


def _check_may(stored: StoredTournament, by: MemberId, *, moderator: bool) -> None:
    if by != stored.organiser.id and not moderator:
        raise Refusal("refusal.tournament.not_organiser", organiser=stored.organiser)


def _correctable(
    stored: StoredTournament, key: tuple[int, int, int], points: tuple[float, float]
) -> Played:
    """Return the pairing whose result may be set to `points`; raise Refusal."""
    value = stored.value
    played = next((one for one in value.played if one.pairing.key == key), None)
    if value.stage not in (Stage.RUNNING, Stage.ENDED) or played is None:
        raise Refusal("refusal.tournament.no_game")
    if played.pairing.is_bye:
        raise Refusal("refusal.tournament.bye")
    if value.format is Format.KNOCKOUT and points == (0.5, 0.5):
        raise Refusal("refusal.tournament.drawn")
    if played.over and not may_correct(value, played):
        raise Refusal("refusal.tournament.played_on")
    return played


def _points(ended: Ended) -> tuple[float, ...]:
    """Return the points of a match that has ended.

    A match that was called off counts as drawn. One that both players have left brings nobody a
    point.
    """
    if None in ended.ranks:
        both = 0.0 if ended.ending == Termination.ABANDONED else 0.5
        return (both, both)
    if ended.ranks == (1, 1):
        return (0.5, 0.5)
    return tuple(float(rank == 1) for rank in ended.ranks)


def _absent(ended: Ended) -> Sequence[int]:
    """Return the seats of players who are gone: they have left, or never made a move."""
    if ended.ending == Termination.ABANDONED:
        return (0, 1)
    seat = ended.ending_seat
    unmoved = ended.ending == Termination.TIMEOUT and ended.plies < _UNMOVED
    left = ended.ending == Termination.DEPARTURE
    return (seat,) if seat is not None and (left or unmoved) else ()
