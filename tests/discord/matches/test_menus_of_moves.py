"""Buttons of moves and of rows, on boards too large for buttons of squares."""

from discord import ComponentType

from tests.discord.matches.menus import choose, moves_of, open_row, rows_of
from tests.discord.world import World, answer_to, components, labels, refused, text

MAX_SINGLE = 20
ACTION_ROW = ComponentType.action_row.value


async def test_every_move_of_the_largest_board_can_be_chosen(world: World) -> None:
    """The rows are in the order of the board, and together they hold all hundred squares."""
    await world.challenge(rows=10, columns=10)
    before = world.public()
    assert rows_of(world.last) == [str(row) for row in range(10, 0, -1)]
    seen: list[str] = []
    for row in reversed(rows_of(world.last)):
        opened = await open_row(world, world.alice, row)
        assert opened.ephemeral, "only the player to move sees it"
        seen += moves_of(opened.response)
    stored = await world.stored()
    assert seen == [str(move) for move in stored.match.position.legal_moves()]
    assert len(seen) == 100
    assert world.public() == before, "opening a row changes nothing for the others"


async def test_rows_of_buttons_have_about_the_same_length(world: World) -> None:
    """No row of buttons has only one."""
    for rows, lengths in ((6, [3, 3]), (7, [4, 3]), (9, [5, 4])):
        await world.challenge(rows=rows, columns=6)
        lines = [c["components"] for c in components(world.last) if c["type"] == ACTION_ROW]
        assert [len(line) for line in lines if line[0]["custom_id"].startswith("w:")] == lengths
        await world.resign(world.alice)


async def test_few_moves_take_one_press(world: World) -> None:
    """Up to 20 legal moves are buttons of the board itself."""
    await world.challenge(rows=9, columns=3)
    for ply, move in enumerate("a1 b1 a3 b3 c5 c7 a9".split()):
        assert moves_of(world.last) in ([], ["swap"])
        await (world.alice, world.bob)[ply % 2].slash(world.channel, "move", where=move)
    assert len(moves_of(world.last)) == MAX_SINGLE
    assert rows_of(world.last) == []
    await choose(world, world.bob, "c9")
    assert "Last move: 🔵 c9" in text(world.last)


async def test_only_the_player_to_move_chooses(world: World) -> None:
    """A row or move pressed by anyone else is refused with the reason, and nothing changes."""
    await world.challenge(rows=10, columns=10)
    before = world.public()
    assert "alice" in refused(await open_row(world, world.bob, "7"))
    assert "not in this match" in refused(await open_row(world, world.carol, "7"))
    assert world.public() == before


async def test_a_row_opened_on_an_old_board(world: World) -> None:
    """It isn't opened but refused, and so is a square of a row opened before the last move."""
    world.keep_old_boards()
    await world.challenge(rows=10, columns=10)
    old, opened = world.last, (await open_row(world, world.alice, "7")).response
    assert opened is not None
    await world.alice.slash(world.channel, "move", where="a1")
    await world.bob.slash(world.channel, "move", where="b1")
    assert "out of date" in refused(await open_row(world, world.alice, "7", old))
    assert "out of date" in refused(await world.alice.click(opened, label="e7"))
    assert (await world.stored()).match.ply == 2


MALFORMED = [
    "w:1:0",
    "w:1:0:3",
    "w:1:0:z:0",
    "w:1:x:3:0",
    "w:1:0:3:1000",
    "w:1:0:3:0:0",
    "q:x",
    "q",
]
# A man, row or page that this board doesn't have.
OUT_OF_RANGE = [
    "p:1:0:b2",
    "w:1:0:0:0",
    "w:1:0:111:0",
    "w:1:0:99:0",
    "w:1:0:7:1",
    "w:1:0::1",
    "w:1:0:a1:0",
]


async def test_forged_menu_values(world: World) -> None:
    """They are refused privately, and the message stays as it is."""
    await world.challenge(rows=10, columns=10)
    for custom_id in (*MALFORMED, *OUT_OF_RANGE):
        message = await world.made_up(custom_id)
        before = world.public()
        told = refused(await world.alice.click(message, custom_id=custom_id))
        assert "don't know this button" in told, custom_id
        assert world.public() == before, custom_id


async def test_legal_squares_are_private(world: World) -> None:
    """The button and the command show them to the asker alone, even to a spectator."""
    await world.challenge(rows=6, columns=6)
    await world.alice.slash(world.channel, "move", where="c3")
    assert "Legal squares" not in labels(world.last), "they are simply the empty ones"
    board = await world.made_up("q:1")
    before = world.public()
    for asked in (
        await world.carol.click(board, custom_id="q:1"),
        await world.carol.slash(world.channel, "moves"),
    ):
        assert answer_to(asked).ephemeral
        told = text(asked)
        assert told.count("🔶") == 35 + 1
        assert "bob" in told
        assert "35 in all" in told
        assert "b3, d3" in told, "c3 is taken; the others are named"
    assert world.public() == before


async def test_a_row_is_one_request(world: World) -> None:
    """The move made by it removes the row's message, so the next move makes no request for it."""
    await world.tell_commands()
    await world.challenge(rows=10, columns=10)
    for who, move in ((world.alice, "a1"), (world.bob, "b1"), (world.alice, "c1")):
        before = len(world.env.http_requests)
        opened = (await open_row(world, who, "1")).response
        assert len(world.env.http_requests) == before + 1
        assert opened is not None
        await who.click(opened, label=move)


async def test_a_second_row_takes_the_place_of_the_first(world: World) -> None:
    """Only the newest of the rows that a member opens is left, and the move removes it."""
    board = await world.challenge(rows=10, columns=10)
    for row in ("5", "7", "9"):
        opened = answer_to(await open_row(world, world.alice, row, board))
    seen = world.channel.history(viewer=world.alice)
    assert [m.id for m in seen] == [board.id, opened.id]
    await world.alice.click(opened, custom_id="m:1:0:e9")
    assert world.channel.history(viewer=world.alice) == [world.last]
