"""Roles for results: given, taken back, and refused where they would give power."""

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import RoleHandle
from simcord.results import InteractionResult

from bot.honours import roles
from bot.identity import MemberId, ServerId
from bot.ratings import model
from bot.ratings.model import SETTLED_SIGMA, Rating
from bot.ratings.store import ScoreStore
from bot.settings import Settings
from tests.bot.costs import counted
from tests.conftest import Calendar
from tests.discord.conftest import Restart
from tests.discord.honours.prizes import let, own_role, put, role
from tests.discord.leaderboard.standings import beaten
from tests.discord.matches.passing import HOUR, begin_outage, end_outage, pass_time
from tests.discord.privacy.own_data import erase
from tests.discord.world import World, answer_to, asked_for_members, refused, text

ROUND = 11  # seconds in which roles are looked at
MONTH = 31 * 86_400


@pytest.fixture(autouse=True)
def quick_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at roles every ten seconds, since it takes long to simulate the usual two minutes."""
    monkeypatch.setattr(roles, "_EVERY_SECONDS", 10.0)


@pytest.fixture(autouse=True)
def soon_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one match settle a rating, since six take long."""
    monkeypatch.setattr(model, "SETTLED_SIGMA", Rating().sigma)


@pytest.fixture
def ruler(world: World) -> MemberActor:
    """A member who may manage channels and roles, above all roles of these tests."""
    may = discord.Permissions(manage_channels=True, manage_roles=True)
    rulers = world.guild.create_role("rulers", permissions=may)
    put(world, rulers.id, 99)
    return world.guild.add_member(world.env.create_user("ruler"), roles=[rulers])


@pytest.fixture
def prize(world: World) -> RoleHandle:
    """A role without any permission, below the bot's own."""
    return role(world, "prize")


def holders(world: World, given: RoleHandle) -> list[str]:
    """Return the names of the members who have a role."""
    guild = world.env.backend.guilds[world.guild.id]
    people = (world.alice, world.bob, world.carol)
    return [one.name for one in people if given.id in guild.members[one.id].role_ids]


@pytest.fixture
async def others_with_roles(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let 35 servers with lower ids have rules, while a round looks at ten."""
    monkeypatch.setattr(roles, "_SERVERS_A_ROUND", 10)
    values = ",".join(f"({number}, 1)" for number in range(1, 36))
    await world.sql(f"INSERT INTO honour_roles (guild_id, role_id) VALUES {values}")


async def for_rating(
    world: World, ruler: MemberActor, given: RoleHandle, rating: int = 1100
) -> InteractionResult:
    """Let members have a role as long as they have this rating."""
    options = {"role": given, "holder": "rating", "rating": rating}
    return await ruler.slash(world.channel, "settings role", **options)


async def kept(world: World) -> None:
    """Let the bot look at the roles."""
    await world.env.advance_time(ROUND)


async def away(world: World, *, looked: bool) -> None:
    """Let alice leave and come back; the bot notices that she is away if somebody `looked`."""
    user = world.alice.user
    world.guild.remove_member(world.alice)
    if looked:
        await world.bob.slash(world.channel, "leaderboard")
    await kept(world)
    world.alice = world.guild.add_member(user)


async def test_the_winner_of_a_season_has_a_role(
    world: World, ruler: MemberActor, prize: RoleHandle, calendar: Calendar
) -> None:
    """The winner has it from the end of one season to that of the next, or until the rule ends."""
    chosen = await ruler.slash(world.channel, "settings role", role=prize, holder="leader")
    told = refused(chosen)
    assert "✅ Saved." in told
    assert f"Roles: <@&{prize.id}> for the winner of the last season" in told
    await beaten(world, world.alice, world.bob)
    await kept(world)
    assert holders(world, prize) == []
    calendar.ahead += MONTH
    await kept(world)
    assert holders(world, prize) == ["alice"]
    await beaten(world, world.bob, world.alice)
    calendar.ahead += 28 * 86_400
    await kept(world)
    assert holders(world, prize) == ["bob"]
    ended = await ruler.slash(world.channel, "settings role", role=prize, holder="nobody")
    assert "Roles: none" in refused(ended)
    await kept(world)
    assert holders(world, prize) == []
    assert await world.sql("SELECT * FROM given_roles") == []


@pytest.mark.parametrize("announced", [True, False])
async def test_a_winner_who_leaves_after_the_season(
    world: World, ruler: MemberActor, prize: RoleHandle, calendar: Calendar, announced: bool
) -> None:
    """Nobody else becomes its winner: the second had the role although another was announced."""
    if announced:
        await ruler.slash(world.channel, "settings honours", seasons="here")
    await ruler.slash(world.channel, "settings role", role=prize, holder="leader")
    await beaten(world, world.alice, world.bob, times=3)
    await beaten(world, world.bob, world.alice, times=2)
    calendar.ahead += MONTH
    await world.env.advance_time(61)
    assert holders(world, prize) == ["alice"]
    world.guild.remove_member(world.alice)
    scores, gone = ScoreStore(world.database), [MemberId(world.alice.id)]
    await scores.note_left(ServerId(world.guild.id), gone, "2026-01")
    month = await world.bob.slash(world.channel, "leaderboard", period="month", by="wins")
    assert "Last season: #1 **alice** · #2 **bob**" in text(answer_to(month))
    await kept(world)
    await kept(world)
    assert prize.id not in world.env.backend.guilds[world.guild.id].members[world.bob.id].role_ids
    assert await world.sql("SELECT * FROM given_roles") == []


async def test_a_leader_who_leaves_during_a_season(
    world: World, ruler: MemberActor, prize: RoleHandle, calendar: Calendar
) -> None:
    """Their lost clock doesn't list them again: the role stayed vacant for the next season."""
    await ruler.slash(world.channel, "settings role", role=prize, holder="leader")
    await beaten(world, world.alice, world.bob, times=3)
    await beaten(world, world.bob, world.carol)
    await world.challenge(clock=HOUR)
    await world.play("b2 a1")
    world.guild.remove_member(world.alice)
    month = await world.bob.slash(world.channel, "leaderboard", period="month", by="wins")
    assert "alice" not in text(answer_to(month))
    await pass_time(world, calendar, HOUR)
    assert (await world.stored()).entry.changes
    calendar.ahead += MONTH
    await kept(world)
    await kept(world)
    assert prize.id in world.env.backend.guilds[world.guild.id].members[world.bob.id].role_ids


async def test_a_member_who_comes_back_after_a_season(
    world: World, ruler: MemberActor, prize: RoleHandle, calendar: Calendar
) -> None:
    """They don't win it from whom was announced, since they had left when it ended."""
    await ruler.slash(world.channel, "settings honours", seasons="here")
    await ruler.slash(world.channel, "settings role", role=prize, holder="leader")
    await beaten(world, world.alice, world.bob, times=3)
    await beaten(world, world.bob, world.alice, times=2)
    world.guild.remove_member(world.alice)
    calendar.ahead += MONTH
    await world.env.advance_time(61)
    await kept(world)
    world.guild.add_member(world.alice.user)
    await beaten(world, world.alice, world.carol)
    month = await world.bob.slash(world.channel, "leaderboard", period="month", by="wins")
    assert "#1 **alice**" in text(answer_to(month))
    assert "Last season: #1 **bob**" in text(answer_to(month))
    await kept(world)
    assert holders(world, prize) == ["bob"]


async def test_an_erased_member_of_a_blocked_server(
    world: World, ruler: MemberActor, prize: RoleHandle, restart: Restart, settings: Settings
) -> None:
    """They lose their role within a round; their id was kept for as long as the block lasted."""
    await for_rating(world, ruler, prize)
    await beaten(world, world.alice, world.bob, times=2)
    await beaten(world, world.carol, world.bob, times=2)
    await kept(world)
    assert holders(world, prize) == ["alice", "carol"]
    await restart(settings.model_copy(update={"blocked": frozenset({world.guild.id})}))
    await erase(world)
    await kept(world)
    assert holders(world, prize) == ["carol"]
    assert await world.sql("SELECT user_id FROM given_roles") == [(world.carol.id,)]


@pytest.mark.parametrize("holder", ["leader", "nobody"])
async def test_a_rating_for_another_holder(
    world: World, ruler: MemberActor, prize: RoleHandle, holder: str
) -> None:
    """It is refused, in place of being ignored, and the role's rule stays as it is."""
    await for_rating(world, ruler, prize)
    options = {"role": prize, "holder": holder, "rating": 1200}
    told = refused(await ruler.slash(world.channel, "settings role", **options))
    assert told.startswith("`rating` is only for the `holder` *members with a certain rating*.")
    shown = refused(await ruler.slash(world.channel, "settings honours"))
    assert f"<@&{prize.id}> for a rating of 1100 or more" in shown


async def test_a_provisional_rating_has_no_role(
    world: World, ruler: MemberActor, prize: RoleHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A role for 1010 points came with a first win, after which a rating is 1078?."""
    monkeypatch.setattr(model, "SETTLED_SIGMA", SETTLED_SIGMA)
    await for_rating(world, ruler, prize, 1010)
    for _ in range(2):
        await beaten(world, world.alice, world.bob)
        await beaten(world, world.bob, world.alice)
    await beaten(world, world.alice, world.bob)
    await kept(world)
    page = await world.bob.slash(world.channel, "leaderboard", game="tictactoe")
    assert text(answer_to(page)).count("? ·") == 2 and holders(world, prize) == []
    await beaten(world, world.bob, world.alice)
    await kept(world)
    page = await world.bob.slash(world.channel, "leaderboard", game="tictactoe")
    assert "? ·" not in text(answer_to(page)) and holders(world, prize) == ["bob"]


async def test_a_rating_has_a_role(
    world: World, ruler: MemberActor, prize: RoleHandle, calendar: Calendar
) -> None:
    """Members have it while the rating holds, unless a moderator took it away.

    An erased member loses the role and its rows.
    """
    await for_rating(world, ruler, prize)
    await beaten(world, world.alice, world.bob)
    await kept(world)
    assert holders(world, prize) == []  # 1078 is too little
    await beaten(world, world.alice, world.bob)
    await kept(world)
    assert holders(world, prize) == ["alice"]
    world.env.backend.remove_member_role(world.guild.id, world.alice.id, prize.id)
    await kept(world)
    assert holders(world, prize) == []
    world.env.backend.add_member_role(world.guild.id, world.alice.id, prize.id)
    await erase(world)
    await kept(world)
    assert holders(world, prize) == []
    assert await world.sql("SELECT * FROM given_roles") == []


async def test_roles_that_are_refused(
    world: World, ruler: MemberActor, mod: MemberActor, prize: RoleHandle
) -> None:
    """Refused are roles above the bot's own, of moderators, apps, everyone, and for a connection.

    So are roles that the asker can't give.
    """
    strong = role(world, "strong", manage_messages=True)
    high = world.guild.create_role("high")
    put(world, high.id, 90)
    everyone = world.guild.default_role
    own = RoleHandle(
        world.env, world.guild, world.env.backend.get_role(world.guild.id, own_role(world))
    )
    low, top = role(world, "low", manage_channels=True, manage_roles=True), role(world, "top")
    put(world, low.id, 5)
    put(world, top.id, 10)
    helper = world.guild.add_member(world.env.create_user("helper"), roles=[low, top])

    async def asked(who: MemberActor, which: object, **options: object) -> str:
        return refused(await who.slash(world.channel, "settings role", role=which, **options))

    assert "permissions for moderators" in await asked(ruler, strong, holder="leader")
    assert "isn't below my own role" in await asked(ruler, high, holder="leader")
    world.env.backend.add_member_role(world.guild.id, world.env.backend.bot_user.id, high.id)
    await end_outage(world)  # otherwise simcord doesn't tell the bot of its roles
    assert "isn't below my own role" in await asked(ruler, high, holder="leader")
    assert "can't be given by hand" in await asked(ruler, own, holder="leader")
    assert "can't be given by hand" in await asked(ruler, everyone, holder="leader")
    linked, guild = role(world, "linked"), world.env.bot.get_guild(world.guild.id)
    known = guild.get_role(linked.id) if guild else None
    assert known is not None
    known.tags = discord.RoleTags({"guild_connections": None})  # simcord lacks these tags
    assert "can't be given by hand" in await asked(ruler, linked, holder="leader")
    assert "Manage Roles" in await asked(helper, top, holder="leader")
    assert "Manage Roles" in await asked(mod, prize, holder="leader")
    assert "Manage Channels" in await asked(world.alice, prize, holder="leader")
    assert "Say which rating" in await asked(ruler, prize, holder="rating")
    assert "prize isn't one of the roles that I give" in await asked(ruler, prize, holder="nobody")
    assert await world.sql("SELECT * FROM honour_roles") == []


async def test_the_owner_chooses_any_role(world: World, prize: RoleHandle) -> None:
    """The owner may do so without a role of their own."""
    owner = MemberActor(world.env, world.guild, world.guild.owner)
    chosen = await owner.slash(world.channel, "settings role", role=prize, holder="leader")
    assert f"<@&{prize.id}> for the winner" in refused(chosen)


async def test_an_outage(world: World, ruler: MemberActor, prize: RoleHandle) -> None:
    """Roles are given after the outage, since during it the bot may not know the server's roles."""
    await for_rating(world, ruler, prize)
    await beaten(world, world.alice, world.bob, times=5)
    await begin_outage(world)
    await kept(world)
    assert holders(world, prize) == []
    await end_outage(world)
    await kept(world)
    assert holders(world, prize) == ["alice"]


async def test_a_connection_that_may_send_nothing(
    world: World, ruler: MemberActor, prize: RoleHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The role waits, since requests that discord.py puts off would stay in memory."""
    await for_rating(world, ruler, prize)
    await beaten(world, world.alice, world.bob, times=5)
    asked = asked_for_members(world)
    with monkeypatch.context() as full:
        full.setattr(discord.ShardInfo, "is_ws_ratelimited", lambda _: True)
        await kept(world)
    assert (holders(world, prize), asked_for_members(world)) == ([], asked)
    await kept(world)
    assert holders(world, prize) == ["alice"]


async def test_a_permission_that_was_lost(
    world: World, ruler: MemberActor, prize: RoleHandle
) -> None:
    """The channel of the seasons hears of it once, and the role is given when it is back."""
    let(world, manage_roles=False)
    answer = await for_rating(world, ruler, prize, 900)
    assert "I need the permission *Manage Roles*. Turn it on" in refused(answer)
    let(world, manage_roles=True)
    await for_rating(world, ruler, prize, 900)
    await ruler.slash(world.channel, "settings honours", seasons="here")
    await beaten(world, world.alice, world.bob, times=5)
    let(world, manage_roles=False)
    for _ in range(2):
        await kept(world)
    warnings = [words for _, words, _ in world.public() if "I can't give" in words]
    assert len(warnings) == 1 and f"<@&{prize.id}>" in warnings[0]
    shown = refused(await ruler.slash(world.channel, "settings honours"))
    assert "⚠️ I can't give" in shown
    assert holders(world, prize) == []
    let(world, manage_roles=True)
    await kept(world)
    assert holders(world, prize) == ["alice"]


@pytest.mark.parametrize("ends", ["the rule", "the data"])
async def test_a_role_that_became_one_for_moderators(
    world: World, ruler: MemberActor, prize: RoleHandle, ends: str
) -> None:
    """It isn't given any more, but its holder keeps it until the rule ends or they are erased."""
    await for_rating(world, ruler, prize)
    await beaten(world, world.alice, world.bob, times=5)
    await kept(world)
    staff = {"permissions": discord.Permissions(manage_messages=True).value}
    world.env.backend.edit_role(world.guild.id, prize.id, staff)
    await kept(world)
    assert holders(world, prize) == ["alice"]
    if ends == "the rule":
        await ruler.slash(world.channel, "settings role", role=prize, holder="nobody")
    else:
        await erase(world)
    await kept(world)
    assert holders(world, prize) == []
    assert await world.sql("SELECT * FROM given_roles") == []


async def test_a_member_who_has_left_is_listed_no_more(
    world: World, ruler: MemberActor, prize: RoleHandle
) -> None:
    """No event tells the bot that they have left; it finds out when it gives the role."""
    await for_rating(world, ruler, prize)
    await beaten(world, world.alice, world.bob, times=5)
    world.guild.remove_member(world.alice)
    await kept(world)
    listed = f"SELECT DISTINCT present FROM standings WHERE user_id = {world.alice.id}"
    assert await world.sql(listed) == [(0,)]
    assert await world.sql("SELECT * FROM given_roles") == []


@pytest.mark.parametrize("looked", [True, False])
async def test_a_member_who_comes_back(
    world: World, ruler: MemberActor, prize: RoleHandle, looked: bool
) -> None:
    """They get the role again, also if nobody noticed that they were away: Discord took it.

    Until they press something, the bot doesn't know that they are back.
    """
    await for_rating(world, ruler, prize)
    await beaten(world, world.alice, world.bob, times=5)
    await kept(world)
    await away(world, looked=looked)
    await kept(world)
    assert holders(world, prize) == []
    await world.alice.slash(world.channel, "help")
    await kept(world)
    assert holders(world, prize) == ["alice"]
    world.env.backend.remove_member_role(world.guild.id, world.alice.id, prize.id)
    await world.alice.slash(world.channel, "help")
    await kept(world)
    assert holders(world, prize) == [], "a moderator has taken it"


@pytest.mark.parametrize("looked", [True, False])
async def test_a_winner_who_comes_back(
    world: World, ruler: MemberActor, prize: RoleHandle, looked: bool
) -> None:
    """They have the role again, as the leaderboard still names them."""
    await ruler.slash(world.channel, "settings role", role=prize, holder="leader")
    await beaten(world, world.alice, world.bob, times=3)
    await world.leap(MONTH)
    await kept(world)
    assert holders(world, prize) == ["alice"]
    await away(world, looked=looked)
    month = await world.alice.slash(world.channel, "leaderboard", period="month", by="wins")
    assert "Last season: #1 **alice**" in text(answer_to(month))
    await kept(world)
    assert holders(world, prize) == ["alice"]


async def test_a_role_that_was_deleted(world: World, ruler: MemberActor, prize: RoleHandle) -> None:
    """The channel of the seasons hears of it once, and nothing of the role is kept."""
    await ruler.slash(world.channel, "settings honours", seasons="here")
    await beaten(world, world.alice, world.bob, times=5)
    await for_rating(world, ruler, prize)
    await kept(world)
    assert len(await world.sql("SELECT * FROM given_roles")) == 1
    world.env.backend.delete_role(world.guild.id, prize.id)
    for _ in range(2):
        await kept(world)
    assert len([words for _, words, _ in world.public() if "was deleted" in words]) == 1
    for table in ("honour_roles", "given_roles"):
        assert await world.sql(f"SELECT * FROM {table}") == []


async def test_a_round_without_changes_writes_nothing(
    world: World, ruler: MemberActor, prize: RoleHandle
) -> None:
    """It doesn't, whether or not the role can be given, since turns would wait for the write."""
    for given in (prize, role(world, "other")):
        await for_rating(world, ruler, given)
    put(world, prize.id, 90)
    await kept(world)
    async with counted(world.database) as cost:
        await kept(world)
    about_roles = [statement for statement in cost.statements if "_roles" in statement]
    assert about_roles and all(statement.startswith("SELECT") for statement in about_roles)


@pytest.mark.usefixtures("others_with_roles")
async def test_many_changes_take_several_rounds(
    world: World, ruler: MemberActor, prize: RoleHandle
) -> None:
    """A round gives or takes back twenty roles, so that other servers don't wait long.

    The rest follows in the next round, however many servers there are.
    """
    people = [world.guild.add_member(world.env.create_user(f"m{n}")) for n in range(22)]
    columns = "guild_id, user_id, game, period, wins, draws, losses, rating, settled, present"
    for one in people:
        values = f"{world.guild.id}, {one.id}, 'tictactoe', '', 5, 0, 0, 1200, true, true"
        await world.sql(f"INSERT INTO standings ({columns}) VALUES ({values})")

    def having(given: RoleHandle) -> int:
        members = world.env.backend.guilds[world.guild.id].members
        return sum(given.id in members[one.id].role_ids for one in people)

    other = role(world, "other")
    await for_rating(world, ruler, prize)
    await kept(world)
    assert having(prize) == 20
    await kept(world)
    assert having(prize) == 22
    await ruler.slash(world.channel, "settings role", role=prize, holder="nobody")
    await for_rating(world, ruler, other)
    await kept(world)
    assert (having(prize), having(other)) == (2, 0)
    await kept(world)
    assert (having(prize), having(other)) == (0, 18)


@pytest.mark.usefixtures("others_with_roles")
async def test_many_servers_take_several_rounds(
    world: World, ruler: MemberActor, prize: RoleHandle, restart: Restart
) -> None:
    """Each round goes on where the last one ended, so that the last servers have their turn, too.

    A server with new results, or a new rule, has its turn at once.
    """
    await for_rating(world, ruler, prize)
    await kept(world)
    await beaten(world, world.alice, world.bob, times=4)
    await world.played()
    await kept(world)
    assert holders(world, prize) == ["alice"]
    await ruler.slash(world.channel, "settings role", role=prize, holder="nobody")
    await kept(world)
    assert holders(world, prize) == []
    await for_rating(world, ruler, prize)
    await restart()
    for _ in range(3):
        await kept(world)
    assert holders(world, prize) == []
    await kept(world)
    assert holders(world, prize) == ["alice"]


@pytest.mark.usefixtures("others_with_roles")
async def test_many_servers_with_changes_take_several_rounds(
    world: World, ruler: MemberActor, prize: RoleHandle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Presses ask for members, too; a change that waits comes first in the next round.

    When a season ended, all servers with a role for its winner were asked about at once.
    """
    await for_rating(world, ruler, prize)
    await beaten(world, world.alice, world.bob, times=2)
    with monkeypatch.context() as others_first:
        others_first.setattr(roles, "_ASKED_A_ROUND", 0)
        await kept(world)
        assert holders(world, prize) == []
    await kept(world)
    assert holders(world, prize) == ["alice"]


async def test_ten_roles_that_cannot_be_given(world: World, ruler: MemberActor) -> None:
    """The trouble with each is shown, which is longer than a message's content may be.

    There can't be more than ten, but the ratings of ten can be changed.
    """
    prizes = [role(world, f"prize {number}") for number in range(11)]
    for number, one in enumerate([*prizes, prizes[0]]):
        answer = await for_rating(world, ruler, one, 1000 + number)
        if number == 10:
            assert "10 at most" in refused(answer)
    assert "1011" in refused(answer)
    let(world, manage_roles=False)
    await kept(world)
    for command in ("settings honours", "settings show"):
        assert refused(await ruler.slash(world.channel, command)).count("I can't give") == 10


async def test_a_role_that_can_neither_be_given_nor_taken_back(
    world: World, ruler: MemberActor, prize: RoleHandle
) -> None:
    """A moderators' role above the bot's own stays with its holder, and holds up no other role."""
    await beaten(world, world.alice, world.bob, times=5)
    other = role(world, "other")
    await for_rating(world, ruler, prize)
    await kept(world)
    staff = {"permissions": discord.Permissions(manage_messages=True).value}
    world.env.backend.edit_role(world.guild.id, prize.id, staff)
    put(world, prize.id, 90)
    await ruler.slash(world.channel, "settings role", role=prize, holder="nobody")
    await for_rating(world, ruler, other)
    await kept(world)
    assert holders(world, prize) == holders(world, other) == ["alice"]
    await erase(world)
    await kept(world)
    assert holders(world, other) == []
    assert await world.sql("SELECT * FROM given_roles") == [], "no trace of an erased member"
