"""Answers to invitations: by button, by command, or by asking for the same match."""

from collections.abc import Collection
from functools import partial

from bot.gateway.errors import HiddenAnswerError
from bot.gateway.interactions import Interaction, person_of, place_of, pressed_message
from bot.gateway.limits import Kind, Limits
from bot.gateway.membership import Membership
from bot.gateway.permissions import check_may_begin, tell_missing
from bot.gateway.responses import defer_private, ensure_public
from bot.identity import InvitationId, MemberId, MessageId, Person, Place
from bot.invitations.messages import InvitationMessages
from bot.invitations.model import Invitation, Reply, ReplyInThread, Verb
from bot.invitations.seating import answered
from bot.invitations.service import ErasedError, InvitationService, NotOpenError
from bot.matches.first_boards import FirstBoards
from bot.matches.here import SettingsHere
from bot.matches.in_threads import MatchThreads
from bot.matches.model import StoredMatch
from bot.matches.service import ChannelBusy, MatchService
from bot.matches.ways import Ways
from core.match import Match

# The verbs that may start a match.
_STARTING = (Verb.ACCEPT, Verb.JOIN, Verb.START)
# The verbs by which an owner may close an invitation.
_TAKING_BACK = (Verb.WITHDRAW, Verb.LEAVE)


class Answers:
    """Carries out the answers to invitations, and shows the results."""

    def __init__(
        self,
        matches: MatchService,
        ways: Ways,
        first_boards: FirstBoards,
        invitations: InvitationService,
        messages: InvitationMessages,
        threads: MatchThreads,
        membership: Membership,
        here: SettingsHere,
        limits: Limits,
    ):
        self._matches = matches
        self._ways = ways
        self._first_boards = first_boards
        self._invitations = invitations
        self._messages = messages
        self._threads = threads
        self._membership = membership
        self._here = here
        self._limits = limits

    async def reply(self, interaction: Interaction, press: Reply) -> None:
        """Answer an invitation by a button; the board of a match that starts replaces it."""
        try:
            await self._reply(interaction, press)
        except ChannelBusy as busy:
            in_thread = ReplyInThread(press.invitation, press.verb)
            await self._ways.offer(interaction, busy, in_thread=in_thread)

    async def answer(self, interaction: Interaction, verb: Verb, named: MemberId | None) -> None:
        """Answer the invitation in this channel that is meant, perhaps by a member who is `named`.

        Raises Refusal.
        """
        await ensure_public(interaction)
        channel_id, me = place_of(interaction).channel_id, person_of(interaction.user)
        meant = await self._invitations.meant(channel_id, verb, me, named)
        try:
            await self.give(interaction, meant, verb)
        except ChannelBusy as busy:
            in_thread = ReplyInThread(meant.id, verb)
            await self._ways.offer(interaction, busy, in_thread=in_thread)

    async def reply_in_thread(self, interaction: Interaction, press: ReplyInThread) -> None:
        """Begin a match by an answer to its invitation, in a new thread; raise Refusal."""
        async with self._threads.one_by_one(interaction) as may:
            if may:
                await self.give_in_thread(interaction, press.invitation, press.verb)

    async def give_in_thread(
        self, interaction: Interaction, invitation_id: InvitationId, verb: Verb
    ) -> None:
        """Begin a match by an answer, as `reply_in_thread` does.

        If somebody has left meanwhile, and the answer begins no match, it is given as usual.
        """
        me, channel_id = person_of(interaction.user), place_of(interaction).channel_id
        await self._check_here(interaction, verb)
        async with self._invitations.lock(invitation_id):
            before = await self._invitations.get_open(invitation_id, channel_id)
            absent = await self._absent(interaction, before)
            after = answered(before, verb, me, absent)
            begins = after.complete and after.is_open
            if begins:
                begin = partial(self._begin_in_thread, before, verb, me, absent)
                await self._threads.begin(interaction, before.planned, begin)
        if not begins:
            await self.give(interaction, before, verb)

    async def _begin_in_thread(
        self,
        before: Invitation,
        verb: Verb,
        me: Person,
        absent: Collection[MemberId],
        thread: Place,
    ) -> None:
        """Begin the match of an invitation in a thread, by the answer of a member."""
        try:
            made = await self._invitations.answer(before.id, verb, me, absent, thread)
        finally:
            # Removes its message, also if only the database's reply to the commit was lost.
            self._messages.refresh_later(before)
        assert isinstance(made, StoredMatch), "other answers wait for the lock"
        await self._threads.show(made, me.id)

    async def give(self, interaction: Interaction, before: Invitation, verb: Verb) -> None:
        """Answer an invitation by a command; the result replaces the invitation's message.

        Raises Refusal.
        """
        shown, made = await self._carry_out(interaction, Reply(before.id, verb))
        if isinstance(made, Invitation):
            await self._messages.show(interaction, made)
        else:
            await self.show_begun(interaction, made, shown)

    async def leave(self, invitation: Invitation, person: Person) -> None:
        """Let a member leave an open invitation, without showing it; raise Refusal."""
        if _lets_ask_again(invitation, Verb.LEAVE, person.id):
            self._limits.spend(Kind.ASKING, invitation.owner.id)
        await self._invitations.answer(invitation.id, Verb.LEAVE, person)

    async def show_begun(
        self, interaction: Interaction, stored: StoredMatch, remove: MessageId | None = None
    ) -> None:
        """Show a match that has just begun; end it if nobody else sees it."""
        asked = await defer_private(interaction)
        try:
            await self._first_boards.show(interaction, stored, [asked, remove])
        except HiddenAnswerError:
            async with self._matches.held(stored.id) as unseen:
                await self._matches.change(unseen, Match.strand)
            raise
        await tell_missing(interaction, clock=None)  # the board tells of reminders

    async def _reply(self, interaction: Interaction, press: Reply) -> None:
        try:
            shown, made = await self._carry_out(interaction, press)
        except NotOpenError as error:
            self._messages.change_pressed(interaction, error.invitation)
            raise
        except ErasedError:
            self._messages.remove_pressed(interaction)
            raise
        if isinstance(made, Invitation):
            await self._messages.show(interaction, made)
        else:
            remove = [pressed_message(interaction), shown]
            await self._first_boards.show(interaction, made, remove)

    async def _carry_out(
        self, interaction: Interaction, press: Reply
    ) -> tuple[MessageId | None, Invitation | StoredMatch]:
        """Carry out an answer; return the message that showed the invitation, and what it became.

        That is the invitation, or the match that has begun. Raises Refusal.
        """
        me, channel_id = person_of(interaction.user), place_of(interaction).channel_id
        starting = press.verb in _STARTING
        async with self._invitations.lock(press.invitation):
            invitation = await self._invitations.get_open(press.invitation, channel_id)
            if invitation.message_id is None:
                # A kill kept the message from being noted, or Discord's reply comes after this
                # press. This is no command: these answer only invitations whose message is known.
                await self._invitations.note_posted(invitation, pressed_message(interaction))
            # Members who may not answer are refused before Discord is asked. Only at a full table
            # may somebody join afterwards: a guest who has left makes room.
            if press.verb is not Verb.JOIN:
                answered(invitation, press.verb, me)
            if _lets_ask_again(invitation, press.verb, me.id):
                self._limits.spend(Kind.ASKING, invitation.owner.id)
            absent: Collection[MemberId] = ()
            if starting:  # Discord is asked who is there before the channel is locked
                await self._check_here(interaction, press.verb)
                absent = await self._absent(interaction, invitation)
            async with self._matches.lock(channel_id):
                made = await self._invitations.answer(invitation.id, press.verb, me, absent)
        return invitation.message_id, made

    async def _check_here(self, interaction: Interaction, verb: Verb) -> None:
        """Raise Refusal if a match may not begin here by this answer.

        *Start* begins one against the computer. Any other answer agrees to a match for which a
        member has asked.
        """
        settings = await self._here.settings_or_refuse(interaction)
        if verb is Verb.START:
            check_may_begin(interaction, settings.begin_role)

    async def _absent(
        self, interaction: Interaction, invitation: Invitation
    ) -> Collection[MemberId]:
        """Return who of those with a seat has left, after asking Discord."""
        server_id = place_of(interaction).server_id
        if server_id is None:
            return ()
        others = {person.id for person in (invitation.owner, *invitation.heirs)}
        others.discard(person_of(interaction.user).id)
        return await self._membership.gone(server_id, others, anew=True) or ()


def _lets_ask_again(invitation: Invitation, verb: Verb, member_id: MemberId) -> bool:
    """Return whether this answer closes an invitation, so that its owner may notify others again.

    A challenge is also closed by a member who has accepted it and leaves.
    """
    if member_id == invitation.owner.id:
        return verb in _TAKING_BACK
    declines = verb in (Verb.DECLINE, Verb.LEAVE) and invitation.seat_of(member_id) is not None
    return declines and not invitation.is_table
