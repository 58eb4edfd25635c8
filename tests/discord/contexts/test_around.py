"""Commands, forms of boards and stored data elsewhere than on servers."""

import re

import pytest
from discord import app_commands

from bot.clocks.store import go_on
from bot.db.database import Database
from bot.help.view import SECTIONS
from bot.identity import Context, ServerId
from bot.privacy.store import ServerDataStore
from bot.times import DAY
from tests.conftest import Calendar
from tests.discord.elsewhere import (
    DIRECT,
    GROUP,
    GUEST,
    WITH_BOT,
    Elsewhere,
    direct,
    everywhere,
    guest,
    with_bot,
)
from tests.discord.matches.passing import pass_time
from tests.discord.matches.taking import TAKE, without_a_game
from tests.discord.world import World, answer_to, components, labels, refused, text


@direct
async def test_commands_that_are_only_for_servers(world: World, elsewhere: Elsewhere) -> None:
    """A server's settings are refused; members' settings aren't, nor commands without a match."""
    for name, options in (("show", {}), ("set", {"clock": 0})):
        answer = await world.alice.slash(world.channel, f"settings {name}", **options)
        assert "only for servers" in refused(answer)
    answer = await world.alice.slash(world.channel, "settings me", boards="picture")
    assert "picture" in text(answer)
    for name in ("help", "rules", "history", "mydata export"):
        answer = await world.alice.slash(world.channel, name)
        assert answer.acknowledged and "only for servers" not in text(answer)


@pytest.mark.parametrize("elsewhere", [WITH_BOT, GROUP], indirect=True)
async def test_an_empty_history(world: World, elsewhere: Elsewhere) -> None:
    """The answer speaks to the asker, and doesn't mention a server."""
    told = refused(await world.alice.slash(world.channel, "history"))
    assert "You haven't finished a match here yet" in told and "/play" in told


@pytest.mark.parametrize("elsewhere", [WITH_BOT, DIRECT], indirect=True)
async def test_nothing_is_offered_that_would_be_refused(world: World, elsewhere: Elsewhere) -> None:
    """`/help` only has the commands that exist here, and no way to opponents if nobody can join."""
    alone = elsewhere.context is Context.BOT_DM
    told = answer_to(await world.alice.slash(world.channel, "help"))
    assert ("Challenge" in labels(told), "Open a table" in labels(told)) == (not alone, not alone)
    assert "/puzzle" not in text(told)
    shown = text((await world.alice.click(told, label="All commands")).response)
    listed = {*re.findall(r"^`/(.+)` – .", shown, re.MULTILINE)}
    tree = world.env.bot.tree  # type: ignore[attr-defined]
    commands = [c for c in tree.walk_commands() if isinstance(c, app_commands.Command)]
    # A command that is offered everywhere has no contexts of its own.
    offered = {c.qualified_name for c in commands if not (c.root_parent or c).allowed_contexts}
    assert listed == offered - {*SECTIONS["moderators"]}


@guest
async def test_a_refusal_promises_nobody_else_an_answer(world: World, elsewhere: Elsewhere) -> None:
    """A refusal that lets the asker begin a match is private at once, without a deferral."""
    for command in ("moves", "hint", "rematch"):
        told = await world.alice.slash(world.channel, command)
        assert not told.followups and refused(told).startswith("No match"), command


@pytest.mark.parametrize("elsewhere", [WITH_BOT, DIRECT], indirect=True)
async def test_a_clock_alone(world: World, elsewhere: Elsewhere) -> None:
    """A clock against the computer is refused; members are suggested only if they could play."""
    told = refused(await world.alice.slash(world.channel, "play tictactoe", clock=3600))
    assert "Leave `clock` out" in told
    assert ("`against`" in told) == (elsewhere.context is Context.PRIVATE)


@with_bot
async def test_another_game_where_nobody_else_can_join(world: World, elsewhere: Elsewhere) -> None:
    """Where nobody else can join, another game is only offered against the computer."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.resign(world.alice)
    asked = answer_to(await world.alice.click(world.last, label="New match"))
    assert "What would you like to play next?" in text(asked)
    assert labels(asked) == []


def named_places(told: str) -> set[str]:
    """Return the words in a refusal for other places, and for those who help on servers."""
    return {
        word for word in ("another channel", "free channel", "thread", "`/endgame`") if word in told
    }


@pytest.mark.parametrize("elsewhere", [WITH_BOT, GROUP, GUEST], indirect=True)
async def test_a_busy_conversation(world: World, elsewhere: Elsewhere) -> None:
    """No refusal sends anybody to a thread or another channel where there are none."""
    other = elsewhere.context is Context.GUEST
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    own = await world.alice.slash(world.channel, "play nineholes")
    assert "put that match away" in refused(own)
    assert named_places(refused(own)) == set()
    assert labels(answer_to(own)) == ["Put it away", "Resign"]
    stranger = await world.bob.slash(world.channel, "move", where="a1")
    assert "not in this match" in refused(stranger) and "once it's over" in refused(stranger)
    assert named_places(refused(stranger)) == ({"another channel", "thread"} if other else set())


@pytest.mark.parametrize("elsewhere", [GROUP, GUEST], indirect=True)
async def test_a_match_is_put_away_where_it_was_played(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """It only comes back here, and no text promises anything else."""
    board = await world.command(world.alice, "play tictactoe", level="easy")
    calendar.ahead += 30 * 60
    offer = await without_a_game(world, world.bob)
    offered = text(offer)
    await world.bob.click(offer, label=TAKE)
    away = refused(await world.alice.slash(world.channel, "resign"))
    assert "put away" in refused(await world.bob.slash(world.channel, "board")), "it isn't shown"
    await world.bob.slash(world.channel, "play nineholes", level="easy")
    busy = refused(await world.alice.slash(world.channel, "board"))
    for told in (offered, text(world.now(board)), away, busy):
        assert "brings it back here" in told and "free channel" not in told, told


@pytest.mark.parametrize("elsewhere", [WITH_BOT, GUEST], indirect=True)
async def test_a_match_that_cannot_be_read(world: World, elsewhere: Elsewhere) -> None:
    """Moderators, who could free the channel of a server that has the bot, aren't mentioned."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.sql("UPDATE matches SET moves = 'nonsense'")
    told = refused(await world.alice.slash(world.channel, "play nineholes"))
    assert "can't read this match" in told and not named_places(told)


@everywhere
async def test_an_idle_match_that_cannot_be_read(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """The match frees its channel after a week, as any other: nothing else could do so."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.sql("UPDATE matches SET moves = 'nonsense'")
    await pass_time(world, calendar, 8 * DAY)
    await world.alice.slash(world.channel, "play nineholes", level="easy")
    assert await world.sql("SELECT game FROM matches WHERE put_away_at IS NULL") == [("nineholes",)]


@everywhere
async def test_a_board_as_a_picture(world: World, elsewhere: Elsewhere) -> None:
    """It is uploaded with each answer."""
    await world.bob.slash(world.channel, "settings me", boards="picture")
    await world.challenge()
    for who, square in ((world.alice, "b2"), (world.bob, "a1")):
        await world.press(who, square)
        (board,) = elsewhere.live()
        assert len(board.attachments) == 1
        assert [c["type"] for c in components(board)].count(12) == 1


@direct
async def test_a_final_board_as_a_picture(world: World, elsewhere: Elsewhere) -> None:
    """It keeps its picture when a rematch removes its buttons."""
    await world.bob.slash(world.channel, "settings me", boards="picture")
    final = await world.played()
    await world.bob.click(final, label="Rematch")
    await world.alice.click(world.last, label="Agree")
    assert "Rematch" not in labels(world.now(final))
    assert len(world.now(final).attachments) == 1


@guest
async def test_the_removal_from_a_server_erases_nothing_here(
    world: World, elsewhere: Elsewhere, database: Database
) -> None:
    """The bot can't leave a server on which only members have it, so nothing is erased."""
    await world.challenge()
    await world.bob.slash(world.channel, "play tribolo", open=True)
    store, server_id = ServerDataStore(database, go_on), ServerId(world.guild.id)
    assert await store.not_left() == set()
    await store.note_left(server_id, 0)
    assert await store.erase(server_id)
    assert await world.sql("SELECT guild_id, guest_of FROM matches") == [(0, world.guild.id)]
    await world.press(world.alice, "b2", elsewhere.live()[0])
    answer = refused(await world.bob.slash(world.channel, "play nineholes"))
    (board,) = elsewhere.live()
    assert f"/channels/{world.guild.id}/{world.channel.id}/{board.id}" in answer
