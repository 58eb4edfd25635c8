"""The data of servers that the bot has left."""

from bot.times import DAY
from tests.conftest import Calendar
from tests.discord.conftest import Restart
from tests.discord.matches.passing import ROUND
from tests.discord.world import World


async def left_at(world: World) -> int | None:
    """Return when the bot left the only server with a match, as far as it knows."""
    played = "SELECT guild_id FROM matches"
    ((moment,),) = await world.sql(f"SELECT removed_at FROM guilds WHERE id IN ({played})")
    return None if moment is None else int(moment)


async def played_elsewhere(world: World) -> None:
    """Move the only match to a server that this process isn't connected to."""
    await world.challenge()
    for table, column in (("matches", "guild_id"), ("guilds", "id")):
        await world.sql(f"UPDATE {table} SET {column} = {world.guild.id + 1}")


async def test_a_server_is_erased_after_thirty_days(
    world: World, calendar: Calendar, restart: Restart
) -> None:
    """A server's data is erased thirty days after the bot's removal; others keep theirs."""
    elsewhere = World(world.env, world.database, world.clock)
    for each in (world, elsewhere):
        await each.played()
    world.env.backend.remove_guild(elsewhere.guild.id)
    await world.env.settle()
    gone = f"SELECT count(*) FROM matches WHERE guild_id = {elsewhere.guild.id}"
    for days, kept in ((29, 1), (2, 0)):
        calendar.ahead += days * DAY
        await restart()
        await world.env.advance_time(ROUND)
        assert await world.sql(gone) == [(kept,)]
    for table in ("ratings", "standings", "members"):
        rows = await world.sql(f"SELECT DISTINCT guild_id FROM {table}")
        assert [row[0] for row in rows] == [world.guild.id], table
    assert await world.sql("SELECT count(*) FROM seats") == [(2,)]


async def test_added_again_while_the_bot_was_offline(world: World, restart: Restart) -> None:
    """A server that has the bot at its next start keeps everything, however long ago it left."""
    await world.challenge()
    await world.sql("UPDATE guilds SET removed_at = 1")
    await restart()
    await world.env.advance_time(ROUND)
    assert await left_at(world) is None
    assert await world.sql("SELECT count(*) FROM matches") == [(1,)]


async def test_an_outage_is_no_removal(world: World) -> None:
    """Discord sends the same event for a server that is unavailable, but says so in it."""
    await world.challenge()
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id), "unavailable": True})
    await world.env.settle()
    assert await left_at(world) is None


async def test_removed_while_the_bot_was_offline(
    world: World, calendar: Calendar, restart: Restart
) -> None:
    """The bot asks Discord about idle servers that it doesn't see; the removal counts from now."""
    await played_elsewhere(world)
    calendar.ahead += 8 * DAY
    await restart()
    await world.env.advance_time(ROUND)
    left = await left_at(world)
    assert left is not None and calendar() - 60 < left <= calendar()


async def test_nothing_is_erased_unless_discord_says_so(world: World, restart: Restart) -> None:
    """A proxy's 403, or no answer at all, isn't Discord's word that the bot has left."""
    await played_elsewhere(world)
    await world.sql("UPDATE guilds SET removed_at = 1")
    world.env.inject_error("GET", "/guilds/*", status=403, times=None)
    await restart()
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT count(*) FROM matches") == [(1,)]
    world.env.backend.faults.clear()
    await restart()
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT count(*) FROM matches") == [(0,)]
