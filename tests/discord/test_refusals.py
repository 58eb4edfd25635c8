"""Presses that are refused: always answered, privately, with the reason; nothing changes."""

import pytest

from tests.discord.world import World, ids, refused, text

BOARD_LINK = "https://discord.com/channels/"


async def keep_old_boards(world: World) -> None:
    """Let no message be removed or changed any more, as where the bot lacks the permission."""
    world.env.inject_error("DELETE", "/channels/*/messages/*", status=403, code=50013, times=None)
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50013, times=None)


async def test_a_stranger_may_look_but_not_touch(world: World) -> None:
    """Carol presses in a match of alice and bob: she is told who plays, and how to play herself."""
    await world.challenge()
    words = refused(await world.press(world.carol, "b2"))
    assert "alice" in words
    assert "bob" in words
    assert "/play" in words
    assert "m:1:0:b2" in ids(world.last)


async def test_a_taken_square_costs_no_turn(world: World) -> None:
    """A press on a taken square is refused; it is still the same member's turn."""
    await world.challenge()
    await world.press(world.alice, "b2")
    words = refused(await world.press(world.bob, "b2"))
    assert "taken" in words
    assert BOARD_LINK in words
    await world.press(world.bob, "a1")
    assert "Last move: ⭕ a1" in text(world.last)


async def test_an_old_board_is_answered_and_not_obeyed(world: World) -> None:
    """A press on a board that could not be removed changes nothing, and links to the new one."""
    await world.challenge()
    old = world.last
    await keep_old_boards(world)
    await world.press(world.alice, "b2")
    current = world.last
    words = refused(await world.press(world.bob, "a1", old))
    assert "old one" in words
    assert str(current.id) in words
    assert world.last.id == current.id


async def test_an_old_board_stays_old_after_an_undo(world: World) -> None:
    """After an undo the ply of an old board comes again; its buttons still don't play."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    first = world.last
    await keep_old_boards(world)
    await world.press(world.alice, "b2")
    await world.alice.slash(world.channel, "undo")
    assert "old one" in refused(await world.press(world.alice, "a1", first))
    assert "m:1:0:a1" in ids(world.last)


async def test_a_match_that_is_over_takes_no_press(world: World) -> None:
    """A board left over from before a resignation says that it is old."""
    await world.challenge()
    board = world.last
    await keep_old_boards(world)
    result = await world.bob.slash(world.channel, "resign")
    assert result.response is not None
    await world.bob.click(result.response, label="Yes, resign")
    assert refused(await world.press(world.alice, "b2", board))


@pytest.mark.parametrize(
    "custom_id",
    [
        "m:999999:0:b2",
        "m:999999999999999999:0:b2",
        "m:9999999999999999999999:0:b2",
        "m:1:0:z99",
        "m:1:0:b2-b2-b2",
        "m:1:-1:b2",
        "m:1:0:b2\n",
        "m::0:b2",
        "p:1:0:q9",
        "p:999999:0:a1",
        "a:1:0:explode",
        "r:999999",
        "s:999999",
        "c:999999:accept",
        "c:1:steal",
        "o:1:0:draw:7:agree",
        "l:chess:999999",
        "drop table matches",
        "x" * 100,
    ],
)
async def test_a_made_up_button_is_answered(world: World, custom_id: str) -> None:
    """Whatever a custom id says, whoever pressed it gets an answer; the match stays as it was."""
    await world.challenge()
    board = world.last
    message = await world.made_up(custom_id)
    result = await world.carol.click(message, custom_id=custom_id)
    assert result.acknowledged
    assert world.now(board).id == board.id
    assert "m:1:0:b2" in ids(world.now(board))


async def test_a_broken_row_is_answered_with_a_number(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """A stored match that can't be read is logged under the id that the member is told."""
    await world.challenge()
    engine = world.env.bot.services.matches.store._engine  # type: ignore[attr-defined]  # noqa: SLF001
    async with engine.begin() as connection:
        await connection.exec_driver_sql("UPDATE matches SET moves = 'b2 b2'")
    words = refused(await world.press(world.alice, "a1"))
    number = next(word for word in words.replace(")", " ").split() if word.isdigit())
    assert f"interaction {number} failed" in caplog.text
