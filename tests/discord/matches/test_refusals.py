"""Refused presses and commands: each is answered privately with the reason, and changes nothing."""

import discord
from simcord.actors import MemberActor

from tests.discord.world import ALICE_WINS, BEGIN, World, answer_to, ids, labels, refused, text


async def in_vain(
    world: World, who: MemberActor, custom_id: str, message: discord.Message | None = None
) -> str:
    """Press a refused button and return the refusal, having checked that nothing changed.

    If no message has the button, a forged message is sent with it.
    """
    message = message or world.last
    if custom_id not in ids(message):
        message = await world.made_up(custom_id)
    shown, stored = world.public(), await moves(world)
    (result,) = await world.at_once((who, message, custom_id))
    assert world.public() == shown
    assert await moves(world) == stored
    return refused(result)


async def moves(world: World) -> list[tuple[str, bool]]:
    """Return each stored match's moves, and whether the match is over."""
    rows = await world.sql("SELECT moves, ended_at FROM matches ORDER BY id")
    return [(row.moves, row.ended_at is not None) for row in rows]


async def test_a_stranger_may_watch_but_not_play(world: World) -> None:
    """Carol's presses and commands are answered with who plays, and how to start her own match."""
    await world.played("b2")
    for button in ids(world.last):
        words = await in_vain(world, world.carol, button)
        assert "**alice** vs **bob**" in words
        assert "/play" in words
        assert world.last.jump_url in words
    for command in ("undo", "draw", "restart", "rematch", "resign"):
        words = refused(await world.carol.slash(world.channel, command))
        assert "**alice** vs **bob**" in words, command
    assert len(world.channel.history(viewer=world.bob)) == 1


async def test_a_press_out_of_turn(world: World) -> None:
    """A player who presses early is told who is to move, with the board, and loses nothing."""
    await world.challenge()
    for ply, name in enumerate(("alice", "bob", "alice")):
        mover, waiting = (world.alice, world.bob)[:: -1 if ply % 2 else 1]
        words = await in_vain(world, waiting, f"m:1:{ply}:c3")
        assert f"**{name}**'s turn" in words
        assert world.last.jump_url in words
        await world.press(mover, ("a1", "b1", "a2")[ply])


async def test_a_taken_square_costs_no_turn(world: World) -> None:
    """After an illegal move the player may try again, any number of times."""
    await world.played("b2")
    for _ in range(3):
        words = await in_vain(world, world.bob, "m:1:1:b2")
        assert "taken" in words and "still your turn" in words
        assert world.last.jump_url in words
    await world.press(world.bob, "a1")
    assert "Last move: 🔵 a1" in text(world.last)


async def test_an_old_board_is_answered_and_not_obeyed(world: World) -> None:
    """A press on an old board, be it Undo, Resign or Draw, changes nothing and links to the new."""
    old = await world.played("b2")
    world.keep_old_boards()
    await world.press(world.bob, "c3")
    for who in (world.alice, world.bob):
        words = await in_vain(world, who, "m:1:1:a1", old)
        assert "out of date" in words
        assert world.last.jump_url in words
    for action in ("undo", "resign", "draw"):
        assert "out of date" in await in_vain(world, world.alice, f"a:1:1:{action}", old)


async def test_an_old_board_stays_old_after_an_undo(world: World) -> None:
    """An undo returns to the ply of an old board; the old buttons still don't play."""
    first = await world.command(world.alice, "play tictactoe", level="easy")
    world.keep_old_boards()
    await world.press(world.alice, "b2")
    await world.alice.slash(world.channel, "undo")
    assert "out of date" in await in_vain(world, world.alice, "m:1:0:a1", first)
    assert "m:1:0:a1" in ids(world.last)


async def test_a_match_that_is_over_takes_no_press(world: World) -> None:
    """An old board of a finished match says that it is old and links to the final one.

    Its buttons refer to that match, whatever is played now.
    """
    left = await world.challenge()
    world.keep_old_boards()
    await world.play(ALICE_WINS)
    assert world.last.jump_url in await in_vain(world, world.bob, "m:1:0:c3", left)
    await world.challenge()
    assert "out of date" in await in_vain(world, world.alice, "m:1:0:b2", left)


async def test_a_match_that_is_over_says_so(world: World) -> None:
    """Every press and command on a finished match is refused with an alternative."""
    await world.played()
    for custom_id in ("m:1:5:c3", "p:1:5:a1", "a:1:5:draw", "s:1"):
        words = await in_vain(world, world.bob, custom_id)
        assert "over" in words, custom_id
        assert "/rematch" in words, custom_id
    for command in ("draw", "restart", "resign"):
        words = refused(await world.alice.slash(world.channel, command))
        assert "This match is over" in words and "`/rematch`" in words, command


async def test_a_stranger_is_sent_to_no_rematch(world: World) -> None:
    """A stranger who types a move after others' match is told how to begin a match of their own.

    So is a stranger who presses Rematch; nobody is told to wait for the end of an ended match.
    """
    await world.played()
    for command in ("hint", "resign", "moves"):
        told = await world.carol.slash(world.channel, command)
        assert refused(told).startswith("This match is over.\n→ [The board]"), command
        assert labels(answer_to(told)) == BEGIN
    told = await world.carol.click(world.last, label="Rematch")
    assert "not in this match" in refused(told) and labels(answer_to(told)) == BEGIN
    assert "once it's over" not in refused(told)


async def test_a_match_is_played_in_its_own_channel(world: World) -> None:
    """A forged button in another channel neither moves nor shows the board there."""
    await world.challenge()
    here, shown = world.channel, world.public()
    world.channel = world.guild.create_text_channel("elsewhere")
    await world.made_up("l::0")
    for custom_id in ("m:1:0:b2", "p:1:0:a1", "a:1:0:undo", "a:1:0:resign", "s:1", "r:1"):
        words = await in_vain(world, world.alice, custom_id)
        assert "don't know that match" in words, custom_id
    world.channel = here
    assert world.public() == shown


async def test_a_ply_that_never_existed(world: World) -> None:
    """A forged ply is answered with the current board and plays nothing."""
    await world.challenge()
    before = await moves(world)
    await world.press(world.alice, "b2", await world.made_up("m:1:7:b2"))
    assert "m:1:0:b2" in ids(world.last)
    assert await moves(world) == before
    assert len(world.boards()) == 1


async def test_commands_without_a_match(world: World) -> None:
    """In a channel without a match each is refused with buttons that begin one."""
    for command in ("board", "undo", "resign", "draw", "restart", "rematch"):
        told = await world.alice.slash(world.channel, command)
        assert labels(answer_to(told)) == BEGIN and "`/play`" not in refused(told), command
    asked = refused(await world.alice.click(answer_to(told), label="Play the computer"))
    assert "What would you like to play against the computer?" in asked


FORGED = [
    "m:999999:0:b2",
    "m:999999999999999999:0:b2",
    "m:9999999999999999999999:0:b2",
    "m:1:0:z99",
    "m:1:0:b2-b2-b2",
    "m:1:-1:b2",
    "m:1:0:b2\n",
    "m:1:0:b2\u0000",
    "m:1:0:",
    "m:1:0:b2:b3",
    "m:१:0:b2",
    "m:1:0:B2",
    "m:1:0:a1-b2",
    "M:1:0:b2",
    "m",
    "m::0:b2",
    "p:1:0:q9",
    "p:999999:0:a1",
    "a:1:0:explode",
    "r:999999",
    "s:999999",
    "c:1:steal",
    "o:1:0:draw:7:agree",
    *("v:1:0", "v:1:-1:next", "v:1:0:sideways", "v:x:0:open"),
    *("l", "l::0", "l::all:wins:-1:1", "l::year:wins:0:1", "l::all:wins:0:" + "9" * 19),
    *("d:1:chess", "d:x:tictactoe", "d:1", "d:1:tictactoe:9"),
    "drop table matches",
    "x" * 100,
]


async def test_a_forged_button_is_refused(world: World) -> None:
    """Any forged custom id is answered and changes nothing.

    This holds for buttons on a message and for those sent about a board without them.
    """
    board = await world.challenge()
    for custom_id in FORGED:
        (sent,) = await world.at_once((world.alice, board, custom_id))
        assert await in_vain(world, world.alice, custom_id) == refused(sent), custom_id
