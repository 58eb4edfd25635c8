"""Taking back a move: members agree to it, the computer doesn't mind."""

import pytest

from tests.discord.agreeing import ask, finish
from tests.discord.moving import choices, move
from tests.discord.world import World, labels, mentioned, refused, text

# --- between members


@pytest.mark.parametrize("by_button", [False, True])
async def test_a_move_is_taken_back_when_the_other_agrees(world: World, by_button: bool) -> None:
    """Only after bob's Agree is alice's move gone; then it is her turn, on one board."""
    await world.challenge()
    await world.play("a1 b1 a2")
    question = await ask(world, world.alice, "Undo", by_button=by_button)
    assert "**alice** asks to take back their last move" in text(question)
    assert "(the match then isn't rated). **bob**, do you agree?" in text(question)
    assert "Last move: ❌ a2" in text(world.boards()[-1])
    await world.bob.click(question, label="Agree")
    assert "Last move: ⭕ b1" in text(world.last)
    assert mentioned(world.last, world.env) == [world.alice.id]
    assert len(world.channel.history()) == 1
    await world.press(world.alice, "c3")
    assert "Last move: ❌ c3" in text(world.last)


async def test_the_first_move_is_taken_back(world: World) -> None:
    """Bob agrees though he has made no move himself."""
    await world.challenge()
    await world.press(world.alice, "b2")
    question = await ask(world, world.alice, "Undo", by_button=True)
    await world.bob.click(question, label="Agree")
    assert "Last move" not in text(world.last)
    assert "**alice** vs" in text(world.last)


async def test_taking_back_after_the_answer(world: World) -> None:
    """Bob has answered already: his move goes too, back to alice's decision."""
    await world.challenge()
    await world.play("a1 b1 a2 b2")
    question = await ask(world, world.alice, "Undo", by_button=False)
    await world.bob.click(question, label="Agree")
    assert "Last move: ⭕ b1" in text(world.last)


async def test_the_move_stands_when_the_other_declines(world: World) -> None:
    """The question says so, and play goes on from the board."""
    await world.challenge()
    await world.press(world.alice, "b2")
    board = world.last
    question = await ask(world, world.alice, "Undo", by_button=False)
    await world.bob.click(question, label="Decline")
    assert "**bob** doesn't agree" in text(world.now(question))
    await world.press(world.bob, "a1", board)
    assert "Last move: ⭕ a1" in text(world.last)


@pytest.mark.parametrize("by_button", [False, True])
async def test_asking_for_the_same_is_agreeing(world: World, by_button: bool) -> None:
    """Bob asks for an undo where alice has: her move is taken back, not his."""
    await world.challenge()
    await world.play("a1 b1 a2")
    await ask(world, world.alice, "Undo", by_button=by_button)
    await ask(world, world.bob, "Undo", by_button=by_button)
    assert "Last move: ⭕ b1" in text(world.last)


async def test_nothing_to_take_back(world: World) -> None:
    """Before one's first move there is nothing to ask for; the other isn't bothered."""
    await world.challenge()
    for who in (world.alice, world.bob):
        assert "no move yet" in refused(await who.slash(world.channel, "undo"))
    board = world.boards()[-1]
    await world.press(world.alice, "b2", board)
    board = world.last
    assert "no move yet" in refused(await world.bob.click(board, label="Undo"))


async def test_a_result_between_members_stands(world: World) -> None:
    """A finished rated match can't be taken back, and its board has no button for it."""
    final = await finish(world)
    assert labels(final) == ["Rematch", "Replay", "Analyse"]
    for who in (world.alice, world.bob):
        assert "stands" in refused(await who.slash(world.channel, "undo"))


async def test_asking_on_after_a_move(world: World) -> None:
    """A question about an older move doesn't stand once the match has gone on."""
    await world.challenge()
    await world.press(world.alice, "b2")
    board = world.last
    question = await ask(world, world.alice, "Undo", by_button=False)
    await world.press(world.bob, "a1", board)
    assert "doesn't stand any more" in refused(await world.bob.click(question, label="Agree"))
    assert "Last move: ⭕ a1" in text(world.boards()[-1])


# --- against the computer


@pytest.mark.parametrize("by_button", [False, True])
async def test_undo_against_the_computer(world: World, by_button: bool) -> None:
    """At once, back to the member's own decision: the computer's answer goes with the move."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await ask(world, world.alice, "Undo", by_button=by_button)
    assert len(await choices(world, world.alice)) == 9
    assert len(world.channel.history()) == 1
    assert not mentioned(world.last, world.env)


async def test_undo_step_by_step(world: World) -> None:
    """Asked twice, it goes back twice; then there is nothing left to take back."""
    await world.alice.slash(world.channel, "play tictactoe", first="opponent", rows=5)
    for _ in range(2):
        await move(world, world.alice, (await choices(world, world.alice))[0])
    assert len(await choices(world, world.alice)) == 20
    for left in (22, 24):
        await world.alice.slash(world.channel, "undo")
        assert len(await choices(world, world.alice)) == left
    assert "no move yet" in refused(await world.alice.slash(world.channel, "undo"))


@pytest.mark.parametrize("by_button", [False, True])
async def test_undo_after_the_end_against_the_computer(world: World, by_button: bool) -> None:
    """A lost game against the computer can be taken back and played on."""
    await world.alice.slash(world.channel, "play tictactoe", level="hard")
    await lose(world)
    assert "wins" in text(world.last)
    await ask(world, world.alice, "Undo", by_button=by_button)
    assert "**alice**, your move" in text(world.last)
    assert len(world.boards()) == 1


async def test_a_taken_back_resignation(world: World) -> None:
    """Resigning against the computer ends the game; Undo goes on before the last move."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.resign(world.alice)
    await world.alice.click(world.last, label="Undo")
    assert len(await choices(world, world.alice)) == 9


async def test_undo_needs_a_player(world: World) -> None:
    """A stranger takes nothing back, by command or by button."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    board = world.last
    assert "alice" in refused(await world.bob.slash(world.channel, "undo"))
    assert "alice" in refused(await world.bob.click(board, label="Undo"))
    assert "Last move" in text(world.now(board))


async def test_an_old_match_taken_up_again_is_the_current_one(world: World) -> None:
    """Undo on an older final board revives that match; commands then mean it and not the newer."""
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
    """Play badly against the computer until it has won."""
    while found := await choices(world, world.alice):
        await move(world, world.alice, found[0])
