"""The last match of a channel is the one that ended last, even if another began after it."""

import discord
from simcord.actors import MemberActor

from tests.conftest import Calendar
from tests.discord.matches.taking import TAKE, without_a_game
from tests.discord.world import World, refused, text


async def resigned(world: World, calendar: Calendar) -> discord.Message:
    """Let alice resign a match a minute later; return its final board."""
    calendar.ahead += 60
    await world.resign(world.alice)
    return world.last


async def resumed(world: World, calendar: Calendar) -> tuple[discord.Message, discord.Message]:
    """Let alice finish two matches, and then the first one again; return their final boards."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    first = await resigned(world, calendar)
    await world.alice.slash(world.channel, "play nineholes")
    second = await resigned(world, calendar)
    await world.alice.click(first, label="Undo")
    return await resigned(world, calendar), second


async def test_a_rematch_of_a_resumed_match(world: World, calendar: Calendar) -> None:
    """Replay, analysis and rematch are about the match that was resumed and ended last."""
    await resumed(world, calendar)
    for command in ("replay", "analyse"):
        assert "Tic-tac-toe" in text(await world.alice.slash(world.channel, command)), command
    await world.alice.slash(world.channel, "rematch")
    assert "Tic-tac-toe" in text(world.last) and len(world.boards()) == 1


async def test_the_next_match(world: World, calendar: Calendar, mod: MemberActor) -> None:
    """It continues the resumed match's series, and removes its board where final boards go."""
    last, second = await resumed(world, calendar)
    await mod.slash(world.channel, "settings set", final_boards="go")
    await world.alice.slash(world.channel, "play tictactoe")
    assert "**Computer (medium)** 1" in text(world.last)
    left = {message.id for message in world.channel.history()}
    assert last.id not in left and second.id in left


async def put_away(world: World, calendar: Calendar, who: MemberActor) -> None:
    """Let a member take over the channel in which alice's match has rested."""
    calendar.ahead += 30 * 60
    await who.click(await without_a_game(world, who), label=TAKE)


async def test_a_match_from_another_channel(world: World, calendar: Calendar) -> None:
    """A match that was put away elsewhere, and ended here, is the last one here."""
    await world.alice.slash(world.channel, "play tictactoe")
    await put_away(world, calendar, world.bob)
    world.channel = world.guild.create_text_channel("elsewhere")
    await world.bob.slash(world.channel, "play nineholes")
    await world.resign(world.bob)
    await world.alice.slash(world.channel, "board")
    await resigned(world, calendar)
    await world.alice.slash(world.channel, "rematch")
    assert "Tic-tac-toe" in text(world.last) and len(world.boards()) == 1


async def test_a_match_put_away_last(world: World, calendar: Calendar) -> None:
    """A match that was put away last counts as the last one, until another ends."""
    await world.alice.slash(world.channel, "play tictactoe")
    await put_away(world, calendar, world.bob)
    for _ in range(2):
        await world.bob.slash(world.channel, "play nineholes")
        await world.resign(world.bob)
        assert "is over" in refused(await world.alice.slash(world.channel, "draw"))
        await world.alice.slash(world.channel, "board")
        await put_away(world, calendar, world.carol)
        assert "put away" in refused(await world.alice.slash(world.channel, "draw"))
