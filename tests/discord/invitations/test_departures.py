"""Members who agreed to a match, and left the server before it began."""

import pytest

from tests.discord.invitations.inviting import BUTTONS, offer, table
from tests.discord.world import World, labels, refused, text


async def test_a_challenge_of_somebody_who_left(world: World) -> None:
    """It can't be accepted until they are back, since they would lose the match."""
    challenge = await offer(world, world.alice, world.bob)
    world.guild.remove_member(world.alice)
    told = refused(await world.bob.click(challenge, label="Accept"))
    assert "alice has left this server" in told
    assert not world.boards()
    assert labels(world.now(challenge)) == BUTTONS
    world.guild.add_member(world.alice.user)
    await world.bob.click(challenge, label="Accept")
    assert len(world.boards()) == 1


async def test_a_challenge_that_somebody_accepted_who_left(world: World) -> None:
    """The last of three to agree is told of the one who had agreed before."""
    named = {"against": world.bob, "third": world.carol}
    challenge = await world.command(world.alice, "play tribolo", **named)
    await world.bob.click(challenge, label="Accept")
    world.guild.remove_member(world.bob)
    assert "bob has left" in refused(await world.carol.click(challenge, label="Accept"))
    assert not world.boards()


@pytest.mark.parametrize("game", ["tictactoe", "tribolo"])
async def test_a_table_whose_owner_left(world: World, game: str) -> None:
    """It closes at the next answer, whether or not that would start the match."""
    opened = await table(world, game=game)
    world.guild.remove_member(world.alice)
    await world.bob.click(opened, label="Join")
    assert not world.boards()
    assert "**alice** has left, so the table is closed" in text(world.now(opened))
    assert "`/play` with `open` opens a new one" in text(world.now(opened))
    assert labels(world.now(opened)) == []


async def test_a_guest_joins_a_table_whose_owner_left(world: World) -> None:
    """The table passes to the guest who was there before."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    world.guild.remove_member(world.alice)
    await world.carol.click(opened, label="Join")
    assert "🔵 **carol**\n🔺 **bob**\n💚 *free seat*" in text(world.now(opened))
    assert "when **bob** presses *Start*" in text(world.now(opened))


async def test_an_heir_with_a_challenge_of_their_own(world: World) -> None:
    """A table whose owner left closes if its guest has an open invitation in the channel."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    await offer(world, world.bob, world.carol)
    world.guild.remove_member(world.alice)
    await world.carol.click(opened, label="Join")
    assert "**alice** has left, so the table is closed" in text(world.now(opened))


async def test_a_guest_who_left_has_no_seat(world: World) -> None:
    """The table waits for another member."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    world.guild.remove_member(world.bob)
    await world.carol.click(opened, label="Join")
    assert "🔵 **alice**\n🔺 **carol**\n💚 *free seat*" in text(world.now(opened))
    dave = world.guild.add_member(world.env.create_user("dave"))
    await dave.click(opened, label="Join")
    assert (await world.stored()).names == ("alice", "carol", "dave")


async def test_starting_without_a_guest_who_left(world: World) -> None:
    """The computer takes the seat."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    world.guild.remove_member(world.bob)
    await world.alice.click(opened, label="Start")
    assert (await world.stored()).names == ("alice", None, None)
