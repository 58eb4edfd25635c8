"""Servers that remove the bot and add it again: the time without the bot costs nobody a match."""

from tests.conftest import Calendar
from tests.discord.matches.passing import DAY, HOUR, MINUTE, ROUND, add_again, pass_time, remove
from tests.discord.world import World, mentioned, text


async def look_for_left(world: World, calendar: Calendar) -> None:
    """Let the bot look for servers that it has left, as it does once a day from its start on."""
    await pass_time(world, calendar, 0)


async def test_clocks_stand_still_until_the_bot_is_back(world: World, calendar: Calendar) -> None:
    """Once it is back, the player to move is reminded, and has the time that was left."""
    board = await world.challenge(clock=HOUR)
    await pass_time(world, calendar, 20 * MINUTE)
    await remove(world)
    for _ in range(3):
        await pass_time(world, calendar, DAY)
    assert world.last.id == board.id
    await add_again(world)
    await pass_time(world, calendar, 0)
    assert "it's your move" in text(world.last)
    assert mentioned(world.last, world.env) == [world.alice.id]
    ((deadline,),) = await world.sql("SELECT deadline FROM matches")
    assert 40 * MINUTE - 5 * ROUND < deadline - calendar() <= 40 * MINUTE
    assert f"<t:{deadline}:R>" in text(world.last)
    await world.press(world.alice, "b2", board)
    assert "Last move: ❌ b2" in text(world.last)


async def test_a_reminder_from_days_before_the_bot_is_back(
    world: World, calendar: Calendar
) -> None:
    """Another one takes its place and notifies: else nobody would hear that the clock goes on."""
    board = await world.challenge(clock=HOUR)
    await pass_time(world, calendar, 50 * MINUTE)
    before = world.last
    assert "it's your move" in text(before)
    await remove(world)
    await pass_time(world, calendar, 3 * DAY)
    await add_again(world)
    await pass_time(world, calendar, 0)
    assert [one.id for one in world.channel.history()] == [board.id, world.last.id]
    assert world.last.id > before.id and mentioned(world.last, world.env) == [world.alice.id]


async def test_an_idle_match_is_archived_meanwhile(world: World, calendar: Calendar) -> None:
    """It has no clock that could stand still, and otherwise would hold its channel for ever."""
    await world.alice.slash(world.channel, "play tictactoe")
    await remove(world)
    await pass_time(world, calendar, 8 * DAY)
    await add_again(world)
    await world.bob.slash(world.channel, "play tictactoe")
    await world.resign(world.bob)
    await world.alice.slash(world.channel, "board")
    await world.press(world.alice, "b2")
    assert "Last move: 🔵" in text(world.last)


async def test_no_server_is_asked_for_before_its_shard_is_connected(
    world: World, calendar: Calendar
) -> None:
    """No server is known before, so the start would ask for each in which somebody may lose."""
    await world.challenge(clock=HOUR)
    await look_for_left(world, calendar)
    for table, column in (("matches", "guild_id"), ("guilds", "id")):
        await world.sql(f"UPDATE {table} SET {column} = {world.guild.id + 1}")
    world.env.bot.dispatch("shard_disconnect", 0)
    await pass_time(world, calendar, DAY)
    ((left_at, deadline),) = await world.sql(
        "SELECT removed_at, deadline FROM guilds JOIN matches ON guild_id = guilds.id"
    )
    assert left_at is None and deadline > calendar()


async def test_a_removal_while_the_bot_was_offline(world: World, calendar: Calendar) -> None:
    """No event reports it, so the bot asks Discord, but only before somebody loses on time."""
    await world.challenge(clock=HOUR)
    await look_for_left(world, calendar)
    left = f"SELECT removed_at FROM guilds WHERE id = {world.guild.id + 1}"
    for table, column in (("matches", "guild_id"), ("guilds", "id")):
        await world.sql(f"UPDATE {table} SET {column} = {world.guild.id + 1}")
    await pass_time(world, calendar, 50 * MINUTE)
    assert await world.sql(left) == [(None,)]
    await pass_time(world, calendar, 2 * HOUR)
    await pass_time(world, calendar, 2 * HOUR)
    assert await world.sql("SELECT ended_at, due_at FROM matches") == [(None, None)]
    (left_at,) = (row[0] for row in await world.sql(left))
    assert left_at is not None
