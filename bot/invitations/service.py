"""Invitations: matches that wait for their players, until they lapse.

A challenge waits for the members that it names, an open table for any members. A change is only
written over the state that it was made from. If somebody else was faster, the change is made again
from the new state, which may refuse it.
"""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from functools import partial

from bot.db.errors import ChangedError
from bot.identity import ChannelId, InvitationId, MemberId, MessageId, Person, Place, ServerId
from bot.invitations import seating
from bot.invitations.model import AT_A_TABLE, Invitation, InvitationStatus, NewInvitation, Verb
from bot.invitations.store import AlreadyOpenError, InvitationStore
from bot.locks import LockKind, Locks
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.refusals import Refusal
from bot.shards import Hears
from bot.times import MINUTE

# The longest lifetime where the bot can't post. Only an interaction's token changes the message
# there, such as when the invitation lapses, and that token lives 15 minutes.
_LONGEST_BY_TOKEN_SECONDS = 13 * MINUTE
# The most seconds from the storing of an invitation to the arrival of its message.
_POSTED_WITHIN_SECONDS = 15
# The most open challenges to the same member by one owner in other channels: each notifies them.
_MOST_ELSEWHERE = 3
# The most owners of invitations that a refusal names.
_MOST_NAMED = 10
# The refusals of late answers to a challenge that say how it was closed.
_CLOSED = {
    InvitationStatus.BEGUN: "refusal.challenge_begun",
    InvitationStatus.LAPSED: "refusal.challenge_lapsed",
}


class NotOpenError(Refusal):
    """The `invitation` isn't open any more."""

    def __init__(self, invitation: Invitation):
        status = invitation.status
        if invitation.is_table:
            status = InvitationStatus.BEGUN if status is InvitationStatus.MOVED else status
            super().__init__(f"refusal.table.{status}", owner=invitation.owner.name)
        else:
            super().__init__(_CLOSED.get(status, "refusal.challenge_gone"))
        self.invitation = invitation


class ErasedError(Refusal):
    """The invitation isn't stored any more: it closed long ago, or a member's data was erased.

    After a backup was restored, another one may have its id.
    """

    def __init__(self) -> None:
        super().__init__("refusal.challenge_gone")


class InvitationService:
    """Makes invitations and changes them; `lifetime` is in seconds, `now` gives Unix seconds."""

    def __init__(
        self,
        store: InvitationStore,
        matches: MatchService,
        starter: MatchStarter,
        now: Callable[[], int],
        lifetime: int,
    ):
        self._store = store
        self._matches = matches
        self._starter = starter
        self._now = now
        self._lifetime = lifetime
        self._locks = Locks[InvitationId](LockKind.INVITATION)
        # Called with each invitation that has lapsed, or may have.
        self.on_lapse: list[Callable[[Invitation], None]] = []

    def lock(self, invitation_id: InvitationId) -> asyncio.Lock:
        """Return the lock that keeps the answers to an invitation in their order.

        It may be held during calls to Discord, which say who is still there or show an answer: only
        other answers to this invitation wait for it.
        """
        return self._locks.of(invitation_id)

    async def offer(self, new: NewInvitation, lifetime: int | None = None) -> Invitation:
        """Return a new invitation, stored before it is shown; raise Refusal.

        `lifetime` is in seconds, None for the usual one. Where the bot can't post, it is at most 13
        minutes.
        """
        await self._matches.check_free(new.place.channel_id, new.players)
        await self.check_pace(new)
        now = self._now()
        create = partial(self._store.create, new, now, now + self._lifetime_in(new.place, lifetime))
        with suppress(AlreadyOpenError):
            return await create()
        await self._make_way(new)
        try:
            return await create()
        except AlreadyOpenError as error:
            # The other one was made at the same moment, or can't be read. Most likely it was to the
            # same members.
            raise _in_the_way(new) from error

    def _lifetime_in(self, place: Place, chosen: int | None) -> int:
        lifetime = chosen or self._lifetime
        return lifetime if place.posts else min(lifetime, _LONGEST_BY_TOKEN_SECONDS)

    async def check_pace(self, new: NewInvitation) -> None:
        """Raise Refusal if the owner has too many open challenges to the same members elsewhere."""
        owner, asked = new.owner.id, {person.id for person in new.asked}
        standing = await self.with_seat(owner, None) if asked else ()
        others = [
            invitation
            for invitation in standing
            if invitation.owner.id == owner
            and invitation.place != new.place
            and not asked.isdisjoint(person.id for person in invitation.asked)
        ]
        if len(others) >= _MOST_ELSEWHERE:
            raise _in_the_way(others[0])

    async def _make_way(self, new: NewInvitation) -> None:
        """Close the open invitation of the owner of `new` in its channel; raise Refusal.

        Only one that nobody can answer is closed: its time has run out, or a kill kept it from
        being posted.
        """
        here = await self._store.open_in(new.place.channel_id)
        there = next((one for one in here if one.owner.id == new.owner.id), None)
        if there is None:
            return
        posting = self._now() - there.created_at < _POSTED_WITHIN_SECONDS
        if there.expires_at <= self._now() or (there.message_id is None and not posting):
            with suppress(ChangedError):  # somebody has closed it in the same moment
                await self._close(there)
        else:
            raise _in_the_way(there)

    async def with_seat(self, member_id: MemberId, server_id: ServerId | None) -> list[Invitation]:
        """Return the open invitations with a seat for a member, on a server or anywhere."""
        return await self._store.with_seat(member_id, server_id, self._now())

    async def same(self, wanted: NewInvitation) -> Invitation | None:
        """Return the open invitation to the match that is `wanted`, None if there is none.

        It waits for the owner of `wanted` alone. Invitations that aren't posted yet don't count,
        since their buttons couldn't be removed.
        """
        owner = wanted.owner.id
        for invitation in await self.with_seat(owner, wanted.place.server_id):
            waits = [person.id for person in invitation.asked] == [owner]
            if waits and invitation.message_id is not None and invitation.terms == wanted.terms:
                return invitation
        return None

    async def meant(
        self, channel_id: ChannelId, verb: Verb, person: Person, named: MemberId | None
    ) -> Invitation:
        """Return the invitation of a channel to which a member can give this answer; raise Refusal.

        If somebody is `named`, only their invitation counts; to be withdrawn, also the member's own
        to them. An answer for which only tables have a button means a challenge only if no table
        takes it. If there is only one, and it can't be answered so, it is returned nevertheless:
        answering it raises the refusal that says why.
        """
        posted = [one for one in await self._store.open_in(channel_id) if one.message_id]
        withdraws = person.id if verb is Verb.WITHDRAW else None
        found = [one for one in posted if named is None or _means(one, named, withdraws)]
        fitting = [one for one in found if _takes(one, verb, person)]
        if verb in AT_A_TABLE:
            fitting = [one for one in fitting if one.is_table] or fitting
        if len(fitting) > 1:
            owners = tuple(one.owner.name for one in fitting[:_MOST_NAMED])
            raise Refusal("refusal.answer.which", owners=owners)
        if not fitting and len(found) != 1:
            raise Refusal("refusal.answer.none")
        return (fitting or found)[0]

    async def current(self, answered: Invitation) -> Invitation:
        """Return the current state of an invitation that was `answered` some time ago.

        Raises Refusal if it was erased, or if it has closed since the answer.
        """
        invitation = await self._store.load(answered.id)
        if invitation is None:
            raise ErasedError
        if invitation.status is not answered.status:
            raise NotOpenError(invitation)
        return invitation

    async def note_posted(self, invitation: Invitation, message_id: MessageId) -> Invitation | None:
        """Note the message that shows an invitation; return the invitation's current state."""
        await self._store.note_posted(invitation.id, message_id)
        return await self._store.load(invitation.id)

    async def get_open(
        self, invitation_id: InvitationId, channel_id: ChannelId | None = None
    ) -> Invitation:
        """Return an open invitation; raise NotOpenError, or ErasedError if there is none.

        After its time has run out, it is open until `lapse` has closed it.
        """
        invitation = await self._store.load(invitation_id)
        if invitation is None or channel_id not in (None, invitation.place.channel_id):
            raise ErasedError
        if not invitation.is_open:
            raise NotOpenError(invitation)
        return invitation

    async def answer(
        self,
        invitation_id: InvitationId,
        verb: Verb,
        person: Person,
        absent: Collection[MemberId] = (),
        thread: Place | None = None,
    ) -> Invitation | StoredMatch:
        """Return the match that begins by a member's answer, or the invitation; raise Refusal.

        The match begins in a `thread` that was opened for it, else in the invitation's channel.
        Members who are `absent` play no match. If the owner of a table leaves, the next guest owns
        it; but if that guest already has an invitation in the channel, the table closes.
        """
        heirless = False
        while True:
            before = await self.get_open(invitation_id)
            if heirless:
                after = seating.abandoned(before)
            else:
                after = seating.answered(before, verb, person, absent)
            try:
                if after.complete and after.is_open:
                    return await self._begin(before, after, thread)
                return await self._store.change(before, after)
            except ChangedError:
                pass  # somebody was faster: answer the new state
            except AlreadyOpenError:
                heirless = True

    async def lapse(self, hears: Hears) -> None:
        """Close the invitations whose time has run out, where the bot hears of answers."""
        for invitation in await self._store.expired(self._now(), hears):
            with suppress(ChangedError):  # somebody has answered in the same moment
                await self._close(invitation)

    async def _close(self, invitation: Invitation) -> None:
        """Close an invitation whose time has run out; raise ChangedError."""
        lapsed = replace(invitation, status=InvitationStatus.LAPSED)
        try:
            await self._store.change(invitation, lapsed)
        finally:
            # The message shows the end also if only the database's reply to the commit was lost.
            for call in self.on_lapse:
                call(invitation)

    async def _begin(
        self, before: Invitation, after: Invitation, thread: Place | None
    ) -> StoredMatch:
        status = InvitationStatus.MOVED if thread else InvitationStatus.BEGUN
        begun = replace(after, status=status)
        insert = partial(self._store.insert_match, before=before, begun=begun)
        match = self._starter.set_up(after.game, after.options, after.players)
        new = replace(after, place=thread or before.place).new_match(match)
        return await self._starter.start(new, agreed=True, insert=insert)


def _in_the_way(there: NewInvitation) -> Refusal:
    """Return the refusal of an invitation whose owner has another one `there`."""
    see = there.shown if isinstance(there, Invitation) else None
    if there.is_table:
        return Refusal("refusal.table_open", see=see)
    names = tuple(person.name for person in there.opponents)
    return Refusal("refusal.challenge_open", see=see, members=names)


def _means(invitation: Invitation, named: MemberId, withdraws: MemberId | None) -> bool:
    """Return whether a member who has `named` another means this invitation.

    A member who `withdraws` their own may name somebody whom they have challenged.
    """
    own = invitation.owner.id == withdraws and invitation.seat_of(named) is not None
    return own or invitation.owner.id == named


def _takes(invitation: Invitation, verb: Verb, person: Person) -> bool:
    """Return whether a member can give this answer to an open invitation."""
    try:
        seating.answered(invitation, verb, person)
    except Refusal:
        return False
    return True
