"""Members and servers that the host doesn't serve (`BLOCKED`)."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest
from simcord.actors import MemberActor

from bot.settings import Settings
from tests.conftest import Calendar
from tests.core.puzzles.written import BLOCKS
from tests.discord.conftest import Restart
from tests.discord.invitations.inviting import table
from tests.discord.leaderboard.standings import beaten
from tests.discord.matches.passing import DAY, DEFAULT, HOUR, MINUTE, pass_time
from tests.discord.privacy.own_data import erase
from tests.discord.puzzles.solving import give
from tests.discord.puzzles.test_daily import at
from tests.discord.servers.test_welcome import joined
from tests.discord.tournaments.playing import RETRIED, Club
from tests.discord.world import World, newest, notified, refused, text

BLOCKED = "The people who run this bot have blocked you."
HERE = "The people who run this bot have blocked this server."

# Within this time the bot looks at seasons.
SEASONS = 61
# Within this time it is noted which message shows a match.
NOTED = 10

Block: TypeAlias = Callable[..., Awaitable[None]]


@pytest.fixture
def block(restart: Restart, settings: Settings) -> Block:
    """Start the bot again with members and servers blocked, and with the host's own pages."""
    terms = {"terms_url": "https://example.org/terms"}

    async def block_these(*ids: int) -> None:
        await restart(settings.model_copy(update={"blocked": frozenset(ids), **terms}))

    return block_these


async def test_a_blocked_member_is_refused_everything(world: World, block: Block) -> None:
    """They are told privately, with a way to the host; others play on, and clocks run as before."""
    board = await world.challenge()
    await block(world.alice.id)
    told = refused(await world.press(world.alice, "b2", board))
    assert BLOCKED in told and "[Terms](https://example.org/terms)" in told
    assert BLOCKED in refused(await world.alice.slash(world.channel, "move", where="b2"))
    assert BLOCKED in refused(await world.alice.context_menu(world.channel, "Challenge", world.bob))
    assert await world.bob.autocomplete(world.channel, "move", "where", "")
    assert await world.alice.autocomplete(world.channel, "move", "where", "") == []
    assert "It's **alice**'s turn" in refused(await world.press(world.bob, "b2", board))
    assert (await world.stored()).match.ply == 0


async def test_a_blocked_member_loses_on_time(
    world: World, block: Block, calendar: Calendar
) -> None:
    """They are absent like anybody else who doesn't move."""
    await world.challenge()
    await block(world.alice.id)
    await pass_time(world, calendar, DEFAULT)
    assert "**bob** wins" in text(world.last) and "time" in text(world.last)


async def test_a_blocked_member_still_has_their_data(world: World, block: Block) -> None:
    """They export and erase it, by the button as well."""
    await world.played()
    await block(world.alice.id)
    exported = await world.alice.slash(world.channel, "mydata export")
    assert "everything stored about you" in text(exported)
    assert "deleted" in await erase(world)
    assert "alice" not in (await world.stored()).names


async def test_a_blocked_member_cannot_be_challenged(world: World, block: Block) -> None:
    """They couldn't answer."""
    await block(world.bob.id)
    alice, here = world.alice, world.channel
    told = "bob can't use this bot, so they couldn't answer."
    assert told in refused(await alice.slash(here, "play tictactoe", against=world.bob))
    assert told in refused(await alice.slash(here, "play tribolo", against=world.bob, open=True))
    assert told in refused(await alice.context_menu(here, "Challenge", world.bob))
    assert BLOCKED in refused(await world.bob.click(await table(world), label="Join"))


async def test_a_blocked_member_is_asked_for_no_new_match(world: World, block: Block) -> None:
    """Neither can a rematch that they had asked for begin: they couldn't play it."""
    final = await world.played()
    asked = await world.command(world.bob, "rematch")
    await block(world.bob.id)
    told = "bob can't use this bot, so they couldn't answer."
    assert told in refused(await world.alice.click(asked, label="Agree"))
    assert told in refused(await world.alice.click(final, label="Rematch"))
    assert world.last.id == asked.id


async def test_what_a_blocked_member_has_offered_in_a_match(world: World, block: Block) -> None:
    """The other one may agree: nobody has to answer any more."""
    await world.challenge()
    await world.play("b2 a1")
    asked = await world.command(world.bob, "draw")
    await block(world.bob.id)
    await world.alice.click(asked, label="Agree")
    assert "draw" in text(world.last)
    assert (await world.stored()).match.outcome


async def test_a_board_does_not_notify_a_blocked_member(world: World, block: Block) -> None:
    """It names them, as they are to move, until their time runs out."""
    await world.challenge()
    await block(world.bob.id)
    await world.play("b2")
    assert f"<@{world.bob.id}>" in text(world.last)
    assert notified(world.last, world.env) == []


async def test_a_blocked_server_is_refused_everything(
    world: World, block: Block, mod: MemberActor
) -> None:
    """All its members are told; elsewhere they play on."""
    await block(world.guild.id)
    for who in (world.alice, mod):
        assert HERE in refused(await who.slash(world.channel, "play tictactoe"))
    exported = await world.alice.slash(world.channel, "mydata export")
    assert "everything stored about you" in text(exported)
    other = world.env.create_guild()
    channel, bob = other.create_text_channel("games"), other.add_member(world.people[1])
    await bob.slash(channel, "play tictactoe")
    assert "**bob**" in text(newest(channel))


@pytest.mark.parametrize("blocked", ["alice", "guild", None])
async def test_who_can_not_move_is_not_reminded(
    world: World, block: Block, calendar: Calendar, blocked: str | None
) -> None:
    """A reminder would mention a player whose move is refused; their clock runs all the same."""
    await world.challenge()
    await world.env.advance_time(NOTED)
    await block(*([getattr(world, blocked).id] if blocked else []))
    await pass_time(world, calendar, DEFAULT - HOUR)
    assert len(world.channel.history()) == (1 if blocked else 2)
    await pass_time(world, calendar, HOUR)
    assert "**alice** ran out of time" in text(world.last)


async def test_a_blocked_server_gets_no_messages_of_its_own(
    world: World, block: Block, mod: MemberActor, calendar: Calendar
) -> None:
    """It has no welcome, and no puzzle of the day until it is unblocked."""
    await give(world, BLOCKS)
    await mod.slash(world.channel, "settings puzzle", channel=world.channel, hour=9)
    await block(world.guild.id)
    await joined(world.env, world.guild.id)
    for hour in (9, 10, 8):
        await at(world, calendar, hour)
    assert not world.channel.last_message
    await block()
    await at(world, calendar, 9)
    assert "Puzzle of the day" in text(world.last)


async def test_a_blocked_server_hears_of_no_season(
    world: World, block: Block, mod: MemberActor, calendar: Calendar
) -> None:
    """Once it is unblocked, it is told late."""
    await mod.slash(world.channel, "settings honours", seasons="here")
    await beaten(world, world.alice, world.bob)
    await block(world.guild.id)
    calendar.ahead += 31 * DAY
    await world.env.advance_time(SEASONS)
    assert not world.channel.last_message
    await block()
    await world.env.advance_time(SEASONS)
    assert "Season 2026-01 is over" in text(world.last)


async def test_a_tournament_on_a_blocked_server(
    world: World, block: Block, calendar: Calendar
) -> None:
    """Its clocks run on, but nothing is posted, and no game begins until it is unblocked."""
    club = Club(world, 4)
    await club.begin(format="swiss", rounds=2, clock=HOUR)

    def posted() -> list[list[int]]:
        channels = (club.channel, *club.channel.threads)
        return [[message.id for message in one.history()] for one in channels]

    before = posted()
    await block(world.guild.id)
    await pass_time(world, calendar, HOUR)
    await club.on()
    assert posted() == before
    ended = [newest(thread) for thread in club.channel.threads]
    assert all("ran out of time" in text(board) for board in ended)
    await block()
    await club.on(RETRIED)
    assert len(club.channel.threads) > 2 or "is over" in text(newest(club.channel))


async def test_a_start_on_a_blocked_server(world: World, block: Block, calendar: Calendar) -> None:
    """It is put off, and members who can answer again have time to join."""
    club = Club(world, 4)
    await club.create(start="15m")
    await club.join_all()
    await block(world.guild.id)
    calendar.ahead += 20 * MINUTE
    await club.on()
    await block()
    await club.on()
    assert not club.games() and "It starts" in text(club.message())
    calendar.ahead += 10 * MINUTE
    await club.on()
    assert len(club.games()) == 2
