"""Presses in the same moment, dispatched before any is answered."""

from tests.discord.world import World, ids, refused, text


async def test_a_doubled_press_plays_once(world: World) -> None:
    """The same press twice: one board, one mark; the second press is answered."""
    await world.challenge()
    board = world.last
    first, second = await world.at_once(
        (world.alice, board, "m:1:0:b2"), (world.alice, board, "m:1:0:b2")
    )
    assert first.acknowledged
    assert refused(second)
    assert len(world.boards()) == 1
    assert "m:1:1:a1" in ids(world.last)


async def test_two_squares_pressed_at_once_play_one(world: World) -> None:
    """A member who presses two squares at once has made one move."""
    await world.challenge()
    board = world.last
    await world.at_once((world.alice, board, "m:1:0:b2"), (world.alice, board, "m:1:0:a1"))
    assert "m:1:1:c3" in ids(world.last)
    assert len(world.boards()) == 1


async def test_two_members_press_at_once(world: World) -> None:
    """Whoever's turn it is moves, the other is told, in either order."""
    await world.challenge()
    for ply, (mover, other) in enumerate([(world.alice, world.bob), (world.bob, world.alice)]):
        board, square = world.last, ("b2", "a1")[ply]
        results = await world.at_once(
            (other, board, f"m:1:{ply}:c3"), (mover, board, f"m:1:{ply}:{square}")
        )
        assert refused(results[0])
        assert f"m:1:{ply + 1}:c3" in ids(world.last)


async def test_accepting_twice_at_once_starts_one_match(world: World) -> None:
    """Two presses of Accept in the same moment start one match; the second is answered."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    challenge = world.last
    results = await world.at_once(
        (world.bob, challenge, "c:1:accept"), (world.bob, challenge, "c:1:accept")
    )
    assert all(result.acknowledged for result in results)
    assert len(world.boards()) == 1


async def test_accept_and_withdraw_at_once(world: World) -> None:
    """Of Accept and Withdraw in the same moment one counts, and the other is told."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    challenge = world.last
    withdrawn, accepted = await world.at_once(
        (world.alice, challenge, "c:1:withdraw"), (world.bob, challenge, "c:1:accept")
    )
    assert withdrawn.acknowledged
    assert "answered already" in refused(accepted)
    assert not world.boards()


async def test_the_first_press_comes_with_the_board(world: World) -> None:
    """A press in the very moment in which a board appears is played."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    await world.at_once((world.bob, world.last, "c:1:accept"))
    await world.at_once((world.alice, world.last, "m:1:0:b2"))
    assert "Last move: ❌ b2" in text(world.last)


async def test_rematch_pressed_by_both_at_once(world: World) -> None:
    """Two wishes for a rematch in the same moment merge into one match."""
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    final = world.last
    await world.at_once((world.alice, final, "r:1"), (world.bob, final, "r:1"))
    assert len(world.boards()) == 1
    assert "⭕ **alice**" in text(world.last)
