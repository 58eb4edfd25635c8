"""Passing time in tests of clocks: set the calendar forward and let the sweeper run."""

from tests.conftest import Calendar
from tests.discord.world import World

MINUTE, HOUR, DAY = 60, 3600, 86_400
DEFAULT = DAY  # the default clock for a move
ROUND = 6  # seconds in which the sweeper and housekeeping run at least once


async def pass_time(world: World, calendar: Calendar, seconds: int) -> None:
    """Set the calendar forward and wait for the sweeper."""
    calendar.ahead += seconds
    await world.env.advance_time(ROUND)
