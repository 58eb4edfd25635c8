"""Asking Discord for servers, and for their members."""

import asyncio
from types import SimpleNamespace
from typing import Any

import discord

from bot.gateway.membership import Membership
from bot.gateway.requests import Requests
from bot.identity import MemberId, ServerId


async def test_servers_are_asked_for_within_the_budget() -> None:
    """A start may ask for many, besides all that it posts: ten at once, then thirty a second."""
    asked = list[int]()

    async def fetch_guild(server_id: int, *, with_counts: bool) -> None:
        asked.append(server_id)

    client: Any = SimpleNamespace(fetch_guild=fetch_guild)
    membership, loop = Membership(client, Requests()), asyncio.get_running_loop()
    begun = loop.time()
    for number in range(13):
        assert await membership.bot_is_on(ServerId(number))
    assert asked == [*range(13)]
    assert loop.time() - begun > 0.09


async def test_nothing_is_asked_while_the_connection_may_send_nothing() -> None:
    """Nobody waits for the answer, and requests that discord.py puts off would stay in memory."""
    guild, shard = (
        SimpleNamespace(id=1, shard_id=0),
        SimpleNamespace(is_ws_ratelimited=lambda: True),
    )
    client: Any = SimpleNamespace(get_guild=lambda _: guild, get_shard=lambda _: shard)
    assert await Membership(client, Requests()).gone(ServerId(1), [MemberId(2)]) is None


async def test_members_are_asked_for_a_hundred_at_a_time() -> None:
    """If one of the requests fails, nothing is told: it isn't known who else is there."""
    asked = list[int]()

    async def query_members(*, user_ids: list[int], limit: int, cache: bool) -> list[object]:
        asked.append(len(user_ids))
        if failing.intersection(user_ids):
            raise discord.ClientException
        return [SimpleNamespace(id=one) for one in user_ids if one % 2]

    failing = set[int]()
    guild = SimpleNamespace(id=1, shard_id=0, query_members=query_members)
    client: Any = SimpleNamespace(get_guild=lambda _: guild, get_shard=lambda _: None)
    membership, everybody = Membership(client, Requests()), [*map(MemberId, range(1, 251))]
    there = await membership.all_there(ServerId(1), everybody)
    assert there is not None and [*there] == everybody[::2]
    assert asked == [100, 100, 50]
    failing.add(150)
    assert await membership.all_there(ServerId(1), everybody) is None
