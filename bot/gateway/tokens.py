"""The tokens of interactions, by which messages are changed and removed for some minutes.

That counts against no limit of requests, and works where the bot can't post.
"""

import discord
from cachetools import TTLCache

from bot.gateway.components import Layout
from bot.gateway.errors import CALL_FAILED, answered_within, is_message_gone, may_pass
from bot.gateway.first_response import ANSWER_SECONDS
from bot.gateway.interactions import Interaction
from bot.gateway.responses import NOBODY
from bot.identity import MessageId

# https://discord.com/developers/docs/interactions/receiving-and-responding: tokens live 15 minutes
_TOKEN_SECONDS = 14 * 60
_MOST_TOKENS = 10_000


class Tokens:
    """Keeps the token of the interaction that a message answers, and uses it."""

    def __init__(self, client: discord.Client):
        self._client = client
        self._kept: TTLCache[MessageId, str] = TTLCache(_MOST_TOKENS, _TOKEN_SECONDS)

    def keep(self, message_id: MessageId, interaction: Interaction) -> None:
        """Keep the token of an interaction that the message answers, or whose press changed it."""
        self._kept[message_id] = interaction.token

    async def change(self, message_id: MessageId, view: Layout) -> bool:
        """Replace the content and the files of a message; return False if no token is kept.

        Raises one of CALL_FAILED.
        """
        token = self._kept.get(message_id)
        if token is None:
            return False
        async with answered_within(ANSWER_SECONDS):
            await self._webhook(token).edit_message(
                message_id, view=view, allowed_mentions=NOBODY, attachments=view.files()
            )
        return True

    async def remove(self, message_id: MessageId, pressed: Interaction | None) -> bool:
        """Remove a message by the token that is kept for it, or by that of a press on it.

        Returns False if there is neither. Raises one of CALL_FAILED if every token fails: a failure
        that may pass, if there is one.
        """
        tokens = [self._kept.get(message_id)]
        if pressed and pressed.message and pressed.message.id == message_id:
            tokens.append(pressed.token)
        failure: BaseException | None = None
        for token in filter(None, tokens):
            try:
                await self.remove_by(token, message_id)
            except CALL_FAILED as error:
                if failure is None or not may_pass(failure):
                    failure = error
            else:
                return True
        if failure is not None:
            raise failure
        return False

    async def remove_by(self, token: str, message_id: MessageId) -> None:
        """Remove a message by this token; raise one of CALL_FAILED."""
        try:
            async with answered_within(ANSWER_SECONDS):
                await self._webhook(token).delete_message(message_id)
        except discord.NotFound as error:
            # By its own token, only a message that is gone can't be found: an earlier try or a
            # moderator has removed it.
            if token != self._kept.get(message_id) or not is_message_gone(error):
                raise

    def _webhook(self, token: str) -> discord.Webhook:
        """Return the webhook that changes and removes the messages of an interaction."""
        application_id = self._client.application_id
        assert application_id is not None, "the client is logged in"
        webhook = discord.Webhook.partial(application_id, token, client=self._client)
        webhook.proxy = self._client.http.proxy  # which `partial` leaves out
        return webhook
