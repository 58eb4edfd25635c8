"""A server on which only members had installed the bot gets it itself, or removes it again.

Or it gets the commands alone: an address without the scope `bot` adds no member.
"""

import logging

import pytest
from simcord.actors import MemberActor

from tests.conftest import Calendar
from tests.discord.conftest import Restart
from tests.discord.elsewhere import Elsewhere, guest
from tests.discord.matches.passing import DAY, HOUR, MINUTE, pass_time
from tests.discord.privacy.own_data import erase
from tests.discord.world import (
    FINAL_UNDO,
    World,
    answer_to,
    labels,
    logged,
    notified,
    refused,
    text,
)


async def check_each_press_replaces_the_board(world: World, elsewhere: Elsewhere) -> None:
    """Play on in turn, bob first, and check that one board is left each time, a newer one."""
    for who, square in ((world.bob, "a1"), (world.alice, "c1")):
        before = world.last
        await world.press(who, square)
        (board,) = elsewhere.live()
        assert board.id > before.id


@guest
async def test_a_match_goes_on(world: World, elsewhere: Elsewhere) -> None:
    """Each press removes the board before, as the bot can now."""
    await world.played("b2")
    elsewhere.install()
    elsewhere.end_tokens()
    await check_each_press_replaces_the_board(world, elsewhere)


@guest
async def test_a_match_played_before_the_server_installed_the_bot(
    world: World, elsewhere: Elsewhere
) -> None:
    """Every button of its final board works."""
    await world.played()
    elsewhere.install()
    final = world.last
    assert labels(final) == FINAL_UNDO
    for label, told in (("Replay", "Move 0 of 5"), ("Analyse", "Analysis")):
        assert told in refused(await world.bob.click(final, label=label))
    await world.alice.click(final, label="Share")
    assert world.last.attachments


@guest
async def test_a_rematch_belongs_to_the_server(world: World, elsewhere: Elsewhere) -> None:
    """The rematch may be rated, and continues the series."""
    await world.played()
    elsewhere.install()
    await world.bob.click(world.last, label="Rematch")
    await world.alice.click(world.last, label="Agree")
    assert "Not rated" not in text(world.last) and "**alice** 1" in text(world.last)
    place = (await world.stored()).place
    assert (place.server_id, place.posts) == (world.guild.id, True)


@guest
async def test_lists_with_what_began_before_the_server_installed_the_bot(
    world: World, elsewhere: Elsewhere, mod: MemberActor
) -> None:
    """A running match is on the players' lists and the moderators', and so is a challenge."""
    await world.command(world.bob, "play tictactoe", against=world.carol)
    await world.played("b2")
    elsewhere.install()
    await world.env.settle()
    listed = text(answer_to(await world.bob.slash(world.channel, "mymatches")))
    assert "**Your turn**" in listed and "carol" in listed
    assert "**alice** vs" in text(answer_to(await mod.slash(world.channel, "games")))


@guest
@pytest.mark.parametrize("installed", [True, False])
async def test_a_match_that_was_put_away_comes_back(
    world: World, elsewhere: Elsewhere, installed: bool
) -> None:
    """Its channel keeps it, whether the server has the bot by now or has removed it."""
    if not installed:
        elsewhere.install()
    await world.command(world.alice, "play tictactoe")
    await world.alice.slash(world.channel, "board", put_away=True)
    (elsewhere.install if installed else elsewhere.remove)()
    assert "#1" in text(answer_to(await world.alice.slash(world.channel, "mymatches")))
    back = answer_to(await world.alice.slash(world.channel, "board", match=1))
    assert "**alice**, your move" in text(back) and not (await world.stored()).archived


@guest
@pytest.mark.parametrize("installed", [True, False])
async def test_the_history_of_a_channel(
    world: World, elsewhere: Elsewhere, installed: bool
) -> None:
    """It has what was played there before the server got the bot, or while it had it."""
    if not installed:
        elsewhere.install()
    await world.played()
    (elsewhere.install if installed else elsewhere.remove)()
    assert "Beat **bob**" in text(answer_to(await world.alice.slash(world.channel, "history")))
    assert "Tic-tac-toe" in text(answer_to(await world.bob.slash(world.channel, "profile")))


@guest
async def test_a_match_goes_on_as_one_of_the_server(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """Its player is reminded, and its end is posted in place of the old board; it stays unrated."""
    board = await world.played("b2 a1 c1 a2", clock=HOUR)
    elsewhere.install()
    elsewhere.end_tokens()
    await world.env.settle()
    assert "Not rated: this match began before" in text(world.now(board))
    await pass_time(world, calendar, 46 * MINUTE)
    assert "it's your move" in text(world.last)
    assert notified(world.last, world.env) == [world.alice.id]
    await pass_time(world, calendar, 14 * MINUTE)
    (end,) = world.channel.history()
    assert "ran out of time" in text(end) and "Not rated: this match began before" in text(end)
    assert labels(end) == FINAL_UNDO


@guest
async def test_an_end_that_nobody_has_seen(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """`/board` shows it, also on a server that has installed the bot since."""
    board = await world.played("b2 a1", clock=HOUR)
    elsewhere.end_tokens()
    for _ in range(2):
        await pass_time(world, calendar, 30 * MINUTE)
    elsewhere.install()
    assert "your move" in text(world.now(board))
    assert "ran out of time" in text(answer_to(await world.bob.slash(world.channel, "board")))


@guest
async def test_a_match_against_the_computer(world: World, elsewhere: Elsewhere) -> None:
    """Nothing is said of ratings, which it never had."""
    board = await world.command(world.alice, "play tictactoe")
    elsewhere.install()
    await world.press(world.alice, "b2", board)
    assert "rated" not in text(world.last)
    assert (await world.stored()).place.server_id == world.guild.id


@guest
async def test_a_table_whose_owner_left_after_the_server_installed_the_bot(
    world: World, elsewhere: Elsewhere
) -> None:
    """They get no seat: their clock had to run out before the others could play."""
    opened = await world.command(world.alice, "play tribolo", open=True)
    await world.bob.click(opened, label="Join")
    elsewhere.install()
    elsewhere.end_tokens()
    world.guild.remove_member(world.alice)
    await world.carol.click(opened, label="Join")
    assert await world.sql("SELECT id FROM matches") == []
    assert "**bob** has opened a table" in text(world.now(opened))
    assert "alice" not in text(world.now(opened))


@guest
async def test_a_join_that_was_missed(world: World, elsewhere: Elsewhere, restart: Restart) -> None:
    """The next start finds the matches of guests."""
    await world.played("b2")
    elsewhere.install_unseen()
    await world.env.settle()
    assert (await world.stored()).place.server_id is None
    await restart()
    await world.env.advance_time(5)
    assert (await world.stored()).place.server_id == world.guild.id


@guest
async def test_a_server_that_adds_the_bot_again(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """Its guests' clocks have run on, so they don't begin anew, as those of its own matches do."""
    elsewhere.install()
    elsewhere.remove()
    await world.played("b2", clock=HOUR)
    deadline = (await world.stored()).timing.deadline
    calendar.ahead += 30 * MINUTE
    elsewhere.install()
    await world.env.settle()
    stored = await world.stored()
    assert (stored.place.server_id, stored.timing.deadline) == (world.guild.id, deadline)


@guest
async def test_a_server_that_removes_the_bot_again(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """The match goes on by presses, and its clock stands still; it is erased with the server."""
    await world.played("b2", clock=HOUR)
    elsewhere.install()
    await world.env.settle()
    elsewhere.remove()
    elsewhere.end_tokens()
    await check_each_press_replaces_the_board(world, elsewhere)
    await pass_time(world, calendar, 2 * HOUR)
    assert (await world.stored()).match.outcome is None
    unknown = f"/guilds/{world.guild.id}*"
    world.env.inject_error("GET", unknown, status=404, code=10004, times=None)
    calendar.ahead += 31 * DAY
    await world.env.advance_time(HOUR)
    assert await world.sql("SELECT id FROM matches") == []


@guest
async def test_a_match_goes_on_without_the_bot_as_a_member(
    world: World, elsewhere: Elsewhere
) -> None:
    """Presses arrive through members' own installations, and each replaces the board."""
    elsewhere.install()
    await world.played("b2")
    elsewhere.remove()
    elsewhere.end_tokens()
    await check_each_press_replaces_the_board(world, elsewhere)


@guest
async def test_an_end_after_the_bot_was_removed(world: World, elsewhere: Elsewhere) -> None:
    """The board shows the end by the token of its answer, since the bot can't post any more."""
    elsewhere.install()
    board = await world.challenge()
    elsewhere.remove()
    await erase(world)
    assert "New match" in labels(world.now(board))


@guest
async def test_a_board_put_away_after_the_bot_was_removed(
    world: World, elsewhere: Elsewhere
) -> None:
    """If the press's token fails for now, it is used again: the bot's own request is refused."""
    elsewhere.install()
    board = await world.challenge()
    elsewhere.remove()
    elsewhere.end_tokens()
    await world.sql("UPDATE matches SET put_away_at = 1, due_at = NULL")
    world.env.inject_error("PATCH", "/webhooks/*")
    assert "put away" in refused(await world.alice.click(board, label="b2"))
    assert "put away" not in text(world.now(board))
    await world.env.advance_time(40)
    assert "put away" in text(world.now(board))


@guest
async def test_a_challenge_that_expires_after_the_bot_was_removed(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """The first press on it takes its buttons away."""
    elsewhere.install()
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    elsewhere.remove()
    elsewhere.end_tokens()
    await pass_time(world, calendar, 15 * MINUTE)
    assert "Accept" in labels(world.now(challenge))
    assert "has expired" in refused(await world.bob.click(challenge, label="Accept"))
    assert "has expired" in text(world.now(challenge)) and not labels(world.now(challenge))


@guest
async def test_a_server_that_has_the_commands_alone(world: World, elsewhere: Elsewhere) -> None:
    """Matches are played as where only members have installed the bot, since it can't post.

    Everybody sees the boards, even those of members who may not use external apps.
    """
    elsewhere.commands_alone = True
    elsewhere.hidden |= {world.alice.id, world.bob.id}
    await world.played()
    assert labels(world.last) == FINAL_UNDO
    place = (await world.stored()).place
    assert (place.server_id, place.posts, place.guest_of) == (None, False, world.guild.id)
    told = await world.alice.slash(world.channel, "settings show")
    assert "a server that has Rowbot" in refused(told)


@guest
async def test_choices_where_there_are_the_commands_alone(
    world: World, elsewhere: Elsewhere, caplog: pytest.LogCaptureFixture
) -> None:
    """A member who types in the option of a tournament is offered none, and nothing is logged."""
    elsewhere.commands_alone = True
    for command, option in (("join", "tournament"), ("result", "game")):
        found = await world.alice.autocomplete(world.channel, f"tournament {command}", option, "1")
        assert found == []
    assert not logged(caplog, logging.WARNING)
