"""`/board`: it shows the match of a channel again."""

from collections.abc import Mapping
from contextvars import Context
from functools import partial
from typing import Any

import pytest

from core.players import Member
from tests.bot.engines import StumblingEngine
from tests.discord.failing import PUT_OFF_SECONDS, meanwhile, unreachable
from tests.discord.matches.three import move, mover
from tests.discord.world import World, mentioned, refused, text
from tests.fuzzing import acting


async def test_board_posts_the_board_again(world: World) -> None:
    """`/board` replaces the old board with the same view and notifies nobody."""
    before = await world.played("b2")
    await world.carol.slash(world.channel, "board")
    (board,) = world.boards()
    assert board.id > before.id
    assert not mentioned(board, world.env)
    assert text(board).replace("**bob**,", f"<@{world.bob.id}>,") == text(before)
    await world.press(world.bob, "a1")
    assert "Last move: 🔵 a1" in text(world.last)


async def test_board_of_a_turn_that_could_not_be_shown(world: World) -> None:
    """The player to move wasn't notified of it before, so `/board` notifies them, once."""
    await world.challenge()
    with unreachable(world):
        await world.press(world.alice, "b2")
    for told in ([world.bob.id], []):
        await world.carol.slash(world.channel, "board")
        assert mentioned(world.last, world.env) == told
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert len(world.channel.history()) == 1


async def test_board_while_that_of_a_turn_is_on_its_way(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player to move is notified of the turn once, and one board remains."""
    await world.challenge()
    asking = partial(acting.slash, world.env, world.carol, world.channel, "board", {})
    asked = meanwhile(monkeypatch, lambda: Context().run(asking))
    notified = list[int]()

    def note(event: str, payload: Mapping[str, Any]) -> None:
        if event == "MESSAGE_CREATE":
            sent = world.env.backend.get_message(world.channel.id, int(payload["id"]))
            notified.extend(sent.ping_user_ids)

    world.env.backend.subscribers.append(note)
    await world.press(world.alice, "b2")
    assert notified == [world.bob.id]
    (board,) = world.boards()
    assert board.id == asked[0].message_id


async def test_a_bystander_cannot_move_the_board_without_end(world: World) -> None:
    """A bystander has to wait after a few times, and the board stays; its players needn't wait."""
    await world.challenge()
    for _ in range(5):
        await world.carol.slash(world.channel, "board")
    board = world.last
    told = refused(await world.carol.slash(world.channel, "board"))
    assert "a lot in a short time" in told
    assert world.last.id == board.id
    for _ in range(6):
        await world.alice.slash(world.channel, "board")
    await world.press(world.alice, "b2")
    await world.env.advance_time(60)
    await world.carol.slash(world.channel, "board")
    (again,) = world.boards()
    assert "Last move: ❌ b2" in text(again)


async def test_nobody_lists_their_matches_without_end(world: World) -> None:
    """Without a match in the channel, `/board` can be given as often as `/mymatches`, not more."""
    elsewhere = world.guild.create_text_channel("elsewhere")
    for _ in range(30):
        assert "No match" in refused(await world.alice.slash(elsewhere, "board"))
    told = refused(await world.alice.slash(elsewhere, "board"))
    assert "a lot in a short time" in told


async def test_board_after_a_match(world: World) -> None:
    """Nothing is posted, and the answer links to the final board."""
    final = await world.played()
    answer = refused(await world.alice.slash(world.channel, "board"))
    assert "This match is over" in answer and str(final.id) in answer


async def test_board_restores_a_deleted_board(world: World) -> None:
    """After a moderator deletes the board, `/board` posts it and play continues."""
    await world.challenge()
    world.env.backend.delete_message(world.channel.id, world.last.id)
    await world.bob.slash(world.channel, "board")
    await world.press(world.alice, "b2")
    assert len(world.boards()) == len(world.channel.history()) == 1


@pytest.mark.parametrize("simcord_bot", [StumblingEngine], indirect=True)
async def test_board_of_three_retries_the_computer(world: World) -> None:
    """The member after the computer is notified, as after any other player's move."""
    await world.challenge(game="tribolo", level="easy")
    while isinstance((await world.stored()).match.next_player, Member):
        await move(world)
    await world.carol.slash(world.channel, "board")
    assert mentioned(world.last, world.env) == [(await mover(world)).id]


@pytest.mark.parametrize("simcord_bot", [StumblingEngine], indirect=True)
@pytest.mark.parametrize("by_command", [False, True])
async def test_a_move_retries_the_computer(world: World, *, by_command: bool) -> None:
    """After a failure, a move first lets the computer make its own; the next move answers that."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    for _ in range(2):
        square = str((await world.stored()).match.position.legal_moves()[0])
        if by_command:
            await world.alice.slash(world.channel, "move", where=square)
        else:
            await world.press(world.alice, square)
    assert (await world.stored()).match.ply == 4
    assert len(world.boards()) == 1
