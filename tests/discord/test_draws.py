"""Draws: one offers, the other agrees or plays on."""

import pytest

from tests.discord.agreeing import answer, ask, finish
from tests.discord.world import World, labels, mentioned, refused, text


@pytest.mark.parametrize("by_button", [False, True])
async def test_a_draw_is_offered_and_agreed(world: World, by_button: bool) -> None:
    """Alice offers, bob agrees by button: the match is drawn and the question is gone."""
    await world.challenge()
    await world.press(world.alice, "b2")
    question = await ask(world, world.alice, "Draw", by_button=by_button)
    assert "**alice** offers a draw. **bob**, do you agree?" in text(question)
    assert labels(question) == ["Agree", "Decline"]
    assert not mentioned(question, world.env)
    await world.bob.click(question, label="Agree")
    assert "A draw, agreed" in text(world.last)
    assert len(world.channel.history()) == 1


async def test_a_draw_is_declined(world: World) -> None:
    """The question says so, loses its buttons, and the match goes on."""
    await world.challenge()
    board = world.last
    question = await ask(world, world.bob, "Draw", by_button=False)
    await world.alice.click(question, label="Decline")
    assert "**alice** plays on" in text(world.now(question))
    assert not labels(world.now(question))
    await world.press(world.alice, "b2", board)
    assert "Last move: ❌ b2" in text(world.last)


@pytest.mark.parametrize(("first", "second"), [(False, False), (False, True), (True, False)])
async def test_two_draw_offers_merge(world: World, first: bool, second: bool) -> None:
    """Asking for what the other has offered is agreeing to it, by command or by button."""
    await world.challenge()
    await ask(world, world.alice, "Draw", by_button=first)
    await ask(world, world.bob, "Draw", by_button=second)
    assert "A draw, agreed" in text(world.last)


async def test_two_draw_offers_in_one_moment(world: World) -> None:
    """Both press Draw at once: the match is drawn, once."""
    await world.challenge()
    board = world.last
    draw = answer(board, "draw")
    await world.at_once((world.alice, board, draw), (world.bob, board, draw))
    assert sum("A draw, agreed" in text(m) for m in world.channel.history()) == 1


@pytest.mark.parametrize("word", ["agree", "decline"])
async def test_an_offer_lapses_with_the_next_move(world: World, word: str) -> None:
    """After a move the old question is refused, and the match goes on."""
    await world.challenge()
    board = world.last
    question = await ask(world, world.alice, "Draw", by_button=False)
    await world.press(world.alice, "b2", board)
    result = await world.bob.click(question, custom_id=answer(question, word))
    assert "doesn't stand any more" in refused(result)
    assert len(world.boards()) == 1


async def test_a_lapsed_offer_does_not_come_back(world: World) -> None:
    """A draw offered, a move made and taken back: the old offer is still over."""
    await world.challenge()
    board = world.last
    question = await ask(world, world.bob, "Draw", by_button=False)
    await world.press(world.alice, "b2", board)
    undo = await ask(world, world.alice, "Undo", by_button=False)
    await world.bob.click(undo, label="Agree")
    assert "doesn't stand any more" in refused(await world.alice.click(question, label="Agree"))
    await world.alice.slash(world.channel, "draw")
    assert "offers a draw" in text(world.last)


@pytest.mark.parametrize("label", ["Agree", "Decline"])
async def test_own_offers_are_for_the_other(world: World, label: str) -> None:
    """Whoever has asked can't answer."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    assert "your own offer" in refused(await world.alice.click(question, label=label))
    assert labels(world.now(question)) == ["Agree", "Decline"]


@pytest.mark.parametrize("label", ["Agree", "Decline"])
async def test_a_stranger_answers_nothing(world: World, label: str) -> None:
    """Carol doesn't play, so she can't agree or decline."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    assert "alice" in refused(await world.carol.click(question, label=label))
    await world.bob.click(question, label="Agree")
    assert "A draw, agreed" in text(world.last)


async def test_a_stranger_offers_nothing(world: World) -> None:
    """Nor does Draw on the board work for her."""
    await world.challenge()
    assert "alice" in refused(await world.carol.click(world.last, label="Draw"))


async def test_agreeing_twice(world: World) -> None:
    """A doubled press on Agree ends the match once; the second press is told."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    agree = answer(question, "agree")
    _, late = await world.at_once((world.bob, question, agree), (world.bob, question, agree))
    refused(late)
    assert sum("A draw, agreed" in text(m) for m in world.channel.history()) == 1


async def test_a_declined_offer_is_over(world: World) -> None:
    """Agree pressed right after Decline is refused."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    _, late = await world.at_once(
        (world.bob, question, answer(question, "decline")),
        (world.bob, question, answer(question, "agree")),
    )
    assert "doesn't stand any more" in refused(late)


async def test_no_draw_with_the_computer(world: World) -> None:
    """The computer doesn't agree to draws: no button, and the command says why."""
    await world.alice.slash(world.channel, "play tictactoe")
    assert labels(world.last) == ["Undo", "Resign", "Hint"]
    assert "computer" in refused(await world.alice.slash(world.channel, "draw"))


async def test_no_draw_after_the_end(world: World) -> None:
    """A finished match can't be drawn any more."""
    await finish(world)
    assert "This match is over" in refused(await world.bob.slash(world.channel, "draw"))


async def test_questions_from_before_a_restart(world: World) -> None:
    """Nothing of an offer is in the bot's memory, so its question is answered afterwards."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    await world.env.restart_bot()
    await world.bob.click(question, label="Agree")
    assert "A draw, agreed" in text(world.last)
