"""Nonces in the simulated Discord."""

from tests.conftest import Calendar
from tests.discord.world import World


async def test_a_nonce_makes_one_message_within_minutes(world: World, calendar: Calendar) -> None:
    """A message of a known nonce is the one before; of another nonce, or later, it is a new one."""
    channel = world.env.bot.get_partial_messageable(world.channel.id)
    first = await channel.send("One", nonce=1)
    assert (await channel.send("Two", nonce=1)).id == first.id
    await channel.send("Three", nonce=2)
    calendar.ahead = 300
    await channel.send("Four", nonce=1)
    assert [message.content for message in world.channel.history()] == ["One", "Three", "Four"]
