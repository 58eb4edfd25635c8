"""While the computer thinks, members see their move at once, and can act."""

import discord
import pytest

from bot.client import Rowbot
from bot.identity import MatchId, MemberId
from bot.matches import boards
from bot.preview import let_the_computer_think
from tests.bot.engines import SearchingEngine, WaitingEngine, WaitingStrongEngine
from tests.bot.processes import until
from tests.bot.searching import Gate
from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, CHANGE, CHANGE_BY_TOKEN, FOLLOWUP, IN_CHANNEL
from tests.discord.failing import FAULTS, PUT_OFF_SECONDS, FailingOnce, failing
from tests.discord.matches.passing import MINUTE, ROUND, pass_time
from tests.discord.matches.three import move
from tests.discord.world import World, ids, mentioned, refused, text

pytestmark = pytest.mark.usefixtures("beside")
waiting = pytest.mark.parametrize("simcord_bot", [WaitingEngine], indirect=True)


@pytest.fixture
async def beside(world: World) -> None:
    """Let time go on while the computer thinks, which simcord doesn't."""
    let_the_computer_think(world.env)


async def thinking(world: World) -> discord.Message:
    """Let alice play b2 against a computer that thinks; return the board."""
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    await world.press(world.alice, "b2")
    return shown(world)


def shown(world: World) -> discord.Message:
    """Return the only board, on which the computer is thinking."""
    (board,) = world.boards()
    assert "is thinking" in text(board)
    return board


async def answered(world: World, gate: Gate) -> discord.Message:
    """Let the computer answer, and return the only board."""
    gate.open()
    await until(lambda: "is thinking" not in text(world.last))
    await world.env.settle()
    (board,) = world.boards()
    return board


def calls(world: World) -> list[tuple[str, str]]:
    """Return the method and the kind of each call that the bot has made to Discord."""
    return [(call.method, call.path.split("/")[1]) for call in world.env.http_requests]


@waiting
async def test_a_move_is_shown_while_the_computer_thinks(world: World, gate: Gate) -> None:
    """The answer is an edit of that message, which notifies nobody and counts against no limit.

    Meanwhile a player's or stranger's press on it is refused at once. A press just before the edit
    is refused too, and doesn't bring another board.
    """
    board = await thinking(world)
    assert "Last move: ❌ b2" in text(board)
    assert "is thinking" in refused(await world.press(world.alice, "a1"))
    assert "not in this match" in refused(await world.press(world.bob, "a1", board))
    before = len(calls(world))
    after = await answered(world, gate)
    assert calls(world)[before:] == [("PATCH", "webhooks")]
    assert after.id == board.id
    assert "Last move: 🔵" in text(after)
    assert "**alice**, your move" in text(after)
    assert mentioned(after, world.env) == []
    assert gate.begun() == 1
    assert "Somebody was faster" in refused(await world.late(world.alice, board, "m:1:1:a1"))
    assert [one.id for one in world.boards()] == [board.id]


@pytest.mark.parametrize("simcord_bot", [SearchingEngine], indirect=True)
async def test_a_quick_search_is_shown_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the computer answers soon, there is one message and no edit."""
    monkeypatch.setattr(boards, "_SOON_SECONDS", 10.0)  # on a busy machine nothing is quick
    options = {"level": "perfect", "first": "opponent"}
    await world.alice.slash(world.channel, "play tictactoe", **options)
    # The first search also had to start its process.
    await until(lambda: "Last move: ❌" in text(world.last))
    before = len(calls(world))
    free = (await world.stored()).match.position.legal_moves()[0]
    await world.press(world.alice, str(free))
    await until(lambda: "Last move: ❌" in text(world.last))
    await world.env.settle()
    assert sorted(calls(world)[before:]) == [("DELETE", "webhooks"), ("POST", "interactions")]
    await world.alice.slash(world.channel, "restart")
    await until(lambda: "m:2:1:" in ids(world.last)[0])
    await world.env.settle()
    assert len(world.channel.history()) == 1


@waiting
@pytest.mark.parametrize(
    ("step", "fault"),
    [
        pytest.param(step, fault, marks=() if fault in quick else pytest.mark.slow)
        for step, quick in ((CALLBACK, ("unknown", "lost")), (CHANGE_BY_TOKEN, ("unknown", "lost")))
        for fault in FAULTS
        if step is CALLBACK or fault != "acknowledged"
    ],
)
async def test_a_failed_call_is_made_good(
    world: World, gate: Gate, monkeypatch: pytest.MonkeyPatch, step: tuple[str, str], fault: str
) -> None:
    """Whichever of the two calls fails and how, one board shows the answer, to be played on."""
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    FailingOnce(monkeypatch, step, FAULTS[fault])
    world.begin(world.alice, world.last, "m:1:0:b2")
    await until(lambda: gate.begun() == 1)
    gate.open()
    await until(lambda: "Last move: 🔵" in text(world.last))
    await world.env.settle()
    (board,) = world.boards()
    free = (await world.stored()).match.position.legal_moves()[0]
    await world.press(world.alice, str(free), board)
    assert (await world.stored()).match.ply > 2


@waiting
async def test_a_board_that_may_have_arrived_before_the_answer(
    world: World, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is edited to show the answer, since Discord only says that the press was answered."""
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    with failing(world):
        world.env.inject_error("GET", "/webhooks/*/messages/@original", times=None)
        world.env.inject_error(*IN_CHANNEL, status=503)
        before = len(calls(world))
        world.begin(world.alice, world.last, "m:1:0:b2")
        await until(lambda: ("POST", "channels") in calls(world)[before:])
    gate.open()
    await until(lambda: "Last move: 🔵" in text(world.last))
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert "Last move: 🔵" in text(board)


@waiting
async def test_a_board_that_no_token_can_change_any_more(world: World, gate: Gate) -> None:
    """The answer is posted in the channel, since the existing board can't show it."""
    board = await thinking(world)
    for method in ("POST", "PATCH"):
        world.env.inject_error(method, "/webhooks/*", status=503, times=None)
    world.env.inject_error(*CHANGE, status=503, times=None)
    after = await answered(world, gate)
    assert after.id != board.id
    assert "Last move: 🔵" in text(after)


@waiting
async def test_resigning_while_the_computer_thinks(
    world: World, simcord_bot: Rowbot, gate: Gate
) -> None:
    """It ends the match at once, and the answer is dropped."""
    await thinking(world)
    await world.resign(world.alice)
    final = world.last
    assert "wins" in text(final)
    gate.open()
    await simcord_bot.router.close()
    assert world.public() == [(final.id, text(final), tuple(ids(final)))]


@waiting
async def test_undoing_while_the_computer_thinks(world: World, gate: Gate) -> None:
    """The move is taken back at once; the answer to it is dropped, and the next one is shown."""
    await thinking(world)
    await world.alice.click(world.last, label="Undo")
    await world.press(world.alice, "a1")
    assert "Last move: ❌ a1" in text(shown(world))
    after = await answered(world, gate)
    assert "Last move: 🔵" in text(after)
    assert str((await world.stored()).match.moves[0]) == "a1"


@waiting
async def test_restarting_while_the_computer_thinks(world: World, gate: Gate) -> None:
    """The new match gets its own first move, although its position equals the old one's."""
    options = {"level": "perfect", "first": "opponent"}
    await world.alice.slash(world.channel, "play tictactoe", **options)
    await world.alice.click(shown(world), label="Restart")
    after = await answered(world, gate)
    assert "Last move: ❌" in text(after)
    stored = await world.stored()
    assert (stored.id, stored.match.ply) == (2, 1)


@waiting
async def test_the_board_is_asked_for_while_the_computer_thinks(world: World, gate: Gate) -> None:
    """`/board` posts it again at once, also for somebody else, and the answer appears there."""
    board = await thinking(world)
    await world.bob.slash(world.channel, "board")
    again = shown(world)
    assert again.id > board.id
    after = await answered(world, gate)
    assert after.id == again.id
    assert "Last move: 🔵" in text(after)
    assert gate.begun() == 1


@pytest.mark.parametrize("simcord_bot", [WaitingStrongEngine], indirect=True)
async def test_the_next_member_is_notified_of_the_answer(world: World, gate: Gate) -> None:
    """In Tribolo another member may come after the computer: the answer is a new message."""
    await world.challenge(game="tribolo", level="strong")
    await move(world)
    await move(world)
    board = world.last
    assert "is thinking" in text(board)
    assert mentioned(board, world.env) == []
    after = await answered_by_text(world, gate)
    assert after.id > board.id
    assert mentioned(after, world.env) == [world.alice.id]


@pytest.mark.parametrize("simcord_bot", [WaitingStrongEngine], indirect=True)
async def test_the_computer_comes_after_a_member_whose_time_runs_out(
    world: World, gate: Gate, calendar: Calendar
) -> None:
    """The computer moves before the new board is posted, since nobody waits for that."""
    await world.challenge(game="tribolo", level="strong", clock=5 * MINUTE)
    await move(world)
    before = world.last
    gate.open()
    await pass_time(world, calendar, 5 * MINUTE)
    await until(lambda: world.last.id != before.id)
    assert "is thinking" not in text(world.last)
    assert mentioned(world.last, world.env) == [world.alice.id]


@pytest.mark.parametrize("simcord_bot", [WaitingStrongEngine], indirect=True)
async def test_an_answer_that_notifies_and_whose_reply_is_lost(
    world: World, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board before, which answered the same command, isn't taken for the lost one."""
    await world.challenge(game="tribolo", level="strong")
    await move(world)
    await move(world)
    assert "is thinking" in text(world.last)
    lost = FailingOnce(monkeypatch, FOLLOWUP, FAULTS["lost"])
    gate.open()
    await until(lambda: lost.failed)
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = [m for m in world.channel.history() if "Tribolo" in text(m)]
    assert "is thinking" not in text(board)


@pytest.mark.parametrize("simcord_bot", [WaitingStrongEngine], indirect=True)
async def test_a_move_that_is_owed_and_asked_for(world: World, gate: Gate) -> None:
    """`/board` notifies nobody of a known state, but does notify of the computer's new move."""
    await world.challenge(game="tribolo", level="strong")
    await move(world)
    await world.env.advance_time(ROUND)
    where = str((await world.stored()).match.position.legal_moves()[0])
    await world.services.matches.play(MatchId(1), MemberId(world.bob.id), where)
    await world.sql("UPDATE matches SET shown = revision")
    await world.carol.slash(world.channel, "board")
    after = await answered_by_text(world, gate)
    assert mentioned(after, world.env) == [world.alice.id]


@waiting
@pytest.mark.parametrize("first", ["/play", "Rematch"])
async def test_the_computers_first_move(world: World, gate: Gate, first: str) -> None:
    """If the computer begins, the board is shown while it thinks about its first move."""
    if first == "/play":
        options = {"level": "perfect", "first": "opponent"}
        await world.alice.slash(world.channel, "play tictactoe", **options)
    else:
        await world.alice.slash(world.channel, "play tictactoe", level="perfect")
        await world.resign(world.alice)
        await world.alice.click(world.last, label="Rematch")
    board = shown(world)
    after = await answered(world, gate)
    assert after.id == board.id
    assert "Last move: ❌" in text(after)


async def answered_by_text(world: World, gate: Gate) -> discord.Message:
    """Let the computer answer on a board of text, and return it."""
    gate.open()
    await until(lambda: "is thinking" not in text(world.last))
    await world.env.settle()
    (board,) = world.channel.history()
    return board


@waiting
async def test_an_answer_that_is_shown_is_noted(world: World, gate: Gate) -> None:
    """Otherwise the next start would look for another board in the channel."""
    await thinking(world)
    await answered(world, gate)
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT shown - revision FROM matches") == [(0,)]
