"""Turns on a board of buttons, as members play them."""

import pytest
from simcord.components import walk_components

from tests.discord.world import World, labels, mentioned, refused, text


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


async def test_a_game_against_the_computer_is_silent(world: World) -> None:
    """The computer answers in the same message, and nobody is ever notified."""
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    assert mentioned(world.last, world.env) == []
    while world.boards():
        result = await world.press(world.alice, free_square(world))
        assert not result.ephemeral
        assert mentioned(world.last, world.env) == []
    assert "draw" in text(world.last) or "wins" in text(world.last)
    assert "alice** wins" not in text(world.last)


def free_square(world: World) -> str:
    """Return a square that the board shows as empty."""
    parts = walk_components([c.to_dict() for c in world.last.components])
    empty = (c for c in parts if c.get("emoji", {}).get("name") == "▫️")
    return str(next(empty)["custom_id"]).rsplit(":", 1)[-1]


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "perfect"])
@pytest.mark.parametrize("variant", ["classic", "misere", "corners", "torus"])
async def test_the_computer_can_begin(world: World, level: str, variant: str) -> None:
    """With the opponent first, the computer's move is on the first board already."""
    await world.alice.slash(
        world.channel, "play tictactoe", level=level, variant=variant, first="opponent"
    )
    assert "Last move: ❌" in text(world.last)
    assert "⭕ **alice**, your move" in text(world.last)


async def test_a_full_board_with_a_line_on_the_last_move_is_a_win(world: World) -> None:
    """A winning last move on a full board is a win and no draw (seen in other bots)."""
    await world.challenge()
    await world.play("a1 b1 c1 a2 c2 b2 b3 a3 c3")
    assert "alice** wins" in text(world.last)


async def test_a_draw(world: World) -> None:
    """A full board without a line is a draw, and the series counts half a point each."""
    await world.challenge()
    await world.play("a1 b1 c1 b2 a2 c2 b3 a3 c3")
    assert "draw" in text(world.last)
    assert "0.5" in text(world.last)


async def test_the_final_board_stays(world: World) -> None:
    """A finished match leaves its board in text, with Rematch and without squares."""
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    final = world.last
    assert "❎" in text(final)
    assert labels(final) == ["Rematch"]
    await world.alice.slash(world.channel, "play tictactoe")
    assert world.now(final).id == final.id
