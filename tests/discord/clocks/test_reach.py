"""A clock that runs out where its player can't press: they lose by their own doing alone."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models.channel import Overwrite
from simcord.builders import ChannelHandle, RoleHandle
from simcord.enums import ChannelType, OverwriteType
from simcord.gateway import FakeWebSocket

from tests.conftest import Calendar
from tests.discord.matches.passing import DEFAULT, ROUND, pass_time
from tests.discord.matches.three import move, mover, three
from tests.discord.tournaments.playing import RETRIED, Club
from tests.discord.world import World, answer_to, newest, notified, refused, text

ENDINGS = "SELECT ending, ending_seat FROM matches"
STRANDED = [("stranded", None)]
LOST = [("timeout", 0)]


def close(world: World, channel: ChannelHandle) -> None:
    """Close a channel to everybody but the bot, as moderators do with one that is done with."""
    hidden = discord.Permissions(view_channel=True).value
    overwrites = [
        Overwrite(world.guild.id, OverwriteType.ROLE, deny=hidden),
        Overwrite(world.me.id, OverwriteType.MEMBER, allow=discord.Permissions.all().value),
    ]
    for overwrite in overwrites:
        world.env.backend.set_overwrite(channel.id, overwrite)


def hide(world: World, channel: ChannelHandle) -> None:
    """Hide a channel from the player to move, and from nobody else."""
    world.deny(channel, world.alice, view_channel=True)


@pytest.mark.parametrize("in_thread", [False, True])
@pytest.mark.parametrize("out_of_sight", [hide, close])
async def test_a_player_who_can_not_see_the_channel(
    world: World,
    calendar: Calendar,
    out_of_sight: Callable[[World, ChannelHandle], None],
    in_thread: bool,
) -> None:
    """The match is called off when their time runs out, without a result."""
    place = world.thread(world.channel) if in_thread else world.channel
    await world.challenge(place)
    out_of_sight(world, world.channel)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == STRANDED
    final = text(newest(place))
    assert "🛑 This match could no longer be played in this channel. It has no result." in final


async def test_an_undo_after_that(world: World, calendar: Calendar) -> None:
    """It is refused for the same reason: nobody has called the match off."""
    await world.played("b2 a1")
    hide(world, world.channel)
    await pass_time(world, calendar, DEFAULT + ROUND)
    told = refused(await world.bob.slash(world.channel, "undo"))
    assert "could no longer be played in its channel, so no move" in told


async def test_a_player_who_can_not_read_the_chat_of_a_voice_channel(
    world: World, calendar: Calendar
) -> None:
    """It is closed to them without Connect, which its messages take."""
    voice = world.guild.create_voice_channel("voice")
    await world.challenge(voice)
    world.deny(voice, world.alice, connect=True)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == STRANDED


async def for_players(world: World) -> RoleHandle:
    """Let alice and bob begin in a channel that only a role shows; return the role."""
    role = world.guild.create_role("players")
    for member in (world.alice, world.bob):
        have(world, member, role)
    await world.challenge(world.channel_for(role, world.me))
    return role


def have(world: World, member: MemberActor, *roles: RoleHandle) -> None:
    """Give a member these roles, and take all others from them."""
    changes = {"role_ids": [role.id for role in roles]}
    world.env.backend.edit_member(world.guild.id, member.id, changes)


async def test_a_role_that_its_player_has_taken_off(world: World, calendar: Calendar) -> None:
    """The player loses on time: on many servers members can take off such a role."""
    await for_players(world)
    have(world, world.alice)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == LOST


async def test_a_role_that_both_players_lose(world: World, calendar: Calendar) -> None:
    """The match is called off: neither could play it on."""
    await for_players(world)
    for member in (world.alice, world.bob):
        have(world, member)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == STRANDED


async def test_a_role_that_the_opponent_may_have_taken(world: World, calendar: Calendar) -> None:
    """The match is called off if the opponent manages roles: they would win by that."""
    await for_players(world)
    have(world, world.alice)
    manage = world.guild.create_role("mods", permissions=discord.Permissions(administrator=True))
    have(world, world.bob, manage)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == STRANDED


async def begin_three(world: World) -> list[MemberActor]:
    """Begin a match of three with five moves; return the players, the one to move first."""
    await three(world)
    for _ in range(5):
        await move(world)
    first = await mover(world)
    return [first, *(one for one in (world.alice, world.bob, world.carol) if one is not first)]


async def test_one_of_three_who_can_not_see_the_channel(world: World, calendar: Calendar) -> None:
    """They run out of time, and the others, who have nothing to do with that, play on."""
    hidden, *others = await begin_three(world)
    world.deny(world.channel, hidden, view_channel=True)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql("SELECT ended_at FROM matches") == [(None,)]
    assert await mover(world) in others
    assert f"{hidden.name}** ran out of time; the others play on." in text(world.last)


@pytest.mark.parametrize("seeing", [0, 1])
async def test_too_few_of_three_who_can_see_the_channel(
    world: World, calendar: Calendar, seeing: int
) -> None:
    """The match is called off, at the latest when the time of the second of them runs out."""
    for hidden in (await begin_three(world))[seeing:]:
        world.deny(world.channel, hidden, view_channel=True)
    for _ in range(2):
        await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == STRANDED


async def test_what_hides_the_channel_from_others(world: World, calendar: Calendar) -> None:
    """The player to move still loses on time."""
    await world.challenge()
    world.deny(world.channel, world.bob, view_channel=True)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == LOST


async def test_a_player_who_has_left_the_server(world: World, calendar: Calendar) -> None:
    """The player loses: a member who leaves the server shuts themselves out."""
    await world.challenge(clock=60)  # no reminder, which would find out who has left
    world.env.backend.remove_member(world.guild.id, world.alice.id)
    await pass_time(world, calendar, 60 + ROUND)
    assert await world.sql(ENDINGS) == LOST


async def test_a_player_who_is_timed_out(world: World, calendar: Calendar) -> None:
    """The match is called off: Discord lets them press nothing."""
    await world.challenge(clock=60)
    until = (datetime.now(UTC) + timedelta(days=7)).isoformat()
    world.env.backend.edit_member(world.guild.id, world.alice.id, {"timed_out_until": until})
    await pass_time(world, calendar, 60 + ROUND)
    assert await world.sql(ENDINGS) == STRANDED


async def private_thread(world: World) -> ChannelHandle:
    """Return a private thread of alice's with bob and the bot, in which a match has begun."""
    place = world.thread(world.channel, ChannelType.PRIVATE_THREAD)
    for member in (world.bob, world.me):
        world.env.backend.add_thread_member(place.id, member.id)
    await world.challenge(place)
    return place


async def test_a_private_thread_that_its_player_has_left(world: World, calendar: Calendar) -> None:
    """The player loses on time: nobody else in the match could have removed them."""
    place = await private_thread(world)
    world.env.backend.remove_thread_member(place.id, world.alice.id)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == LOST


def allow(world: World, member: MemberActor, **permissions: bool) -> None:
    """Give a member these permissions on the whole server."""
    role = world.guild.create_role("power", permissions=discord.Permissions(**permissions))
    have(world, member, role)


async def test_a_private_thread_whose_creator_removes_the_opponent(
    world: World, calendar: Calendar
) -> None:
    """Nobody wins by that, though the opponent may also have left by themselves."""
    place = await private_thread(world)
    await world.press(world.alice, "b2", newest(place))
    world.env.backend.remove_thread_member(place.id, world.bob.id)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == STRANDED


async def test_a_private_thread_from_which_a_moderator_removes_the_opponent(
    world: World, calendar: Calendar
) -> None:
    """Nobody wins by that either."""
    allow(world, world.bob, manage_threads=True)
    place = await private_thread(world)
    world.env.backend.remove_thread_member(place.id, world.alice.id)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == STRANDED


@pytest.mark.parametrize("power", ["manage_threads", "manage_channels"])
async def test_a_locked_thread(world: World, calendar: Calendar, power: str) -> None:
    """A moderator who could unlock it loses on time there; nobody else does."""
    place = world.thread(world.channel)
    allow(world, world.alice, **{power: True})
    await world.challenge(place)
    await lock(world, place)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == (LOST if power == "manage_threads" else STRANDED)


async def test_a_channel_that_a_moderator_hides_from_themselves(
    world: World, calendar: Calendar
) -> None:
    """They lose on time: that would be their way out of any match."""
    allow(world, world.alice, manage_roles=True)
    await world.challenge()
    hide(world, world.channel)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == LOST


async def test_a_player_shut_out_while_discord_can_not_be_asked(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They don't lose: the match ends once Discord can be asked who was shut out."""
    await world.challenge()
    hide(world, world.channel)
    monkeypatch.setattr(FakeWebSocket, "is_ratelimited", lambda _: True)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == [(None, None)]
    monkeypatch.undo()
    await pass_time(world, calendar, ROUND)
    assert await world.sql(ENDINGS) == STRANDED


async def test_a_private_thread_while_discord_fails(world: World, calendar: Calendar) -> None:
    """Its creator doesn't win by removing the opponent just then: the bot asks again."""
    place = await private_thread(world)
    await world.press(world.alice, "b2", newest(place))
    world.env.backend.remove_thread_member(place.id, world.bob.id)
    path = f"/channels/{place.id}/thread-members/*"
    world.env.inject_error("GET", path, status=403, code=0, times=None)  # as if a proxy answered
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(ENDINGS) == [(None, None)]
    world.env.backend.faults.clear()
    await pass_time(world, calendar, ROUND)
    assert await world.sql(ENDINGS) == STRANDED


async def test_deadlines_of_a_server_that_pass_at_once(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord is asked once for all their players: a connection may send it little."""
    asked = list[list[int]]()
    query = discord.Guild.query_members

    async def counted(guild: discord.Guild, *, user_ids: list[int], **given: Any) -> Any:
        asked.append(user_ids)
        return await query(guild, user_ids=user_ids, **given)

    others = [world.guild.create_text_channel(f"games-{number}") for number in range(3)]
    for channel in (world.channel, *others):
        await world.challenge(channel, clock=60)
    hide(world, others[1])
    monkeypatch.setattr(discord.Guild, "query_members", counted)
    await pass_time(world, calendar, 60 + ROUND)
    assert [{*ids} for ids in asked] == [{world.alice.id, world.bob.id}]
    assert await world.sql(f"{ENDINGS} ORDER BY id") == [*LOST, *LOST, *STRANDED, *LOST]


async def lock(world: World, thread: ChannelHandle) -> None:
    """Lock a thread, as moderators do."""
    known = world.env.bot.get_channel(thread.id)
    assert isinstance(known, discord.Thread)
    await known.edit(locked=True)


async def undecided(world: World, calendar: Calendar) -> Club:
    """Return a knockout of three of which the deciding game of a tie couldn't be played."""
    club = Club(world, 3)
    await club.begin()
    for _ in range(3):
        (thread,) = club.games()
        await lock(world, thread)
        await pass_time(world, calendar, DEFAULT + ROUND)
        await club.on()
    return club


WAITS = "A draw would decide it, so it waits for a result"


async def test_a_deciding_game_that_nobody_can_play(world: World, calendar: Calendar) -> None:
    """It isn't won by the draw odds: its organiser is asked for a result, and the message says so.

    Before it, players and organiser read that the games before couldn't be played.
    """
    club = await undecided(world, calendar)
    lines = list(map(text, club.channel.history()))
    assert (
        sum("could no longer be played in its channel, and counts as drawn" in one for one in lines)
        == 2
    )
    told = club.channel.history()[-1]
    assert WAITS in text(told) and notified(told, world.env) == [club.organiser.id]
    assert WAITS in text(club.message()) and not club.games()
    await club.on(RETRIED)
    assert club.channel.history()[-1].id == told.id
    await club.correct("first", "1.2.3")
    await club.on()
    assert WAITS not in text(club.message()) and len(club.games()) == 1


async def test_an_undecided_game_whose_player_leaves(world: World, calendar: Calendar) -> None:
    """The opponent goes on."""
    club = await undecided(world, calendar)
    left, stayed = [one for one in club.players.values() if one.name != "player0"]
    await left.slash(club.channel, "tournament leave", confirm=True)
    await club.on()
    (final,) = club.games()
    assert stayed in await club.seated(final)


async def test_the_deleted_thread_of_an_undecided_game(world: World, calendar: Calendar) -> None:
    """Nothing moves to another one: its match is over."""
    club = await undecided(world, calendar)
    *others, thread = club.channel.threads
    club.delete(thread)
    await club.on(RETRIED)
    assert WAITS in text(club.message())
    assert [one.id for one in club.channel.threads] == [one.id for one in others]


@pytest.mark.parametrize("locked", [False, True])
async def test_a_tournament_that_nobody_sees(
    world: World, calendar: Calendar, locked: bool
) -> None:
    """Its games count as drawn, nobody is withdrawn, and the organiser can correct the results.

    The details say so.
    """
    club = Club(world, 3)
    (thread,) = await club.begin(format="round_robin", places=3)
    if locked:
        await lock(world, thread)
    else:
        close(world, club.channel)
    await pass_time(world, calendar, DEFAULT + ROUND)
    assert await world.sql(f"{ENDINGS} WHERE ended_at IS NOT NULL") == STRANDED
    assert await world.sql("SELECT kind FROM tournament_notes") == [("closed",)]
    shown = await club.organiser.slash(world.channel, "tournament show", tournament="1", page=3)
    assert "the game could no longer be played in its channel" in text(answer_to(shown))
