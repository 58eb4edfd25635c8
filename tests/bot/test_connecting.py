"""The bot connects to Discord's gateway, and goes on trying while that is away."""

import asyncio
from types import SimpleNamespace

import discord
import pytest
import yarl
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket
from discord.http import Route
from pydantic import SecretStr

from bot.__main__ import _serve_discord
from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import Database, create_engine
from bot.db.facts import FactStore
from bot.gateway.blocks import Blocks
from bot.gateway.budget import Urgency
from bot.gateway.calls import counting
from bot.gateway.channels import Channels
from bot.gateway.errors import NoAnswerError
from bot.gateway.identifies import TooEarlyError
from bot.gateway.requests import Requests
from bot.gateway.serving import Serving
from bot.identity import MessageId, ServerId
from bot.matches.store import MatchStore
from bot.metrics import Metrics
from bot.router import Router
from bot.settings import Settings
from bot.shards import SERVER_BITS, Shards
from core.engine.levels import Level
from core.players import Computer
from tests.bot.playing import NOW, begin, create, loaded
from tests.bot.processes import until
from tests.bot.scripted_discord import scripted_discord
from tests.core.boards import ALICE
from tests.load.payloads import APP_ID


def serve(bot: Rowbot, metrics: Metrics) -> None:
    """Give a client the parts that it needs to close."""
    channels = Channels(bot, Requests())
    bot.router = Router(
        metrics=metrics,
        serving=bot.serving,
        blocks=Blocks((), {}),
        routes=[],
        channels=channels,
        note_seen=note_seen,
        answer_to=answer_to,
        after_refusal=lambda *_: None,
    )


def pause_between_attempts(monkeypatch: pytest.MonkeyPatch, seconds: float) -> list[float]:
    """Let discord.py pause so long when it couldn't connect; return the pauses it wanted."""
    wanted: list[float] = []

    async def pause(own: float) -> None:
        wanted.append(own)
        await asyncio.sleep(seconds)

    pausing = SimpleNamespace(**{**vars(asyncio), "sleep": pause})
    monkeypatch.setattr(discord.shard, "asyncio", pausing)
    return wanted


async def test_the_gateway_is_away_at_the_start(
    sqlite_database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot tries again until it may identify, however often the gateway refuses it."""
    monkeypatch.setattr(ExponentialBackoff, "delay", lambda _: 0)
    monkeypatch.setattr("bot.client._IDENTIFY_SECONDS", 0.1)  # between two attempts
    pause_between_attempts(monkeypatch, 0)
    async with scripted_discord() as scripted:
        scripted.refused_connections = 1
        scripted.answering.set()
        async with create_bot(settings, sqlite_database) as bot:
            with pytest.raises(discord.ConnectionClosed) as closed:
                await bot.start("a.b.c")
    assert closed.value.code == scripted.close_code
    assert scripted.identifies == 1


@pytest.mark.parametrize(("status", "identifies"), [(503, 2), (401, 1)])
async def test_discord_doesnt_say_how_many_identifies_are_left(
    sqlite_database: Database,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    identifies: int,
) -> None:
    """The bot asks again, so that connected shards stay, except if the token is bad."""
    monkeypatch.setattr("bot.client._IDENTIFY_SECONDS", 0.1)  # between the two shards
    launch = discord.shard.Shard.launch
    async with scripted_discord() as scripted:

        def launch_and_fail(shard: discord.shard.Shard) -> None:
            launch(shard)
            scripted.statuses["/gateway/bot"] = status

        def delay(_: ExponentialBackoff[bool]) -> int:
            scripted.statuses.clear()
            return 0

        monkeypatch.setattr(discord.shard.Shard, "launch", launch_and_fail)
        monkeypatch.setattr(ExponentialBackoff, "delay", delay)
        two = settings.model_copy(update={"shards": Shards(0, 1, 2)})
        async with create_bot(two, sqlite_database) as bot:
            await bot.login("a.b.c")
            ended = discord.ConnectionClosed if status == 503 else discord.GatewayNotFound
            with pytest.raises(ended):
                await bot.connect()
    assert scripted.identifies == identifies


async def test_everything_goes_by_the_proxy(
    sqlite_database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls, the gateway's connection, and calls with an interaction's token use the proxy."""
    async with scripted_discord() as scripted:
        known = settings.model_copy(update={"discord_proxy": scripted.url})
        with monkeypatch.context() as here:
            here.setattr(Route, "BASE", "http://discord.invalid/api/v10")
            gateway = yarl.URL("ws://discord.invalid/gateway")
            here.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", gateway)
            async with create_bot(known, sqlite_database) as bot:
                await bot.login("a.b.c")
                channels = Channels(bot, Requests())
                channels.retract_later(MessageId(5), "token")
                await channels.requests.finish(5)
                with pytest.raises(discord.ConnectionClosed):
                    await bot.connect()
    assert scripted.identifies == 1
    assert f"/webhooks/{APP_ID}/token/messages/5" in scripted.asked


async def test_a_limit_of_the_whole_bot(
    sqlite_database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls are made again once it is over, even if the call that met it was given up by then."""
    requests = Requests()
    async with scripted_discord() as scripted, create_bot(settings, sqlite_database) as bot:
        await bot.login("a.b.c")
        scripted.limited = 1.0
        with monkeypatch.context() as patched:
            patched.setattr("bot.gateway.requests._SECONDS", 0.5)
            with pytest.raises(NoAnswerError):
                await requests.make(Urgency.POST, bot.application_info)
        assert not scripted.limited
        told = await requests.make(Urgency.POST, bot.application_info)
        assert told.id == APP_ID


def note_seen(_: discord.Member) -> None:
    """Note nothing, since nobody presses anything."""


async def answer_to(*_: object) -> str:
    """Return no answer, since nothing is refused."""
    return ""


async def test_the_database_is_away_while_a_shard_connects(
    sqlite_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shard identifies when the database is back, at the start and later; the bot goes on."""
    monkeypatch.setattr(ExponentialBackoff, "delay", lambda _: 0)
    away = create_engine("sqlite:////nowhere/rowbot.db")
    stores = [FactStore(away), FactStore(away), FactStore(sqlite_database)]

    async def reserve(name: str, seconds: float, within: float) -> float:
        return await stores.pop(0).reserve(name, seconds, within)

    async with scripted_discord() as scripted:
        metrics, serving = Metrics(), Serving(None, FactStore(away))
        async with Rowbot(serving, counting(metrics.failed_calls), Shards.ALL, reserve) as bot:
            serve(bot, metrics)
            await bot.login("a.b.c")
            with pytest.raises(TooEarlyError):
                await bot.before_identify_hook(0)
            with pytest.raises(discord.ConnectionClosed):
                await bot.connect()
    assert scripted.identifies == 1


async def test_owed_moves_wait_for_no_other_shard(
    sqlite_database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shard may wait for hours to identify, while presses on the first are already answered."""
    monkeypatch.setattr("bot.matches.owed._FIRST_AFTER_SECONDS", 0.1)
    store = MatchStore(sqlite_database)
    owed = await create(store, begin(ALICE, Computer(Level.EASY)).play("b2"))
    two = settings.model_copy(update={"shards": Shards(0, 1, 2)})
    async with scripted_discord(), create_bot(two, sqlite_database, now=lambda: NOW) as bot:
        await bot.login("a.b.c")
        bot.dispatch("shard_ready", 0)
        async with asyncio.timeout(20):
            while await store.computer_due():  # noqa: ASYNC110 - a commit sends no notification
                await asyncio.sleep(0.01)
    assert (await loaded(store, owed.id)).match.ply == 2


async def test_presses_arrive_by_the_shard_of_their_server(sqlite_database: Database) -> None:
    """Other shards don't deliver them, even while the server's shard isn't connected."""
    facts, metrics = FactStore(sqlite_database), Metrics()
    servers = [ServerId((number << SERVER_BITS) + 1) for number in range(4)]
    serving, trace = Serving(None, facts), counting(metrics.failed_calls)
    async with Rowbot(serving, trace, Shards(0, 1, 2), facts.reserve) as bot:
        serve(bot, metrics)

        def heard() -> list[bool]:
            return [bot.hears(server) for server in (ServerId(0), *servers)]

        assert heard() == [False] * 5
        await bot.on_shard_ready(1)
        assert heard() == [False, False, True, False, True], "direct messages are shard 0's"
        await bot.on_shard_ready(0)
        assert heard() == [True] * 5
        await bot.on_shard_disconnect(1)
        assert heard() == [True, True, False, True, False]
        await bot.on_shard_resumed(1)
        assert heard() == [True] * 5


async def test_a_bot_that_is_told_to_end_while_it_migrates(sqlite_url: str) -> None:
    """It finishes the migration, and doesn't log in."""
    settings = Settings.model_construct(database_url=sqlite_url, shards=Shards.ALL)
    stop = asyncio.Event()
    stop.set()
    async with scripted_discord() as scripted:
        await _serve_discord(settings, SecretStr("a.b.c"), stop)
    assert scripted.asked == []


class SetOnceAsked(asyncio.Event):
    """An event that is set right after the first `is_set`."""

    def is_set(self) -> bool:
        """Return whether it was set before."""
        was = super().is_set()
        self.set()
        return was


async def test_a_bot_that_is_told_to_end_while_it_logs_in(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends as asked, although closing cuts off its call to Discord, which then fails."""
    close = discord.http.HTTPClient.close

    async def slowly(self: discord.http.HTTPClient) -> None:
        await close(self)
        await asyncio.sleep(0.3)

    monkeypatch.setattr(discord.http.HTTPClient, "close", slowly)
    settings = Settings.model_construct(database_url=sqlite_url, shards=Shards.ALL)
    async with scripted_discord():
        await _serve_discord(settings, SecretStr("a.b.c"), SetOnceAsked())


@pytest.mark.parametrize("answering", [True, False])
async def test_a_bot_ends_at_once_while_the_gateway_is_away(
    migrated_sqlite_url: str, monkeypatch: pytest.MonkeyPatch, answering: bool
) -> None:
    """Told to end, it doesn't wait for an answer, nor for its next attempt to connect."""
    settings = Settings.model_construct(database_url=migrated_sqlite_url, shards=Shards.ALL)
    async with scripted_discord() as scripted:
        scripted.refused_connections = 1000
        if answering:
            scripted.answering.set()

        pauses = pause_between_attempts(monkeypatch, 1000)
        stop = asyncio.Event()
        serving = asyncio.create_task(_serve_discord(settings, SecretStr("a.b.c"), stop))
        await until(lambda: bool(pauses) if answering else scripted.refused_connections < 1000)
        stop.set()
        # `asyncio.wait` doesn't cancel at the end: `_serve_discord` would take that for its own.
        ended, _ = await asyncio.wait({serving}, timeout=60)
        scripted.answering.set()
        assert ended
        await serving
