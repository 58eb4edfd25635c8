"""`/move`: how moves are written, its refusals, and its autocomplete. `test_turns` plays by it."""

import re
from typing import Any

from simcord.actors import MemberActor

from core.grid import Move
from tests.discord.matches.moving import choices, move
from tests.discord.world import World, answer_to, components, refused

MAX_CHOICES = 25


async def test_a_man_moves_by_command(world: World) -> None:
    """In Nine Holes one `/move` replaces two presses."""
    await world.challenge(game="nineholes")
    assert "Last move: ❌ a1-b3" in await move(world, world.alice, "a1-b3")
    # Phones write a dash in place of the hyphen.
    assert "Last move: 🔵 c5-c2" in await move(world, world.bob, "c5 – c2")


async def test_moves_are_read_leniently(world: World) -> None:
    """Case, blanks, the full width of Japanese keyboards and the digits of Arabic don't matter.

    Nor do the letters of Cyrillic and Greek that look like those of columns.
    """
    await world.challenge(rows=4, swap=False)
    spellings = [("A1", "a1"), (" b 2 ", "b2"), ("\uff23\uff11", "c1"), ("b٣", "b3")]
    spellings += [("\N{CYRILLIC SMALL LETTER A}2", "a2"), ("\N{GREEK CAPITAL LETTER BETA}1", "b1")]
    for ply, (written, meant) in enumerate(spellings):
        who = (world.alice, world.bob)[ply % 2]
        assert await choices(world, who, written) == [meant]
        assert f" {meant}." in await move(world, who, written)


async def test_a_shown_move_stays_in_one_line_and_can_be_copied(world: World) -> None:
    """No line breaks after its hyphen; the joiner there is read, and so are marks of direction."""
    await world.challenge(game="nineholes")
    shown = "a1-\u2060b3"
    copied = await choices(world, world.alice, f"\u2068{shown}\u2069")
    legal = answer_to(await world.alice.slash(world.channel, "moves"))
    refusal = answer_to(await world.alice.slash(world.channel, "move", where="middle"))
    board = await world.command(world.alice, "move", where=shown)
    assert copied == ["a1-b3"]
    for message, there in ((legal, shown), (refusal, "`a1-\u2060a2`"), (board, shown)):
        parts = [part.get("content", "") for part in components(message)]
        said = "".join([message.content, *parts])
        assert there in said and not re.search(r"[a-c][1-5]-[a-c]", said)


async def test_refusals_of_a_move(world: World) -> None:
    """Each has its own words; during a match they link to its board.

    A player whose turn it isn't is told so, however badly the move is written. A text that is no
    move is quoted shortened, without formatting or mentions.
    """
    no_match = await refuse_move(world, world.alice, "a1")
    await world.challenge()
    notation = await refuse_move(world, world.alice, "middle")
    off_board = await refuse_move(world, world.alice, "d4")
    letter = await refuse_move(world, world.alice, "b")
    hostile = await refuse_move(world, world.alice, "**@everyone** " + "x" * 500)
    out_of_turn = await refuse_move(world, world.bob, "middle")
    stranger = await refuse_move(world, world.carol, "b2")
    for refusal in (notation, off_board, letter, hostile, out_of_turn, stranger):
        assert f"{world.channel.id}/{world.last.id}" in refusal
    await move(world, world.alice, "b2")
    taken = await refuse_move(world, world.bob, "b2")
    await world.play("a1 b1 a2 b3", world.bob, world.alice)
    over = await refuse_move(world, world.bob, "c3")
    assert "No match is being played in this channel." in no_match
    assert "“middle” isn't a move. Write a square such as `a1`." in notation
    assert "d4 is off the board. Choose a square on it, such as `a1`." in off_board
    assert "Write a square" in letter
    assert r"\*\*@" in hostile and "@everyone" not in hostile and len(hostile) < 300
    assert "It's **alice**'s turn" in out_of_turn
    assert "**alice** vs **bob**" in stranger and "`/play`" in stranger
    assert "b2 is taken" in taken
    assert "This match is over" in over and "`/rematch`" in over


async def test_bad_notation_is_answered_with_a_move_that_can_be_made(world: World) -> None:
    """The example is a legal move on this board: not a taken square, nor a full column."""
    boards: list[tuple[dict[str, Any], str, str]] = [
        ({"rows": 3, "swap": True}, "a1", "a square such as `b1`"),
        ({"game": "nineholes"}, "a1-c4", "from-to, such as `a5-a2`"),
        ({"game": "connectfour"}, "a a a a a a", "of a column, such as `b`"),
    ]
    for options, played, words in boards:
        await world.played(played, **options)
        mover = (world.alice, world.bob)[len(played.split()) % 2]
        assert words in await refuse_move(world, mover, "middle")
        await world.resign(world.alice)


async def test_a_mark_that_stays_is_not_moved(world: World) -> None:
    """From-to, even from one's own mark, is refused with how moves are written on such a board.

    The refusal doesn't say that the player has no piece on that square.
    """
    await world.challenge()
    await move(world, world.alice, "a1")
    await move(world, world.bob, "b1")
    assert "“a1-c2” isn't a move" in await refuse_move(world, world.alice, "a1-c2")


async def test_refusals_of_nine_holes(world: World) -> None:
    """A move against the rules of Nine Holes is refused with the rule, and costs no turn."""
    await world.challenge(game="nineholes")
    for where, words in (
        ("a5-b3", "no piece on that square"),
        ("b3-c3", "no piece on that square"),
        ("a1-a5", "a5 is a home square"),
        ("a1-d9", "a1-d9 is off the board. Choose a square on it, such as `a2`."),
        ("a1-", "isn't a move. Write from-to, such as `a1-a2`."),
    ):
        assert words in await refuse_move(world, world.alice, where)
    assert "a1-b3" in await move(world, world.alice, "a1-b3")


async def test_refusals_of_variants(world: World) -> None:
    """A move that only the variant forbids is refused in the variant's words."""
    entered = "a1-a2 a5-a4 b1-b2 b5-b4 c1-c3 c5-c2"
    for variant, moves, illegal, words in (
        ("drop-first", "a1-a2 a5-a4", "a2-a3", "all your pieces must be on the holes"),
        ("step", entered, "a2-b3", "one step"),
    ):
        await world.played(moves, game="nineholes", variant=variant)
        assert words in await refuse_move(world, world.alice, illegal)
        await world.resign(world.alice)


async def refuse_move(world: World, who: MemberActor, where: str) -> str:
    """Let a member use `/move` with an illegal move; return the refusal."""
    return refused(await who.slash(world.channel, "move", where=where))


# --- autocomplete


async def test_the_legal_moves_are_offered(world: World) -> None:
    """All legal moves are offered and nothing else, in board order."""
    await world.played("b2 a1")
    assert await choices(world, world.alice) == ["b1", "c1", "a2", "c2", "a3", "b3", "c3"]


async def test_typing_narrows_the_choice(world: World) -> None:
    """The typed prefix filters the moves, whatever its case."""
    await world.played("b2")
    assert await choices(world, world.bob, "B") == ["b1", "b3"]
    assert await choices(world, world.bob, "x") == []
    assert await choices(world, world.bob, "b2") == []


async def test_at_most_twenty_five_choices(world: World) -> None:
    """Discord accepts 25 of a hundred squares; the others are found by column, row or square."""
    await world.challenge(rows=10, columns=10)
    assert len(await choices(world, world.alice)) == MAX_CHOICES
    assert await choices(world, world.alice, "j") == [f"j{row}" for row in range(1, 11)]
    assert await choices(world, world.alice, "10") == [f"{column}10" for column in "abcdefghij"]
    assert await choices(world, world.alice, "j1") == ["j1", "j10"]
    assert await choices(world, world.alice, "J7 ") == ["j7"]


async def test_moves_of_men_are_offered(world: World) -> None:
    """In Nine Holes at most 25 of the 27 from-to moves are offered, found by their origin."""
    await world.challenge(game="nineholes")
    assert len(await choices(world, world.alice)) == MAX_CHOICES
    found = await choices(world, world.alice, "b1-")
    assert len(found) == 9
    assert all(str(Move.parse(choice)).startswith("b1-") for choice in found)


async def test_move_completes_nothing_without_a_match(world: World) -> None:
    """Before and after a match the list is empty, without an error."""
    assert await choices(world, world.alice) == []
    await world.played()
    assert await choices(world, world.alice) == []
