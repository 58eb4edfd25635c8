"""Asking Discord whether the bot and members are on a server, and noting who presses there.

One request asks for up to a hundred members. Those who are there are remembered for a while.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from functools import partial

import discord
from cachetools import TTLCache
from discord.app_commands import Cooldown
from discord.utils import as_chunks

from bot.gateway.budget import Urgency
from bot.gateway.errors import CALL_FAILED, NoAnswerError, answered_within
from bot.gateway.requests import Requests
from bot.identity import MemberId, ServerId
from bot.times import HOUR

log = logging.getLogger(__name__)

# https://discord.com/developers/docs/events/gateway-events#request-guild-members: ids in a request
MOST_AT_ONCE = 100
_REMEMBERED = 10_000
_FRESH_SECONDS = 600
_ANSWER_WITHIN_SECONDS = 3
# The most members whose last call of `on_seen` is remembered, so that few presses make one.
_TOLD = 100_000
# https://discord.com/developers/docs/events/gateway#rate-limiting: a connection sends 120 events a
# minute. All servers of a shard share them, and a press may ask.
_MOST_A_MINUTE = 30
# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json: Unknown Guild, Missing
# Access
_NOT_THERE = (10004, 50001)


def joined_at(member: discord.Member) -> int:
    """Return when a member last joined the server (Unix seconds); 0 if unknown."""
    return int(member.joined_at.timestamp()) if member.joined_at else 0


class Membership:
    """Asks which members have left a server, and remembers those who have not.

    Asking by id takes no privileged intent. Members who have left aren't remembered, since they may
    come back at any moment. A server's presses may ask thirty times a minute. Beyond that, and
    while the shard's connection may send nothing, it is as if Discord didn't tell.
    """

    def __init__(self, client: discord.AutoShardedClient, requests: Requests):
        self._client = client
        self._requests = requests
        self._seen: TTLCache[tuple[ServerId, MemberId], bool]
        self._seen = TTLCache(_REMEMBERED, _FRESH_SECONDS)
        self._paces: TTLCache[ServerId, Cooldown] = TTLCache(_REMEMBERED, 60)
        # Called when a member presses something on a server for the first time in an hour, or since
        # they came back, with the server, the member and when they joined it (Unix seconds).
        self.on_seen: list[Callable[[ServerId, MemberId, int], Awaitable[None]]] = []
        self._told: TTLCache[tuple[int, int], int] = TTLCache(_TOLD, HOUR)

    def note_seen(self, member: discord.Member) -> None:
        """Call `on_seen`, if it is time, for a member who is on a server, in the background."""
        key = ServerId(member.guild.id), MemberId(member.id)
        joined = joined_at(member)
        if self._told.get(key) != joined:
            self._told[key] = joined
            for call in self.on_seen:
                self._requests.later(partial(call, *key, joined))

    async def gone(
        self, server_id: ServerId, member_ids: Iterable[MemberId], *, anew: bool = False
    ) -> set[MemberId] | None:
        """Return which of these have left the server; None if Discord doesn't tell.

        Discord isn't asked for those who were seen lately. With `anew` it is asked for these too,
        and those found aren't remembered, since they may be about to leave.
        """
        asked = {one for one in member_ids if anew or (server_id, one) not in self._seen}
        if asked and self._asks_often(server_id):
            log.info("the members of server %s aren't asked for: it was asked often", server_id)
            return None
        there = await self.all_there(server_id, asked)
        if there is None:
            return None
        if not anew:
            self._seen.update(((server_id, one), True) for one in there)
        return asked - there.keys()

    async def all_gone(self, server_id: ServerId, member_ids: Iterable[MemberId]) -> set[MemberId]:
        """Return which of any number of members have left a server, asked anew.

        Returns nobody if Discord doesn't tell of all of them.
        """
        wanted = {*member_ids}
        there = await self.all_there(server_id, wanted)
        return set() if there is None else wanted - there.keys()

    async def all_there(
        self, server_id: ServerId, member_ids: Iterable[MemberId]
    ) -> dict[MemberId, discord.Member] | None:
        """Return which of any number of members are on a server, asked anew.

        Returns None if Discord doesn't tell of all of them.
        """
        there = dict[MemberId, discord.Member]()
        guild = self._client.get_guild(server_id)
        if guild is None:
            return None
        try:
            for some in as_chunks(member_ids, MOST_AT_ONCE):
                there |= await self.members(guild, some)
        except (discord.DiscordException, *CALL_FAILED) as error:
            log.warning("it isn't known who is on server %s: %s", server_id, error)
            return None
        return there

    async def bot_is_on(self, server_id: ServerId) -> bool | None:
        """Return whether the bot is on a server, asked anew; None if Discord doesn't tell.

        A status alone proves nothing: a proxy or a ban of the host's address answers 403 as well.
        """
        try:
            await self._requests.make(
                Urgency.POST, lambda: self._client.fetch_guild(server_id, with_counts=False)
            )
        except CALL_FAILED as error:
            if isinstance(error, discord.HTTPException) and error.code in _NOT_THERE:
                return False
            log.warning("it isn't known whether server %s is left: %s", server_id, error)
            return None
        return True

    async def members(
        self, guild: discord.Guild, member_ids: Collection[MemberId]
    ) -> dict[MemberId, discord.Member]:
        """Return those of these members, one to a hundred, who are on a server.

        Raises one of CALL_FAILED, or discord.ClientException, if Discord doesn't tell in time,
        or can't be asked: the server's shard has sent all that it may for now.
        """
        shard = self._client.get_shard(guild.shard_id)
        if shard is not None and shard.is_ws_ratelimited():
            # discord.py would wait for longer than the asker, and keep the request for good.
            raise NoAnswerError("too much was sent to Discord")
        async with answered_within(_ANSWER_WITHIN_SECONDS):
            found = await guild.query_members(
                user_ids=list[int](member_ids), limit=MOST_AT_ONCE, cache=False
            )
        there = {MemberId(member.id): member for member in found}
        for member_id in member_ids:
            if member_id not in there:
                self._told.pop((guild.id, member_id), None)
        return there

    def _asks_often(self, server_id: ServerId) -> bool:
        """Count a question of a press on a server; return whether there were too many."""
        pace = self._paces.get(server_id) or Cooldown(_MOST_A_MINUTE, 60)
        self._paces[server_id] = pace
        return pace.update_rate_limit(time.monotonic()) is not None
