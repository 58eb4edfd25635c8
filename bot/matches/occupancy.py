"""The channel that a live match holds: giving it up, getting it back, and taking it over."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import TypeVar

from bot.db.errors import ChangedError, CorruptRowError
from bot.identity import ChannelId, MatchId, MemberId, Place
from bot.matches.clock import alone, takeable, timing
from bot.matches.model import StoredMatch
from bot.matches.service import ChannelBusy, MatchService, check_not_archived
from bot.matches.store import ChannelTakenError, MatchStore
from bot.refusals import Refusal
from core.outcome import Termination
from core.players import Member

# The most matches to read for a member: more than anybody follows.
_MOST_PLAYING = 100
_MOST_ARCHIVED = 25

T = TypeVar("T")


class Occupancy:
    """Finds the match that a member means in a channel, and lets matches leave theirs and return.

    An archived match holds no channel until it is brought back. `now` gives Unix seconds.
    """

    def __init__(self, matches: MatchService, store: MatchStore, now: Callable[[], int]):
        self._matches = matches
        self._store = store
        self._now = now

    async def meant(self, place: Place, member_id: MemberId) -> StoredMatch:
        """Return the match that a member means by asking for the board of a channel.

        This is the match that the member plays there, else their archived match if the channel is
        free for it, else the channel's match. Raises Refusal if there is none.
        """
        live = await self._store.live(place.channel_id)
        if live is not None and Member(member_id) in live.match.players:
            return live
        archived = await self.archived(place, member_id)
        if archived is not None and (live is None or archived.is_in(place)):
            return archived
        return live or await self._ended_unseen(place)

    async def playing(self, place: Place, member_id: MemberId) -> list[StoredMatch]:
        """Return the matches that a member plays on a server; elsewhere, those of all places.

        Matches in which it is their turn come before the others; of each kind, those whose time
        runs out first come first. A member who has left a match no longer plays it.
        """
        found = await self._store.playing(place.server_id, member_id, _MOST_PLAYING)
        member = Member(member_id)
        playing = [stored for stored in found if member_id in stored.staying]
        return sorted(playing, key=lambda one: (one.match.next_player != member, _urgency(one)))

    async def archived(self, place: Place, member_id: MemberId) -> StoredMatch | None:
        """Return the archived match of a member that `/board` would bring back; None if none."""
        found = await self._store.archived(place, member_id, 1)
        return found[0] if found else None

    async def all_archived(self, place: Place, member_id: MemberId) -> list[StoredMatch]:
        """Return the archived matches that a member can bring back to a place, the newest first.

        Those of its channel come before the others.
        """
        found = await self._store.archived(place, member_id, _MOST_ARCHIVED)
        return sorted(found, key=lambda one: (not one.is_in(place), -one.id))

    async def named(self, place: Place, member_id: MemberId, match_id: MatchId) -> StoredMatch:
        """Return an archived match that a member can bring back, or one that they play here.

        Raises Refusal if there is none of this number.
        """
        there = await self._store.archived(place, member_id, _MOST_ARCHIVED)
        live = await self._store.live(place.channel_id)
        if live is not None and member_id in live.staying:
            there.append(live)  # somebody has already brought it back
        for stored in there:
            if stored.id == match_id:
                return stored
        raise Refusal("refusal.no_such_number", number=match_id)

    async def _ended_unseen(self, place: Place) -> StoredMatch:
        """Return the last match of a channel without a live one, if nobody may have seen its end.

        That is so if no board is known to show the end, as where the bot can't post. Raises Refusal
        otherwise, and for a match that was restarted, whose end no board is to show.
        """
        latest = await self._matches.latest(place.channel_id)
        ended = latest.match.outcome
        restarted = ended is not None and ended.termination is Termination.RESTARTED
        if latest.archived or restarted or not latest.board_unsure:
            return await self._matches.live(place.channel_id)
        return latest

    async def bring_back(self, archived: StoredMatch, place: Place) -> StoredMatch:
        """Bring an archived match back to its channel, or to another of its server, and return it.

        Raises Refusal, for instance if another match holds the channel.
        """
        now = self._now()
        due = timing(archived.match, archived.clock, now).due_at
        bring = partial(self._store.holding.bring_back, archived, place.channel_id, due, now)
        try:
            await self._take(place.channel_id, archived, bring)
        except ChannelBusy as busy:
            raise Refusal("refusal.put_away_busy", busy.board) from busy
        except ChangedError:
            pass  # somebody else has brought it back in the same moment
        stored = await self._matches.get(archived.id)
        check_not_archived(stored)
        if not stored.is_in(place):
            raise Refusal("refusal.back_elsewhere", stored)
        return stored

    async def _take(
        self, channel_id: ChannelId, stored: StoredMatch, take: Callable[[], Awaitable[T]]
    ) -> T:
        """Have `take` give a match its channel, and return the result of `take`.

        A match that one of several players plays alone in the channel is archived for it, as for a
        new match. Raises ChannelBusy if any other match holds it, and the errors of `take`.
        """
        with suppress(ChannelTakenError):
            return await take()
        players = () if alone(stored.match) else stored.match.players
        await self._matches.make_way(channel_id, players)
        try:
            return await take()
        except ChannelTakenError as error:
            raise Refusal("refusal.try_again") from error

    def may_take_over(self, stored: StoredMatch, member_id: MemberId) -> bool:
        """Return whether a member may have this match archived, to play in its channel.

        They may if they play it alone, or if another member does, who hasn't moved for long.
        """
        if stored.archived or stored.match.outcome:
            return False
        if member_id in stored.staying:
            return alone(stored.match)
        return takeable(stored.match, stored.moved_at, self._now())

    async def take_over(
        self, match_id: MatchId, member_id: MemberId, channel_id: ChannelId
    ) -> bool:
        """Archive the match that holds a channel, for a member who wants to play there.

        Returns False if nothing holds the channel any more. Raises Refusal.
        """
        stored = await self._matches.get(match_id)
        here = stored.place.channel_id == channel_id
        if not here or stored.archived or stored.match.outcome:
            await self._matches.check_free(channel_id)
            return False
        allowed = self.may_take_over(stored, member_id)
        if not (allowed and await self._matches.archive(stored)):
            raise Refusal("refusal.not_idle", stored)
        return True

    async def free(self, channels: Sequence[ChannelId]) -> ChannelId | None:
        """Return one of these channels in which nobody plays, None if all are taken.

        If none is free, an idle match that one person plays alone is archived, and its channel
        returned. A match that can't be read keeps its channel.
        """
        for channel_id in channels:
            with suppress(CorruptRowError):
                if await self._store.live(channel_id) is None:
                    return channel_id
        for channel_id in channels:
            with suppress(CorruptRowError):
                if await self._archive_idle(channel_id):
                    return channel_id
        return None

    async def _archive_idle(self, channel_id: ChannelId) -> bool:
        """Archive the match that holds a channel; return False if somebody may be playing it."""
        async with self._matches.lock(channel_id):
            stored = await self._store.live(channel_id)
            if stored is None or not takeable(stored.match, stored.moved_at, self._now()):
                return False
            return await self._matches.archive(stored)

    async def move(self, match_id: MatchId, place: Place) -> StoredMatch:
        """Return a match, moved to another channel of its server; raise Refusal."""
        async with self._matches.held(match_id) as stored:
            move = partial(self._store.holding.move, stored, place, self._now())
            try:
                moved = await self._take(place.channel_id, stored, move)
            except ChangedError as error:
                raise Refusal("refusal.too_late", stored) from error
            self._matches.note_void(stored)
            return moved

    async def channel_deleted(self, channel_id: ChannelId) -> None:
        """End the match of a channel that was deleted, without a result.

        If one person plays it alone, it is archived instead. A match of a tournament isn't ended
        either, since the tournament moves it elsewhere. A damaged match is ended in any case.
        """
        async with self._matches.lock(channel_id):
            now = self._now()
            with suppress(CorruptRowError):
                stored = await self._store.live(channel_id)
                if stored is None or stored.tournament_id is not None:
                    return
                if alone(stored.match):
                    # Its board is gone with the channel.
                    await self._store.holding.archive(stored, now)
                    return
            await self._store.holding.strand_unread(channel_id, now)


def _urgency(stored: StoredMatch) -> tuple[float, MatchId]:
    """Return a sort key by which the match whose time runs out first comes first."""
    deadline = stored.timing.deadline
    return inf if deadline is None else deadline, stored.id
