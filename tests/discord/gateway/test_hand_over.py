"""Two processes with the same shards: one of them serves, and the other one takes over."""

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import discord
import pytest

from bot import router
from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import Database
from bot.settings import Settings
from tests.conftest import Calendar
from tests.discord.orders.second import connect
from tests.discord.world import World, ids, refused
from tests.leases import Baton, HandedLease, keep


@pytest.fixture
def baton() -> Baton:
    return Baton()


@pytest.fixture
async def simcord_bot(
    settings: Settings, database: Database, calendar: Calendar, baton: Baton
) -> AsyncIterator[Rowbot]:
    """The process that serves first."""
    lease = baton.lease()
    bot = create_bot(settings, database, rng=Random(1), now=calendar, lease=lease)
    keep(bot)
    yield bot
    await bot.finish()


@pytest.fixture
async def standby(
    simcord_bot: Rowbot,
    world: World,
    settings: Settings,
    database: Database,
    calendar: Calendar,
    baton: Baton,
) -> AsyncIterator[Rowbot]:
    """The process that stands by, and gets all events as well."""
    await simcord_bot.serving.wait()
    await world.env.advance_time(2)  # until Discord knows the commands
    lease = baton.lease()
    bot = create_bot(settings, database, rng=Random(2), now=calendar, lease=lease)
    keep(bot)
    await connect(world.env, bot)
    yield bot
    await bot.finish()


async def test_the_holder_alone_answers(world: World, simcord_bot: Rowbot, standby: Rowbot) -> None:
    """A press is answered once, and the process that stands by makes no request."""
    board = await world.challenge()
    made: list[discord.http.Route] = []
    asked = standby.http.request

    async def request(route: discord.http.Route, **given: Any) -> Any:
        made.append(route)
        return await asked(route, **given)

    standby.http.request = request  # type: ignore[method-assign]
    await world.alice.click(board, custom_id=ids(board)[0])
    await world.env.advance_time(60)
    assert len(world.boards()) == 1
    assert made == []
    assert simcord_bot.serving.active and not standby.serving.active


async def test_a_hand_over_with_presses_in_flight(
    world: World, simcord_bot: Rowbot, standby: Rowbot
) -> None:
    """Each press is played once and shown once, whichever process has taken it."""
    await world.challenge()
    first = asyncio.create_task(world.press(world.alice, "b2"))
    await asyncio.sleep(0)
    ending = asyncio.create_task(simcord_bot.finish())
    await first
    await ending
    await standby.serving.wait()
    await world.press(world.bob, "a1")
    stored = await world.stored()
    assert [str(move) for move in stored.match.moves] == ["b2", "a1"]
    assert len(world.boards()) == 1


async def test_a_press_that_arrives_while_the_holder_ends(
    world: World, simcord_bot: Rowbot, standby: Rowbot
) -> None:
    """The process that takes over answers it; nobody reads that the bot is restarting."""
    await world.challenge()
    await simcord_bot.serving.leave()
    answer = await world.press(world.alice, "b2")
    assert answer.response is None
    await simcord_bot.finish()
    await standby.serving.wait()
    await world.env.settle()
    assert (await world.stored()).match.ply == 1
    assert len(world.boards()) == 1
    await world.press(world.bob, "a1")
    assert (await world.stored()).match.ply == 2


async def test_a_press_that_was_kept_is_promised_an_answer_in_time(
    world: World, simcord_bot: Rowbot, standby: Rowbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time for which it was kept counts, since Discord waits for three seconds in all."""
    monkeypatch.setattr(router, "_PROMISED_BY_SECONDS", 1)
    board = await world.challenge()
    await simcord_bot.serving.leave()
    pressed = world.begin(world.alice, board, ids(board)[0])
    await world.env.advance_time(1)
    await simcord_bot.finish()
    await standby.serving.wait()
    await world.env.settle()
    assert pressed.deferred
    assert (await world.stored()).match.ply == 1
    assert not (await world.press(world.bob, "c3")).deferred


async def test_the_standby_goes_on_after_a_kill(
    world: World, simcord_bot: Rowbot, standby: Rowbot, baton: Baton
) -> None:
    """It makes the moves that the computer owes, and answers."""
    await world.command(world.alice, "play tictactoe", level="easy")
    await world.sql("UPDATE matches SET moves = 'b2', computer_due = 1, revision = revision + 1")
    baton.pass_on()
    await standby.serving.wait()
    await world.env.advance_time(20)
    stored = await world.stored()
    assert stored.match.ply == 2
    assert len(world.boards()) == 1


async def test_a_process_that_is_cut_off_from_the_database(
    world: World, simcord_bot: Rowbot, standby: Rowbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can't know that another one serves, but it adds nothing to the other one's answers."""

    async def unreachable(_name: str) -> str | None:
        raise TimeoutError

    await world.command(world.alice, "play nineholes", level="easy")
    monkeypatch.setattr(simcord_bot.serving._facts, "get", unreachable)  # noqa: SLF001
    assert isinstance(simcord_bot.serving._lease, HandedLease)  # noqa: SLF001
    await simcord_bot.serving._lease.lose()  # noqa: SLF001
    await standby.serving.wait()
    picked = await world.press(world.alice, "a1")  # only changes the pressed message
    await world.env.advance_time(4)
    assert simcord_bot.serving.lost and standby.serving.active
    assert picked.followups == []


async def test_who_ends_alone_refuses_until_the_last_answer(
    world: World, simcord_bot: Rowbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A handler that hangs holds up the end, but nobody who presses meanwhile is left waiting."""
    monkeypatch.setattr(router, "_FINISH_WITHIN_SECONDS", 0)
    monkeypatch.setattr(router, "_ANSWER_WITHIN_SECONDS", 1)
    await simcord_bot.serving.wait()
    await world.env.advance_time(2)
    board = await world.challenge()
    handler, hooks_have_run = asyncio.create_task(asyncio.sleep(3600)), asyncio.Event()

    async def note() -> None:
        hooks_have_run.set()

    simcord_bot.router._running.add(handler)  # noqa: SLF001
    handler.add_done_callback(simcord_bot.router._running.discard)  # noqa: SLF001
    simcord_bot.on_closing.append(note)
    ending = asyncio.create_task(simcord_bot.finish())
    await hooks_have_run.wait()
    await asyncio.sleep(0.1)
    late = world.begin(world.alice, board, ids(board)[0])
    await ending
    assert "restarting" in refused(late)


async def test_who_ends_alone_refuses_in_words(world: World, simcord_bot: Rowbot) -> None:
    """Nobody waits to answer instead."""
    await simcord_bot.serving.wait()
    await world.env.advance_time(2)
    await world.challenge()
    await simcord_bot.serving.leave()
    await simcord_bot.router.close()
    refused(await world.press(world.alice, "b2"))
