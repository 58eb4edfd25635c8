"""The messages of invitations: posted, changed with every answer, at the end without buttons."""

from collections.abc import Iterable
from functools import partial

from bot.gateway.channels import Channels
from bot.gateway.errors import ANSWER_FAILED, CALL_FAILED, is_message_gone, only_passing
from bot.gateway.interactions import (
    Interaction,
    person_of,
    place_of,
    pressed_message,
    public_message,
)
from bot.gateway.limits import Kind, Limits
from bot.gateway.permissions import tell_missing
from bot.gateway.responses import defer_private, response_of
from bot.i18n import channel_texts
from bot.identity import InvitationId, MessageId, Posted
from bot.invitations.model import Invitation, InvitationStatus, NewInvitation, Verb, is_of
from bot.invitations.service import InvitationService
from bot.invitations.store import InvitationStore
from bot.invitations.view import invitation_view


class InvitationMessages:
    """Posts and changes the messages of invitations.

    The message of a closed invitation loses its buttons in the end, whatever fails meanwhile.
    """

    def __init__(
        self,
        store: InvitationStore,
        invitations: InvitationService,
        channels: Channels,
        limits: Limits,
    ):
        self._store = store
        self._invitations = invitations
        self._channels = channels
        self._limits = limits
        self._requests = channels.requests

    async def post(
        self, interaction: Interaction, new: NewInvitation, lifetime: int | None
    ) -> None:
        """Post an invitation for `lifetime` seconds, None for the host's setting; raise Refusal.

        Its message mentions the members who are asked, and replaces the private question that led
        to it, if there was one. If the message can't be posted, or nobody else sees it, the
        invitation is withdrawn, so that its owner can invite again.
        """
        self._limits.check(Kind.ASKING, new.owner.id)
        offered = await self._invitations.offer(new, self._is_there, lifetime)
        question = await defer_private(interaction)
        asked = (member.id for member in offered.asked)
        try:
            message_id = await self._channels.answer(interaction, invitation_view(offered), *asked)
        except ANSWER_FAILED:
            await self._invitations.answer(offered.id, Verb.WITHDRAW, offered.owner)
            self._requests.put_off(response_of(interaction).retract)
            raise
        await self._note_sent(offered, message_id, {question}, interaction)
        await tell_missing(interaction, clock=offered.clock)

    async def check_pace(self, new: NewInvitation) -> None:
        """Raise Refusal if the owner of a new invitation has to wait before asking others again."""
        self._limits.check(Kind.ASKING, new.owner.id)
        await self._invitations.check_pace(new)

    async def post_in_thread(self, new: NewInvitation, lifetime: int | None) -> None:
        """Post an invitation in its place, a thread that was opened for it.

        If it can't be posted, it is withdrawn. Raises Refusal, or one of CALL_FAILED.
        """
        offered = await self._invitations.offer(new, self._is_there, lifetime)
        asked = (member.id for member in offered.asked)
        try:
            message_id = await self._channels.send(new.place, invitation_view(offered), *asked)
        except CALL_FAILED:
            await self._invitations.answer(offered.id, Verb.WITHDRAW, offered.owner)
            raise
        await self._note_sent(offered, message_id)

    async def _note_sent(
        self,
        sent: Invitation,
        message_id: MessageId,
        old: Iterable[MessageId | None] = (),
        interaction: Interaction | None = None,
    ) -> None:
        """Note the message that shows an invitation as it was `sent`; remove the `old` ones.

        The message may answer an `interaction`.
        """
        note = partial(self._invitations.note_posted, sent, message_id)
        current = await self._requests.now_or_later(note)
        if current is not None:
            await self._note_shown(sent, current)
        else:
            old = {*old, message_id}  # a member whom it may name was erased
        self._channels.remove_later(sent.place, old, channel_texts(sent.language), interaction)
        if interaction and sent.place.posts and response_of(interaction).unsure:
            self._requests.put_off(partial(self._remove_twins, sent))

    async def _note_shown(
        self, shown: Invitation, current: Invitation, changed: Posted | None = None
    ) -> None:
        """Note that a message shows this state; show the `current` one if that is another.

        A message that was `changed`, not sent, is changed again even if the current state is noted
        as shown: this change may have come after the one that showed that state.
        """
        if current.revision != shown.revision:
            self._requests.later(partial(self._refresh, current.id, changed))
        elif not current.is_open:
            await self._store.note_buttons_gone(current.id)

    async def _remove_twins(self, posted: Invitation) -> None:
        """Remove the messages of an invitation that have arrived although their calls have failed.

        Raises one of CALL_FAILED.
        """
        found = await self._channels.own_buttons(posted.place)
        current = await self._store.load(posted.id)
        shown = current.message_id if current else None
        twins = (one for one, ids in found.items() if one != shown and is_of(posted.id, ids))
        self._channels.remove_later(posted.place, twins, channel_texts(posted.language))

    async def _is_there(self, invitation: Invitation) -> bool:
        """Refresh the message of an open invitation; return False if Discord doesn't know it.

        The invitation then counts as one that its owner has sent in vain.
        """
        try:
            await self._refresh(invitation.id)
        except CALL_FAILED as error:
            if is_message_gone(error):
                self._limits.spend(Kind.ASKING, invitation.owner.id)
                return False
        return True

    async def show_answer(self, interaction: Interaction, answered: Invitation) -> None:
        """Show an answered invitation in the message that was pressed.

        If another message shows the invitation by now, a new message takes the place of both.
        """
        if answered.message_id not in (None, pressed_message(interaction)):
            await self.show_anew(interaction, answered)
            return
        view = invitation_view(answered, person_of(interaction.user).name)
        try:
            await self._channels.replace(interaction, view)
        except CALL_FAILED:
            self.refresh_later(answered)
            raise
        # Discord may have carried out the change for a later answer before this one.
        current = await self._store.load(answered.id)
        if current is not None:
            await self._note_shown(answered, current, current.shown)

    async def show_anew(self, interaction: Interaction, answered: Invitation) -> None:
        """Show an invitation after an answer, such as by command, as a new message.

        The message that showed the invitation before is removed, and so is the pressed one, if any.
        Raises Refusal if the invitation has closed or was erased since the answer.
        """
        # Later answers wait until the new message is known.
        async with self._invitations.lock(answered.id):
            current = await self._invitations.current(answered)
            view = invitation_view(current, person_of(interaction.user).name)
            try:
                message_id = await self._channels.answer(interaction, view)
            except ANSWER_FAILED:
                self.refresh_later(current)
                self._requests.put_off(response_of(interaction).retract)
                raise
            old = {current.message_id, public_message(interaction)}
            await self._note_sent(current, message_id, old, interaction)

    def change_pressed(self, interaction: Interaction, closed: Invitation) -> None:
        """Change a message that was pressed although its buttons should be gone.

        Where the bot can't post, only a press lets it change a message. This may be such a place by
        now, because the bot was removed from the server since it posted the message. Or Discord had
        archived the message's thread when the invitation closed.
        """
        shown = Posted(place_of(interaction), pressed_message(interaction))
        self._requests.later(partial(self._refresh, closed.id, shown))

    def remove_pressed(self, interaction: Interaction) -> None:
        """Remove a message that was pressed although its invitation isn't stored any more.

        The message may name a member whose data was erased, and perhaps only a press lets the bot
        remove the message.
        """
        place = place_of(interaction)
        texts = channel_texts(place.locale)
        self._channels.remove_later(place, [pressed_message(interaction)], texts, interaction)

    def refresh_later(self, invitation: Invitation) -> None:
        """Show the current state of an invitation in its message, in the background."""
        self._requests.later(partial(self._refresh, invitation.id))

    async def catch_up(self) -> None:
        """Change the messages of closed invitations that a kill or a long failure has left."""
        for closed in await self._store.closed_with_buttons():
            self.refresh_later(closed)

    async def _refresh(self, invitation_id: InvitationId, outdated: Posted | None = None) -> None:
        """Show the current state of an invitation in an `outdated` message; by default in its own.

        Its own message is left alone if it is noted to show the end already. If a match has begun
        in the channel, its board replaces the message. Raises one of CALL_FAILED.
        """
        # A later answer waits, and is shown after this.
        async with self._invitations.lock(invitation_id):
            current = await self._store.load(invitation_id)
            if current is None or current.status is InvitationStatus.BEGUN:
                return
            shown = outdated or (current.shown if current.pressable else None)
            if shown is None:
                return
            if current.is_open:
                await self._channels.change(shown.place, shown.id, invitation_view(current))
                return
            with only_passing():
                await self._close(shown, current)
            await self._store.note_buttons_gone(current.id)

    async def _close(self, shown: Posted, closed: Invitation) -> None:
        """Show in a message how its invitation has ended, or remove it if a match began elsewhere.

        Raises one of CALL_FAILED.
        """
        if closed.status is InvitationStatus.MOVED:
            await self._channels.remove(shown.place, shown.id, channel_texts(closed.language))
        else:
            await self._channels.change(shown.place, shown.id, invitation_view(closed))
