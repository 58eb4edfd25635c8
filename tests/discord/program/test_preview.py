"""The preview's world: simcord's, in which only the shortest timers fire until time passes."""

import asyncio
import time
from collections.abc import Callable
from functools import partial

import discord
import pytest
from simcord.env import Env
from simcord.preview import Preview

from bot.app import create_bot
from bot.db.database import Database
from bot.preview import _first, pass_time, serve_preview, still_world
from bot.settings import Settings
from tests.discord.world import refused, text


async def test_a_long_timer_holds_up_no_action(settings: Settings, database: Database) -> None:
    """The page doesn't wait for a timer of seconds, such as the drawing process's, or fire it.

    A short timer, such as that of a quick answer, fires.
    """
    fired: list[str] = []
    bot = create_bot(settings, database)

    async def rest() -> None:
        later: Callable[..., object] = asyncio.get_running_loop().call_later
        later(0.1, fired.append, "soon")
        later(100, fired.append, "late")

    bot.on_online.append(rest)
    async with still_world(bot) as env:
        before = env.now()
        async with asyncio.timeout(60):
            await env.settle()
        assert fired == ["soon"]
        assert (env.now() - before).total_seconds() < 1
        await bot.finish()


async def test_a_shorter_limit_of_simcords_is_no_limit(
    settings: Settings, database: Database
) -> None:
    """After 5 s simcord gives up on the start, but a busy computer needs longer."""
    bot, done = create_bot(settings, database), asyncio.Event()

    async def on_guild_channel_create(_: discord.TextChannel) -> None:
        await asyncio.to_thread(time.sleep, 0.5)
        done.set()

    bot.event(on_guild_channel_create)
    async with still_world(bot) as env:
        env.create_guild().create_text_channel("games")
        await env.settle(timeout=0.1)
        assert done.is_set()
        await bot.finish()


async def test_time_passes_between_actions(settings: Settings, database: Database) -> None:
    """Loops do their work by themselves, such as achievements, but never amid an action.

    The pages count times such as "in 15 minutes" from the present.
    """
    bot = create_bot(settings, database)
    turn, fired = asyncio.Lock(), asyncio.Event()

    async def rest() -> None:
        later: Callable[..., object] = asyncio.get_running_loop().call_later
        later(0.8, fired.set)

    bot.on_online.append(rest)
    async with still_world(bot) as env:
        guild = env.create_guild()
        viewers = [guild.add_member(env.create_user("alice"))]
        async with env.preview(guild.create_text_channel("games"), viewers=viewers) as preview:
            opened = preview.capture_time
            passing = asyncio.create_task(pass_time(env, preview, turn))
            async with turn:
                await asyncio.sleep(1.5)
                assert not fired.is_set()
            async with asyncio.timeout(60):
                await fired.wait()
            async with turn:  # after the tick
                assert preview.capture_time > opened
            passing.cancel()
        await bot.finish()


async def test_a_failure_ends_the_preview_as_one() -> None:
    """A failure isn't taken for an end that was asked for."""

    async def fail() -> None:
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        await _first(asyncio.sleep(60), fail())
    await _first(asyncio.sleep(60), asyncio.sleep(0))


async def test_the_server_is_welcomed_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot welcomes it before the page is opened, and adds no second welcome."""
    welcomes: list[int] = []

    async def look(env: Env, *_: object) -> None:
        for seconds in (0, 60):
            await env.advance_time(seconds)
            (messages,) = env.backend.messages.values()
            welcomes.append(len(messages))

    monkeypatch.setattr("bot.preview.pass_time", look)
    async with asyncio.timeout(60):
        await serve_preview(settings.model_copy(update={"preview_port": 0}), asyncio.Event())
    assert welcomes == [1, 1]


async def test_a_tournament_is_played_in_the_channel_that_the_page_shows(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page can't show threads, so the bot opens none there, and the start says what to do."""
    told: list[str] = []

    async def play(env: Env, preview: Preview, _: object) -> None:
        channel, members = preview.channel, preview.viewers
        create = partial(members[0].slash, channel, "tournament create tictactoe", places=3)
        told.append(refused(await create(format="round_robin")))
        await create(format="round_robin", channels="#games")
        for member in members:
            await member.slash(channel, "tournament join")
        for _ in range(20):
            await env.advance_time(10)
        told.extend(text(message) for message in channel.history())
        assert not channel.threads

    monkeypatch.setattr("bot.preview.pass_time", play)
    async with asyncio.timeout(120):
        await serve_preview(settings.model_copy(update={"preview_port": 0}), asyncio.Event())
    assert "A tournament with `channels` needs no threads" in told[0]
    assert any("Round 1 of 3" in one for one in told)
    assert any("your move" in one and "A tournament game" in one for one in told)
    assert "It shows no threads: give a tournament channels:#games." in capsys.readouterr().out
