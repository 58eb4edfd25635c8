"""Who is still a member of a server: asked of Discord once for a whole page, and remembered."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Iterable

import discord

log = logging.getLogger(__name__)

# https://discord.com/developers/docs/events/gateway-events#request-guild-members: ids in a request
MOST_AT_ONCE = 100
_REMEMBERED = 10_000
_FRESH_SECONDS = 600
_PATIENCE_SECONDS = 2


class Presence:
    """What Discord has said lately. Asking for members by id takes no privileged intent."""

    def __init__(self) -> None:
        self._asked: OrderedDict[tuple[int, int], tuple[float, bool]] = OrderedDict()

    async def gone(self, guild: discord.Guild | None, user_ids: Iterable[int]) -> set[int] | None:
        """Return which of these have left the server; None where Discord doesn't tell.

        At most one request, for at most a hundred of them that weren't asked for lately.
        """
        if guild is None:
            return None
        wanted = list(dict.fromkeys(user_ids))
        unknown = [user for user in wanted if self._recall(guild.id, user) is None][:MOST_AT_ONCE]
        if unknown and not await self._ask(guild, unknown):
            return None
        return {user for user in wanted if self._recall(guild.id, user) is False}

    def _recall(self, guild_id: int, user_id: int) -> bool | None:
        asked = self._asked.get((guild_id, user_id))
        if asked is None:
            return None
        when, present = asked
        return present if time.monotonic() - when < _FRESH_SECONDS else None

    async def _ask(self, guild: discord.Guild, user_ids: list[int]) -> bool:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                found = await guild.query_members(
                    user_ids=user_ids, limit=MOST_AT_ONCE, cache=False
                )
        except (discord.DiscordException, TimeoutError) as error:
            log.warning("the members of server %s are not known: %s", guild.id, error)
            return False
        here = {member.id for member in found}
        for user in user_ids:
            self._asked[guild.id, user] = (time.monotonic(), user in here)
            self._asked.move_to_end((guild.id, user))
        while len(self._asked) > _REMEMBERED:
            self._asked.popitem(last=False)
        return True
