"""The bot keeps nothing in memory for a match."""

import asyncio
import gc
import logging

import discord
import pytest
from simcord import InteractionResult

from bot.client import Rowbot
from bot.gateway.channels import Channels
from bot.i18n import channel_texts
from bot.identity import ChannelId, MessageId, Place, ServerId
from bot.matches.model import StoredMatch
from bot.matches.presses import Play
from bot.matches.service import MatchService
from tests.bot.engines import SlowEngine
from tests.discord.calls import BY_TOKEN, on_its_way
from tests.discord.failing import lose_the_board
from tests.discord.world import World, logged, refused, text


@pytest.mark.parametrize("rounds", [2, pytest.param(60, marks=pytest.mark.slow)])
async def test_no_match_stays_in_memory(world: World, rounds: int) -> None:
    """After matches of five turns discord.py holds no view of ours, the services hold no match."""
    before = alive()
    for _ in range(rounds):
        await world.played()
    (route,) = rowbot(world).router._routes[Play.tag]  # noqa: SLF001
    matches: MatchService = route.handle.__self__._matches  # type: ignore[attr-defined]  # noqa: SLF001
    assert not matches._locks  # noqa: SLF001
    board_ids = matches._store.board_ids  # noqa: SLF001
    assert len(board_ids._unwritten) <= rounds  # noqa: SLF001
    await world.env.advance_time(10)
    assert not board_ids._unwritten  # noqa: SLF001
    assert_forgotten(world, before)


async def test_no_interaction_leaves_anything_in_memory(world: World) -> None:
    """Picks, refusals, offers, challenges, lists, and a failed removal leave nothing either."""
    before = alive()
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    await world.bob.click(world.last, label="Decline")
    await world.played("a1", game="nineholes")
    assert refused(await world.press(world.bob, "b1"))
    for path in ("/webhooks/*/messages/*", "/channels/*/messages/*"):
        world.env.inject_error("DELETE", path, status=403, code=50013)
    await world.press(world.alice, "a1-b3")
    await world.move(world.bob, "a5-a4")
    board = await world.command(world.bob, "board")
    await world.bob.click(board, label="Undo")
    await world.alice.click(world.last, label="Decline")
    await world.bob.click(board, label="Draw")
    await world.alice.click(world.last, label="Agree")
    await world.alice.click(world.last, label="Rematch")
    await world.bob.click(world.last, label="Agree")
    await world.resign(world.bob)
    await world.carol.slash(world.channel, "leaderboard")
    assert_forgotten(world, before)


def rowbot(world: World) -> Rowbot:
    """Return the bot with its own type."""
    assert isinstance(world.env.bot, Rowbot)
    return world.env.bot


def alive() -> set[int]:
    """Return the ids of all boards and matches in the process, including those of other tests."""
    gc.collect()
    kinds = (discord.ui.LayoutView, StoredMatch)
    return {id(o) for o in gc.get_objects() if isinstance(o, kinds)}


def assert_forgotten(world: World, before: set[int]) -> None:
    """Fail if an object made since `before` is still in memory."""
    bot = rowbot(world)
    store = bot._connection._view_store  # noqa: SLF001
    assert not any(store._views.values())  # noqa: SLF001
    assert not store._synced_message_views  # noqa: SLF001
    assert not store._modals  # noqa: SLF001
    assert not bot.cached_messages
    assert not bot.router._running  # noqa: SLF001
    assert not alive() - before


async def test_closing_finishes_what_is_running(world: World) -> None:
    """A press being handled when the bot closes is played and shown; later presses are not."""
    await world.challenge()
    bot, board = rowbot(world), world.last
    running = world.begin(world.alice, board, "m:1:0:b2")
    while not bot.router._running:  # noqa: ASYNC110, SLF001
        await asyncio.sleep(0)
    closing = asyncio.create_task(bot.close())
    await asyncio.sleep(0)
    late = world.begin(world.bob, board, "m:1:0:c3")
    await closing
    await world.env.settle()
    assert running.acknowledged and not running.ephemeral
    assert "Last move: ❌ b2" in text(world.last)
    assert "restarting" in refused(late)


async def test_closing_stores_the_boards_that_it_still_posts(world: World) -> None:
    """A board that was put off is posted, and the next start looks for no old one."""
    await world.challenge()
    lose_the_board(world)
    await world.press(world.alice, "b2")
    await rowbot(world).close()
    (board,) = world.boards()
    assert "Last move: ❌ b2" in text(board)
    assert await world.sql("SELECT board_id FROM matches") == [(board.id,)]
    assert await world.sql("SELECT message_id FROM old_boards") == []


async def test_closing_takes_no_command(world: World) -> None:
    """A closing bot refuses commands, which change nothing, and stores the boards' messages."""
    board = await world.challenge()
    closing = asyncio.create_task(rowbot(world).close())
    await asyncio.sleep(0)
    result = await world.alice.slash(world.channel, "move", where="b2")
    await closing
    assert "restarting" in refused(result)
    (row,) = await world.sql("SELECT moves, board_id FROM matches")
    assert (row.moves, row.board_id) == ("", board.id)


async def test_presses_in_the_last_moment_of_closing(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A press is refused while it can be answered, before the connection closes.

    Presses that come afterwards are dropped with a line in the log, and so are background calls.
    """
    caplog.set_level(logging.INFO)
    await world.challenge()
    bot, board, is_open = rowbot(world), world.last, True
    late: list[InteractionResult] = []

    async def take_time() -> None:
        """Take a few steps of the loop; raise aiohttp's error after the end."""
        for _ in range(5):
            await asyncio.sleep(0)
        if not is_open:
            raise RuntimeError("Session is closed")

    async def press() -> None:
        late.append(world.begin(world.bob, board, "m:1:0:c3"))
        for _ in range(3):
            await asyncio.sleep(0)

    async def close(client: discord.AutoShardedClient) -> None:
        """Close the connection, while somebody types a move and somebody presses."""
        nonlocal is_open
        typing = asyncio.create_task(world.alice.autocomplete(world.channel, "move", "where", ""))
        await press()
        is_open = False
        await disconnect(client)
        typing.cancel()

    disconnect = discord.AutoShardedClient.close
    monkeypatch.setattr(discord.AutoShardedClient, "close", close)
    on_its_way(monkeypatch, BY_TOKEN, before=take_time)
    bot.on_closing.append(press)
    await bot.close()
    buttons = bot.router._routes[Play.tag][0].handle.__self__  # type: ignore[attr-defined]  # noqa: SLF001
    channels: Channels = buttons._boards._channels  # noqa: SLF001
    here = Place(ServerId(world.guild.id), ChannelId(world.channel.id))
    channels.remove_later(here, [MessageId(board.id)], channel_texts("en"))
    await world.env.settle()
    first, last = late
    assert "restarting" in refused(first)
    assert not last.acknowledged
    assert caplog.text.count("came too late") == 2
    assert "given up" in caplog.text
    assert not logged(caplog, logging.WARNING)


@pytest.mark.parametrize("simcord_bot", [SlowEngine], indirect=True)
async def test_closing_during_a_search(world: World) -> None:
    """The bot finishes a running move before it closes."""
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    moving = world.begin(world.alice, world.last, "m:1:0:b2")
    while not await world.sql("SELECT 1 FROM matches WHERE computer_due"):  # noqa: ASYNC110 - of the database
        await asyncio.sleep(0)
    await world.env.bot.close()
    await world.env.settle()
    assert moving.acknowledged
    assert "Last move: 🔵" in text(world.last)
