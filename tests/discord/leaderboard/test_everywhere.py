"""The leaderboard of all servers: who takes part, and whose name others see."""

from simcord.actors import MemberActor

from bot.identity import MemberId, Person
from tests.conftest import Calendar
from tests.discord.leaderboard.standings import DAY, beaten, lines, own_line, who
from tests.discord.privacy.own_data import erase
from tests.discord.world import World, refused

ELSEWHERE = 77
EVERYWHERE = {"scope": "everywhere", "by": "wins"}


async def shown(world: World, calendar: Calendar | None = None) -> list[str]:
    """Ask for the leaderboard of all servers as bob; return the names on it.

    With a `calendar`, a minute passes first, for which lists are kept.
    """
    if calendar is not None:
        calendar.ahead += 61
    await world.bob.slash(world.channel, "leaderboard", **EVERYWHERE)
    return who(lines(world.last))


async def test_servers_and_members_choose(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """A server takes part only if it opted in; a member's name is seen only if they opted in."""
    carol, dora = Person(MemberId(world.carol.id), "carol"), Person(MemberId(8 * 10**18), "dora")
    await beaten(world, world.alice, world.bob)
    for _ in range(2):
        await beaten(world, carol, dora, ELSEWHERE)
    answer = await world.bob.slash(world.channel, "leaderboard", **EVERYWHERE)
    assert "doesn't take part" in refused(answer)
    chosen = refused(await mod.slash(world.channel, "settings honours", everywhere="on"))
    assert "Leaderboard of all servers: this server takes part" in chosen
    assert await shown(world) == ["alice", "bob"]
    await world.sql(f"INSERT INTO guild_settings (guild_id, everywhere) VALUES ({ELSEWHERE}, true)")
    stranger = "a member of another server"
    assert await shown(world) == ["alice", "bob"]
    assert await shown(world, calendar) == [stranger, "alice", "bob", stranger]
    assert own_line(world.last).startswith("➡️ #3 **bob** – 0 won")
    mine = await world.carol.slash(world.channel, "settings me", everywhere="named")
    assert "Leaderboard of all servers: with your name" in refused(mine)
    assert await shown(world) == ["carol", "alice", "bob", stranger]
    await world.carol.slash(world.channel, "settings me", everywhere="hidden")
    await world.alice.slash(world.channel, "settings me", everywhere="hidden")
    assert await shown(world) == ["bob", stranger]
    await world.carol.slash(world.channel, "settings me", everywhere="unnamed")
    assert await world.sql("SELECT user_id FROM member_settings") == [(world.alice.id,)]
    await erase(world, world.carol)
    assert await shown(world) == ["bob", stranger]


async def test_a_provisional_rating_is_marked(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """It is marked as on the server's own list, until a settled rating is listed."""
    await mod.slash(world.channel, "settings honours", everywhere="on")
    by_rating = {"scope": "everywhere", "game": "tictactoe", "by": "rating"}

    async def ratings() -> list[str]:
        await world.bob.slash(world.channel, "leaderboard", **by_rating)
        return [line.split()[3] for line in lines(world.last)]

    for _ in range(2):
        await beaten(world, world.alice, world.bob)
        await beaten(world, world.bob, world.alice)
    assert all(rating.endswith("?") for rating in await ratings())
    for _ in range(7):
        calendar.ahead += DAY
        await beaten(world, world.alice, world.bob)
        await beaten(world, world.bob, world.alice)
    assert [rating.endswith("?") for rating in await ratings()] == [False, False]
