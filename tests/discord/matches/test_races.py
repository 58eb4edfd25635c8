"""Simultaneous presses, dispatched before any is answered."""

import asyncio
from functools import partial

import pytest

from tests.discord.calls import BY_TOKEN, on_its_way
from tests.discord.failing import lose_the_board, meanwhile
from tests.discord.world import ALICE_WINS, World, answer_to, ids, refused, text
from tests.fuzzing.timers import simulate_all_time


async def test_a_doubled_press_plays_once(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """The same press twice posts one board with one mark; the second press is answered.

    The log has no failure, although both presses remove the old board.
    """
    caplog.set_level("INFO")
    board = await world.challenge()
    first, second = await world.at_once(
        (world.alice, board, "m:1:0:b2"), (world.alice, board, "m:1:0:b2")
    )
    assert first.acknowledged
    assert refused(second)
    assert len(world.boards()) == 1
    assert "m:1:1:a1" in ids(world.last)
    assert not [record for record in caplog.records if "can't be removed" in record.getMessage()]


async def test_a_press_while_the_board_is_on_its_way(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for the first press's board and is refused, so that no other board is posted."""
    board = await world.challenge()
    again = meanwhile(monkeypatch, lambda: world.begin(world.alice, board, "m:1:0:b2"))
    await world.alice.click(board, custom_id="m:1:0:b2")
    assert "out of date" in refused(again[0])
    assert len(world.boards()) == 1


async def test_presses_while_a_board_that_fails_is_on_its_way(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One press sends the board, and the others wait for it; its player is notified once."""
    board = await world.challenge()
    simulate_all_time(monkeypatch)
    on_its_way(monkeypatch, BY_TOKEN, before=partial(asyncio.sleep, 1))
    made = len(world.env.http_requests)
    lose_the_board(world)
    world.begin(world.alice, board, "m:1:0:b2")
    await world.env.advance_time(0.2)
    for _ in range(3):
        world.begin(world.carol, board, "m:1:0:c3")
    await world.env.advance_time(15)
    gone = [call.path for call in world.env.http_requests[made:] if call.method == "DELETE"]
    assert len(world.boards()) == 1
    assert {path.rpartition("/")[2] for path in gone} == {str(board.id)}


async def test_a_burst_of_one_press_plays_once(world: World) -> None:
    """Ten presses of every square, by everyone at once, make one move; each is answered."""
    board = await world.challenge()
    everybody = (world.bob, world.carol, world.alice)
    results = await world.at_once(
        *((who, board, i) for who in everybody for i in ids(board) if i.startswith("m:"))
    )
    assert [r.ephemeral for r in results].count(False) == 1
    assert all(refused(r) for r in results if r.ephemeral)
    assert len(await plies(world)) == 1


async def test_a_doubled_press_against_the_computer_plays_once(world: World) -> None:
    """After the computer's answer the member is to move again, yet the second press is refused."""
    board = await world.command(world.alice, "play tictactoe", level="easy")
    _, second = await world.at_once(
        (world.alice, board, "m:1:0:b2"), (world.alice, board, "m:1:0:a1")
    )
    assert "out of date" in refused(second)
    assert len(await plies(world)) == 2
    assert len(world.boards()) == 1


@pytest.mark.parametrize("command_first", [True, False])
async def test_a_command_and_a_press_at_once(world: World, *, command_first: bool) -> None:
    """A command and a press by one member make one move, in either order."""
    board = await world.challenge()
    command = asyncio.create_task(world.alice.slash(world.channel, "move", where="a1"))
    if command_first:
        await asyncio.sleep(0)
    press = world.begin(world.alice, board, "m:1:0:b2")
    typed = await command
    assert refused(press if command_first else typed)
    assert await plies(world) == ["a1" if command_first else "b2"]
    assert len(world.boards()) == 1


async def test_presses_come_with_the_message(world: World) -> None:
    """Accept and every move of a match are pressed as soon as they appear: none is lost.

    Other bots lose an early Accept because they start listening after posting the message.
    """
    squares = enumerate(ALICE_WINS.split())
    presses = {f"m:1:{ply}:{at}": (world.alice, world.bob)[ply % 2] for ply, at in squares}
    results = world.on_sight({"c:1:accept": world.bob, **presses})
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    assert [result.ephemeral for result in results] == [False] * 6
    assert "alice** wins" in text(world.last)
    assert len(world.channel.history()) == 1


async def test_a_board_against_the_computer_can_be_pressed_at_once(world: World) -> None:
    """The same holds for the first board of a match without a challenge."""
    results = world.on_sight({"m:1:0:b2": world.alice})
    await world.alice.slash(world.channel, "play tictactoe")
    assert [result.ephemeral for result in results] == [False]
    assert len(await plies(world)) == 2


async def test_a_man_is_picked_and_placed_at_once(world: World) -> None:
    """A simultaneous pick and placement make one move; a late pick is refused and moves nothing."""
    board = await world.played("a1", game="nineholes")
    placed, picked = await world.at_once(
        (world.alice, board, "m:1:0:a1-b3"), (world.alice, board, "p:1:0:b1")
    )
    assert not placed.ephemeral
    assert "out of date" in refused(picked)
    assert await plies(world) == ["a1-b3"]


async def test_resigning_while_the_other_moves(world: World) -> None:
    """If the move comes first, both count; if the resignation comes first, the move is refused."""
    for moves_first in (True, False):
        board = await world.challenge()
        asked = await world.bob.slash(world.channel, "resign")
        match = ids(board)[0].split(":")[1]
        move = (world.alice, board, f"m:{match}:0:b2")
        resign = (world.bob, answer_to(asked).message, f"s:{match}")
        results = await world.at_once(*((move, resign) if moves_first else (resign, move)))
        assert results[0].acknowledged
        assert moves_first or refused(results[1])
        assert "**bob** resigned" in text(world.last)
        assert ("Last move: ❌ b2" in text(world.last)) is moves_first
        assert not world.boards()


async def plies(world: World) -> list[str]:
    """Return the stored moves of the newest match."""
    rows = await world.sql("SELECT moves FROM matches ORDER BY id DESC LIMIT 1")
    return str(rows[0].moves).split()
