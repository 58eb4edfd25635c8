"""Turns on a board of buttons, as members play them."""

from tests.discord.world import World, mentioned, refused, text


async def test_two_members_play_a_whole_game_by_buttons(world: World) -> None:
    """Each turn posts one new board and removes the old; the end tells who won."""
    await world.challenge()
    for ply, square in enumerate("a1 b1 a2 b2 a3".split()):
        assert len(world.boards()) == 1
        await world.press((world.alice, world.bob)[ply % 2], square)
    assert "alice** wins" in text(world.last)
    assert not world.boards()


async def test_a_press_out_of_turn_is_answered_privately(world: World) -> None:
    """Bob presses while it is alice's turn: he is told whose turn it is, and nothing changes."""
    await world.challenge()
    result = await world.press(world.bob, "b2")
    assert "alice" in refused(result)
    assert len(world.boards()) == 1


async def test_only_the_member_to_move_is_notified(world: World) -> None:
    """A new board mentions the one to move, and never whoever has just pressed."""
    await world.challenge()
    assert mentioned(world.last, world.env) == [world.alice.id]
    await world.press(world.alice, "b2")
    assert mentioned(world.last, world.env) == [world.bob.id]
