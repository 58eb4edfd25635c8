"""Draws: one player offers, the other accepts or declines."""

from dataclasses import replace

import pytest

from tests.discord.calls import CALLBACK
from tests.discord.failing import PUT_OFF_SECONDS, answer_late, fail_to_note, unreachable
from tests.discord.matches.forms import wants
from tests.discord.offers.agreeing import ask
from tests.discord.program.away import only_reading
from tests.discord.world import FINAL_UNDO, World, button, labels, notified, refused, text
from tests.fuzzing.acting import slash


async def test_a_draw_is_offered_and_accepted(world: World) -> None:
    """Alice offers, which notifies bob; he agrees, the match is drawn, the offer is removed."""
    await world.played("b2")
    question = await ask(world, world.alice, "Draw", by_button=False)
    assert f"**alice** offers a draw. <@{world.bob.id}>, do you agree?" in text(question)
    assert labels(question) == ["Agree", "Decline"]
    assert notified(question, world.env) == [world.bob.id]
    await world.bob.click(question, label="Agree")
    assert "A draw by agreement" in text(world.last)
    assert "tournament" not in text(world.last)
    assert len(world.channel.history()) == 1


async def test_a_draw_is_declined(world: World) -> None:
    """The offer says so and loses its buttons for good; the match continues."""
    board = await world.challenge()
    question = await ask(world, world.bob, "Draw", by_button=False)
    await world.alice.click(question, label="Decline")
    assert "**alice** plays on" in text(world.now(question))
    assert not labels(world.now(question))
    assert await world.sql("SELECT * FROM offers") == []
    await world.press(world.alice, "b2", board)
    assert "Last move: ❌ b2" in text(world.last)


@pytest.mark.parametrize("who", ["bob", "alice"])
async def test_a_draw_is_offered_once_before_each_move(world: World, who: str) -> None:
    """Whether it is declined or taken back; the other player may offer one, and both may agree."""
    await world.played("a1 b1 a2")
    alice, bob, here = world.alice, world.bob, world.channel
    await getattr(world, who).click(
        await ask(world, alice, "Draw", by_button=False), label="Decline"
    )
    again = refused(await alice.slash(here, "draw"))
    assert "already offered a draw" in again and "after your next move" in again
    await bob.slash(here, "move", where="b2")
    assert "already offered a draw" in refused(await alice.slash(here, "draw"))
    await alice.slash(here, "move", where="c3")
    await getattr(world, who).click(
        await ask(world, alice, "Draw", by_button=False), label="Decline"
    )
    await ask(world, bob, "Draw", by_button=False)
    await alice.slash(here, "draw")
    assert "A draw by agreement" in text(world.last)


async def test_a_draw_is_declined_by_command(world: World) -> None:
    """The answer takes the place of the question, and the match continues."""
    board = await world.challenge()
    question = await ask(world, world.bob, "Draw", by_button=False)
    told = refused(await world.carol.slash(world.channel, "draw", decline=True))
    assert "**alice** vs **bob**" in told and world.last.id == question.id
    await world.alice.slash(world.channel, "draw", decline=True)
    assert [message.id for message in world.channel.history()] == [board.id, world.last.id]
    assert "**alice** plays on" in text(world.last) and not labels(world.last)
    assert await world.sql("SELECT * FROM offers") == []
    again = refused(await world.alice.slash(world.channel, "draw", decline=True))
    assert "Nobody is offering that" in again and str(board.id) in again


async def test_who_reads_words_is_told_the_command_that_agrees(world: World) -> None:
    """Some screen readers don't reach buttons; those who see the board need no such line."""
    await wants(world, world.bob, "words")
    await world.challenge()
    for asker, told in ((world.alice, True), (world.bob, False)):
        question = await ask(world, asker, "Draw", by_button=False)
        assert ("Without buttons: `/draw`" in text(question)) == told
        await asker.slash(world.channel, "draw", decline=True)


async def test_a_question_that_has_arrived_twice(world: World) -> None:
    """If it isn't the noted one that is declined, it says so, and the noted one is removed."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    here, twin = world.env.backend.messages[world.channel.id], question.id + 1
    here[twin] = replace(here[question.id], id=twin)
    await world.sql(f"UPDATE offers SET message_id = {twin}")
    await world.bob.click(question, label="Decline")
    await world.env.settle()
    assert "**bob** plays on" in text(world.now(question)) and not labels(world.now(question))
    assert twin not in [message.id for message in world.channel.history()]


async def test_a_question_that_could_not_be_noted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database has failed just then; it is noted later, and loses its buttons when void."""
    board = await world.challenge()
    fail_to_note(world, monkeypatch)
    offered = await world.bob.slash(world.channel, "draw")
    await only_reading(world, "OFF")
    assert "My database isn't answering" in refused(offered)
    question = world.last
    assert labels(question) == ["Agree", "Decline"]
    await world.env.advance_time(PUT_OFF_SECONDS)
    await world.press(world.alice, "b2", board)
    assert not labels(world.now(question))


async def test_an_offer_is_taken_back_by_command(world: World) -> None:
    """The member who made it takes it back by declining; an offer of another kind still stands."""
    await world.challenge()
    await ask(world, world.bob, "Draw", by_button=False)
    await ask(world, world.bob, "Restart", by_button=False)
    await world.bob.slash(world.channel, "restart", decline=True)
    assert "**bob** asked to restart the match. They withdrew" in text(world.last)
    await world.alice.slash(world.channel, "draw")
    assert "A draw by agreement" in text(world.last)


async def test_a_declined_draw_loses_its_buttons_if_the_answer_fails(world: World) -> None:
    """The offer's message is then edited in its channel."""
    await world.challenge()
    question = await ask(world, world.bob, "Draw", by_button=False)
    world.env.inject_error(*CALLBACK, status=404, code=10062)
    await world.alice.click(question, label="Decline")
    assert "**alice** plays on" in text(world.now(question))
    assert not labels(world.now(question))


async def test_two_draw_offers_merge(world: World) -> None:
    """A second offer accepts the first, even if one was by a command and one by a button."""
    await world.challenge()
    await ask(world, world.alice, "Draw", by_button=False)
    await ask(world, world.bob, "Draw", by_button=True)
    assert "A draw by agreement" in text(world.last)


async def test_an_offer_lapses_with_the_next_move(world: World) -> None:
    """After a move the offer has no buttons; a press that was late is refused with the board."""
    board = await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    await world.press(world.alice, "b2", board)
    assert "**alice** offered a draw. The offer no longer stands." in text(world.now(question))
    assert not labels(world.now(question))
    (board,) = world.boards()
    for word in ("agree", "decline"):
        late = refused(await world.late(world.bob, question, button(question, word)))
        assert "no longer stands" in late and str(board.id) in late


async def test_a_lapsed_offer_does_not_come_back(world: World) -> None:
    """After an offer, a move and its undo, the offer is still lapsed."""
    board = await world.challenge()
    question = await ask(world, world.bob, "Draw", by_button=False)
    await world.press(world.alice, "b2", board)
    undo = await ask(world, world.alice, "Undo", by_button=False)
    await world.bob.click(undo, label="Agree")
    late = await world.late(world.alice, question, button(question, "agree"))
    assert "no longer stands" in refused(late)
    await world.alice.slash(world.channel, "draw")
    assert "offers a draw" in text(world.last)


async def test_an_offer_is_for_the_other_player(world: World) -> None:
    """The player who offered can't agree to it, but withdraws it by declining."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    told = refused(await world.alice.click(question, label="Agree"))
    assert "your own offer" in told and "*Decline* takes it back." in told
    assert labels(world.now(question)) == ["Agree", "Decline"]
    await world.alice.click(question, label="Decline")
    assert "**alice** offered a draw. They withdrew it." in text(world.now(question))
    late = await world.late(world.bob, question, button(question, "agree"))
    assert "no longer stands" in refused(late)


async def test_an_offer_that_cannot_be_shown(world: World) -> None:
    """If Discord takes no message, the offer isn't made, and can be made later."""
    board = await world.challenge()
    with unreachable(world, 500):
        await world.alice.click(board, label="Draw")
    await world.alice.click(board, label="Draw")
    assert "**alice** offers a draw" in text(world.last)
    assert notified(world.last, world.env) == [world.bob.id]


async def test_a_stranger_answers_nothing(world: World) -> None:
    """Carol doesn't play, so she can neither accept nor decline."""
    await world.challenge()
    question = await ask(world, world.alice, "Draw", by_button=False)
    for label in ("Agree", "Decline"):
        assert "alice" in refused(await world.carol.click(question, label=label))
    await world.bob.click(question, label="Agree")
    assert "A draw by agreement" in text(world.last)


async def test_no_draw_with_the_computer(world: World) -> None:
    """The computer takes no draw offers: its matches have no button, and the command says why."""
    await world.alice.slash(world.channel, "play tictactoe")
    assert labels(world.last) == ["Rules", "Resign", "Hint", "Restart"]
    assert "computer" in refused(await world.alice.slash(world.channel, "draw"))


async def test_offers_that_cross(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one's question is removed even if it arrives while the second is carried out."""
    await world.played("a1 b1 a2")
    answer_late(monkeypatch, CALLBACK, seconds=0.8)
    slash(world.env, world.alice, world.channel, "draw", {})
    await world.env.advance_time(0.4)
    slash(world.env, world.bob, world.channel, "draw", {})
    await world.env.advance_time(5)
    assert (await world.stored()).match.outcome is not None
    question, board = world.channel.history()
    assert (labels(question), labels(board)) == ([], FINAL_UNDO)


async def test_a_draw_is_declined_before_its_question_arrives(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question loses its buttons as soon as it is there."""
    await world.played("a1 b1 a2")
    answer_late(monkeypatch, CALLBACK, seconds=0.8)
    slash(world.env, world.alice, world.channel, "draw", {})
    await world.env.advance_time(0.4)
    slash(world.env, world.bob, world.channel, "draw", {"decline": True})
    await world.env.advance_time(5)
    board, question, answer = world.channel.history()
    assert "no longer stands" in text(question) and "**bob** plays on" in text(answer)
    assert labels(board) and not labels(question) and not labels(answer)
    assert await world.sql("SELECT * FROM offers") == []
