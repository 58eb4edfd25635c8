"""Closed invitations lose their buttons, whatever fails between their end and that."""

from functools import partial

from bot.gateway.channels import Channels
from bot.gateway.responses import CALL_FAILED, may_pass
from bot.identity import MessageId
from bot.invitations.model import Invitation
from bot.invitations.service import InvitationService
from bot.invitations.view import invitation_view

# Together shorter than the time between two rounds of `Closing.catch_up`.
_PAUSES = (30.0, 120.0)
EVERY_SECONDS = 600.0


class Closing:
    """Changes the messages of closed invitations in the background, until that has worked."""

    def __init__(self, invitations: InvitationService, channels: Channels):
        self._invitations = invitations
        self._channels = channels

    def change_later(self, closed: Invitation) -> None:
        """Show in its message how an invitation has ended, if the message is known."""
        if closed.message_id is not None:
            self._channels.later(partial(self._change, closed, closed.message_id), _PAUSES)

    async def catch_up(self) -> None:
        """Change the messages that were left by a kill, or by a failure that took long."""
        for closed in await self._invitations.unchanged():
            self.change_later(closed)

    async def _change(self, closed: Invitation, message_id: MessageId) -> None:
        try:
            await self._channels.change(closed.place, message_id, invitation_view(closed))
        except CALL_FAILED as error:
            if may_pass(error):
                raise
        await self._invitations.lost_buttons(closed)
