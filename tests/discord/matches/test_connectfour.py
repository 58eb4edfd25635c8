"""Connect four: the columns are buttons, below a board in emoji or a picture."""

import pytest

from tests.bot.engines import HastyEngine
from tests.discord.world import World, answer_to, components, refused, text


def columns(world: World) -> str:
    """Return the columns on the newest board by row, `-` for one that can't be pressed."""
    rows = (found["components"] for found in components(world.last) if found["type"] == 1)
    told = (
        "".join("-" if shown.get("disabled") else shown["label"] for shown in row)
        for row in rows
        if row[0]["custom_id"].startswith("m:")
    )
    return " ".join(told)


async def test_a_match_is_played_by_pressing_columns(world: World) -> None:
    """A piece falls on those below it; the last piece and the winner's line stand out."""
    await world.challenge(game="connectfour")
    assert "Connect four 6×7, 4 in a row" in text(world.last)
    assert "Press a column" in text(world.last)
    assert columns(world) == "abcd efg"
    await world.play("d d d d d d")
    board = text(world.last)
    assert "Last move: 🔵 d" in board and board.count("⏺️") == 1
    assert "6️⃣▫️▫️▫️⏺️▫️▫️▫️" in board and "5️⃣▫️▫️▫️❌▫️▫️▫️" in board
    assert columns(world) == "abc- efg"
    forged = await world.made_up("m:1:6:d")
    pressed = await world.alice.click(forged, custom_id="m:1:6:d")
    assert "Column d is full" in refused(pressed)


async def test_a_line_wins(world: World) -> None:
    """The final board shows the line and has no columns."""
    await world.challenge(game="connectfour", rows=5, columns=10)
    assert columns(world) == "abcde fghij"
    await world.play("a b a b a b a")
    final = text(world.last)
    assert "alice** wins with a1 a2 a3 a4" in final and final.count("🟥") == 4
    assert columns(world) == ""


async def test_a_match_is_played_by_command(world: World) -> None:
    """A column is its letter, in either case; anything else is refused with what to write."""
    await world.challenge(game="connectfour")
    offered = await world.alice.autocomplete(world.channel, "move", "where", "")
    assert [choice["value"] for choice in offered] == list("abcdefg")
    for where, words in {
        "d1": "just give a column",
        "d1-d2": "just give a column",
        "h": "“h” isn't a move. Write the letter of a column, such as `a`.",
        "9": "Write the letter of a column",
        "swap": "can't swap",
    }.items():
        assert words in refused(await world.alice.slash(world.channel, "move", where=where))
    for ply, where in enumerate("D d e E f f".split()):
        await (world.alice, world.bob)[ply % 2].slash(world.channel, "move", where=where)
    shown = await world.alice.slash(world.channel, "moves")
    assert text(shown).count("🔶") == 7 + 1 and "a, b, c, d, e, f, g" in text(shown)
    await world.alice.slash(world.channel, "move", where="g")
    assert "alice** wins with d1 e1 f1 g1" in text(world.last)


@pytest.mark.parametrize("simcord_bot", [HastyEngine], indirect=True)
@pytest.mark.parametrize("rows", [5, 6])
async def test_a_hint_and_the_review_show_where_a_piece_lands(world: World, rows: int) -> None:
    """The hint names a column and marks its square; the computer plays, and the review follows."""
    await world.alice.slash(world.channel, "play connectfour", rows=rows, level="easy")
    for column in "d e c".split():
        await world.press(world.alice, column)
    assert "⭐" in text(await world.alice.slash(world.channel, "hint"))
    await world.resign(world.alice)
    seen = await world.bob.click(world.last, label="Replay")
    await world.bob.click(answer_to(seen), label="Next")
    assert "Last move: ❌ d" in text(answer_to(seen)) and "🟥" in text(answer_to(seen))
