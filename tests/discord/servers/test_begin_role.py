"""A role that members need to begin matches on a server."""

from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.backend import serializers
from simcord.backend.models import Role
from simcord.builders import RoleHandle
from simcord.results import InteractionResult

from bot.identity import MatchId
from bot.invitations.model import First, PlayInThread, TakeOverFor
from core.games import GAMES
from tests.conftest import Calendar
from tests.discord.elsewhere import Elsewhere, everywhere
from tests.discord.invitations.inviting import offer
from tests.discord.matches.passing import MINUTE
from tests.discord.matches.taking import TAKE, THREAD
from tests.discord.program.test_by_command import COMMANDS
from tests.discord.servers.moderating import change
from tests.discord.world import World, answer_to, ids, labels, newest, refused, text

# What a member reads who may not begin a match.
ONLY = "Only members with the role **regulars** can begin matches on this server."
_WISH: Any = ("nineholes", "", "", "", First.ME, "", "")
# A press of each kind that begins a match, or asks for one, by the names of COMMANDS.
WAYS = {
    "Begin computer": "b:computer",
    "Begin challenge": "b:challenge",
    "Begin table": "b:table",
    "ChooseGame computer": "b:computer:nineholes",
    "ChooseGame table": "b:table:nineholes",
    "ChooseLevel computer": "b:computer:nineholes:easy",
    "ChooseMember challenge": "b:challenge:{alice}",
    "Challenge": "d:{alice}:nineholes",
    "NewGame": "g:1",
    "OtherLevel": "g:1:hard",
    "Rematch": "r:1",
    "RematchInThread thread": "r:1:thread",
    "PlayInThread": PlayInThread(*_WISH).custom_id,
    "TakeOverFor": TakeOverFor(MatchId(1), *_WISH).custom_id,
    "AskOffer restart": "a:1:0:restart",
    "EndOwn restart": "b:1:restart",
    "EndOwn sure": "b:1:sure",
}
# The presses that take no role although matches begin by them, or may begin after them.
FREE = {
    # Another member has begun these.
    "Reply accept": "c:1:accept",
    "Reply join": "c:2:join",
    "ReplyInThread thread": "c:1:accept:thread",
    "Consent agree": "o:1:0:restart:0:agree",
    # The organiser has, who chooses a role for its entrants.
    "Ask join": "to:1:join",
    "Ask start": "to:1:start",
    # A match goes on, or only makes way, as for a challenge that is accepted.
    "BringBack": "bb:1",
    "TakeOver": "t:1",
    "Reply decline": "c:1:decline",
    "Reply withdraw": "c:1:withdraw",
    "Reply leave": "c:2:leave",
}
_ABOUT_BEGINNING = (
    "play ",
    "rematch ",
    "restart ",
    "board ",
    "answer ",
    "tournament join ",
    "tournament start ",
)


@pytest.fixture
async def regulars(world: World, mod: MemberActor) -> RoleHandle:
    """The role that members need; of the members only alice has it."""
    role = world.guild.create_role("regulars")
    give(world, role, world.alice)
    await change(world, mod, role=role)
    return role


def give(world: World, role: RoleHandle, who: MemberActor) -> None:
    """Give a member a role."""
    world.env.backend.add_member_role(world.guild.id, who.id, role.id)


def take_away(world: World, role: RoleHandle, who: MemberActor) -> None:
    """Take a role away from a member."""
    world.env.backend.remove_member_role(world.guild.id, who.id, role.id)


def test_each_way_to_begin_is_known() -> None:
    """A new kind of press whose command can begin a match needs a line in one of the tables.

    *Start* is refused at a table alone: `test_an_heir_starts_no_match`.
    """
    may = {press for press, line in COMMANDS.items() if f"{line} ".startswith(_ABOUT_BEGINNING)}
    assert may | {"Consent agree"} == {*WAYS} | {*FREE} | {"Reply start"}


@pytest.mark.parametrize("press", FREE)
async def test_what_takes_no_role(world: World, mod: MemberActor, press: str) -> None:
    """Nobody is asked for the role by these presses, whatever else may keep them from working."""
    await world.challenge()
    await change(world, mod, role=world.guild.create_role("regulars"))
    pressed = await world.made_up(FREE[press])
    answer = await world.bob.click(pressed, custom_id=FREE[press])
    # Other refusals add that the presser can't begin one instead.
    assert text(answer) and not text(answer).startswith(ONLY)


@pytest.mark.parametrize("way", WAYS)
async def test_by_buttons(world: World, mod: MemberActor, way: str) -> None:
    """The press is refused without the role, whatever message it sits on, and not with it."""
    board = await world.challenge()
    role = world.guild.create_role("regulars")
    await change(world, mod, role=role)
    custom_id = WAYS[way].format(alice=world.alice.id)
    pressed = board if custom_id in ids(board) else await world.made_up(custom_id)
    told = refused(await world.bob.click(pressed, custom_id=custom_id))
    assert told.startswith(ONLY) and "accept challenges and join open tables" in told
    give(world, role, world.bob)
    assert "regulars" not in text(await world.bob.click(pressed, custom_id=custom_id))


async def test_by_commands(world: World, regulars: RoleHandle, mod: MemberActor) -> None:
    """Each `/play` is refused, alone or not, and so is *Challenge*; moderators need no role."""
    bob, channel = world.bob, world.channel
    for game in GAMES:
        for options in ({}, {"against": world.alice}, {"open": True}):
            assert ONLY in refused(await bob.slash(channel, f"play {game}", **options))
    assert ONLY in refused(await bob.context_menu(channel, "Challenge", world.alice))
    assert not channel.history()
    for who in (world.alice, mod):
        await who.slash(channel, "play nineholes")
        assert "Nine Holes" in text(world.last)
        await world.resign(who)


async def test_matches_that_follow_another(world: World, mod: MemberActor) -> None:
    """Who asks for a rematch or a restart needs the role; who agrees doesn't, however they do."""
    await world.challenge()
    role = world.guild.create_role("regulars")
    await change(world, mod, role=role)
    assert ONLY in refused(await world.bob.slash(world.channel, "restart"))
    give(world, role, world.alice)
    for who in (world.alice, world.bob):
        await who.slash(world.channel, "restart")
    assert await world.sql("SELECT count(*) FROM matches") == [(2,)]
    await world.resign(world.alice)
    assert ONLY in refused(await world.bob.slash(world.channel, "rematch"))
    final = next(m for m in world.channel.history() if "Rematch" in labels(m))
    for who in (world.alice, world.bob):
        await who.click(final, label="Rematch")
    assert await world.sql("SELECT count(*) FROM matches") == [(3,)]


async def test_a_match_goes_on_without_the_role(world: World, mod: MemberActor) -> None:
    """Moves, undos and draws begin nothing."""
    await world.challenge()
    await change(world, mod, role=world.guild.create_role("regulars"))
    await world.play("b2 a1")
    for command in ("undo", "draw", "board", "moves"):
        assert "regulars" not in text(await world.bob.slash(world.channel, command))


async def test_answers_take_no_role(world: World, regulars: RoleHandle) -> None:
    """A challenge is accepted by button, by command, or by asking for the same match."""

    async def accepted(result: InteractionResult) -> None:
        assert "regulars" not in text(result)
        assert (await world.stored()).names == ("alice", "bob")
        await world.resign(world.alice)

    challenge = await offer(world, world.alice, world.bob)
    await accepted(await world.bob.click(challenge, label="Accept"))
    await offer(world, world.alice, world.bob)
    await accepted(await world.bob.slash(world.channel, "answer", answer="accept"))
    await offer(world, world.alice, world.bob)
    await accepted(await world.bob.slash(world.channel, "play tictactoe", against=world.alice))


async def test_an_heir_starts_no_match(world: World, regulars: RoleHandle) -> None:
    """Joining takes no role, and the match begins with the last seat, but not with the computer."""
    table = await world.command(world.alice, "play tribolo", open=True)
    await world.bob.click(table, label="Join")
    await world.alice.click(table, label="Leave")
    assert refused(await world.bob.click(table, label="Start")).startswith(ONLY)
    assert refused(await world.bob.slash(world.channel, "answer", answer="start")).startswith(ONLY)
    await world.carol.click(table, label="Join")
    give(world, regulars, world.bob)
    await world.bob.click(table, label="Start")
    assert (await world.stored()).names == ("carol", "bob", None)


async def test_accepting_in_a_busy_channel(
    world: World, regulars: RoleHandle, mod: MemberActor, calendar: Calendar
) -> None:
    """The ways past the other match are open to a member who accepts without the role."""
    await change(world, mod, challenge_minutes=60)
    await offer(world, world.alice, world.bob)
    await mod.slash(world.channel, "play tictactoe")
    calendar.ahead += 31 * MINUTE
    same = {"against": world.alice}
    refusal = answer_to(await world.bob.slash(world.channel, "play tictactoe", **same))
    assert labels(refusal) == [TAKE, THREAD]
    await world.bob.click(refusal, label=TAKE)
    assert "❌ **alice** vs 🔵 **bob**" in text(world.last)


async def test_a_channel_that_was_freed(
    world: World, regulars: RoleHandle, mod: MemberActor, calendar: Calendar
) -> None:
    """A member who frees it without the role reads that they can only accept."""
    await mod.slash(world.channel, "play tictactoe")
    calendar.ahead += 31 * MINUTE
    freed = await world.bob.slash(world.channel, "board", put_away=True)
    assert "The channel is free" in text(freed) and ONLY in text(freed)
    assert "/play" not in text(freed) and labels(answer_to(freed)) == []
    await mod.slash(world.channel, "play tictactoe")
    calendar.ahead += 31 * MINUTE
    press = await world.made_up("t:2")
    freed = await world.bob.click(press, custom_id="t:2")
    assert "The channel is free" in text(freed) and ONLY in text(freed)


async def test_nothing_is_put_away_for_a_match_that_may_not_begin(
    world: World, regulars: RoleHandle, calendar: Calendar
) -> None:
    """A button that takes over a channel checks the role before the other match is archived."""
    await world.alice.slash(world.channel, "play tictactoe")
    calendar.ahead += 31 * MINUTE
    give(world, regulars, world.bob)
    refusal = answer_to(await world.bob.slash(world.channel, "play nineholes"))
    take_away(world, regulars, world.bob)
    for label in (TAKE, THREAD):
        assert ONLY in refused(await world.bob.click(refusal, label=label))
    assert not (await world.stored()).archived and not world.channel.threads


async def test_a_deleted_role(world: World, regulars: RoleHandle, mod: MemberActor) -> None:
    """Nobody but moderators begins matches until they choose another; both are told so."""
    shown = refused(await mod.slash(world.channel, "settings show"))
    assert f"Who may begin matches: <@&{regulars.id}>" in shown
    world.env.backend.delete_role(world.guild.id, regulars.id)
    told = refused(await world.alice.slash(world.channel, "play tictactoe"))
    assert "was deleted" in told and "`/settings set`" in told
    shown = refused(await mod.slash(world.channel, "settings show"))
    assert "Who may begin matches: ⚠️ only moderators" in shown
    await mod.slash(world.channel, "play tictactoe")
    assert "Tic-tac-toe" in text(world.last)


async def test_everyone_is_no_condition(
    world: World, regulars: RoleHandle, mod: MemberActor
) -> None:
    """The role @everyone lets everybody begin again, as before any was chosen."""
    shown = refused(await change(world, mod, role=world.guild.default_role))
    assert "Who may begin matches: @everyone" in shown
    assert await world.sql("SELECT begin_role FROM guild_settings") == [(None,)]
    await world.bob.slash(world.channel, "play tictactoe")
    assert "Tic-tac-toe" in text(world.last)


async def test_the_role_of_a_bot(
    world: World, mod: MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No member can have it, so it is refused here and for a tournament."""
    payload, bot = serializers.role_payload, world.env.backend.bot_user

    def tagged(role: Role) -> Any:
        """Return a role with the tags that it has at Discord."""
        return {**payload(role), **({"tags": {"bot_id": str(bot.id)}} if role.managed else {})}

    monkeypatch.setattr(serializers, "role_payload", tagged)
    own = next(r for r in world.env.backend.get_guild(world.guild.id).roles.values() if r.managed)
    role = RoleHandle(world.env, world.guild, own)
    told = refused(await change(world, mod, role=role))
    assert "can't be given by hand" in told
    by = await mod.slash(world.channel, "tournament create tictactoe", role=role)
    assert refused(by) == told


async def test_while_the_roles_are_not_known(
    world: World, regulars: RoleHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right after a start nobody is told that they lack the role, or that it was deleted."""
    guild = world.env.bot.get_guild(world.guild.id)
    assert guild is not None
    monkeypatch.setattr(guild, "_roles", {})
    for who in (world.alice, world.bob):
        assert "I'm restarting" in refused(await who.slash(world.channel, "play tictactoe"))


async def test_nobody_is_sent_to_play_who_may_not(world: World, regulars: RoleHandle) -> None:
    """Refusals, `/help` and empty lists say who can begin, and have no buttons for it."""
    for who in (world.alice, world.bob):
        may = who is world.alice
        for command in ("moves", "help", "mymatches", "history"):
            answer = await who.slash(world.channel, command)
            assert (ONLY in text(answer)) is not may, command
            assert "Play the computer" not in labels(answer_to(answer)) or may, command


@everywhere
async def test_outside_of_the_server(world: World, elsewhere: Elsewhere) -> None:
    """No server's moderators decide there."""
    await world.sql(
        f"INSERT INTO guild_settings (guild_id, begin_role) VALUES ({world.guild.id}, 7)"
    )
    await world.alice.slash(world.channel, "play tictactoe")
    assert "Tic-tac-toe" in text(newest(world.channel))
