"""Nine Holes by buttons: pick a man, then where it goes."""

import pytest

from tests.discord.world import World, ids, refused, text


async def test_a_man_is_picked_and_placed(world: World) -> None:
    """The pick changes the board in place, the placing is the move and posts a new one."""
    await world.challenge(game="nineholes")
    board = world.last
    await world.press(world.alice, "a1")
    assert world.last.id == board.id
    assert "a1 is picked" in text(world.last)
    await world.press(world.alice, "a1-c4")
    assert world.last.id != board.id
    assert "Last move: ❌ a1-c4" in text(world.last)
    assert len(world.boards()) == 1


async def test_the_pick_can_be_changed_and_dropped(world: World) -> None:
    """Another own man changes the pick; the picked one again drops it."""
    await world.challenge(game="nineholes")
    await world.press(world.alice, "a1")
    await world.press(world.alice, "b1")
    assert "m:1:0:b1-c4" in ids(world.last)
    await world.press(world.alice, "")
    assert "is picked" not in text(world.last)
    assert "p:1:0:b1" in ids(world.last)


@pytest.mark.parametrize("square", ["a1-b5", "a1-a5"])
async def test_an_illegal_target_keeps_the_pick(world: World, square: str) -> None:
    """A target that is no empty hole is refused privately; the man stays picked."""
    await world.challenge(game="nineholes")
    await world.press(world.alice, "a1")
    assert "still your turn" in refused(await world.press(world.alice, square))
    assert "a1 is picked" in text(world.last)


async def test_a_hole_pressed_before_any_man(world: World) -> None:
    """Without a pick, a hole or a man of the other is answered with the men that can move."""
    await world.challenge(game="nineholes")
    for square in ("b3", "a5"):
        assert "a1 b1 c1" in refused(await world.press(world.alice, square))


async def test_only_the_mover_picks(world: World) -> None:
    """The other player and strangers can't pick for the mover."""
    await world.challenge(game="nineholes")
    assert "alice" in refused(await world.press(world.bob, "a5"))
    assert "You don't play" in refused(await world.press(world.carol, "a1"))


async def test_a_whole_game(world: World) -> None:
    """X enters three men on one rank and wins; the final board is kept in text."""
    await world.challenge(game="nineholes")
    moves = "a1-a2 a5-a4 b1-b2 b5-b4 c1-c2"
    for ply, move in enumerate(moves.split()):
        mover = (world.alice, world.bob)[ply % 2]
        await world.press(mover, move.split("-")[0])
        await world.press(mover, move)
    assert "alice** wins" in text(world.last)
    assert not world.boards()


@pytest.mark.parametrize("variant", ["free", "drop-first", "step"])
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
async def test_against_the_computer(world: World, variant: str, level: str) -> None:
    """The computer answers in every variant at every level it has."""
    await world.alice.slash(
        world.channel, "play nineholes", variant=variant, level=level, first="opponent"
    )
    assert "Last move: ❌" in text(world.last)
    await world.press(world.alice, "a5")
    target = next(i for i in ids(world.last) if i.startswith("m:") and "-" in i and i[-1] in "234")
    await world.alice.click(world.last, custom_id=target)
    assert "alice" in text(world.last)
