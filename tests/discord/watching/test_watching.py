"""The running bot as its host sees it: metrics, health, and the lines of the log."""

import asyncio
import logging
import math
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot import logs
from bot.client import Rowbot
from bot.preview import let_the_computer_think
from bot.watching import health
from tests.bot.engines import WaitingEngine
from tests.bot.processes import until
from tests.bot.searching import Gate
from tests.discord.calls import CALLBACK
from tests.discord.matches.passing import ROUND
from tests.discord.program.away import away
from tests.discord.world import World, refused, text

Fetch = Callable[[str], Awaitable[tuple[int, str]]]


@pytest.fixture
async def fetch(world: World, simcord_bot: Rowbot) -> AsyncIterator[Fetch]:
    """Ask the bot's server for a path; return the status and the text."""
    await simcord_bot.watch.start("127.0.0.1", 0)
    async with aiohttp.ClientSession(f"http://127.0.0.1:{simcord_bot.watch.port}") as session:

        async def ask(path: str) -> tuple[int, str]:
            async with session.get(path) as response:
                return response.status, await response.text()

        yield ask
    await simcord_bot.watch.close()


async def samples(fetch: Fetch) -> dict[str, float]:
    """Return the metrics by name and labels, as `name press m`."""
    _, body = await fetch("/metrics")
    told = [
        (" ".join([sample.name, *sample.labels.values()]), sample.value)
        for family in text_string_to_metric_families(body)
        for sample in family.samples
    ]
    found = dict(told)
    assert len(found) == len(told), "Prometheus takes no sample twice, such as two loops of a name"
    return found


async def test_presses_refusals_matches_and_rounds_are_counted(world: World, fetch: Fetch) -> None:
    """Presses and commands count by kind, refusals by reason, then matches and rounds."""
    await world.played("b2")
    refused(await world.press(world.alice, "a1"))
    forged = await world.made_up("zzz:1", "m:x")
    for custom_id in ("zzz:1", "m:x"):
        refused(await world.alice.click(forged, custom_id=custom_id))
    await world.env.advance_time(2 * ROUND)
    await asyncio.sleep(0.3)  # the lag of the event loop is measured four times a second
    found = await samples(fetch)
    assert found["rowbot_answer_seconds_count command play tictactoe"] == 1
    assert found["rowbot_answer_seconds_count press Play"] == 2
    assert found["rowbot_answer_seconds_count press unknown"] == 2
    assert found["rowbot_refusals_total NotYourTurn"] == 1
    assert found["rowbot_refusals_total refusal.unknown_button"] == 2
    assert found["rowbot_matches_live"] == 1
    assert found["rowbot_gateway_connected"] == 1
    assert found["rowbot_servers"] == 1
    assert found["rowbot_gateway_latency_seconds 0"] >= 0
    assert found["rowbot_loop_rounds_total writing boards"] >= 2
    assert found["rowbot_loop_failures_total writing boards"] == 0
    assert found["rowbot_loop_well catching up with boards"] == 1
    assert "rowbot_loop_success_age_seconds sweeping due matches" in found
    done = "telling Discord the commands"
    assert found[f"rowbot_loop_rounds_total {done}"] == 1
    assert f"rowbot_loop_success_age_seconds {done}" not in found, "it would be alerted on"
    assert found["rowbot_event_loop_lag_seconds_count"] >= 1


async def test_failures_are_counted(world: World, fetch: Fetch) -> None:
    """Unexpected failures are counted, and boards without their pictures by the reason."""
    assert (await samples(fetch))["rowbot_errors_total"] == 0
    world.env.inject_error(*CALLBACK, status=400, code=50035)
    await world.alice.slash(world.channel, "rules")
    await world.alice.slash(world.channel, "settings me", boards="picture")
    await world.alice.slash(world.channel_without("attach_files"), "play tictactoe")
    found = await samples(fetch)
    assert found["rowbot_errors_total"] == 1
    assert found["rowbot_boards_undrawn_total forbidden"] == 1


@pytest.mark.parametrize("simcord_bot", [WaitingEngine], indirect=True)
async def test_searches_are_counted(world: World, fetch: Fetch, gate: Gate) -> None:
    """The search that runs while the computer thinks is counted, and none afterwards."""
    let_the_computer_think(world.env)
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    await world.press(world.alice, "b2")
    assert (await samples(fetch))["rowbot_work_running search"] == 1
    gate.open()
    await until(lambda: "is thinking" not in text(world.last))
    assert (await samples(fetch))["rowbot_work_running search"] == 0


async def test_when_the_bot_is_alive_and_ready(
    world: World, simcord_bot: Rowbot, fetch: Fetch
) -> None:
    """It is alive as long as it answers, and ready while it is connected and can read and write."""
    assert await fetch("/healthz") == (200, "alive\n")
    assert await fetch("/readyz") == (200, "ready\n")
    simcord_bot.dispatch("shard_disconnect", 0)
    await world.env.settle()
    assert await fetch("/readyz") == (503, "not connected to Discord\n")
    simcord_bot.dispatch("shard_resumed", 0)
    await world.env.settle()
    assert (await fetch("/readyz"))[0] == 200


async def test_not_ready_without_the_database(world: World, fetch: Fetch) -> None:
    """Each trouble has a line; afterwards the bot is ready again by itself."""
    await world.tell_commands()
    await world.challenge()
    async with away(world, "matches", "invitations", "facts"):
        await world.env.advance_time(20)
        status, body = await fetch("/readyz")
        assert (status, body.splitlines()[0]) == (503, "the database fails: OperationalError")
        assert "sweeping due matches: failed" in body and "times in a row" in body
        assert await fetch("/healthz") == (200, "alive\n")
        found = await samples(fetch)
        assert math.isnan(found["rowbot_matches_live"]), "nobody knows it"
        assert found["rowbot_loop_well sweeping due matches"] == 0
        assert found["rowbot_loop_failures_total sweeping due matches"] >= 3
    # Work that has failed for 20 s is tried again within 40, since the pauses double.
    await world.env.advance_time(40)
    assert await fetch("/readyz") == (200, "ready\n")


async def test_not_ready_while_the_database_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer says so in time: a supervisor of the bot needn't wait until it gives up."""
    monkeypatch.setattr(health, "_DATABASE_WITHIN_SECONDS", 0.01)
    asked = health.Health(lambda: True, asyncio.Event().wait, [])
    assert await asked.problems() == ["the database doesn't answer within 0.01 s"]


async def test_a_port_that_is_taken(simcord_bot: Rowbot, caplog: pytest.LogCaptureFixture) -> None:
    """It is logged, and the bot starts without its metrics."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        await simcord_bot.watch.start("127.0.0.1", port)
        await simcord_bot.watch.close()
    place = f"127.0.0.1:{port} (METRICS_HOST, METRICS_PORT)"
    assert f"metrics can't be served on {place}" in caplog.text


async def test_lines_of_an_interaction(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """Each line logged while it is served, also in the background, has its id, place and kind."""
    caplog.set_level(logging.INFO, "bot")
    seen: list[dict[str, object]] = []

    class Noting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(dict(logs.subject()))

    noting = Noting()
    logging.getLogger("bot").addHandler(noting)
    try:
        await world.challenge()
        world.keep_old_boards()
        await world.press(world.alice, "b2")
    finally:
        logging.getLogger("bot").removeHandler(noting)
    of_press = [about for about in seen if about.get("press") == "Play"]
    assert of_press, "the removal of the old board failed"
    there = {"server": world.guild.id, "channel": world.channel.id}
    assert all(about["interaction"] and about.items() >= there.items() for about in of_press)
