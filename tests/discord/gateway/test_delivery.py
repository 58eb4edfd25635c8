"""However a call to Discord fails, one board shows the stored match afterwards.

CI runs every operation with one fault and every fault with one operation;
`pytest -m slow tests/discord/gateway/test_delivery.py` runs the other pairs.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from bot.gateway.requests import PAUSES
from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, FIRST_RESPONSE, IN_CHANNEL, REMOVAL_BY_TOKEN, on_its_way
from tests.discord.elsewhere import Elsewhere, direct, everywhere
from tests.discord.failing import (
    FAULTS,
    PUT_OFF_SECONDS,
    FailingOnce,
    hold_back,
    lose_the_reply,
    try_again,
)
from tests.discord.matches.passing import DEFAULT, MINUTE, pass_time
from tests.discord.world import (
    ALICE_WINS,
    World,
    answer_to,
    ids,
    labels,
    logged,
    mentioned,
    refused,
    text,
)
from tests.fuzzing import acting

Step = Callable[[World, Calendar], Awaitable[Any]]


# Errors that Discord only has for interactions.
_OF_INTERACTIONS = ("unknown", "acknowledged")


async def challenged(world: World, _: Calendar) -> None:
    await world.challenge()


async def offered(world: World, _: Calendar) -> None:
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)


async def against_the_computer(world: World, _: Calendar) -> None:
    await world.alice.slash(world.channel, "play tictactoe")


async def nothing(_: World, __: Calendar) -> None:
    pass


async def undo_asked(world: World, _: Calendar) -> None:
    await world.played("b2")
    await world.alice.click(world.last, label="Undo")


async def rematch_asked(world: World, _: Calendar) -> None:
    await world.bob.click(await world.played(), label="Rematch")


@dataclass(frozen=True)
class Operation:
    """An operation that shows a board: its preparation, the act, and who is mentioned then."""

    before: Step
    act: Step
    mentions: str | None = None
    call: tuple[str, str] = CALLBACK


OPERATIONS = {
    "press": Operation(challenged, lambda w, _: w.press(w.alice, "b2"), "bob"),
    "press against the computer": Operation(
        against_the_computer, lambda w, _: w.press(w.alice, "b2")
    ),
    "move": Operation(challenged, lambda w, _: w.alice.slash(w.channel, "move", where="b2"), "bob"),
    "play": Operation(nothing, against_the_computer),
    "challenge": Operation(nothing, offered, "bob"),
    "accept": Operation(offered, lambda w, _: w.bob.click(w.last, label="Accept"), "alice"),
    "rematch": Operation(rematch_asked, lambda w, _: w.alice.click(w.last, label="Agree"), "bob"),
    "undo": Operation(undo_asked, lambda w, _: w.bob.click(w.last, label="Agree"), "alice"),
    "deadline": Operation(challenged, lambda w, c: pass_time(w, c, DEFAULT), call=IN_CHANNEL),
}


def _pairs() -> list[Any]:
    pairs = []
    for row, operation in enumerate(OPERATIONS):
        for column, fault in enumerate(FAULTS):
            if operation == "deadline" and fault in _OF_INTERACTIONS:
                continue
            quick = row in (0, column)
            marks = () if quick else (pytest.mark.slow,)
            pairs.append(pytest.param(operation, fault, marks=marks, id=f"{operation}-{fault}"))
    return pairs


@pytest.mark.parametrize(("operation", "fault"), _pairs())
async def test_a_failed_call_is_made_good(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch, operation: str, fault: str
) -> None:
    """One live message shows the stored state and mentions who is to act, and it can be used."""
    doing = OPERATIONS[operation]
    await doing.before(world, calendar)
    failing = FailingOnce(monkeypatch, doing.call, FAULTS[fault])
    await doing.act(world, calendar)
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert failing.failed
    if operation == "challenge":
        (shown,) = [m for m in world.channel.history() if "Accept" in labels(m)]
        assert mentioned(shown, world.env) == [world.bob.id]
        await world.bob.click(shown, label="Accept")
        assert len(world.boards()) == 1
        return
    await check_shown(world, doing.mentions)


async def check_shown(world: World, mentions: str | None) -> None:
    """Check that one board shows the stored match, mentions its player, and can be played on."""
    stored = await world.stored()
    if stored.match.outcome:
        assert not world.boards()
        (final,) = [m for m in world.channel.history() if "ran out of time" in text(m)]
        assert "Rematch" in labels(final)
        return
    (board,) = world.boards()
    prefix = f"m:{stored.id}:{stored.match.ply}:"
    assert all(i.startswith(prefix) for i in ids(board) if i.startswith("m:"))
    expected = [] if mentions is None else [getattr(world, mentions).id]
    assert mentioned(board, world.env) == expected
    mover = world.alice if mentions is None else getattr(world, mentions)
    free = str(stored.match.position.legal_moves()[0])
    await world.press(mover, free, board)
    assert (await world.stored()).match.ply > stored.match.ply
    assert len(world.boards()) == 1


@pytest.mark.parametrize("moves", ["b2", ALICE_WINS])
async def test_an_answer_that_arrived_after_all(
    world: World, monkeypatch: pytest.MonkeyPatch, moves: str
) -> None:
    """If the bot can't find out whether an answer arrived, it sends another, and removes one."""
    await world.challenge()
    *before, last = moves.split()
    await world.play(" ".join(before))
    lose_the_reply(world, monkeypatch)
    await world.press(world.bob if len(before) % 2 else world.alice, last)
    sent = [(made.method, made.path) for made in world.env.backend.http_requests]
    assert ("POST", f"/channels/{world.channel.id}/messages") in sent
    world.env.backend.faults.clear()
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.channel.history()
    assert board.id == (await world.stored()).board_id
    assert bool(world.boards()) is (moves == "b2")


@pytest.mark.parametrize("asked", ["to play", "for a draw"])
async def test_a_question_that_arrived_after_all(
    world: World, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """It is sent again likewise, and the question that the bot didn't know is removed."""
    if asked == "for a draw":
        await world.challenge()
    lose_the_reply(world, monkeypatch)
    if asked == "for a draw":
        await world.alice.slash(world.channel, "draw")
    else:
        await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    lost, known = world.channel.history()[-2:]
    assert ids(lost) == ids(known)
    world.env.backend.faults.clear()
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert lost not in world.channel.history()
    await world.bob.click(known, label="Decline")
    assert not labels(world.now(known))


async def test_an_answer_in_place_of_a_question_that_discord_has_taken_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays, although discord.py's second try is refused, since there is an answer."""
    await world.challenge()
    await world.alice.slash(world.channel, "draw")
    tried = try_again(monkeypatch, CALLBACK)
    await world.bob.click(world.last, label="Decline")
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert tried and "**bob** plays on" in text(world.last)


@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("asked", ["refused press", "private command"])
async def test_a_private_answer_that_discord_has_taken_twice(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    asked: str,
    silent: bool,
) -> None:
    """The asker has it, so no failure is told or logged when discord.py's second try is refused.

    That refusal is enough even if Discord is `silent` about the answer.
    """
    await world.challenge()
    tried = try_again(monkeypatch, CALLBACK)
    if silent:
        world.env.inject_error(*FIRST_RESPONSE, times=None)
    if asked == "refused press":
        answer = await world.press(world.bob, "b2")
    else:
        answer = await world.alice.slash(world.channel, "moves")
    assert tried and answer_to(answer).ephemeral and not answer.followups
    assert not logged(caplog, logging.WARNING)


async def test_a_change_that_discord_has_taken_twice(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The message has changed, so no failure is told, even if Discord is silent about that."""
    await world.challenge(game="nineholes")
    tried = try_again(monkeypatch, CALLBACK)
    world.env.inject_error(*FIRST_RESPONSE, times=None)
    picked = await world.press(world.alice, "a1")
    assert tried and not picked.followups
    assert not logged(caplog, logging.WARNING)
    assert "m:1:0:a1-a2" in ids(world.last)


@direct
@pytest.mark.parametrize("who", ["alice", "bob"])
async def test_a_press_in_a_direct_message_whose_promise_discord_is_silent_about(
    world: World, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    """It is answered, although the reply to the promise was lost and no older token is left."""
    board = await world.challenge()
    elsewhere.end_tokens()
    FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    world.env.inject_error(*FIRST_RESPONSE, times=None)
    answer = await world.press(getattr(world, who), "b2", board)
    if who == "bob":
        assert "**alice**'s turn" in refused(answer)
        return
    (shown,) = world.boards()
    assert "m:1:1:c3" in ids(shown) and mentioned(shown, world.env) == [world.bob.id]


async def test_an_invitation_that_arrived_though_every_way_failed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot has withdrawn it, so its message is removed, and another can be made."""
    lose_the_reply(world, monkeypatch)
    world.env.inject_error(*IN_CHANNEL, times=None)
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    assert labels(world.last)
    world.env.backend.faults.clear()
    world.env.inject_error(*FIRST_RESPONSE)
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert world.channel.history(), "the removal has failed, and is tried again"
    await world.env.advance_time(sum(PAUSES))
    assert not world.channel.history()
    await world.challenge()


async def test_a_question_that_arrived_though_every_way_failed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot has taken it back, so its message is removed, and another can be asked."""
    await world.challenge()
    lose_the_reply(world, monkeypatch)
    world.env.inject_error(*IN_CHANNEL, times=None)
    await world.alice.slash(world.channel, "draw")
    assert labels(world.last) == ["Agree", "Decline"]
    world.env.backend.faults.clear()
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert world.channel.history() == world.boards()
    await world.alice.slash(world.channel, "draw")
    await world.bob.click(world.last, label="Agree")
    assert "A draw by agreement" in text(world.last)


async def test_a_table_that_arrived_though_every_way_failed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message that showed the table before shows who has joined, and is the only one."""
    await world.alice.slash(world.channel, "play tribolo", open=True, size="small")
    table = world.last
    lose_the_reply(world, monkeypatch)
    world.env.inject_error(*IN_CHANNEL, times=None)
    await world.bob.slash(world.channel, "answer", answer="join")
    assert world.last.id != table.id
    world.env.backend.faults.clear()
    await world.env.advance_time(PUT_OFF_SECONDS)
    (left,) = world.channel.history()
    assert left.id == table.id and "bob" in text(left)


async def test_an_answer_that_arrives_after_the_board_in_its_place(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The late answer is removed, and the board in its place stays."""
    await world.challenge()
    late = hold_back(monkeypatch, CALLBACK, times=1)

    async def arrive() -> None:
        await late[0]()

    on_its_way(monkeypatch, IN_CHANNEL, after=arrive)
    on_its_way(monkeypatch, REMOVAL_BY_TOKEN, before=partial(asyncio.sleep, 1))
    await world.press(world.alice, "b2")
    assert len(world.boards()) == 2
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert "m:1:1:c3" in ids(board)


async def test_an_answer_that_arrives_just_before_the_boards_are_looked_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board in its place stays, even if an earlier failure makes the bot look at boards."""
    await world.challenge()
    late = hold_back(monkeypatch, CALLBACK)
    await world.press(world.alice, "b2")
    await world.env.advance_time(PUT_OFF_SECONDS / 2)
    await world.press(world.bob, "a1")
    (board,) = world.boards()
    await late[1]()
    assert len(world.boards()) == 2
    await world.env.advance_time(2 * PUT_OFF_SECONDS)
    assert [one.id for one in world.boards()] == [board.id]


async def test_an_answer_that_arrived_though_every_way_failed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If Discord's reply is lost and nothing can be posted either, no second board stays."""
    await world.challenge()
    lose_the_reply(world, monkeypatch)
    world.env.inject_error(*IN_CHANNEL, times=None)
    await world.press(world.alice, "b2")
    assert len(world.boards()) == 2
    world.env.backend.faults.clear()
    await world.bob.slash(world.channel, "move", where="a1")
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert "m:1:2:c3" in ids(board)
    assert board.id == (await world.stored()).board_id


@everywhere
async def test_an_answer_that_arrived_where_the_bot_can_not_post(
    world: World, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old board is edited in its place, and the answer removed later, by its token."""
    board = await world.challenge()
    FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    world.env.inject_error(*FIRST_RESPONSE, times=1)
    await world.alice.slash(world.channel, "move", where="b2")
    assert len(world.boards()) == 2
    await world.env.advance_time(PUT_OFF_SECONDS)
    (left,) = world.boards()
    assert left.id == board.id and "m:1:1:c3" in ids(left)


async def test_boards_that_arrive_in_the_wrong_order(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board whose reply arrives after the reply to a newer board is removed."""
    await world.challenge()
    world.on_sight({"m:1:1:a1": world.bob})
    overtaken = asyncio.Event()
    callbacks = on_its_way(monkeypatch, CALLBACK, after=overtaken.set)
    on_its_way(monkeypatch, CALLBACK, after=overtaken.wait, times=1)
    await world.press(world.alice, "b2")
    assert len(callbacks) == 2
    (board,) = world.boards()
    assert "m:1:2:c3" in ids(board)
    assert len(world.channel.history()) == 1
    assert "out of date" not in text(await world.press(world.alice, "c3"))


async def test_boards_of_one_state_that_are_sent_in_the_wrong_order(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The later message stays, even if the match was read earlier for it."""
    await world.challenge()
    created, sent_before = list[int](), asyncio.Event()

    async def ask_meanwhile() -> None:
        Context().run(partial(acting.slash, world.env, world.bob, world.channel, "board", {}))
        await sent_before.wait()

    def note() -> None:
        created.append(world.last.id)
        sent_before.set()

    on_its_way(monkeypatch, CALLBACK, after=note)
    on_its_way(monkeypatch, CALLBACK, before=ask_meanwhile, times=1)
    await world.alice.slash(world.channel, "board")
    assert len(created) == 2
    (board,) = world.boards()
    assert board.id == max(created)
    assert "out of date" not in text(await world.press(world.alice, "c3"))


async def test_one_failing_channel_holds_up_no_other(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While Discord doesn't answer calls to one channel, a deadline in another is handled."""
    await world.challenge()
    failing = ("*", f"/channels/{world.channel.id}/messages")
    await pass_time(world, calendar, MINUTE)
    world.channel = world.guild.create_text_channel("other")
    await world.challenge()
    on_its_way(monkeypatch, failing, before=partial(asyncio.sleep, 1000))
    await pass_time(world, calendar, DEFAULT - MINUTE)
    assert "ran out of time" not in text(world.last)
    await pass_time(world, calendar, MINUTE)
    assert "ran out of time" in text(world.last)


async def test_a_board_that_stays_is_removed_later(world: World) -> None:
    """An old board that can't be removed or edited for a while holds up nobody until it can."""
    await world.challenge()
    world.keep_old_boards(500, 0)
    await world.play("b2 a1")
    assert len(world.boards()) == 3
    world.env.backend.faults.clear()
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert "m:1:2:c3" in ids(board)


@pytest.mark.parametrize("goes_on", [True, False], ids=["played on", "as it was"])
async def test_a_post_that_arrived_after_all(
    world: World, monkeypatch: pytest.MonkeyPatch, goes_on: bool
) -> None:
    """If the answer is refused, and the reply to the post in its place is lost, one board stays."""
    await world.challenge()
    world.env.inject_error(*CALLBACK, status=404, code=10062)
    FailingOnce(monkeypatch, IN_CHANNEL, FAULTS["lost"])
    await world.press(world.alice, "b2")
    assert len(world.boards()) == 2
    if goes_on:
        await world.bob.slash(world.channel, "move", where="a1")
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert f"m:1:{1 + goes_on}:c3" in ids(board)
