"""`/board` where no match is being played: it lists the asker's matches elsewhere."""

from typing import Any

from simcord.builders import ChannelHandle

from tests.conftest import Calendar
from tests.discord.world import World, refused, text

_HEAD = "Your matches elsewhere:"
_MESSAGE_TAKES = 2000  # characters


async def begin(world: World, channel: ChannelHandle, **options: Any) -> str:
    """Let alice challenge bob in a channel and bob accept; return the board's address."""
    return (await world.challenge(channel, **options)).jump_url


async def asked(world: World, channel: ChannelHandle) -> list[str]:
    """Return the lines of bob's answer to `/board`."""
    return refused(await world.bob.slash(channel, "board")).split("\n")


async def test_board_links_matches_in_other_channels(world: World) -> None:
    """They are linked, and those that wait for the asker come first."""
    empty = world.guild.create_text_channel("empty")
    assert _HEAD not in await asked(world, empty)
    waiting = await begin(world, world.channel, first="opponent")
    moved = await begin(world, world.guild.create_text_channel("other"))
    no_match, head, *lines = await asked(world, empty)
    assert "No match is being played in this channel" in no_match and head == _HEAD
    assert ["**bob** to move" in line for line in lines] == [True, False]
    assert waiting in lines[0] and moved in lines[1]
    assert _HEAD not in refused(await world.carol.slash(empty, "board"))


async def test_board_where_the_last_match_is_over(world: World) -> None:
    """The final board in the channel is linked as well."""
    ended = await begin(world, world.channel)
    await world.resign(world.alice)
    live = await begin(world, world.guild.create_text_channel("other"))
    lines = await asked(world, world.channel)
    assert ended.rsplit("/", 1)[0] in lines[-3] and lines[-2] == _HEAD and live in lines[-1]


async def test_only_live_matches_of_this_server(world: World, calendar: Calendar) -> None:
    """Another server's and ended matches aren't listed; one put away comes back instead."""
    empty = world.guild.create_text_channel("empty")
    user = world.env.create_user("dan")
    elsewhere = world.env.create_guild()
    there = elsewhere.add_member(user)
    await there.slash(elsewhere.create_text_channel("games"), "play tictactoe")
    dan = world.guild.add_member(user)
    await dan.slash(world.channel, "play tictactoe")
    await world.resign(dan)
    assert _HEAD not in refused(await dan.slash(empty, "board"))
    await dan.slash(world.channel, "play tictactoe")
    assert _HEAD in refused(await dan.slash(empty, "board"))
    calendar.ahead += 8 * 86_400
    await world.env.advance_time(10)
    assert "**dan**, your move" in text(await dan.slash(empty, "board"))


async def test_many_matches_with_the_longest_names(world: World) -> None:
    """Four lines fit into a message, that of the match that waits for the asker among them.

    The last line counts the other matches.
    """
    empty = world.guild.create_text_channel("empty")
    users = [world.env.create_user(name, global_name="*" * 32) for name in ("dan", "erin")]
    world.alice, world.bob = map(world.guild.add_member, users)
    options = {"rows": 10, "columns": 10, "line": 10, "variant": "corners"}
    waiting = await begin(world, world.channel, first="opponent", **options)
    for number in range(5):
        await begin(world, world.guild.create_text_channel(f"other-{number}"), **options)
    lines = await asked(world, empty)
    assert len(lines) == 7 and waiting in lines[2] and lines[-1] == "… and 2 more"
    assert len("\n".join(lines)) <= _MESSAGE_TAKES
