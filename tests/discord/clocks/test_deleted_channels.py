"""Matches whose channel is deleted or locked: nobody loses a game that can't be played."""

import logging
from functools import partial

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.client import Rowbot
from bot.identity import ChannelId
from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, on_its_way
from tests.discord.conftest import Restart
from tests.discord.matches.passing import DAY, DEFAULT, HOUR, ROUND, pass_time
from tests.discord.world import World, logged, newest, text

ENDINGS = "SELECT ending, rated_as, due_at FROM matches"
STRANDED = [("stranded", None, None)]


async def begin(world: World, place: ChannelHandle, **options: object) -> None:
    """Let alice and bob play four moves, after which the end would be rated."""
    board = await world.challenge(place, **options)
    for who, square in zip((world.alice, world.bob) * 2, ("a1", "a2", "b2", "b1"), strict=True):
        await world.press(who, square, board)
        board = newest(place)


async def begin_in_thread(world: World) -> discord.Thread:
    """Let alice and bob begin in a new thread; return the bot's object for the thread."""
    place = world.thread(world.channel)
    await begin(world, place)
    known = world.env.bot.get_channel(place.id)
    assert isinstance(known, discord.Thread)
    return known


@pytest.mark.parametrize(
    ("which", "clock"), [("channel", HOUR), ("thread", 0), ("channel of the thread", HOUR)]
)
async def test_a_match_whose_channel_is_deleted(world: World, which: str, clock: int) -> None:
    """The match is called off at once, without a result."""
    place = world.channel if which == "channel" else world.thread(world.channel)
    await begin(world, place, clock=clock)
    world.env.backend.delete_channel(place.id if which == "thread" else world.channel.id)
    await world.env.settle()
    assert await world.sql(ENDINGS) == STRANDED


async def test_a_failure_of_another_part_at_the_deletion(
    world: World, simcord_bot: Rowbot, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged, and the match is called off all the same."""

    async def fail(_channel_id: ChannelId) -> None:
        raise OSError("no space left on device")

    simcord_bot.on_channel_deleted.insert(0, fail)
    await begin(world, world.channel)
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    assert await world.sql(ENDINGS) == STRANDED
    assert "failed: no space left on device" in caplog.text


@pytest.mark.parametrize("in_thread", [False, True])
async def test_a_channel_deleted_while_a_press_was_being_answered(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, in_thread: bool
) -> None:
    """That is no failure of the bot's: the log has one line, and the match is called off."""
    caplog.set_level("INFO")
    place = world.thread(world.channel) if in_thread else world.channel
    await begin(world, place)
    delete = partial(world.env.backend.delete_channel, place.id)
    on_its_way(monkeypatch, CALLBACK, before=delete, times=1)
    await world.press(world.alice, "c2", newest(place))
    assert await world.sql(ENDINGS) == STRANDED
    assert any("its channel was deleted" in record.message for record in caplog.records)
    assert not logged(caplog, logging.ERROR)


async def test_a_match_beside_another_deleted_channel(world: World) -> None:
    """The match goes on."""
    thread = world.thread(world.channel)
    await begin(world, world.channel)
    world.env.backend.delete_channel(thread.id)
    await world.env.settle()
    assert (await world.sql(ENDINGS))[0][0] is None


@pytest.mark.parametrize("in_thread", [False, True])
async def test_a_channel_deleted_while_the_bot_was_away(
    world: World,
    calendar: Calendar,
    restart: Restart,
    monkeypatch: pytest.MonkeyPatch,
    in_thread: bool,
) -> None:
    """The bot finds out when the time runs out, and calls the match off then."""
    place = world.thread(world.channel) if in_thread else world.channel
    await begin(world, place)
    with monkeypatch.context() as patched:
        patched.setattr(world.env.backend, "emit", lambda *_: None)
        world.env.backend.delete_channel(place.id)
    await restart()
    await pass_time(world, calendar, DEFAULT)
    assert await world.sql(ENDINGS) == STRANDED


@pytest.mark.parametrize("told", [True, False])
async def test_an_archived_thread(world: World, calendar: Calendar, told: bool) -> None:
    """It isn't taken for deleted, even if Discord doesn't tell of it: the loss on time counts."""
    thread = await begin_in_thread(world)
    await thread.edit(archived=True)
    await world.env.settle()
    assert world.env.bot.get_channel(thread.id) is None
    if not told:
        world.env.inject_error("GET", f"/channels/{thread.id}", status=403, code=50001, times=None)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert (await world.sql(ENDINGS))[0][0] == "timeout"


@pytest.mark.parametrize("archived", [False, True])
async def test_a_locked_thread(world: World, calendar: Calendar, archived: bool) -> None:
    """Discord lets nobody press its buttons, so the match is called off when the time runs out."""
    thread = await begin_in_thread(world)
    await thread.edit(locked=True, archived=archived)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == STRANDED


async def test_a_start_after_its_end(world: World, restart: Restart) -> None:
    """The first start after the match's end finds the channel gone; later ones don't look again."""
    await begin(world, world.channel)
    await world.env.advance_time(ROUND)
    world.env.backend.delete_channel(world.channel.id)
    asked = []
    for _ in range(3):
        await restart()
        before = len(world.env.http_requests)
        await world.env.advance_time(3 * ROUND)
        requests = world.env.http_requests[before:]
        asked.append([one for one in requests if f"/channels/{world.channel.id}" in one.path])
    assert len(asked[0]) == 1
    assert asked[1:] == [[], []]


async def test_a_match_that_can_not_be_read(world: World) -> None:
    """It is called off without being read, since no command can reach it any more."""
    await begin(world, world.channel)
    await world.sql("UPDATE matches SET moves = 'nonsense'")
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    assert await world.sql(ENDINGS) == STRANDED


async def test_a_match_of_one_in_a_deleted_channel_goes_on_elsewhere(
    world: World, calendar: Calendar
) -> None:
    """A match against the computer is archived, so that `/board` brings it to another channel."""
    elsewhere = world.guild.create_text_channel("elsewhere")
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    await world.alice.slash(elsewhere, "board")
    assert "Last move: 🔵" in text(elsewhere.last_message)
    await pass_time(world, calendar, 6 * DAY)
    assert (await world.sql(ENDINGS))[0][0] is None
