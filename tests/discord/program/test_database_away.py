"""The database fails for a while: the loops in the background go on as soon as it is back."""

import logging
from functools import partial
from random import Random

import pytest

from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import Database
from bot.settings import Settings
from tests.bot.engines import HopelessEngine, SearchingEngine
from tests.bot.processes import children, until
from tests.conftest import Calendar
from tests.discord.matches.passing import DEFAULT, MINUTE, ROUND
from tests.discord.program.away import away, only_reading
from tests.discord.tournaments.playing import Club
from tests.discord.world import World, labels, logged, newest, refused, text


async def test_lapsing_deadlines_and_boards_go_on(
    world: World, calendar: Calendar, caplog: pytest.LogCaptureFixture
) -> None:
    """After two minutes without it, a board is noted, a challenge lapses, and a deadline passes.

    The challenge could not be answered when its time ran out, so five minutes more are left for it.
    """
    second = world.guild.create_text_channel("second")
    await world.carol.slash(second, "play tictactoe", against=world.bob)
    board = await world.challenge()
    async with away(world):
        calendar.ahead += 20 * MINUTE
        await world.env.advance_time(2 * MINUTE)
    logged = [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
    assert 0 < len([line for line in logged if line.startswith("sweeping due matches")]) <= 5
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT board_id FROM matches") == [(board.id,)]
    calendar.ahead += 5 * MINUTE
    await world.env.advance_time(ROUND)
    assert not labels(newest(second))
    calendar.ahead += DEFAULT - 27 * MINUTE
    await world.env.advance_time(ROUND)
    assert "ran out of time" in text(world.last)


async def test_a_deadline_that_cant_be_written(
    world: World, calendar: Calendar, caplog: pytest.LogCaptureFixture
) -> None:
    """While the disk is full, rounds log no traceback for each match; then the player loses."""
    await world.challenge()
    await only_reading(world, "ON")
    calendar.ahead += DEFAULT
    await world.env.advance_time(2 * ROUND)
    failures = logged(caplog, logging.ERROR)
    assert failures and not any(line.exc_info for line in failures)
    await only_reading(world, "OFF")
    await world.env.advance_time(MINUTE)
    assert "ran out of time" in text(world.last)


async def test_a_tournament_that_cant_be_written(
    world: World, calendar: Calendar, caplog: pytest.LogCaptureFixture
) -> None:
    """While the disk is full, rounds log no traceback for each tournament; then it starts."""
    club = Club(world, 3)
    await club.create(start="15m")
    await club.join_all()
    await only_reading(world, "ON")
    calendar.ahead += 15 * MINUTE
    await world.env.advance_time(2 * ROUND)
    assert caplog.records and not any(record.exc_info for record in caplog.records)
    await only_reading(world, "OFF")
    await world.env.advance_time(MINUTE)
    assert club.games()


@pytest.mark.parametrize("simcord_bot", [HopelessEngine], indirect=True)
async def test_owed_moves_are_tried_again(
    world: World, settings: Settings, database: Database
) -> None:
    """A start during which the database fails makes the owed move as soon as it is back."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.env.advance_time(ROUND)
    async with away(world):
        await world.env.restart_bot(create_bot(settings, database, rng=Random(2)))
        await world.env.advance_time(ROUND)
    assert "is thinking" in text(world.last)
    await world.env.advance_time(ROUND)
    assert "Last move: 🔵" in text(world.last)


async def test_a_press_is_answered_meanwhile(world: World) -> None:
    """A member who presses while nothing can be written is told to try again, and then plays."""
    board = await world.challenge()
    await only_reading(world, "ON")
    assert "try again" in refused(await world.press(world.alice, "b2", board))
    await only_reading(world, "OFF")
    await world.press(world.alice, "b2", board)
    assert "Last move: ❌ b2" in text(world.last)


@pytest.mark.parametrize("simcord_bot", [SearchingEngine], indirect=True)
async def test_closing_goes_on_after_a_failure(
    world: World, simcord_bot: Rowbot, caplog: pytest.LogCaptureFixture
) -> None:
    """If boards can't be written, and more fails, each is logged, and searches still end."""
    before = children()
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    await world.press(world.alice, "b2")
    assert children() - before
    ended: list[str] = []

    async def fail(why: str) -> None:
        raise OSError(why)

    async def note() -> None:
        ended.append("the last step")

    simcord_bot.on_closing.insert(0, partial(fail, "no space left on device"))
    simcord_bot.on_closing.append(note)
    async with away(world):
        await simcord_bot.close()
    assert ended == ["the last step"]
    assert simcord_bot.is_closed()
    assert "failed: no space left on device" in caplog.text
    assert "BoardIds.write failed" in caplog.text
    await until(lambda: not children() - before)
