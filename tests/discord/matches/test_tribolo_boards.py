"""Tribolo on Discord: large boards with three marks, played by buttons."""

import re
from random import Random

import pytest

from bot.render.emoji import BLANKS, CORNER, MARKS, STAR, TARGET
from core.marks import Shape
from core.players import Member
from tests.discord.matches.menus import choose, moves_of, named, open_row, rows_of
from tests.discord.matches.tribolo import TRIBOLO, WIDE, seated
from tests.discord.world import World, answer_to, text

# d4 captures c3 and b2 from Red and d3 and d2 from Green; a1 and d1 are Blue's own.
CROSSED = "....../....../....../..RG../.R.G../B..B.R B"

# Each seat captures a square of the next one, in rows 6, 4 and 2, and Blue can go on at c1.
THREE = ".BR.../....../.RG.../....../.GB.../BR.... B"


LATE = 15  # plies, or about as many


def late(size: str) -> str:
    """Return a board of random play, not long before its end."""
    rng = Random(1)
    course = [TRIBOLO.start({"size": size}, rng)]
    while course[-1].to_move is not None:
        course.append(course[-1].play(rng.choice(course[-1].legal_moves())))
    return course[-LATE].notation


@pytest.mark.parametrize("size", ["small", "medium", "full"])
async def test_a_game_is_played_by_buttons(world: World, size: str) -> None:
    """Each turn is made by the member to move and posts one board; all three are ranked and rated.

    The small board is played from the start; on larger ones only the last turns are played.
    """
    await seated(world, None if size == "small" else late(size), size=size)
    people = {p.id: p for p in (world.alice, world.bob, world.carol)}
    while (player := (stored := await world.stored()).match.next_player) is not None:
        assert isinstance(player, Member)
        legal = [str(move) for move in stored.match.position.legal_moves()]
        await choose(world, people[player.id], legal[-1])
        assert (await world.stored()).match.ply == stored.match.ply + 1
        assert len(world.public()) == 1
    told = text(world.last)
    assert "Nobody has a legal move" in told
    outcome, ranked = stored.match.outcome, re.findall(r"^#(\d) .*\*\*(\w+)", told, re.MULTILINE)
    assert outcome is not None and {name for _, name in ranked} == {*stored.names}
    assert [rank for rank, _ in ranked] == [str(rank) for rank in sorted(outcome.ranks)]
    assert told.partition("📈 Rating: ")[2].splitlines()[0].count("(") == 3
    assert moves_of(world.last) == rows_of(world.last) == []


async def test_many_moves_are_grouped_by_row(world: World) -> None:
    """A choice of 30 squares takes two presses, and each button shows its gain."""
    await seated(world, WIDE, size="full")
    assert rows_of(world.last) == ["5", "1"]
    opened = answer_to(await open_row(world, world.alice, "5"))
    assert moves_of(opened) == [f"{column}5" for column in "abcdefghijklmno"]
    assert named(opened)["m:1:0:h5"] == "h5 +4"
    await choose(world, world.alice, "h5")
    assert "Last move: 🔵 h5 (+4)." in text(world.last)


async def test_all_moves_since_the_own_one_are_told(world: World) -> None:
    """The moves are listed with their points, and stand out on the board in their own colours."""
    await seated(world, THREE, size="small")
    for who, move in ((world.alice, "d6"), (world.bob, "d4"), (world.carol, "d2")):
        await choose(world, who, move)
    told = text(world.last)
    assert "Last moves: 🔺 d4 (+2), 💚 d2 (+2)." in told
    assert [told.count(emoji) for emoji in ("🅰️", "🔻", "❇️", "🍀")] == [1, 1, 1, 1]
    assert "⏺️" not in told, "Blue knows their own move"


async def test_captures_are_highlighted(world: World) -> None:
    """The new mark and the captured squares stand out, each in its way, and nothing else."""
    await seated(world, CROSSED, size="small")
    assert "🧿" not in text(world.last)
    await choose(world, world.alice, "d4")
    told = text(world.last)
    assert told.count("⏺️") == 1, "d4 itself"
    assert told.count("🧿") == 4, "squares of two others"
    assert told.count("🔵") >= 2


def test_every_shape_has_emoji_of_its_own() -> None:
    """Each shape has a plain and two highlighted emoji that no other shape, blank or label has."""
    every = [emoji for shape in Shape for emoji in MARKS[shape][:3]]
    every += [*BLANKS.values(), TARGET, STAR, CORNER]
    assert len(set(every)) == len(every)


async def test_legal_squares_show_their_gain(world: World) -> None:
    """Any member who asks sees them on the board and in words, in anyone's turn."""
    await seated(world, CROSSED, size="small")
    told = text(await world.carol.click(world.last, label="Legal squares"))
    assert "5️⃣" in told.partition("4️⃣")[2].partition("3️⃣")[0], "in row 4"
    assert "d4 (+5)" in told
    assert "🔵 **alice**" in told
    assert "🔶" not in told


async def test_the_computer_gets_no_buttons(world: World) -> None:
    """The moves appear in the member's turn only, not while the computer thinks."""
    await seated(world, size="small", computers=2)
    await choose(world, world.alice, moves_of(world.last)[0])
    stored = await world.stored()
    assert stored.match.ply >= 2, "the computers have answered"
    assert stored.match.next_player == Member(world.alice.id) or stored.match.outcome
