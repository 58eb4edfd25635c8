"""The messages of invitations: posted, changed with every answer, and left without buttons."""

from contextlib import suppress
from dataclasses import replace
from functools import partial

from bot.gateway.channels import Channels
from bot.gateway.errors import CALL_FAILED, HiddenAnswerError, is_message_gone, only_passing
from bot.gateway.interactions import (
    Interaction,
    person_of,
    place_of,
    pressed_message,
    public_message,
)
from bot.gateway.limits import Kind, Limits
from bot.gateway.permissions import tell_missing
from bot.gateway.responses import private_to_replace, response_of
from bot.i18n import channel_texts
from bot.identity import InvitationId, MessageId
from bot.invitations.model import Invitation, InvitationStatus, Verb
from bot.invitations.service import ErasedError, InTheWayError, InvitationService, NotOpenError
from bot.invitations.view import invitation_view

# Together shorter than the time between two rounds of `InvitationMessages.catch_up`.
_PAUSES = (30.0, 120.0)
EVERY_SECONDS = 600.0


class InvitationMessages:
    """Posts and changes the messages of invitations.

    A closed one loses its buttons, whatever fails between its end and that.
    """

    def __init__(self, invitations: InvitationService, channels: Channels, limits: Limits):
        self._invitations = invitations
        self._channels = channels
        self._limits = limits
        self._requests = channels.requests

    async def post(
        self, interaction: Interaction, invitation: Invitation, lifetime: int | None
    ) -> None:
        """Post an invitation for `lifetime` seconds, None for the host's setting; raise Refusal.

        It mentions the members who are asked, and replaces the private question that led to it, if
        one did. If it can't be posted, or nobody else sees it, it is withdrawn, so that it doesn't
        keep its owner from inviting again.
        """
        offered = await self._offered(invitation, lifetime)
        view = invitation_view(offered)
        question = await private_to_replace(interaction)
        try:
            asked = (member.id for member in offered.asked)
            message_id = await self._channels.answer(interaction, view, *asked)
        except (HiddenAnswerError, *CALL_FAILED):
            await self._invitations.answer(offered.id, Verb.WITHDRAW, offered.owner)
            self._requests.put_off(response_of(interaction).retract)
            raise
        shown = await self._invitations.note_posted(offered, message_id)
        old = {question}
        if shown is None:
            old.add(message_id)  # a member whom it may name was erased
        elif shown.pressable and not (shown.is_open or shown.status is InvitationStatus.BEGUN):
            # A moderator closed it, or it lapsed, before its message was known. A press that closes
            # it changes the message itself.
            self.change_later(shown)
        texts = channel_texts(offered.language)
        self._channels.remove_later(offered.place, old, texts, interaction)
        await tell_missing(interaction, clock=offered.clock)

    async def _offered(self, invitation: Invitation, lifetime: int | None) -> Invitation:
        """Return a new invitation, stored before it is shown; raise Refusal.

        If the owner has an open one whose message was deleted, that is withdrawn: nobody can answer
        it any more.
        """
        try:
            return await self._invitations.offer(invitation, lifetime)
        except InTheWayError as error:
            there = error.invitation
            if not await self._is_deleted(there):
                raise
        self._limits.count(Kind.TAKING_BACK, there.owner.id)
        await self._invitations.answer(there.id, Verb.WITHDRAW, there.owner)
        await self._invitations.store.note_buttons_gone(there.id)
        return await self._invitations.offer(invitation, lifetime)

    async def _is_deleted(self, invitation: Invitation) -> bool:
        """Return whether Discord doesn't know the message of an open invitation any more."""
        try:
            await self._renew(invitation.id)
        except CALL_FAILED as error:
            return is_message_gone(error)
        return False

    async def show_answer(self, interaction: Interaction, answered: Invitation) -> None:
        """Show in the message that was pressed what an invitation is after the answer.

        If another one shows the invitation by now, a new one takes the place of both.
        """
        if answered.message_id not in (None, pressed_message(interaction)):
            await self.show_anew(interaction, answered)
            return
        view = invitation_view(answered, person_of(interaction.user).name)
        try:
            await self._channels.replace(interaction, view)
        except CALL_FAILED:
            if not answered.is_open:
                self.change_later(answered)
            raise
        if answered.is_open:
            await self._show_newer(answered)
        else:
            await self._invitations.store.note_buttons_gone(answered.id)

    async def _show_newer(self, shown: Invitation) -> None:
        """Show an invitation anew if it has changed since it was as it is `shown`.

        Discord may have taken the message of a later answer first. A match that has begun takes the
        message's place by itself.
        """
        current = await self._invitations.store.load(shown.id)
        if current is None or current.status is InvitationStatus.BEGUN:
            return
        if current.revision != shown.revision:
            self.refresh_later(current)

    async def show_anew(self, interaction: Interaction, answered: Invitation) -> None:
        """Show as a new message what an invitation is after an answer, such as by command.

        The message that showed it before is removed, and the one that was pressed, if any. Raises
        Refusal if the invitation has closed or was erased since the answer.
        """
        # Other answers wait until this message is known, or have come before.
        async with self._invitations.lock(answered.id):
            current = await self._invitations.current(answered)
            view = invitation_view(current, person_of(interaction.user).name)
            try:
                message_id = await self._channels.answer(interaction, view)
            except (HiddenAnswerError, *CALL_FAILED):
                self.refresh_later(current)
                self._requests.put_off(response_of(interaction).retract)
                raise
            shown = await self._invitations.note_posted(current, message_id)
        old = {current.message_id, public_message(interaction)}
        if shown is None:
            old.add(message_id)  # a member whom it may name was erased
        elif shown.revision != current.revision:
            self.refresh_later(shown)
        elif not shown.is_open:
            await self._invitations.store.note_buttons_gone(shown.id)
        texts = channel_texts(current.language)
        self._channels.remove_later(current.place, old, texts, interaction)

    def change_pressed(self, interaction: Interaction, closed: Invitation) -> None:
        """Change a message that was pressed although its buttons should be gone.

        Where the bot can't post, only a press lets it: also on a server that has removed it since.
        """
        here, pressed = place_of(interaction), pressed_message(interaction)
        changed = here.posts and closed.message_id == pressed and not closed.pressable
        if not changed:
            self.change_later(replace(closed, place=here, message_id=pressed))

    def remove_pressed(self, interaction: Interaction) -> None:
        """Remove a message that was pressed although nothing is stored of its invitation.

        It may name a member whose data was erased, and perhaps nothing but a press reaches it.
        """
        here = place_of(interaction)
        texts = channel_texts(here.locale)
        self._channels.remove_later(here, [pressed_message(interaction)], texts, interaction)

    def refresh_later(self, invitation: Invitation) -> None:
        """Show in its message what an invitation is by now, in the background."""
        if invitation.is_open:
            self._requests.later(partial(self._renew, invitation.id), _PAUSES)
        else:
            self.change_later(invitation)

    def change_later(self, closed: Invitation) -> None:
        """Show in its message how an invitation has ended, if the message is known.

        That is done in the background, until it has worked.
        """
        if closed.message_id is not None:
            self._requests.later(partial(self._change, closed, closed.message_id), _PAUSES)

    async def _renew(self, invitation_id: InvitationId) -> None:
        # An answer that comes meanwhile is shown after this.
        async with self._invitations.lock(invitation_id):
            with suppress(NotOpenError, ErasedError):
                current = await self._invitations.open(invitation_id)
                if current.message_id is not None:
                    view = invitation_view(current)
                    await self._channels.change(current.place, current.message_id, view)

    async def catch_up(self) -> None:
        """Change the messages that were left by a kill, or by a failure that took long."""
        for closed in await self._invitations.store.unchanged():
            self.change_later(closed)

    async def _change(self, closed: Invitation, message_id: MessageId) -> None:
        with only_passing():
            await self._channels.change(closed.place, message_id, invitation_view(closed))
        await self._invitations.store.note_buttons_gone(closed.id)
