"""The messages of invitations: posted, changed with every answer, at the end without buttons."""

from collections.abc import Iterable
from functools import partial

from bot.gateway.channels import Channels
from bot.gateway.errors import ANSWER_FAILED, CALL_FAILED, only_passing
from bot.gateway.interactions import (
    Interaction,
    person_of,
    place_of,
    pressed_message,
    public_message,
)
from bot.gateway.limits import Kind, Limits
from bot.gateway.permissions import tell_missing
from bot.gateway.responses import defer_private
from bot.i18n import channel_texts
from bot.identity import InvitationId, MessageId, Posted
from bot.invitations.model import Invitation, InvitationStatus, NewInvitation, Verb
from bot.invitations.service import InvitationService
from bot.invitations.store import InvitationStore
from bot.invitations.view import invitation_view


class InvitationMessages:
    """Posts and changes the messages of invitations."""

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
        offered = await self._invitations.offer(new, lifetime)
        question = await defer_private(interaction)
        asked = (member.id for member in offered.asked)
        try:
            message_id = await self._channels.answer(interaction, invitation_view(offered), *asked)
        except ANSWER_FAILED:
            await self._invitations.answer(offered.id, Verb.WITHDRAW, offered.owner)
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
        offered = await self._invitations.offer(new, lifetime)
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
        if current is None:
            old = {*old, message_id}  # a member whom it may name was erased
        elif current.revision != sent.revision:
            self.refresh_later(current)
        self._channels.remove_later(sent.place, old, channel_texts(sent.language), interaction)

    async def show(self, interaction: Interaction, answered: Invitation) -> None:
        """Show an invitation after an answer, in the message that was pressed, or as a new one.

        If another message shows the invitation by now, a new one takes the place of both. Raises
        Refusal if the invitation has closed or was erased since the answer.
        """
        pressed = public_message(interaction)
        # Later answers wait until this one is shown.
        async with self._invitations.lock(answered.id):
            current = await self._invitations.current(answered)
            view = invitation_view(current, person_of(interaction.user).name)
            try:
                if pressed is not None and current.message_id in (None, pressed):
                    await self._channels.replace(interaction, view)
                    return
                message_id = await self._channels.answer(interaction, view)
            except ANSWER_FAILED:
                self.refresh_later(current)
                raise
            old = {current.message_id, pressed}
            await self._note_sent(current, message_id, old, interaction)

    def change_pressed(self, interaction: Interaction, closed: Invitation) -> None:
        """Change a message that was pressed although its buttons should be gone.

        If a kill has left it beside the board of its match, it is removed. The buttons may also
        remain because Discord had archived the message's thread when the invitation closed, or
        because the bot was removed from the server: where it can't post, only a press lets it
        change a message.
        """
        place = place_of(interaction)
        if closed.status is InvitationStatus.BEGUN and place.posts:
            self.remove_pressed(interaction)
        else:
            shown = Posted(place, pressed_message(interaction))
            self._requests.later(partial(self._refresh, closed.id, shown))

    def remove_pressed(self, interaction: Interaction) -> None:
        """Remove a message that was pressed although no invitation needs it any more.

        It may name a member whose data was erased, and perhaps only a press lets the bot remove it.
        """
        place = place_of(interaction)
        texts = channel_texts(place.locale)
        self._channels.remove_later(place, [pressed_message(interaction)], texts, interaction)

    def refresh_later(self, invitation: Invitation) -> None:
        """Show the current state of an invitation in its message, in the background."""
        self._requests.later(partial(self._refresh, invitation.id))

    async def _refresh(self, invitation_id: InvitationId, outdated: Posted | None = None) -> None:
        """Show the current state of an invitation in an `outdated` message; by default in its own.

        If its match has begun in the channel, the board replaces the message; if it has begun in a
        thread, the message is removed. Raises one of CALL_FAILED that may pass.
        """
        # A later answer waits, and is shown after this.
        async with self._invitations.lock(invitation_id):
            current = await self._store.load(invitation_id)
            shown = outdated or (current.shown if current else None)
            if current is None or shown is None or current.status is InvitationStatus.BEGUN:
                return
            with only_passing():
                if current.status is InvitationStatus.MOVED:
                    texts = channel_texts(current.language)
                    await self._channels.remove(shown.place, shown.id, texts)
                else:
                    await self._channels.change(shown.place, shown.id, invitation_view(current))
