"""Undoing a move: members must agree, the computer always does."""

import asyncio
from functools import partial

import pytest

from tests.bot.processes import until
from tests.discord.calls import on_its_way
from tests.discord.matches.moving import choices, move
from tests.discord.offers.agreeing import ask
from tests.discord.world import FINAL, World, components, labels, notified, refused, text

# --- between members


async def test_a_move_is_undone_when_the_other_agrees(world: World) -> None:
    """Alice's move stands until bob agrees; then she is to move, on one board.

    Only the first undo says that the match won't be rated, since then it isn't any more.
    """
    await world.played("a1 b1 a2")
    question = await ask(world, world.alice, "Undo", by_button=False)
    assert "**alice** asks to take back their last move" in text(question)
    assert "(the match then isn't rated)." in text(question)
    assert notified(question, world.env) == [world.bob.id]
    assert "Last move: ❌ a2" in text(world.boards()[-1])
    await world.bob.click(question, label="Agree")
    assert "Last move: 🔵 b1" in text(world.last)
    assert notified(world.last, world.env) == [world.alice.id]
    assert len(world.channel.history()) == 1
    await world.press(world.alice, "c3")
    assert "Last move: ❌ c3" in text(world.last)
    again = await ask(world, world.alice, "Undo", by_button=False)
    assert "isn't rated" not in text(again)


@pytest.mark.parametrize("what", ["Undo", "Draw", "unrated"])
@pytest.mark.parametrize("asked", [False, True])
async def test_a_player_who_can_not_see_the_channel_is_not_asked(
    what: str, asked: bool, world: World
) -> None:
    """They couldn't agree. The refusal says so, and who can help.

    What they want already, they have agreed to.
    """
    await world.played("a1 b1 a2")
    if asked:
        await ask(world, world.bob, what, by_button=False)
    world.deny(world.channel, world.bob, view_channel=True)
    count = len(world.channel.history())
    result = await world.alice.slash(world.channel, what.lower())
    if asked:
        assert not any("Agree" in labels(message) for message in world.channel.history())
        return
    told = refused(result)
    assert "bob can't see this channel" in told and "Challenge" not in told
    assert "Ask a moderator" in told
    assert len(world.channel.history()) == count


async def test_the_move_stands_when_the_other_declines(world: World) -> None:
    """The request says so, and the match continues from the board."""
    board = await world.played("b2")
    question = await ask(world, world.alice, "Undo", by_button=False)
    await world.bob.click(question, label="Decline")
    assert "**bob** doesn't agree: the move stands" in text(world.now(question))
    await world.press(world.bob, "a1", board)
    assert "Last move: 🔵 a1" in text(world.last)


async def test_other_questions_are_changed_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agreement to an undo ends an offer of a draw, whose question says so in one edit."""
    await world.played("b2")
    draw = await ask(world, world.bob, "Draw", by_button=False)
    undo = await ask(world, world.alice, "Undo", by_button=False)
    edit = ("PATCH", f"*/messages/{draw.id}")
    edits = on_its_way(monkeypatch, edit, before=partial(asyncio.sleep, 0.1))
    await world.bob.click(undo, label="Agree")
    await until(lambda: not labels(world.now(draw)))
    assert len(edits) == 1


async def test_a_player_without_a_move_can_not_undo(world: World) -> None:
    """A player without a move can't ask, and the opponent isn't notified.

    Before the first move, the board has the rules in its place.
    """
    await world.challenge()
    board = world.boards()[-1]
    assert "Undo" not in labels(board) and "Rules" in labels(board)
    assert "Tic-tac-toe" in refused(await world.bob.click(board, label="Rules"))
    for who in (world.alice, world.bob):
        told = refused(await who.slash(world.channel, "undo"))
        assert "no move to take back" in told and board.jump_url in told
    await world.press(world.alice, "b2", board)
    board = world.last
    assert not any(c.get("disabled") for c in components(board))
    assert "no move to take back" in refused(await world.bob.click(board, label="Undo"))


async def test_a_result_between_members_stands(world: World) -> None:
    """A finished rated match can't be undone, and its board has no button for it."""
    final = await world.played()
    assert labels(final) == FINAL
    for who in (world.alice, world.bob):
        assert "stands" in refused(await who.slash(world.channel, "undo"))


# --- against the computer


async def test_undo_against_the_computer(world: World) -> None:
    """It takes effect at once and undoes the computer's answer with the member's move."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await ask(world, world.alice, "Undo", by_button=True)
    assert len(await choices(world, world.alice)) == 9
    assert len(world.channel.history()) == 1
    assert not notified(world.last, world.env)


async def test_undo_step_by_step(world: World) -> None:
    """Two requests undo two moves; then there is nothing left to undo, and *Rules* in its place.

    The first move was the computer's.
    """
    await world.alice.slash(world.channel, "play tictactoe", first="opponent", rows=5)
    assert "Undo" not in labels(world.last)
    for _ in range(2):
        await move(world, world.alice, (await choices(world, world.alice))[0])
    assert len(await choices(world, world.alice)) == 20
    for left in (22, 24):
        await world.alice.slash(world.channel, "undo")
        assert len(await choices(world, world.alice)) == left
    assert "Undo" not in labels(world.last)
    assert "no move to take back" in refused(await world.alice.slash(world.channel, "undo"))


async def test_undo_after_the_end_against_the_computer(world: World) -> None:
    """A lost match against the computer can be undone and continued."""
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    await lose(world)
    assert "wins" in text(world.last)
    await ask(world, world.alice, "Undo", by_button=False)
    assert "**alice**, your move" in text(world.last)
    assert len(world.boards()) == 1


@pytest.mark.parametrize("game", ["tictactoe", "tribolo"])
async def test_an_end_with_nothing_to_undo(world: World, game: str) -> None:
    """The final board has no Undo if nobody has moved, or only members who have left the match.

    If nobody has moved, there is nothing to replay either.
    """
    await world.alice.slash(world.channel, f"play {game}", level="easy")
    if game == "tribolo":
        legal = (await world.stored()).match.position.legal_moves()
        await world.alice.slash(world.channel, "move", where=str(legal[0]))
    await world.resign(world.alice)
    assert labels(world.last) == (FINAL if game == "tribolo" else FINAL[:2])
    told = refused(await world.alice.slash(world.channel, "undo"))
    assert ("over" if game == "tribolo" else "no move to take back") in told


async def test_a_resumed_match_is_the_current_one(world: World) -> None:
    """Undo on an older final board resumes that match, and commands then refer to it."""
    await world.alice.slash(world.channel, "play tictactoe", rows=4)
    await world.press(world.alice, "a1")
    await world.resign(world.alice)
    older = world.last
    await world.alice.slash(world.channel, "play tictactoe")
    await world.resign(world.alice)
    await world.alice.click(older, label="Undo")
    await move(world, world.alice, "d4")
    await world.alice.slash(world.channel, "undo")
    assert len(await choices(world, world.alice)) == 16


async def lose(world: World) -> None:
    """Lose to the computer."""
    while found := await choices(world, world.alice):
        await move(world, world.alice, found[0])
