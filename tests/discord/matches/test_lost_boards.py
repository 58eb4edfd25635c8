"""A board that is lost, or that all tries failed to post, comes without a press."""

import discord
import pytest

from bot.identity import MatchId, MemberId
from core.players import Member
from tests.conftest import Calendar
from tests.discord.calls import IN_CHANNEL
from tests.discord.failing import FAULTS, PUT_OFF_SECONDS, FailingOnce, unreachable
from tests.discord.matches.passing import DEFAULT, MINUTE, ROUND
from tests.discord.world import World, ids, labels, notified, text

# Within this time the first look after the start is over, which would bring the board at once.
_STARTED_SECONDS = 15
# The bot looks twice in this time: a board that the first look misses may be on its way.
_LOOKS_SECONDS = 80
# The last try to show a board comes after 12.5 minutes.
_TRIES_SECONDS = 800
# The bot then looks for the 32nd time, and tries again: the pauses have doubled four times.
_PATIENCE_SECONDS = 200


async def begin(world: World) -> discord.Message:
    """Let alice and bob play; return their board once the bot has nothing left to do about it."""
    await world.challenge()
    await world.env.advance_time(_STARTED_SECONDS)
    return world.last


async def test_a_board_whose_tries_have_all_failed(world: World) -> None:
    """The match goes on once Discord takes messages again, and its player is notified.

    This holds even where the bot may not read messages.
    """
    world.channel = world.channel_without("read_message_history")
    await begin(world)
    with unreachable(world, 503):
        await world.press(world.alice, "b2")
        for _ in range(0, _TRIES_SECONDS, MINUTE):
            await world.leap(MINUTE)  # one try of those that have come due
    await world.leap(_PATIENCE_SECONDS)
    (board,) = world.boards()
    assert "m:1:1:a1" in ids(board)
    assert notified(board, world.env) == [world.bob.id]
    await world.press(world.bob, "a1", board)
    assert len(world.boards()) == 1


async def test_a_turn_of_which_nobody_was_told(world: World) -> None:
    """It is shown. A commit's reply may have been lost, or the process cut off."""
    before = await begin(world)
    await world.services.matches.play(MatchId(1), MemberId(world.alice.id), "b2")
    await world.env.advance_time(_LOOKS_SECONDS)
    (board,) = world.boards()
    assert board.id != before.id and "m:1:1:a1" in ids(board)


async def test_a_turn_since_a_board_whose_reply_was_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn's board is a new message, and the board that had arrived is removed."""
    await begin(world)
    play = world.services.matches.play
    await play(MatchId(1), MemberId(world.alice.id), "b2")
    lost = FailingOnce(monkeypatch, IN_CHANNEL, FAULTS["lost"])
    while not lost.failed:
        await world.env.advance_time(ROUND)
    assert len(world.boards()) == 2
    await play(MatchId(1), MemberId(world.bob.id), "a1")
    await world.env.advance_time(2 * PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert "m:1:2:c3" in ids(board)


@pytest.mark.parametrize("late", [False, True])
async def test_a_final_board_whose_reply_was_lost(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    """It stays alone, even if it was posted again once Discord had forgotten its nonce."""
    await begin(world)
    lost = FailingOnce(monkeypatch, IN_CHANNEL, FAULTS["lost"])
    calendar.ahead += DEFAULT
    await world.env.advance_time(ROUND)
    assert lost.failed
    calendar.ahead += 15 * MINUTE if late else 0
    await world.env.advance_time(2 * PUT_OFF_SECONDS)
    (final,) = world.channel.history()
    assert "ran out of time" in text(final)
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_an_end_of_which_nobody_was_told(world: World) -> None:
    """The final board replaces the board before."""
    await begin(world)
    await world.press(world.alice, "b2")
    await world.services.matches.resign(await world.stored(), MemberId(world.alice.id))
    await world.env.advance_time(_LOOKS_SECONDS)
    (final,) = world.channel.history()
    assert "Analyse" in labels(final)
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_an_end_of_which_nobody_was_told_before_the_next_match(world: World) -> None:
    """Only the next match is shown: the one before was played again."""
    await begin(world)
    matches, starter = world.services.matches, world.services.starter
    ended = await matches.resign(await world.stored(), MemberId(world.alice.id))
    await starter.rematch(ended)
    await world.env.advance_time(_LOOKS_SECONDS)
    (board,) = world.boards()
    assert "m:2:0:a1" in ids(board)
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_a_move_that_the_computer_owes(world: World) -> None:
    """It is made and shown, even if the process that saved the member's move has ended."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.env.advance_time(_STARTED_SECONDS)
    stored = await world.stored()
    moved = stored.match.play("b2", by=Member(world.alice.id))
    await world.services.store.save(stored, moved, world.clock())
    await world.env.advance_time(_LOOKS_SECONDS)
    (board,) = world.boards()
    assert "Last move: 🔵" in text(board)
