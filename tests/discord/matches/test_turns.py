"""Turns on a board of buttons, as members play them."""

from random import Random

import pytest
from discord import ButtonStyle

from bot.matches.view import fits_on_buttons
from core.games import GAMES
from core.options import ON, Choice
from core.position import falls
from tests.core.playthroughs import FOLDER, recorded_moves
from tests.discord.matches.moving import free_square
from tests.discord.world import (
    ALICE_WINS,
    FINAL,
    FINAL_UNDO,
    World,
    components,
    labels,
    mentioned,
    notified,
    text,
)

# A random first player can't be reproduced move by move.
RECORDED = sorted(
    path.stem
    for path in FOLDER.glob("*.txt")
    if not GAMES[path.stem.partition("-")[0]].first_by_lot
)
LEVELS = ["easy", "medium", "hard", "perfect"]


def on_buttons(name: str) -> bool:
    """Return whether the board of a playthrough has a button for each square or column."""
    game, _, start, *_ = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    position = GAMES[game.removeprefix("game: ")].parse(start.split(" | ")[1])
    return fits_on_buttons(position) or falls(position)


def variants(game: str) -> list[str]:
    """Return a game's variants."""
    return [v for o in GAMES[game].declared if isinstance(o, Choice) for v in o.choices]


def recording(name: str) -> tuple[dict[str, str | int], list[str], str]:
    """Return a playthrough: its game and options, its moves and the winner's name."""
    written = (FOLDER / f"{name}.txt").read_text("utf-8")
    game, options, *_, end = written.splitlines()
    given = dict(pair.split("=") for pair in options.removeprefix("options: ").split())
    numbers = {key: int(value) for key, value in given.items() if value.isdecimal()}
    flags = {key: True for key, value in given.items() if value == ON}
    settings = given | numbers | flags
    winner = "alice" if "| ranks 1 2 |" in end else "bob"
    return (
        {"game": game.removeprefix("game: "), **settings},
        recorded_moves(written).split(),
        winner,
    )


@pytest.mark.parametrize(
    "name", ["connectfour", "nineholes-drop-first", "tictactoe-classic", "tictactoe-swap"]
)
async def test_every_kind_of_move_by_buttons(world: World, name: str) -> None:
    """A playthrough gives the same result by buttons, one board at a time.

    Pieces fall, are put down, and move; and sides are changed.
    """
    options, moves, winner = recording(name)
    await world.challenge(**options)
    for ply, move in enumerate(moves):
        await world.move((world.alice, world.bob)[ply % 2], move)
        assert len(world.channel.history()) == 1
    assert f"{winner}** wins" in text(world.last)
    assert labels(world.last) == FINAL


@pytest.mark.parametrize("name", [name for name in RECORDED if not on_buttons(name)])
async def test_every_kind_of_move_by_command(world: World, name: str) -> None:
    """A playthrough gives the same result by `/move` where a board is too large for buttons."""
    options, moves, winner = recording(name)
    await world.challenge(**options)
    for ply, move in enumerate(moves):
        await (world.alice, world.bob)[ply % 2].slash(world.channel, "move", where=move)
        assert len(world.channel.history()) == 1
    final = text(world.last)
    assert f"{winner}** wins" in final
    assert labels(world.last) == (FINAL_UNDO if "Not rated yet" in final else FINAL)


async def test_completing_a_line_loses_at_misere(world: World) -> None:
    """The winner is the player who hasn't completed a line; the final board names both."""
    await world.played(ALICE_WINS, variant="misere")
    assert "bob** wins! ❌ **alice** completed a1 a2 a3" in text(world.last)


@pytest.mark.parametrize("by_command", [False, True])
async def test_a_turn_is_two_requests(world: World, *, by_command: bool) -> None:
    """A move costs one request for the new board and one for the removal of the old, to the end.

    Both go by tokens of interactions, so neither counts against the bot's limit. A board notifies
    the member to move alone; the end names the winner, and mentions nobody.
    """
    await world.tell_commands()  # on a busy machine, that would come in the middle of a turn
    await world.challenge()
    for ply, square in enumerate(ALICE_WINS.split()):
        old, before = world.last, len(world.env.http_requests)
        mover = (world.alice, world.bob)[ply % 2]
        assert notified(old, world.env) == mentioned(old, world.env) == [mover.id]
        if by_command:
            await mover.slash(world.channel, "move", where=square)
        else:
            await world.press(mover, square)
        posted, removed = (
            (made.method, made.path.split("/")) for made in world.env.http_requests[before:]
        )
        assert (posted[0], posted[1][1], posted[1][-1]) == ("POST", "interactions", "callback")
        assert (removed[0], removed[1][1], removed[1][-1]) == ("DELETE", "webhooks", str(old.id))
        assert len(world.channel.history()) == 1
    assert "alice** wins" in text(world.last) and not world.boards()
    assert mentioned(world.last, world.env) == []


async def test_a_turn_against_the_computer_is_two_requests(world: World) -> None:
    """The computer's answer is in the same message as the member's move."""
    await world.tell_commands()
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    before = len(world.env.http_requests)
    await world.press(world.alice, "b2")
    assert [r.method for r in world.env.http_requests[before:]] == ["POST", "DELETE"]


async def test_a_board_against_the_computer_is_silent(world: World) -> None:
    """A board against the computer is silent, even for members who are notified of all messages.

    That holds for the answer to a press, for a board that is posted in its place, and for the final
    one. Boards of a match between members notify like other messages.
    """
    await world.alice.slash(world.channel, "play tictactoe")
    boards = [world.last]
    await world.press(world.alice, "b2")
    boards.append(world.last)
    world.env.inject_error("POST", "/interactions/*", status=404, code=10062)
    await world.alice.slash(world.channel, "board")
    boards.append(world.last)
    await world.resign(world.alice)
    boards.append(world.last)
    assert len({board.id for board in boards}) == 4
    assert all(board.flags.suppress_notifications for board in boards)
    await world.challenge()
    assert not world.last.flags.suppress_notifications


@pytest.mark.parametrize(
    ("level", "variant", "first"),
    [*zip(LEVELS, variants("tictactoe"), 2 * ["me", "opponent"], strict=True)],
)
async def test_a_whole_game_against_the_computer(
    world: World, level: str, variant: str, first: str
) -> None:
    """The computer answers in the same message to the end, and nobody is ever notified.

    With the opponent first, the first board shows the computer's move.
    """
    await world.alice.slash(
        world.channel, "play tictactoe", level=level, variant=variant, first=first
    )
    mark, last_move = ("❌", "") if first == "me" else ("🔵", "Last move: ❌")
    assert last_move in text(world.last)
    while world.boards():
        assert f"{mark} **alice**, your move" in text(world.last)
        assert mentioned(world.last, world.env) == []
        result = await world.press(world.alice, free_square(world))
        assert not result.ephemeral
        assert len(world.channel.history()) == 1
    assert mentioned(world.last, world.env) == []
    assert "draw" in text(world.last) or "wins" in text(world.last)
    assert labels(world.last) == FINAL_UNDO


@pytest.mark.parametrize(
    ("level", "variant"), [*zip(LEVELS[:3], variants("nineholes"), strict=True)]
)
async def test_a_whole_game_of_nine_holes_against_the_computer(
    world: World, level: str, variant: str
) -> None:
    """Offered moves played by `/move` lead to the end, and nobody is ever notified."""
    dice = Random(3)
    await world.alice.slash(world.channel, "play nineholes", level=level, variant=variant)
    while world.boards():
        offered = await world.alice.autocomplete(world.channel, "move", "where", "")
        await world.alice.slash(world.channel, "move", where=dice.choice(offered)["value"])
        assert mentioned(world.last, world.env) == []
        assert len(world.channel.history()) == 1
    assert "draw" in text(world.last) or "wins" in text(world.last)
    assert labels(world.last) == FINAL_UNDO


async def test_the_final_board_stays(world: World) -> None:
    """The final board is text with Rematch and without squares."""
    final = await world.played()
    assert text(final).count("🟥") == 3
    assert labels(final) == FINAL
    await world.alice.slash(world.channel, "play tictactoe")
    assert [message.id for message in world.channel.history()] == [final.id, world.last.id]


async def test_a_board_is_played_for_days(world: World) -> None:
    """The old board is removed even after its interaction's token has expired, in 15 minutes."""
    await world.challenge(game="nineholes")
    await world.env.advance_time(16 * 60)
    before = len(world.env.http_requests)
    await world.move(world.alice, "a1-b3")
    paths = [request.path.split("/") for request in world.env.http_requests[before:]]
    assert [path[1] for path in paths[:2]] == ["interactions"] * 2
    # The press's token is tried before the bot's own request, though simcord doesn't let it work.
    assert ["webhooks", paths[1][3]] in [[path[1], path[3]] for path in paths[2:]]
    assert len(world.boards()) == 1


async def test_the_last_move_is_highlighted(world: World) -> None:
    """Exactly one button is highlighted, and the text names its square too."""
    await world.challenge()
    for who, square in ((world.alice, "b2"), (world.bob, "a1")):
        await world.press(who, square)
        parts = components(world.last)
        bright = [c["custom_id"] for c in parts if c.get("style") == ButtonStyle.primary.value]
        assert [i.split(":")[-1] for i in bright] == [square]
        assert f" {square}." in text(world.last)
