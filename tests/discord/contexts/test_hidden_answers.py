"""Members whose answers Discord hides from others: they may not use external apps."""

import logging

import pytest

from tests.discord.calls import CALLBACK, CHANGE_BY_TOKEN
from tests.discord.elsewhere import Elsewhere, guest
from tests.discord.failing import (
    FAULTS,
    LATE_SECONDS,
    PUT_OFF_SECONDS,
    FailingOnce,
    answer_late,
    failing,
)
from tests.discord.world import World, answer_to, button, ids, labels, logged, refused, text


@guest
async def test_a_member_who_may_not_use_external_apps(world: World, elsewhere: Elsewhere) -> None:
    """They can't start a game that nobody else could see; their move edits the board in place."""
    elsewhere.hidden.add(world.bob.id)
    for options in ({}, {"against": world.alice}, {"open": True}):
        result = await world.bob.slash(world.channel, "play tictactoe", **options)
        assert "Use External Apps" in refused(result)
    assert await world.sql("SELECT id FROM matches UNION SELECT id FROM invitations") == []
    await world.played("b2")
    board, sent = world.last, len(world.env.http_requests)
    await world.press(world.bob, "a1")
    assert [m.id for m in elsewhere.live()] == [board.id]
    assert "Last move: 🔵 a1" in text(world.now(board))
    assert all(one.method != "DELETE" for one in world.env.http_requests[sent:]), "none was hidden"
    await world.press(world.alice, "c1", world.now(board))
    (board,) = elsewhere.live()
    await world.bob.slash(world.channel, "move", where="a3")
    assert "Last move: 🔵 a3" in text(world.now(board))
    assert "Use External Apps" in refused(await world.bob.click(world.now(board), label="Draw"))
    await world.press(world.alice, "a2", world.now(board))
    assert "Last move: ❌ a2" in text(elsewhere.live()[0])


@guest
async def test_no_offer_is_declined_unseen(world: World, elsewhere: Elsewhere) -> None:
    """A command can't decline, since others wouldn't see it; the button edits the message."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    elsewhere.hidden.add(world.bob.id)
    declining = await world.bob.slash(world.channel, "answer", answer="decline")
    assert "Use External Apps" in refused(declining)
    await world.bob.click(world.last, label="Accept")
    board = world.last
    question = await world.command(world.alice, "draw")
    declining = await world.bob.slash(world.channel, "draw", decline=True)
    assert "Use External Apps" in refused(declining) and labels(question) == ["Agree", "Decline"]
    await world.bob.click(question, label="Decline")
    assert "plays on" in text(world.now(question)) and labels(world.now(board))


@guest
@pytest.mark.parametrize("lost", [False, True], ids=["known", "reply lost"])
async def test_a_rematch_that_takes_the_place_of_the_final_board(
    world: World, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch, lost: bool
) -> None:
    """The message isn't closed as a final board, even if the bot doesn't know of the edit."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.resign(world.alice)
    final = next(m for m in world.channel.history() if "Rematch" in labels(m))
    elsewhere.hidden.add(world.alice.id)
    if lost:
        FailingOnce(monkeypatch, CHANGE_BY_TOKEN, FAULTS["lost"])
    await world.alice.click(final, label="Rematch")
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert [m.id for m in elsewhere.live()] == [final.id]


@guest
async def test_an_answer_that_discord_hides(world: World, elsewhere: Elsewhere) -> None:
    """If the permissions didn't tell it, the flag of the sent message does."""
    elsewhere.secretly.add(world.bob.id)
    await world.tell_commands()
    sent = len(world.env.http_requests)
    result = await world.bob.slash(world.channel, "play tictactoe", against=world.alice)
    assert "Use External Apps" in refused(result)
    made = [one.method for one in world.env.http_requests[sent:]]
    assert made == ["POST", "POST"], "the refusal keeps the promise, which is hidden too"
    assert await world.sql("SELECT id FROM matches UNION SELECT id FROM invitations") == []
    board = await world.played("b2")
    await world.press(world.bob, "a1", board)
    assert "Last move: 🔵 a1" in text(world.now(board))
    assert [m.id for m in elsewhere.live()] == [board.id]
    assert not any(ids(message) for message in world.private()), "the hidden board is gone"


@guest
async def test_a_hidden_answer_to_a_press_that_could_not_be_deferred(
    world: World, elsewhere: Elsewhere
) -> None:
    """The token of an earlier answer changes the board, since that of the press can't reach it."""
    elsewhere.secretly.add(world.bob.id)
    board = await world.played("b2")
    world.env.inject_error(*CALLBACK)
    await world.press(world.bob, "a1", board)
    assert "Last move: 🔵 a1" in text(world.now(board))
    assert [m.id for m in elsewhere.live()] == [board.id]
    assert not any(ids(message) for message in world.private()), "the hidden board is gone"


@guest
async def test_an_offer_that_discord_hides(world: World, elsewhere: Elsewhere) -> None:
    """It isn't stored, so that asking again has the same answer, and nobody has been asked."""
    elsewhere.secretly.add(world.bob.id)
    board = await world.challenge()
    for _ in range(2):
        assert "Use External Apps" in refused(await world.bob.click(board, label="Draw"))
    await world.alice.click(board, label="Draw")
    assert "**alice** offers a draw" in text(world.last)


@guest
async def test_a_question_before_an_answer_that_discord_hides(
    world: World, elsewhere: Elsewhere
) -> None:
    """It loses its buttons, even if the match goes on by an edit of the board."""
    elsewhere.secretly.add(world.bob.id)
    await world.played("b2")
    question = await world.command(world.alice, "draw")
    await world.bob.slash(world.channel, "move", where="a1")
    assert not labels(world.now(question))


@guest
@pytest.mark.parametrize("way", ["computer", "table"])
async def test_a_private_choice_whose_answer_discord_hides(
    way: str, world: World, elsewhere: Elsewhere
) -> None:
    """No match or table is left behind that nobody else can see."""
    elsewhere.secretly.add(world.bob.id)
    helped = answer_to(await world.bob.slash(world.channel, "help"))
    await world.bob.click(helped, custom_id=f"b:{way}")
    chosen = await world.bob.select(world.now(helped), ["tictactoe"], custom_id=f"b:{way}")
    if way == "computer":
        chosen = await world.bob.click(world.now(helped), label="Easy")
    assert "Use External Apps" in refused(chosen)
    assert await world.sql("SELECT id FROM matches WHERE ended_at IS NULL") == []
    assert await world.sql("SELECT id FROM invitations WHERE status = 'open'") == []


@guest
async def test_a_board_that_is_removed_while_it_is_pressed(
    world: World, elsewhere: Elsewhere, caplog: pytest.LogCaptureFixture
) -> None:
    """No message is left that could show the move; the other player's `/board` shows it."""
    board = await world.played("b2")
    elsewhere.hidden.add(world.bob.id)
    square = button(board, "a1")
    pressed = world.begin(world.bob, board, square)
    world.env.backend.delete_message(world.channel.id, board.id)
    await world.env.settle()
    assert "`/board` to post it again" in refused(pressed)
    assert not logged(caplog, logging.ERROR)
    await world.alice.slash(world.channel, "board")
    assert "Last move: 🔵 a1" in text(world.last)


@guest
async def test_a_changed_board_whose_reply_comes_late(
    world: World,
    elsewhere: Elsewhere,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Only its token reaches it, so the bot waits for the reply, and reports no failure."""
    board = await world.played("b2")
    elsewhere.hidden.add(world.bob.id)
    answer_late(monkeypatch, CHANGE_BY_TOKEN, LATE_SECONDS)
    square = button(board, "a1")
    pressed = world.begin(world.bob, board, square)
    await world.env.advance_time(2 * LATE_SECONDS)
    assert "Last move: 🔵 a1" in text(world.now(board)) and not pressed.followups
    assert not logged(caplog, logging.WARNING)


@guest
async def test_words_that_automod_blocks(
    world: World, elsewhere: Elsewhere, caplog: pytest.LogCaptureFixture
) -> None:
    """The member is told what blocked the words; the move is made once, and no error is logged."""
    await world.challenge()
    with failing(world):
        for method, times in (("POST", 1), ("PATCH", 2)):
            world.env.inject_error(method, "/webhooks/*", status=400, code=200000, times=times)
        pressed = await world.press(world.alice, "b2")
    assert "AutoMod has blocked my message" in refused(pressed)
    assert max(record.levelno for record in caplog.records) < logging.ERROR
    await world.press(world.bob, "a1")
    assert "Last move: ❌ b2" in text(world.last)
