"""Invitations: a match that waits for its players, and lapses.

A challenge waits for the members that it names, an open table for whoever comes. Every change is
written only over what was read; whoever was second looks at what there is then, and is seated or
told.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bot.invitations import seating
from bot.invitations.model import Invitation, InvitationStatus
from bot.invitations.store import AlreadyOpenError, InvitationStore
from bot.matches.model import Person, Series, StoredMatch
from bot.matches.service import Matches
from bot.matches.start import Beginnings
from bot.matches.turns import ChangedError
from bot.refusals import Refusal
from core.games import GAMES
from core.match import Match

# Every failed try is somebody else's success, so more are needed only in a crowd.
_TRIES = 20


class Invitations:
    """Every way in which an invitation changes; `lifetime` is in seconds."""

    def __init__(
        self, store: InvitationStore, matches: Matches, beginnings: Beginnings, lifetime: int
    ):
        self._store = store
        self._matches = matches
        self._beginnings = beginnings
        self._lifetime = lifetime
        self._replaced: list[Invitation] = []

    async def offer(self, invitation: Invitation, lifetime: int | None = None) -> Invitation:
        """Return a new invitation, stored before it is shown; raise Refusal.

        What it says of its own id and time doesn't count. `lifetime` is in seconds, None for the
        usual one.
        """
        await self._matches.check_free(invitation.place.channel_id)
        expires_at = self._matches.clock() + (lifetime or self._lifetime)
        timed = replace(invitation, expires_at=expires_at)
        try:
            return await self._store.create(timed)
        except AlreadyOpenError:
            return await self._replace_lapsed(timed)

    async def _replace_lapsed(self, invitation: Invitation) -> Invitation:
        """Store `invitation` where the open one in its way has run out of time; raise Refusal."""
        there = await self._store.open_by(invitation.place.channel_id, invitation.owner.id)
        if there is not None and there.expires_at > self._matches.clock():
            raise _in_the_way(there)
        if there is not None:
            with suppress(ChangedError):  # cleared away in the same moment
                lapsed = replace(there, status=InvitationStatus.LAPSED)
                self._replaced.append(await self._store.change(there, lapsed))
        try:
            return await self._store.create(invitation)
        except AlreadyOpenError as error:
            raise _in_the_way(invitation) from error

    async def posted(self, invitation: Invitation, message_id: int) -> None:
        """Note the message that shows an invitation."""
        await self._store.posted(invitation.id, message_id)

    async def accept(self, invitation_id: int, member_id: int) -> Invitation | StoredMatch:
        """Return the match that begins, or the invitation that waits for others; raise Refusal."""
        return await self._change(invitation_id, lambda i: seating.accept(i, member_id))

    async def decline(self, invitation_id: int, member_id: int) -> Invitation | StoredMatch:
        """Return the invitation without this member; raise Refusal."""
        return await self._change(invitation_id, lambda i: seating.decline(i, member_id))

    async def join(self, invitation_id: int, person: Person) -> Invitation | StoredMatch:
        """Return the match that begins, or the table with one seat taken more; raise Refusal."""
        return await self._change(invitation_id, lambda i: seating.join(i, person))

    async def leave(self, invitation_id: int, member_id: int) -> Invitation | StoredMatch:
        """Return the table with the member's seat open again, or closed; raise Refusal."""
        return await self._change(invitation_id, lambda i: seating.leave(i, member_id))

    async def start(self, invitation_id: int, member_id: int) -> Invitation | StoredMatch:
        """Return the match that begins with the computer at the open seats; raise Refusal."""
        return await self._change(invitation_id, lambda i: seating.fill(i, member_id))

    async def withdraw(self, invitation_id: int, member_id: int) -> Invitation | StoredMatch:
        """Return the invitation, taken back by its owner; raise Refusal."""
        return await self._change(invitation_id, lambda i: seating.withdraw(i, member_id))

    async def lapse(self) -> list[Invitation]:
        """Close the invitations whose time has run out; return them and those closed for others."""
        lapsed, self._replaced = self._replaced, []
        for invitation in await self._store.expired(self._matches.clock()):
            with suppress(ChangedError):  # answered in the same moment; else it comes again
                closed = replace(invitation, status=InvitationStatus.LAPSED)
                lapsed.append(await self._store.change(invitation, closed))
        return lapsed

    async def _change(
        self, invitation_id: int, step: Callable[[Invitation], Invitation]
    ) -> Invitation | StoredMatch:
        """Return what comes of a step; whoever was second takes it from what there is then."""
        for _ in range(_TRIES):
            before = await self._open(invitation_id)
            after = step(before)
            with suppress(ChangedError):
                if after.complete and after.status is InvitationStatus.OPEN:
                    return await self._begin(before, after)
                return await self._store.change(before, after)
        raise Refusal("refusal.crowded")

    async def _begin(self, before: Invitation, complete: Invitation) -> StoredMatch:
        game, names = GAMES[before.game], [name for _, name in complete.seating]
        players = [player for player, _ in complete.seating]
        begun = replace(complete, status=InvitationStatus.BEGUN)

        async def write(match: Match, series: Series) -> StoredMatch:
            now = self._matches.clock()
            return await self._store.begin(before, begun, match, names, series, now)

        return await self._beginnings.begin(before.place, game, before.options, players, write)

    async def _open(self, invitation_id: int) -> Invitation:
        """Return the invitation while it stands; raise Refusal with what has become of it."""
        invitation = await self._store.load(invitation_id)
        if invitation is None:
            raise Refusal("refusal.challenge_gone")
        if invitation.status is InvitationStatus.OPEN:
            if invitation.expires_at > self._matches.clock():
                return invitation
            invitation = replace(invitation, status=InvitationStatus.LAPSED)
        if not invitation.is_table:
            lapsed = invitation.status is InvitationStatus.LAPSED
            raise Refusal("refusal.challenge_lapsed" if lapsed else "refusal.challenge_gone")
        raise Refusal(f"refusal.table.{invitation.status}", owner=invitation.owner.name)


def _in_the_way(invitation: Invitation) -> Refusal:
    if invitation.is_table:
        return Refusal("refusal.table_open")
    names = ", ".join(person.name for person in invitation.opponents)
    return Refusal("refusal.challenge_open", members=names)
