"""Deadlines where only answers reach the channel: a press or `/board` shows the end."""

from collections import Counter
from random import Random

import discord
import pytest

from tests.conftest import Calendar
from tests.discord.elsewhere import Elsewhere, direct, everywhere, group
from tests.discord.invitations.inviting import BUTTONS
from tests.discord.matches.passing import HOUR, MINUTE, ROUND, pass_time
from tests.discord.world import World, labels, refused, text
from tests.fuzzing.trips import Trips


async def lost_on_time(world: World, elsewhere: Elsewhere, calendar: Calendar) -> discord.Message:
    """Let bob run out of time while no token lives; return the board, which can't show it."""
    board = await world.played("b2 a1", clock=HOUR)
    elsewhere.end_tokens()
    await pass_time(world, calendar, HOUR)
    return board


def shows_the_end(world: World) -> bool:
    """Return whether the channel's only message is a final board with the loss on time."""
    (final,) = world.channel.history()
    return "time" in text(final) and "Rematch" in labels(final)


@direct
async def test_a_deadline_where_no_token_lives(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """Nobody is reminded, nothing is posted, and the next press or `/board` shows the end.

    The bot makes no request, which Discord would refuse.
    """
    board = await world.played("b2", clock=HOUR)
    elsewhere.end_tokens()
    await pass_time(world, calendar, 50 * MINUTE)
    await pass_time(world, calendar, 10 * MINUTE)
    assert [m.id for m in world.channel.history()] == [board.id]
    asked = [one.path for one in world.env.http_requests]
    assert not [path for path in asked if path.startswith("/channels/")]
    await world.press(world.bob, "a1")
    assert "time" in text(world.last) and "Rematch" in labels(world.last)
    assert not elsewhere.live()
    final = world.last
    assert f"/{final.id})" in refused(await world.alice.slash(world.channel, "board"))


@direct
@pytest.mark.parametrize("label", ["Undo", "Resign", "Hint"])
async def test_an_end_that_nobody_has_seen(
    world: World, elsewhere: Elsewhere, calendar: Calendar, label: str
) -> None:
    """A press on a button below the squares shows it too, in place of the board with squares."""
    board = await lost_on_time(world, elsewhere, calendar)
    await world.bob.click(board, label=label)
    assert shows_the_end(world)


@direct
@pytest.mark.parametrize("control", ["c3", "undo"])
async def test_an_end_that_nobody_has_seen_before_the_next_match(
    world: World, elsewhere: Elsewhere, calendar: Calendar, control: str
) -> None:
    """A press shows it without a rematch, in place of the old squares; the new board stays."""
    old = await lost_on_time(world, elsewhere, calendar)
    new = await world.challenge()
    assert {board.id for board in elsewhere.live()} == {old.id, new.id}
    await world.press(world.bob, control, old)
    assert [board.id for board in elsewhere.live()] == [new.id]
    board, final = world.channel.history()
    assert board.id == new.id
    assert "time" in text(final) and labels(final) == ["Replay", "Analyse", "Share"]


@direct
async def test_an_end_whose_commit_lost_its_reply(
    world: World, elsewhere: Elsewhere, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot doesn't look for it where it can't post, so the next press shows it."""
    board = await world.challenge(clock=5 * MINUTE)
    await world.env.advance_time(20)
    trips = Trips(Failing(), Counter(), monkeypatch)
    trips.fail(1, "loop", written=True)
    await pass_time(world, calendar, 5 * MINUTE)
    await world.env.advance_time(10 * MINUTE)
    assert trips.failed and [m.id for m in elsewhere.live()] == [board.id]
    ended = trips.lost[-1] + calendar.ahead
    assert await world.sql("SELECT ended_at FROM matches") == [(ended,)]
    await world.press(world.bob, "c3", board)
    assert shows_the_end(world)


class Failing(Random):
    """Lets each trip fail that is planned to."""

    def random(self) -> float:
        """Return a number that lets a trip fail."""
        return 1.0


@direct
async def test_legal_squares_on_a_board_that_is_not_current(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """A press for them shows the end that nobody has seen; on an old board it removes the board."""
    for player in (world.alice, world.bob):
        await player.slash(world.channel, "settings me", boards="words")
    old = await world.challenge(game="nineholes", clock=HOUR)
    elsewhere.end_tokens()
    board = await world.command(world.alice, "move", where="a1-a3")
    assert "out of date" in refused(await world.bob.click(old, label="Legal squares"))
    assert [message.id for message in world.channel.history()] == [board.id]
    elsewhere.end_tokens()
    await pass_time(world, calendar, HOUR)
    await world.bob.click(board, label="Legal squares")
    assert shows_the_end(world)


@group
@pytest.mark.parametrize("control", ["c3", "undo", "resign"])
async def test_a_stranger_presses_a_board_whose_match_has_ended(
    world: World, elsewhere: Elsewhere, calendar: Calendar, control: str
) -> None:
    """Anybody is shown how it ended, and may play it again or something else."""
    board = await lost_on_time(world, elsewhere, calendar)
    await world.press(world.carol, control, board)
    assert shows_the_end(world)


@direct
async def test_a_deadline_while_a_token_lives(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """The board that stands shows the end, by that token."""
    board = await world.challenge(clock=5 * MINUTE)
    await pass_time(world, calendar, 5 * MINUTE)
    assert "Rematch" in labels(world.now(board)) and len(world.channel.history()) == 1


@everywhere
async def test_an_invitation_lapses_while_a_token_lives(world: World, elsewhere: Elsewhere) -> None:
    """It says so and loses its buttons after 13 minutes, since tokens live for 15."""
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    await world.env.advance_time(12 * MINUTE)
    assert labels(world.now(challenge)) == BUTTONS
    await world.env.advance_time(MINUTE + ROUND)
    lapsed = world.now(challenge)
    assert "has expired" in text(lapsed) and not labels(lapsed)
