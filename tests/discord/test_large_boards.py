"""Boards of every size as messages, within Discord's limits."""

import re

import pytest
from simcord.components import walk_components

from tests.discord.world import World, ids, text

MAX_COMPONENTS, MAX_TEXT = 40, 4000
SIZES = [(rows, columns) for rows in range(3, 11) for columns in range(3, 11)]
BUTTON_SIZES = {(3, 3), (4, 4), (5, 5), (6, 4), (8, 3), (5, 3), (3, 5)}
TEXT_SIZES = {(6, 6), (9, 4), (10, 10), (6, 5), (7, 4), (9, 3), (3, 6)}
REGIONAL_INDICATORS = re.compile("[\U0001f1e6-\U0001f1ff]{2}")


@pytest.mark.parametrize(("rows", "columns"), SIZES)
async def test_every_size_fits_a_message(world: World, rows: int, columns: int) -> None:
    """A new board and the one after a move are messages that Discord takes, and can be played."""
    await world.challenge(rows=rows, columns=columns)
    message = world.last
    parts = list(walk_components([c.to_dict() for c in message.components]))
    assert len(parts) <= MAX_COMPONENTS
    assert len(text(message)) <= MAX_TEXT
    on_buttons = "m:1:0:a1" in ids(message)
    assert on_buttons or (rows, columns) not in BUTTON_SIZES
    assert not on_buttons or (rows, columns) not in TEXT_SIZES
    await world.alice.slash(world.channel, "move", where="c3")
    assert "Last move: ❌ c3" in text(world.last)


async def test_a_text_board_has_coordinates(world: World) -> None:
    """Rows are numbered, columns lettered, and no two letters join to a flag."""
    await world.challenge(rows=10, columns=10)
    shown = text(world.last)
    assert "🔟" in shown
    assert "🇯" in shown
    assert not REGIONAL_INDICATORS.search(shown)
    assert "/move" in shown


async def test_the_last_move_stands_out(world: World) -> None:
    """On a text board the last mark is framed, the one before it isn't any more."""
    await world.challenge(rows=6, columns=6)
    for who, square in ((world.alice, "c3"), (world.bob, "d4")):
        await who.slash(world.channel, "move", where=square)
    board = text(world.last)
    assert board.count("🅾️") == 1
    assert "❎" not in board


@pytest.mark.parametrize(
    ("options", "warned"),
    [
        ({"rows": 4, "line": 3}, True),
        ({"rows": 6, "line": 3}, True),
        ({"rows": 9, "columns": 4, "line": 3}, True),
        ({"rows": 3, "columns": 4}, True),
        ({}, False),
        ({"rows": 4}, False),
        ({"rows": 5}, False),
    ],
)
async def test_a_forced_win_is_told_at_the_start(
    world: World, options: dict[str, int], *, warned: bool
) -> None:
    """A board that the first player wins by force says so when the game starts, and only then."""
    await world.challenge(**options)
    assert ("force a win" in text(world.last)) is warned
    for who, square in ((world.alice, "a1"), (world.bob, "b1")):
        await who.slash(world.channel, "move", where=square)
    assert "force a win" not in text(world.last)
