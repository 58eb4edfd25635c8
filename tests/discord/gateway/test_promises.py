"""A bot that defers every answer: everything works after the deferral too.

Here each interaction is deferred at once. `tests/bot/gateway/test_responses.py` tests which
interactions are deferred during a search.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from random import Random

import pytest
from simcord.results import InteractionResult

from bot.app import create_bot
from bot.client import Rowbot
from bot.db.database import Database
from bot.gateway.commands import CommandBuilder
from bot.gateway.components import view_of
from bot.gateway.interactions import Interaction
from bot.gateway.responses import response_of
from bot.refusals import Refusal
from bot.settings import Settings
from tests.discord.calls import (
    BY_TOKEN,
    CALLBACK,
    CHANGE_BY_TOKEN,
    FIRST_RESPONSE,
    FOLLOWUP,
    IN_CHANNEL,
    on_its_way,
)
from tests.discord.elsewhere import Elsewhere, guest
from tests.discord.failing import (
    FAULTS,
    LATE_SECONDS,
    PUT_OFF_SECONDS,
    FailingOnce,
    answer_late,
    failing,
    try_again,
)
from tests.discord.matches.forms import pictures, wants
from tests.discord.world import ALICE_WINS, World, answer_to, ids, logged, mentioned, refused, text
from tests.fuzzing.acting import slash

# Within this time the bot tries again what has failed.
_LAST_TRY_SECONDS = 800


@pytest.fixture
async def simcord_bot(settings: Settings, database: Database) -> AsyncIterator[Rowbot]:
    """The real bot, deferring every interaction at once."""
    bot = create_bot(settings, database, rng=Random(1), patience=0)
    yield bot
    await bot.finish()


async def test_a_match_by_buttons(world: World) -> None:
    """From challenge to rematch there is one board at a time, mentioning the player to move."""
    await world.challenge()
    for ply, square in enumerate(ALICE_WINS.split()):
        result = await world.press((world.alice, world.bob)[ply % 2], square)
        assert result.deferred
        assert len(world.boards()) == (ply < 4)
        assert mentioned(world.last, world.env) == (
            [(world.bob, world.alice)[ply % 2].id] * (ply < 4)
        )
    assert "alice** wins" in text(world.last)
    await world.alice.click(world.last, label="Rematch")
    assert "would like a rematch" in text(world.last)
    await world.bob.click(world.last, label="Agree")
    assert len(world.boards()) == 1


async def test_a_board_replaces_the_deferred_answer(world: World) -> None:
    """The board replaces the deferred answers of `/play`, `/move` and `/board`."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    assert len(world.channel.history()) == 1
    for command, options in (("move", {"where": "b2"}), ("board", {}), ("undo", {})):
        result = await world.alice.slash(world.channel, command, **options)
        assert not result.ephemeral
        assert len(world.channel.history()) == len(world.boards()) == 1
    assert "m:1:0:b2" in ids(world.last)


@pytest.mark.parametrize("fails", [False, True])
async def test_a_mention_after_a_promise(world: World, fails: bool) -> None:
    """An edited promise would notify nobody, so the board is posted, and the promise removed."""
    await world.challenge()
    if fails:
        world.env.inject_error(*IN_CHANNEL, status=403, code=50013)
    await world.alice.slash(world.channel, "move", where="b2")
    (board,) = world.channel.history()
    assert mentioned(board, world.env) == [world.bob.id]
    assert (board.interaction_metadata is None) is not fails


async def test_a_mention_while_the_promise_is_under_way(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board waits for the promise, since it would otherwise replace it, and notify nobody."""
    await world.challenge()
    answer_late(monkeypatch, CALLBACK, 1)
    await world.alice.slash(world.channel, "move", where="b2")
    await world.env.advance_time(LATE_SECONDS)
    (board,) = world.channel.history()
    assert mentioned(board, world.env) == [world.bob.id]
    assert board.interaction_metadata is None


async def test_a_mention_that_arrived_after_all(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second board replaces the promise, and is removed once the bot knows of both."""
    await world.challenge()
    FailingOnce(monkeypatch, IN_CHANNEL, FAULTS["lost"])
    await world.alice.slash(world.channel, "move", where="b2")
    assert len(world.boards()) == 2
    await world.env.advance_time(2 * PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert "m:1:1:c3" in ids(board)


async def test_a_question_that_fails_after_a_press(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pressed board stays, although for Discord it is the press's original response."""
    board = await world.challenge()
    FailingOnce(monkeypatch, FOLLOWUP, FAULTS["lost"])
    await world.alice.click(board, label="Draw")
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert world.boards() == [board]


async def test_a_board_that_arrived_after_all(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord can't be asked for a followup, so a second board comes; the first goes later."""
    await world.challenge()
    FailingOnce(monkeypatch, FOLLOWUP, FAULTS["lost"])
    await world.press(world.alice, "b2")
    assert len(world.boards()) == 2
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert "m:1:1:c3" in ids(board)


ASKING: dict[str, Callable[[World], Awaitable[InteractionResult]]] = {
    "press": lambda world: world.press(world.alice, "b2"),
    "command": lambda world: world.alice.slash(world.channel, "board"),
    "refused press": lambda world: world.press(world.bob, "b2"),
    "refused command": lambda world: world.bob.slash(world.channel, "move", where="b2"),
    "private command": lambda world: world.alice.slash(world.channel, "moves"),
}


@pytest.mark.parametrize("call", [CALLBACK, FOLLOWUP], ids=["promise", "answer"])
@pytest.mark.parametrize("asked", ASKING)
async def test_a_call_that_discord_takes_but_fails_to_answer(
    world: World, monkeypatch: pytest.MonkeyPatch, asked: str, call: tuple[str, str]
) -> None:
    """The call is made again. There is one board then, and the asker has an answer."""
    await world.challenge()
    before, made = world.public(), len(world.env.backend.http_requests)
    tried = try_again(monkeypatch, call)
    answer = await ASKING[asked](world)
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert tried
    if asked in ("press", "command"):
        (board,) = world.boards()
        assert ("m:1:1:c3" in ids(board)) is (asked == "press")
        own = [m for m in world.env.backend.http_requests[made:] if m.path.startswith("/channels")]
        assert "POST" not in [request.method for request in own]
    else:
        assert world.public() == before
        assert refused(answer)


async def test_a_share_that_discord_takes_but_fails_to_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message of the first try is removed, and the other is known as the share."""
    await world.played("b2 a2 a1 c3 b1 b3 c1")
    tried = try_again(monkeypatch, FOLLOWUP)
    await world.alice.slash(world.channel, "share")
    assert tried and len([m for m in world.channel.history() if m.attachments]) == 2
    await world.env.advance_time(PUT_OFF_SECONDS)
    (shared,) = [m for m in world.channel.history() if m.attachments]
    assert refused(await world.bob.slash(world.channel, "share")).endswith(f"/{shared.id})")


@pytest.mark.parametrize("posts", [True, False], ids=["in the channel", "in the old board"])
async def test_a_promise_of_which_nothing_comes(world: World, posts: bool) -> None:
    """If Discord refuses the answer, and it is shown in another way, the promise is removed."""
    await world.challenge()
    world.env.inject_error(*FOLLOWUP, status=400, code=50035)
    world.env.inject_error("PATCH", "/webhooks/*/messages/@original", status=400, code=50035)
    if not posts:
        world.env.inject_error(*IN_CHANNEL, status=400, code=50035)
    await world.alice.slash(world.channel, "move", where="b2")
    (board,) = world.channel.history()
    assert "Last move: ❌ b2" in text(board)


async def test_a_board_that_has_kept_a_promise_after_all(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board is found among the last messages, and isn't removed as the promise."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    FailingOnce(monkeypatch, FOLLOWUP, FAULTS["lost"])
    with failing(world):
        for method in ("GET", "PATCH"):
            world.env.inject_error(method, "/webhooks/*/messages/@original", times=None)
        world.env.inject_error(*IN_CHANNEL, status=503, times=None)
        await world.alice.slash(world.channel, "move", where="b2")
        await world.env.advance_time(PUT_OFF_SECONDS)
        (board,) = world.boards()
    await world.env.advance_time(_LAST_TRY_SECONDS)
    assert [one.id for one in world.boards()] == [board.id]


@guest
async def test_a_board_that_has_kept_a_promise_where_the_bot_can_not_post(
    world: World, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is removed, since the old board was edited in its place."""
    board = await world.challenge()
    FailingOnce(monkeypatch, FOLLOWUP, FAULTS["lost"])
    world.env.inject_error(*FIRST_RESPONSE, times=1)
    await world.alice.slash(world.channel, "move", where="b2")
    (left,) = world.boards()
    assert left.id == board.id and "m:1:1:c3" in ids(left)


async def test_a_failure_is_told_to_the_asker(world: World) -> None:
    """It is, although a public answer was promised, and none could be sent."""
    await world.challenge()
    before = world.public()
    for call in (FOLLOWUP, ("PATCH", "/webhooks/*/messages/@original"), IN_CHANNEL, IN_CHANNEL):
        world.env.inject_error(*call)
    asked = await world.alice.slash(world.channel, "move", where="b2")
    assert "Something went wrong" in refused(asked)
    assert world.public() == before


@pytest.mark.parametrize("call", [FOLLOWUP, ("PATCH", "/webhooks/*/messages/@original")])
async def test_a_refusal_that_can_not_be_told(world: World, call: tuple[str, str]) -> None:
    """The promise is removed all the same."""
    await world.challenge()
    before = world.public()
    world.env.inject_error(*call)
    await world.carol.slash(world.channel, "play tictactoe")
    assert world.public() == before


async def test_a_refused_command_leaves_no_public_answer(world: World) -> None:
    """A public deferral that ends in a refusal is removed, and only the asker sees the refusal."""
    await world.challenge()
    before = world.public()
    for who, command, options in (
        (world.bob, "move", {"where": "b2"}),
        (world.carol, "play tictactoe", {}),
        (world.carol, "undo", {}),
        (world.carol, "resign", {}),
        (world.alice, "rematch", {}),
    ):
        assert refused(await who.slash(world.channel, command, **options))
        assert world.public() == before


async def test_a_refusal_takes_the_place_of_the_progress(world: World, simcord_bot: Rowbot) -> None:
    """If the work fails, the message with its progress doesn't stay."""

    async def work(interaction: Interaction) -> None:
        response = response_of(interaction)
        await response.promise(private=True)
        await response.try_to_show_progress(view_of("1 of 5"))
        raise Refusal("refusal.no_turn")

    build = CommandBuilder(simcord_bot.router.serve)
    simcord_bot.tree.add_command(build.command("help", work, private=True), override=True)
    asked = await world.alice.slash(world.channel, "help")
    assert "too busy right now" in text(asked.response)
    assert not asked.followups


async def test_work_that_ends_while_its_progress_is_on_its_way(
    world: World, simcord_bot: Rowbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer takes the place of the progress, instead of coming beside it."""

    async def work(interaction: Interaction) -> None:
        response = response_of(interaction)
        await response.promise(private=True)
        on_its_way(monkeypatch, CHANGE_BY_TOKEN, "1 of 5", after=partial(asyncio.sleep, 2))
        await response.showing_progress(asyncio.sleep(3), 2.0, partial(view_of, "1 of 5"))
        await response.whisper(view_of("5 of 5"))

    build = CommandBuilder(simcord_bot.router.serve)
    simcord_bot.tree.add_command(build.command("help", work, private=True), override=True)
    asked = InteractionResult(world.env, slash(world.env, world.alice, world.channel, "help", {}))
    await world.env.advance_time(5)
    assert "5 of 5" in text(asked.response)
    assert not asked.followups


async def test_a_promise_of_work_that_is_cut_off(world: World, simcord_bot: Rowbot) -> None:
    """If the bot ends before the work, as while the database hangs, the promise is removed."""
    closing: list[asyncio.Task[None]] = []

    async def work(_: Interaction) -> None:
        closing.append(asyncio.create_task(simcord_bot.close()))
        await asyncio.sleep(3600)

    build = CommandBuilder(simcord_bot.router.serve)
    simcord_bot.tree.add_command(build.command("board", work), override=True)
    asked = InteractionResult(world.env, slash(world.env, world.alice, world.channel, "board", {}))
    await world.env.advance_time(20)
    assert closing[0].done()
    assert "restarting" in refused(asked)
    assert not any(message.flags.loading for message in world.channel.history())


async def test_the_end_of_a_bot_while_discord_hangs(
    world: World, simcord_bot: Rowbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A member whose work is cut off is told so within seconds, or not at all."""
    ending: list[asyncio.Task[None]] = []

    async def work(interaction: Interaction) -> None:
        await response_of(interaction).promise()
        ending.append(asyncio.create_task(simcord_bot.router.end()))
        on_its_way(monkeypatch, BY_TOKEN, before=partial(asyncio.sleep, 3600))
        await asyncio.sleep(3600)

    build = CommandBuilder(simcord_bot.router.serve)
    simcord_bot.tree.add_command(build.command("board", work), override=True)
    slash(world.env, world.alice, world.channel, "board", {})
    await world.env.advance_time(10)
    assert ending[0].done()


async def test_an_answer_in_place_of_the_progress_whose_reply_comes_late(
    world: World, simcord_bot: Rowbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It isn't replaced by a failure, since the bot waits for it as for any private answer."""

    async def work(interaction: Interaction) -> None:
        response = response_of(interaction)
        await response.promise(private=True)
        await response.try_to_show_progress(view_of("1 of 5"))
        answer_late(monkeypatch, ("PATCH", "/webhooks/*/messages/@original"), LATE_SECONDS)
        await response.whisper(view_of("5 of 5"))

    build = CommandBuilder(simcord_bot.router.serve)
    simcord_bot.tree.add_command(build.command("help", work, private=True), override=True)
    asked = await world.alice.slash(world.channel, "help")
    await world.env.advance_time(2 * LATE_SECONDS)
    assert "5 of 5" in text(asked.response)
    assert not asked.followups


async def test_a_private_answer(world: World) -> None:
    """It replaces its promise. That takes two calls, and nobody else sees anything."""
    await world.challenge()
    made = len(world.env.backend.http_requests)
    assert answer_to(await world.alice.slash(world.channel, "moves")).ephemeral
    calls = [request.method for request in world.env.backend.http_requests[made:]]
    assert calls == ["POST", "POST"]


async def test_a_failed_deferral(world: World) -> None:
    """When Discord refuses the deferral, the answer itself is sent and the move is played."""
    await world.challenge()
    world.env.inject_error(*CALLBACK, status=500, code=0)
    await world.press(world.alice, "b2")
    assert "Last move: ❌ b2" in text(world.last)
    assert len(world.boards()) == 1


async def test_a_private_message_that_is_gone(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """A member who has dismissed the message that awaits the answer isn't told of a failure."""
    await world.played()
    shown = answer_to(await world.alice.slash(world.channel, "replay"))
    assert shown.ephemeral
    lose_the_message(world)
    turned = await world.alice.click(shown, label="Next")
    assert turned.deferred and not turned.followups
    assert not logged(caplog, logging.ERROR)


async def test_a_board_that_is_gone(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """If the pressed board is gone by the answer, the member is told how the match goes on."""
    await world.challenge(game="nineholes")
    lose_the_message(world)
    assert "`/board` to post it again" in refused(await world.press(world.alice, "a1"))
    assert not logged(caplog, logging.ERROR)


async def test_a_question_that_is_gone(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """A member who answers an offer whose question is gone is told so, too; the answer counts."""
    await world.challenge()
    await world.alice.slash(world.channel, "draw")
    lose_the_message(world)
    assert "`/board`" in refused(await world.bob.click(world.last, label="Decline"))
    assert not logged(caplog, logging.ERROR)
    await world.bob.slash(world.channel, "draw")
    assert "offers a draw" in text(world.last)


def lose_the_message(world: World) -> None:
    """Let the message of the next answer be gone."""
    world.env.inject_error("PATCH", "/webhooks/*/messages/@original", status=404, code=10008)


async def test_boards_as_pictures(world: World) -> None:
    """A board that follows a promise has its picture, whether it is public or private."""
    await wants(world, world.alice, "picture")
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    assert len(pictures(world.last)) == 1
    await world.press(world.alice, "b2")
    (alt,) = pictures(world.last)
    assert alt.startswith("Last move: circle")
    answer = answer_to(await world.alice.slash(world.channel, "moves"))
    assert answer.ephemeral and pictures(answer) == [alt]
    assert len(world.public()) == 1


@pytest.mark.parametrize("command", ["move", "hint"])
async def test_a_lost_reply_to_a_deferral(
    command: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal reaches its asker, even if the answer was promised publicly."""
    await world.challenge()
    before = world.public()
    FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    options = {"where": "b2"} if command == "move" else {}
    assert refused(await world.carol.slash(world.channel, command, **options))
    assert world.public() == before


@pytest.mark.parametrize("silences", [1, None], ids=["once", "always"])
@pytest.mark.parametrize("asked", ASKING)
async def test_a_promise_that_discord_is_silent_about(
    world: World, monkeypatch: pytest.MonkeyPatch, asked: str, silences: int | None
) -> None:
    """It is kept if it arrived: Discord's refusal of the answer makes the bot look for it again.

    That refusal is enough if Discord says nothing then, either.
    """
    await world.challenge()
    before = world.public()
    FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    with failing(world):
        world.env.inject_error(*FIRST_RESPONSE, times=silences)
        answer = await ASKING[asked](world)
    await world.env.advance_time(PUT_OFF_SECONDS)
    if asked in ("press", "command"):
        (board,) = world.boards()
        assert ("m:1:1:c3" in ids(board)) is (asked == "press")
    else:
        assert refused(answer)
        assert world.public() == before
