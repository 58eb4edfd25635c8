"""Who is still a member of a server: asked of Discord once for a whole page, and remembered."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Iterable

import discord

from bot.gateway.responses import CALL_FAILED

log = logging.getLogger(__name__)

# https://discord.com/developers/docs/events/gateway-events#request-guild-members: ids in a request
MOST_AT_ONCE = 100
_REMEMBERED = 10_000
_FRESH_SECONDS = 600
_PATIENCE_SECONDS = 2


class Presence:
    """Who was there when Discord was last asked. Asking by id takes no privileged intent.

    Only those are remembered: whoever is gone may come back at any moment.
    """

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[int, int], float] = OrderedDict()

    async def gone(self, guild: discord.Guild | None, user_ids: Iterable[int]) -> set[int] | None:
        """Return which of these have left the server; None where Discord doesn't tell.

        At most one request, for at most a hundred of them that weren't seen lately.
        """
        if guild is None:
            return None
        wanted = dict.fromkeys(user_ids)
        unknown = [user for user in wanted if not self._seen_lately(guild.id, user)]
        return await self._ask(guild, unknown[:MOST_AT_ONCE]) if unknown else set()

    def _seen_lately(self, guild_id: int, user_id: int) -> bool:
        when = self._seen.get((guild_id, user_id))
        return when is not None and when > time.monotonic() - _FRESH_SECONDS

    async def _ask(self, guild: discord.Guild, user_ids: list[int]) -> set[int] | None:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                found = await guild.query_members(
                    user_ids=user_ids, limit=MOST_AT_ONCE, cache=False
                )
        except (discord.DiscordException, *CALL_FAILED) as error:
            log.warning("the members of server %s are not known: %s", guild.id, error)
            return None
        here = {member.id for member in found}
        for user in here:
            self._seen[guild.id, user] = time.monotonic()
            self._seen.move_to_end((guild.id, user))
        while len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return set(user_ids) - here
