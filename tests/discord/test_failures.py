"""Discord fails: every call that a turn makes, one after the other. The match is never hurt."""

import pytest

from tests.discord.world import World, ids, refused, text

CALLBACK = ("POST", "/interactions/*/*/callback")
REMOVAL = ("DELETE", "/channels/*/messages/*")
CHANGE = ("PATCH", "/channels/*/messages/*")


@pytest.mark.parametrize(("status", "code"), [(500, 0), (404, 10062), (400, 50035)])
async def test_a_board_that_could_not_be_posted(world: World, status: int, code: int) -> None:
    """The move is saved once; pressing the board that was left behind shows the current one."""
    await world.challenge()
    behind = world.last
    world.env.inject_error(*CALLBACK, status=status, code=code)
    await world.press(world.alice, "b2")
    assert len(world.boards()) == 1
    await world.press(world.bob, "c3", behind)
    assert "Last move: ❌ b2" in text(world.last)
    assert "bob" in text(world.last)
    await world.press(world.bob, "c3")
    assert "Last move: ⭕ c3" in text(world.last)
    assert len(world.boards()) == 1


async def test_board_mends_the_view(world: World) -> None:
    """After a board could not be posted, `/board` posts the current one and removes the old."""
    await world.challenge()
    world.env.inject_error(*CALLBACK)
    await world.press(world.alice, "b2")
    await world.bob.slash(world.channel, "board")
    assert "Last move: ❌ b2" in text(world.last)
    assert len(world.boards()) == 1


async def test_the_last_move_is_shown_by_a_press_on_the_board_left_behind(world: World) -> None:
    """A final board that could not be posted comes with the next press."""
    await world.challenge()
    await world.play("a1 b1 a2 b2")
    world.env.inject_error(*CALLBACK)
    await world.press(world.alice, "a3")
    await world.press(world.bob, "c3")
    assert "alice** wins" in text(world.last)
    assert not world.boards()


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (500, 0)])
async def test_a_board_that_cannot_be_removed_loses_its_buttons(
    world: World, status: int, code: int
) -> None:
    """The member sees no error; the old message says that the board has moved on."""
    await world.challenge()
    old = world.last
    world.env.inject_error(*REMOVAL, status=status, code=code)
    result = await world.press(world.alice, "b2")
    assert not result.ephemeral
    assert "moved on" in text(world.now(old))
    assert len(world.boards()) == 1


async def test_an_old_board_that_is_gone_already(world: World) -> None:
    """Somebody else has removed the old board: nothing to do, nothing to say."""
    await world.challenge()
    world.env.inject_error(*REMOVAL, status=404, code=10008)
    result = await world.press(world.alice, "b2")
    assert not result.ephemeral
    assert "Last move: ❌ b2" in text(world.last)


async def test_neither_removal_nor_change(world: World) -> None:
    """An old board that stays as it is costs nothing but its own presses, which are answered."""
    await world.challenge()
    old = world.last
    world.env.inject_error(*REMOVAL, status=403, code=50013)
    world.env.inject_error(*CHANGE, status=403, code=50013)
    await world.press(world.alice, "b2")
    assert "old one" in refused(await world.press(world.bob, "a1", old))
    await world.press(world.bob, "a1")
    assert "m:1:2:c3" in ids(world.last)


async def test_everything_fails(world: World) -> None:
    """With every call failing the move is still made once, and `/board` shows it later."""
    await world.challenge()
    for call in (CALLBACK, REMOVAL, CHANGE):
        world.env.inject_error(*call)
    await world.press(world.alice, "b2")
    world.env.backend.faults.clear()
    await world.alice.slash(world.channel, "board")
    assert "m:1:1:a1" in ids(world.last)


async def test_a_challenge_that_could_not_be_posted(world: World) -> None:
    """The challenger can withdraw nothing that nobody sees: they are told, and it lapses."""
    world.env.inject_error(*CALLBACK)
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    again = await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    assert "open challenge" in refused(again)
