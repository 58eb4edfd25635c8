"""Boards of every size as messages, within Discord's limits."""

import re
from typing import Any

from tests.discord.world import FINAL, FINAL_UNDO, World, labels, mentioned, refused, text

MAX_COMPONENTS, MAX_TEXT = 40, 4000
# The sizes at which text replaces buttons.
BUTTON_SIZES = [(5, 5), (8, 3)]
TEXT_SIZES = [(9, 3), (3, 6), (10, 10)]
REGIONAL_INDICATORS = re.compile("[\U0001f1e6-\U0001f1ff]{2}")


async def test_every_size_fits_a_message(world: World) -> None:
    """The first board and the next are messages that Discord accepts, and can be played.

    `test_limits` renders boards of the other sizes.
    """
    for rows, columns in BUTTON_SIZES + TEXT_SIZES:
        message = await world.challenge(rows=rows, columns=columns)
        assert ("🇦" in text(message)) is ((rows, columns) in TEXT_SIZES)
        await world.alice.slash(world.channel, "move", where="c3")
        assert "Last move: ❌ c3" in text(world.last)
        await world.resign(world.alice)


async def test_a_text_board_has_coordinates(world: World) -> None:
    """Rows are numbered and columns lettered, and no two letters combine into a flag."""
    await world.challenge(rows=10, columns=10)
    shown = text(world.last)
    assert "🔟" in shown
    assert "🇯" in shown
    assert not REGIONAL_INDICATORS.search(shown)
    assert "/move" in shown


HOW_TO_MOVE: list[tuple[dict[str, Any], str, str]] = [
    ({"rows": 6}, "Press a row, then the square", "c3 d4 c4"),
    ({"game": "connectfour"}, "Press a column", "d d d"),
    ({"game": "nineholes"}, "Press one of your pieces", "a1-a2 a5-a4 b1-b2"),
]


async def test_a_board_says_how_to_move_at_first(world: World) -> None:
    """It says so once to each player, since on a phone the lines take room from the board."""
    for options, said, moves in HOW_TO_MOVE:
        await world.challenge(**options)
        for ply, move in enumerate(moves.split()):
            assert (said in text(world.last)) is (ply < 2)
            await world.command((world.alice, world.bob)[ply % 2], "move", where=move)
        assert said not in text(world.last)
        await world.resign(world.alice)


KNOWN: list[tuple[dict[str, Any], str]] = [
    ({"rows": 4, "line": 3}, "force a win"),
    ({"rows": 8, "line": 4}, "force a win"),
    ({"rows": 8, "line": 5}, "With best play: draw."),
    ({"rows": 5, "line": 4}, "With best play: draw."),
    ({"rows": 5, "line": 5}, "With best play: draw."),
    ({"rows": 4}, "With best play: draw."),
    ({}, ""),
    ({"rows": 3, "variant": "misere"}, ""),
    ({"game": "nineholes"}, ""),
]


async def test_a_forced_win_is_told_at_the_start(world: World) -> None:
    """For two plies a board says that the first player can force a win; other boards don't.

    A board that is known to be a draw says so, except for 3x3, of which everybody knows it.
    """
    for options, told in KNOWN:
        await world.challenge(**options)
        for word in ("force a win", "With best play: draw."):
            assert (word in text(world.last)) is (word == told), options
        for who in (world.alice, world.bob):
            offered = await who.autocomplete(world.channel, "move", "where", "")
            await who.slash(world.channel, "move", where=offered[0]["value"])
        assert "force a win" not in text(world.last)
        await world.resign(world.alice)


async def test_no_warning_against_the_computer(world: World) -> None:
    """A forced win matters to members who choose a fair board; the rule of a flag is told."""
    for options in ({"rows": 6, "line": 3}, {"rows": 6, "line": 3, "swap": True}, {"rows": 8}):
        await world.alice.slash(world.channel, "play tictactoe", **options)
        shown = text(world.last)
        assert "force a win" not in shown and "best play" not in shown
        assert ("Swap rule" in shown) is ("swap" in options)
        await world.resign(world.alice)
    await world.alice.slash(world.channel, "play connectfour")
    assert "force a win" not in text(world.last)


async def test_a_large_board_is_played_to_the_end(world: World) -> None:
    """With `/move` each turn posts one board, and the last one highlights the line."""
    await world.challenge(rows=10, columns=10, line=4, swap=False)
    for ply, square in enumerate("a1 b1 a2 b2 a3 b3 a4".split()):
        mover = (world.alice, world.bob)[ply % 2]
        assert mentioned(world.last, world.env) == [mover.id]
        assert labels(world.last) == ["Undo" if ply else "Rules", "Resign", "Draw", "Restart"]
        if ply:
            assert "taken" in refused(await mover.slash(world.channel, "move", where="a1"))
        await mover.slash(world.channel, "move", where=square)
        assert len(world.public()) == 1
    final = text(world.last)
    assert "alice** wins with a1 a2 a3 a4" in final
    assert final.count("🟥") == 4
    assert final.count("▫️") == 100 - 7
    # If the match is only rated together with its rematch, its end can still be taken back.
    assert labels(world.last) == (FINAL_UNDO if "Not rated yet" in final else FINAL)
