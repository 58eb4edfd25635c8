"""Menus of moves, on boards too large for buttons."""

from typing import Any

import pytest
from simcord.actors import MemberActor, MessageLike
from simcord.results import InteractionResult

from tests.discord.world import World, components, refused, text

MAX_OPTIONS = 25


def menus(message: MessageLike) -> dict[str, list[str]]:
    """Return the options of a message's selects, by custom id."""
    return {
        c["custom_id"]: [option["value"] for option in c["options"]]
        for c in components(message)
        if "options" in c
    }


def options(message: MessageLike) -> list[dict[str, Any]]:
    """Return all options of a message's selects, in Discord's JSON."""
    return [option for c in components(message) for option in c.get("options", [])]


def menu(message: MessageLike, tag: str) -> str:
    """Return the custom id of the select of groups (w) or of moves (m)."""
    (found,) = [i for i in menus(message) if i.startswith(f"{tag}:")]
    return found


async def choose(
    world: World, who: MemberActor, value: str, message: MessageLike | None = None
) -> InteractionResult:
    """Choose a group or a move in the select that offers it, on the newest message by default."""
    board = message or world.last
    custom_id = next(i for i, values in menus(board).items() if value in values)
    return await who.select(board, [value], custom_id=custom_id)


async def test_every_move_of_the_largest_board_can_be_chosen(world: World) -> None:
    """Of a hundred squares each menu holds at most 25, and together they hold all."""
    await world.challenge(rows=10, columns=10)
    (rows,) = menus(world.last).values()
    assert rows == [f"{row}:0" for row in range(1, 11)]
    seen = []
    for row in rows:
        await choose(world, world.alice, row)
        seen += menus(world.last)[menu(world.last, "m")]
    stored = await world.stored()
    assert seen == [str(move) for move in stored.match.position.legal_moves()]
    assert len(seen) == 100
    assert len(world.channel.history()) == 1, "opening a row only edits the message"


async def test_a_choice_is_a_turn(world: World) -> None:
    """The move is made, and the new board mentions the next player."""
    await world.challenge(rows=10, columns=10)
    await choose(world, world.alice, "7:0")
    await choose(world, world.alice, "e7")
    assert "Last move: ❌ e7" in text(world.last)
    assert world.env.backend.get_message(world.channel.id, world.last.id).mention_user_ids == [
        world.bob.id
    ]
    assert len(world.channel.history()) == 1


async def test_few_moves_are_one_menu(world: World) -> None:
    """Up to 25 legal moves fit one menu, with no row to open."""
    await world.challenge(rows=9, columns=3)
    assert menu(world.last, "w")
    for ply, move in enumerate(("a1", "b1")):
        await (world.alice, world.bob)[ply].slash(world.channel, "move", where=move)
    (moves,) = menus(world.last).values()
    assert len(moves) == MAX_OPTIONS
    await choose(world, world.alice, "c9")
    assert "Last move: ❌ c9" in text(world.last)


async def test_only_the_player_to_move_chooses(world: World) -> None:
    """A row or move chosen by anyone else is refused with the reason, and nothing changes."""
    await world.challenge(rows=10, columns=10)
    before = world.public()
    assert "alice" in refused(await choose(world, world.bob, "7:0"))
    assert "not in this match" in refused(await choose(world, world.carol, "7:0"))
    assert world.public() == before
    await choose(world, world.alice, "7:0")
    before = world.public()
    assert "alice" in refused(await choose(world, world.bob, "e7"))
    assert "not in this match" in refused(await choose(world, world.carol, "e7"))
    assert world.public() == before


async def test_a_choice_on_an_old_board(world: World) -> None:
    """Menus of an old board that couldn't be removed are answered, not obeyed."""
    world.keep_old_boards()
    await world.challenge(rows=10, columns=10)
    old = world.last
    await world.alice.slash(world.channel, "move", where="a1")
    await world.bob.slash(world.channel, "move", where="b1")
    assert "out of date" in refused(await choose(world, world.alice, "7:0", old))
    assert (await world.stored()).match.ply == 2


async def test_menus_survive_a_restart(world: World) -> None:
    """Menus sent before the restart are answered after it."""
    await world.challenge(rows=10, columns=10)
    await world.env.restart_bot()
    await choose(world, world.alice, "3:0")
    await world.env.restart_bot()
    await choose(world, world.alice, "j3")
    assert "Last move: ❌ j3" in text(world.last)


async def test_a_doubled_choice_plays_once(world: World) -> None:
    """A move chosen twice at the same moment is made once."""
    await world.challenge(rows=9, columns=3)
    await world.alice.slash(world.channel, "move", where="a1")
    await world.bob.slash(world.channel, "move", where="b1")
    board = world.last
    press = f"{menu(board, 'm')}:c9"
    await world.at_once((world.alice, board, press), (world.alice, board, press))
    assert (await world.stored()).match.ply == 3


@pytest.mark.parametrize(
    "custom_id",
    [
        "w:1:0:0:0",
        "w:1:0:111:0",
        "w:1:0",
        "w:1:0:3",
        "w:1:0:z:0",
        "w:1:x:3:0",
        "w:1:0:3:1000",
        "w:1:0:3:0:0",
        "q:x",
        "q",
    ],
)
async def test_malformed_menu_values(world: World, custom_id: str) -> None:
    """Forged menus are refused privately."""
    await world.challenge(rows=10, columns=10)
    message = await world.made_up(custom_id)
    assert "don't know this button" in refused(
        await world.alice.click(message, custom_id=custom_id)
    )


@pytest.mark.parametrize("opened", ["99:0", "7:1", ":1", "a1:0"])
async def test_values_out_of_range(world: World, opened: str) -> None:
    """A forged row, page or man is refused, and the message stays as it is."""
    await world.challenge(rows=10, columns=10)
    message = await world.made_up(f"w:1:0:{opened}")
    before = world.public()
    answer = await world.alice.click(message, custom_id=f"w:1:0:{opened}")
    assert "don't know this button" in refused(answer)
    assert world.public() == before


async def test_legal_squares_are_private(world: World) -> None:
    """The button and the command show them to the asker alone, even to a spectator."""
    await world.challenge(rows=6, columns=6)
    await world.alice.slash(world.channel, "move", where="c3")
    before = world.public()
    for asked in (
        await world.carol.click(world.last, label="Legal squares"),
        await world.carol.slash(world.channel, "moves"),
    ):
        assert asked.response is not None and asked.response.ephemeral
        told = text(asked)
        assert told.count("🔶") == 35 + 1
        assert "bob" in told
        assert "35 in all" in told
        assert "b3, d3" in told, "c3 is taken; the others are named"
    assert world.public() == before


async def test_autocomplete_finds_rows_too(world: World) -> None:
    """Autocomplete reaches every move beyond the 25th by column, row or square."""
    await world.challenge(rows=10, columns=10)

    async def found(typed: str) -> list[str]:
        choices = await world.alice.autocomplete(world.channel, "move", "where", typed)
        return [choice["value"] for choice in choices]

    assert len(await found("")) == MAX_OPTIONS
    assert await found("j") == [f"j{row}" for row in range(1, 11)]
    assert await found("10") == [f"{column}10" for column in "abcdefghij"]
    assert await found("J7 ") == ["j7"]
