"""Restarts: a new match with the same seats and options, and no result for the one before."""

import asyncio
from contextvars import Context
from functools import partial

import pytest
from simcord.backend.models import Interaction
from simcord.results import InteractionResult

from tests.discord.calls import ANY_REMOVAL, CALLBACK, IN_CHANNEL, Call, on_its_way
from tests.discord.failing import PUT_OFF_SECONDS, lose_the_board, meanwhile, unreachable
from tests.discord.matches.moving import choices
from tests.discord.matches.moving import move as move_to
from tests.discord.matches.taking import THREAD
from tests.discord.matches.three import move, three
from tests.discord.offers.agreeing import ask
from tests.discord.world import World, answer_to, button, ids, labels, notified, refused, text
from tests.fuzzing import acting


async def test_a_restart_against_the_computer(world: World) -> None:
    """It takes effect at once: the same board and seats, and one message in the channel."""
    options = {"rows": 4, "first": "opponent", "level": "easy"}
    await world.alice.slash(world.channel, "play tictactoe", **options)
    title = text(world.last).splitlines()[0]
    await move_to(world, world.alice, (await choices(world, world.alice))[0])
    await ask(world, world.alice, "Restart", by_button=True)
    assert text(world.last).splitlines()[0] == title
    assert "❌ **Computer (easy)** vs 🔵 **alice**" in text(world.last)
    assert (await world.stored()).match.ply == 1  # the computer's
    assert len(world.channel.history()) == 1
    history = text(await world.alice.slash(world.channel, "history"))
    assert history.count("No result against") == 1


def command(world: World, name: str) -> Interaction:
    """Let alice give a command, without waiting for the answer."""
    begin = partial(acting.slash, world.env, world.alice, world.channel, name, {})
    return Context().run(begin)


def callback_to(given: InteractionResult) -> Call:
    return "POST", f"/interactions/{given._interaction.id}/*/callback"  # noqa: SLF001


async def test_a_restart_while_boards_are_on_their_way(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board that arrives after a later match's is removed, even as the first of its match."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    acts = (partial(command, world, name) for name in ("undo", "restart"))
    begun = meanwhile(monkeypatch, *acts)
    await world.press(world.alice, "b2")
    (board,) = world.boards()
    assert board.id == begun[-1].message_id


async def test_a_restart_before_the_first_board(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first board of the match before is removed when it arrives."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    busy = await world.alice.slash(world.channel, "play connectfour", level="easy")
    assert busy.response is not None
    begun = meanwhile(monkeypatch, partial(command, world, "restart"))
    await world.alice.click(busy.response, label="Put it away")
    (board,) = world.boards()
    assert board.id == begun[0].message_id


@pytest.mark.parametrize("by_button", [False, True])
async def test_a_restart_of_a_long_match_is_asked_about(world: World, by_button: bool) -> None:
    """It is, since the button is beside others, and a slip would end the match."""
    await world.alice.slash(world.channel, "play tictactoe", rows=5, columns=5, level="easy")
    for _ in range(5):
        await move_to(world, world.alice, (await choices(world, world.alice))[0])
    board = world.last
    played = (await world.stored()).match.moves
    assert len(played) == 10
    await ask(world, world.alice, "Restart", by_button=by_button)
    (question,) = world.private()
    assert "Restart this match?" in text(question) and labels(question) == ["Restart"]
    assert "`/restart confirm: True`" in text(question)
    assert (await world.stored()).match.moves == played and world.last.id == board.id
    assert "alice" in refused(await world.carol.slash(world.channel, "restart")), "not hers"
    await world.alice.click(question, label="Restart")
    assert (await world.stored()).match.ply == 0
    assert question.id not in [message.id for message in world.private()]


async def test_a_restart_of_a_long_match_confirmed_by_command(world: World) -> None:
    """`confirm` answers the question beforehand, and only that: members still have to agree."""
    await world.alice.slash(world.channel, "play tictactoe", rows=5, columns=5, level="easy")
    for _ in range(5):
        await move_to(world, world.alice, (await choices(world, world.alice))[0])
    await world.alice.slash(world.channel, "restart", confirm=True)
    assert (await world.stored()).match.ply == 0 and not world.private()
    await world.alice.slash(world.channel, "resign", confirm=True)
    await world.challenge()
    await world.alice.slash(world.channel, "restart", confirm=True)
    assert "do you agree" in text(world.last)


async def test_a_press_on_the_board_of_a_match_begun_anew(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The press brings no board of the old match while the new match's board is on its way."""
    board = await world.command(world.alice, "play tictactoe", level="easy")
    pressed = meanwhile(monkeypatch, lambda: world.begin(world.alice, board, "m:1:0:b2"))
    await world.alice.slash(world.channel, "restart")
    assert "out of date" in refused(pressed[0])
    assert world.boards() == world.channel.history() == [world.last]


async def test_a_restart_needs_the_others(world: World) -> None:
    """Bob is notified; when he agrees, the old match counts for nothing and the score stays."""
    await world.played()
    board = await world.played("b2 a1 c3 a3")
    question = await ask(world, world.alice, "Restart", by_button=False)
    assert notified(question, world.env) == [world.bob.id]
    draw = await ask(world, world.bob, "Draw", by_button=False)
    assert [m.id for m in world.boards()] == [board.id]
    await world.bob.click(question, label="Agree")
    assert "❌ **alice** vs 🔵 **bob**" in text(world.last)
    assert "Series: **alice** 1 – **bob** 0" in text(world.last)
    assert notified(world.last, world.env) == [world.alice.id]
    assert len(world.boards()) == 1
    assert "**bob** offered a draw. The offer no longer stands." in text(world.now(draw))
    late = refused(await world.late(world.alice, draw, button(draw, "agree")))
    assert str(world.last.id) in late
    ended = await world.sql("SELECT ending, rated_as, unrated FROM matches ORDER BY id")
    assert ended == [(None, 1, None), ("restarted", None, None), (None, None, None)]
    ranks = await world.sql("SELECT DISTINCT rank FROM seats WHERE match_id = 2")
    assert ranks == [(None,)]


async def test_no_score_without_a_result(world: World) -> None:
    """A match that was restarted brings nobody a point, so there is no score to show."""
    await world.played("b2 a1 c3 a3")
    question = await ask(world, world.alice, "Restart", by_button=True)
    await world.bob.click(question, label="Agree")
    assert "❌ **alice** vs 🔵 **bob**" in text(world.last)
    assert "Series" not in text(world.last)


async def test_a_restart_of_three(world: World) -> None:
    """All who will have a seat must agree, even a member who has left the match."""
    await three(world)
    await move(world)
    await world.resign(world.bob)
    question = await world.command(world.alice, "restart")
    assert sorted(notified(question, world.env)) == sorted([world.bob.id, world.carol.id])
    await world.carol.click(question, label="Agree")
    await world.bob.click(question, label="Agree")
    match = (await world.stored()).match
    assert (match.ply, match.withdrawals) == (0, ())


# --- in one's own busy channel


async def test_playing_in_ones_own_busy_channel(world: World) -> None:
    """The refused `/play` offers to resign, which asks first, and not to restart.

    Who asked for another game would take *Restart* for its start.
    """
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    refusal = await world.alice.slash(world.channel, "play nineholes")
    assert str(world.last.id) in refused(refusal)
    assert labels(answer_to(refusal)) == ["Put it away", "Resign", THREAD]
    await world.alice.click(answer_to(refusal), label="Resign")
    assert (await world.stored()).match.outcome is None
    await world.alice.click(answer_to(refusal), label="Yes, resign")
    assert "**alice** resigned" in text(world.last)


async def test_restarting_ones_own_busy_channel_with_a_member(world: World) -> None:
    """The other member has to agree; a stranger gets no such buttons, and can't forge them."""
    await world.challenge()
    refusal = answer_to(await world.bob.slash(world.channel, "play nineholes"))
    await world.bob.click(refusal, label="Restart")
    assert notified(world.last, world.env) == [world.alice.id]
    assert world.private() == []
    assert (await world.stored()).match.ply == 0 and len(world.boards()) == 1
    strange = answer_to(await world.carol.slash(world.channel, "play nineholes"))
    assert strange.ephemeral and labels(strange) == [THREAD]
    for action in ("restart", "resign"):
        forged = await world.made_up(f"b:1:{action}")
        assert "alice" in refused(await world.carol.click(forged, custom_id=f"b:1:{action}"))
    late = answer_to(await world.bob.slash(world.channel, "play nineholes"))
    await world.resign(world.alice)
    assert "over" in refused(await world.bob.click(late, label="Restart"))


@pytest.mark.parametrize("fails", [False, True], ids=["shown", "failed"])
async def test_a_restart_that_overtakes_a_move(
    world: World, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """The board of the move arrives when the restart is answered, and doesn't stay.

    If the board of the new match fails, it comes later.
    """
    await world.alice.slash(world.channel, "play tictactoe")
    press = next(i for i in ids(world.last) if i.startswith("m:1:"))
    restarted = asyncio.Event()
    moving = world.begin(world.alice, world.last, press)
    on_its_way(monkeypatch, callback_to(moving), before=restarted.wait)
    if fails:
        lose_the_board(world)
        on_its_way(monkeypatch, IN_CHANNEL, before=restarted.set)
    else:
        on_its_way(monkeypatch, CALLBACK, after=restarted.set)
    await world.alice.slash(world.channel, "restart")
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert {"1", "2"} & {i.split(":")[1] for i in ids(board)} == {"2"}


async def test_a_board_that_arrives_while_a_restart_is_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move's board is removed, even if the bot didn't know of it at the restart."""
    await world.alice.slash(world.channel, "play tictactoe", rows=5, columns=5, level="easy")
    for _ in range(5):
        await move_to(world, world.alice, (await choices(world, world.alice))[0])
    board, free = world.last, (await choices(world, world.alice))[0]
    await world.alice.slash(world.channel, "restart")
    (question,), sent, removed = world.private(), asyncio.Event(), asyncio.Event()

    async def wait_for_removal() -> None:
        sent.set()
        await removed.wait()

    moving = world.begin(world.alice, board, button(board, free))
    restarting = world.begin(world.alice, question, button(question, "sure"))
    on_its_way(monkeypatch, callback_to(moving), before=sent.wait)
    on_its_way(monkeypatch, callback_to(restarting), before=wait_for_removal)
    on_its_way(monkeypatch, ANY_REMOVAL, after=removed.set)
    await world.env.settle()
    (new,) = world.boards()
    assert {"1", "2"} & {i.split(":")[1] for i in ids(new)} == {"2"}


async def test_a_new_board_that_arrives_late(world: World) -> None:
    """It replaces the board before, although nothing could be sent at first."""
    await world.env.advance_time(6)  # by then the start has looked for earlier boards
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    with unreachable(world, 503):
        await world.alice.click(world.last, label="Restart")
    await world.env.advance_time(31)
    (board,) = world.boards()
    assert "m:2:0:b2" in ids(board)
