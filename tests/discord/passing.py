"""How time passes in tests of clocks: the calendar is put forward, and the sweeper comes by."""

from tests.conftest import Calendar
from tests.discord.world import World

MINUTE, HOUR, DAY = 60, 3600, 86_400
DEFAULT = DAY  # the time for a move where nobody says another
ROUND = 6  # seconds in which the sweeper and housekeeping come by


async def pass_time(world: World, calendar: Calendar, seconds: int) -> None:
    """Let time pass, and then the sweeper come by."""
    calendar.ahead += seconds
    await world.env.advance_time(ROUND)
