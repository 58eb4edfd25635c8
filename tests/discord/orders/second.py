"""A second process of the bot beside the first: both get every interaction, and one serves."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from simcord import _dpy_internals
from simcord.backend import serializers
from simcord.env import Env
from simcord.gateway import ShardRouter
from simcord.http.client import FakeHTTPClient

from bot.client import Rowbot

Feed: TypeAlias = Callable[[str, Mapping[str, Any]], None]


async def connect(env: Env, bot: Rowbot) -> Feed:
    """Connect a second bot to the simulated Discord, as simcord does with the first.

    Returns what sends the bot its events.
    """
    loop, backend = env._loop, env.backend  # noqa: SLF001
    assert loop is not None, "the first bot is connected"
    _dpy_internals.install_http(bot, FakeHTTPClient(backend, loop, message_content_access=True))
    _dpy_internals.set_guild_ready_timeout(bot, 0.0)
    state = _dpy_internals.get_state(bot)
    state.shard_count, state.shard_ids = 1, [0]
    shards = ShardRouter(backend, state, bot.dispatch, 1, (0,))

    def feed(event: str, payload: Mapping[str, Any]) -> None:
        with env._bot_scope():  # noqa: SLF001
            shards.feed(event, payload)

    backend.subscribers.append(feed)
    with env._bot_scope():  # noqa: SLF001
        await bot.login("simcord.fake.token")
        bot.shard_count = 1
        _dpy_internals.install_shards(bot, shards.shards)
        shards.identify(0)
    for guild in backend.guilds.values():
        feed("GUILD_CREATE", serializers.guild_create_payload(backend, guild))
    await env.settle()
    return feed
