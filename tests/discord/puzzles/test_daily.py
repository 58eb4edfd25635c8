"""The puzzle of the day: moderators set it, and it is posted once a day at their hour."""

import pytest
from simcord.actors import MemberActor
from simcord.enums import ChannelType
from simcord.results import InteractionResult

from bot.puzzles.model import day_of
from tests.conftest import Calendar
from tests.core.puzzles.written import BLOCKS, FORK
from tests.discord.calls import IN_CHANNEL
from tests.discord.conftest import Restart
from tests.discord.failing import FAULTS, FailingOnce
from tests.discord.matches.passing import DAY, HOUR
from tests.discord.privacy.own_data import erase
from tests.discord.puzzles.solving import give, open_puzzle, press, tries
from tests.discord.world import World, ids, refused, text

ROUND = 20


async def later(world: World, calendar: Calendar, seconds: int) -> None:
    """Let time pass, and the loops run."""
    calendar.ahead += seconds
    await world.env.advance_time(2 * ROUND)


async def at(world: World, calendar: Calendar, hour: int) -> None:
    """Let time pass until the next such hour (UTC), and the loops run."""
    await later(world, calendar, (hour * HOUR - calendar() % DAY) % DAY)


async def played(world: World) -> int:
    """Let alice win a match against bob; return its id, for a puzzle of it."""
    await world.played()
    return (await world.stored()).id


def posts(world: World) -> list[str]:
    """Return the posts of puzzles in the channel."""
    shown = world.public()
    return [said for _, said, pressed in shown if any(i.startswith("zo:") for i in pressed)]


async def choose(world: World, mod: MemberActor, hour: int = 9) -> InteractionResult:
    """Let a moderator choose the channel and an hour."""
    return await mod.slash(world.channel, "settings puzzle", channel=world.channel, hour=hour)


async def test_the_puzzle_is_posted_once_a_day(
    world: World, mod: MemberActor, calendar: Calendar, restart: Restart
) -> None:
    """It is posted at its hour, even across restarts, with the solution of the last puzzle."""
    await at(world, calendar, 20)
    assert posts(world) == [], "a server that sets nothing hears nothing"
    await choose(world, mod)
    assert posts(world) == []
    await give(world, BLOCKS)
    await at(world, calendar, 9)
    (first,) = posts(world)
    assert "Puzzle of the day" in first and "Nobody has solved it yet." in first
    await restart()
    await at(world, calendar, 20)
    assert len(posts(world)) == 1
    await give(world, FORK)
    await at(world, calendar, 10)
    (_, second) = posts(world)
    assert "Solution of the previous puzzle of the day" in second
    assert "🔵 a3, ❌ c1, 🔵 c2" in second
    await at(world, calendar, 9)
    (_, _, third) = posts(world)
    assert "❌ c1" in third and "🔵 a3" not in third


async def test_an_hour_for_the_channel_chosen_before(world: World, mod: MemberActor) -> None:
    """That channel is checked again: posts that were switched off there would fail once more."""
    channel = world.guild.create_text_channel("puzzles")
    await mod.slash(world.channel, "settings puzzle", channel=channel, hour=9)
    world.deny(channel, send_messages=True)
    told = refused(await mod.slash(world.channel, "settings puzzle", hour=5))
    assert told == f"I can't post in <#{channel.id}>: I need *Send Messages* there."
    world.env.backend.delete_channel(channel.id)
    told = refused(await mod.slash(world.channel, "settings show"))
    assert "Puzzle of the day: not posted." in told
    told = refused(await mod.slash(world.channel, "settings puzzle", hour=5))
    assert told == "Choose both a `channel` and an `hour`."
    assert await world.sql("SELECT hour FROM puzzle_servers") == [(9,)]


async def test_days_without_the_bot_have_no_puzzle(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """They have no puzzle; the day on which the bot comes back has one, perhaps late."""
    await at(world, calendar, 1)
    await choose(world, mod)
    await later(world, calendar, 5 * DAY)
    assert posts(world) == [], "the hour of this day is to come"
    await later(world, calendar, 5 * DAY + 10 * HOUR)
    assert len(posts(world)) == 1


async def test_a_clock_that_is_set_back(world: World, mod: MemberActor, calendar: Calendar) -> None:
    """The same day has one post only."""
    await choose(world, mod)
    await at(world, calendar, 9)
    await later(world, calendar, -2 * HOUR)
    await later(world, calendar, 3 * HOUR)
    assert len(posts(world)) == 1


async def test_the_puzzle_of_the_day_tells_how_many_solved_it(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """Its button shows the puzzle privately; members who solve it are counted, unnamed."""
    await choose(world, mod)
    await give(world, BLOCKS)
    await at(world, calendar, 9)
    post = world.last
    for who in (world.alice, world.bob):
        shown = await who.click(post, label="Solve")
        for move in ("a3", "c2"):
            await press(who, shown, move)
    await world.env.advance_time(2 * ROUND)
    assert "2 members have solved it." in text(world.now(post))
    assert "alice" not in text(world.now(post)) and len(posts(world)) == 1
    edits = sum(request.method == "PATCH" for request in world.env.http_requests)
    await world.env.advance_time(2 * ROUND)
    assert sum(request.method == "PATCH" for request in world.env.http_requests) == edits
    assert [own.day is not None for own in await tries(world, world.bob)] == [True]


async def test_a_puzzle_that_cannot_be_read(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """The day gets another one, which its post says; other posts still count their solvers."""
    await choose(world, mod)
    later = BLOCKS.replace("tictactoe", "gomoku")
    await give(world, later, guild_id=6, day=day_of(calendar()) + 1, channel_id=7, message_id=8)
    await give(world, FORK)
    await at(world, calendar, 9)
    post = world.last
    (broken, own) = await world.sql("SELECT id FROM puzzles ORDER BY id")
    await world.sql("UPDATE puzzles SET solvers = 1")
    await world.env.advance_time(2 * ROUND)
    assert "1 member has solved it." in text(world.now(post))
    await world.sql(f"UPDATE puzzles SET line = '{later}'")
    assert "is gone" in refused(await world.alice.click(post, label="Solve"))
    assert "Puzzle of the day" in refused(await open_puzzle(world, world.alice))
    of_day = f"SELECT id FROM puzzles WHERE guild_id = {world.guild.id} AND day IS NOT NULL"
    ((today,),) = await world.sql(of_day)
    assert today not in (*broken, *own)


async def test_a_post_whose_number_cannot_be_told(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """It doesn't hold up the posts after it. Here its match has a level that isn't known."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.sql("UPDATE seats SET level = 'unknown' WHERE level IS NOT NULL")
    await choose(world, mod)
    yesterday = {"day": day_of(calendar()), "given_at": 1, "match_id": 1}
    await give(world, FORK, **yesterday, channel_id=world.channel.id, message_id=8)
    await give(world, BLOCKS)
    calendar.ahead += DAY
    await at(world, calendar, 9)
    post = world.last
    await world.sql("UPDATE puzzles SET solvers = 1")
    await world.env.advance_time(2 * ROUND)
    assert "1 member has solved it." in text(world.now(post))


async def test_a_post_that_fails_until_midnight(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """It is dropped, and the next day's is posted at its hour, not as soon as the day begins."""
    await at(world, calendar, 8)
    await choose(world, mod)
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=503)
    calendar.ahead += 24 * HOUR - calendar() % DAY - 10
    await world.env.advance_time(1)
    await world.env.advance_time(5 * ROUND)
    assert calendar() % DAY < HOUR and posts(world) == []
    await at(world, calendar, 9)
    assert len(posts(world)) == 1


async def test_a_post_that_fails_for_a_moment(
    world: World, mod: MemberActor, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is posted again, as one message if it may have arrived; earlier refusals are forgotten."""
    await at(world, calendar, 8)
    await choose(world, mod)
    await world.sql("UPDATE puzzle_servers SET failures = 2")
    FailingOnce(monkeypatch, IN_CHANNEL, FAULTS["lost"])
    calendar.ahead += HOUR
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT failures FROM puzzle_servers") == [(2,)]
    await world.env.advance_time(3 * ROUND)
    assert len(posts(world)) == 1
    assert await world.sql("SELECT failures FROM puzzle_servers") == [(0,)]


async def test_a_channel_that_is_lost(world: World, mod: MemberActor, calendar: Calendar) -> None:
    """After three days of refusals the puzzle is switched off, and the settings say so."""
    await at(world, calendar, 10)
    await choose(world, mod)
    world.env.inject_error(
        "POST", f"/channels/{world.channel.id}/messages", status=403, code=50013, times=None
    )
    for _ in range(2):
        await later(world, calendar, DAY)
    shown = await mod.slash(world.channel, "settings show")
    assert "couldn't post" in refused(shown) and "switched off" not in refused(shown)
    await later(world, calendar, DAY)
    assert "switched off" in refused(await mod.slash(world.channel, "settings show"))
    assert posts(world) == []


async def test_a_post_that_was_refused(world: World, mod: MemberActor, calendar: Calendar) -> None:
    """It is posted on the same day if a moderator chooses a later hour, once the bot may post."""
    await at(world, calendar, 8)
    await choose(world, mod)
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=403, code=50013)
    await at(world, calendar, 9)
    assert posts(world) == []
    await choose(world, mod, hour=10)
    await at(world, calendar, 10)
    assert len(posts(world)) == 1


async def test_moderators_set_where_and_when(world: World, mod: MemberActor) -> None:
    """Only moderators may; both have to be chosen before one can be changed; `off` ends it.

    The refusal of a channel names what the bot lacks there.
    """
    assert "Manage Channels" in refused(await choose(world, world.alice))
    elsewhere = world.guild.create_text_channel("elsewhere")
    for half in ({"hour": 9}, {"channel": elsewhere}):
        assert "both" in refused(await mod.slash(world.channel, "settings puzzle", **half))
    assert "09:00 UTC" in refused(await choose(world, mod))
    told = refused(await mod.slash(world.channel, "settings puzzle", hour=17))
    assert f"<#{world.channel.id}>, 17:00 UTC" in told
    told = refused(await mod.slash(world.channel, "settings puzzle", channel=elsewhere))
    assert f"<#{elsewhere.id}>, 17:00 UTC" in told
    assert "not posted" in refused(await mod.slash(world.channel, "settings puzzle", hour=-1))
    narrow = world.channel_without("send_messages")
    told = refused(await mod.slash(world.channel, "settings puzzle", channel=narrow, hour=9))
    assert told == f"I can't post in <#{narrow.id}>: I need *Send Messages* there."


async def test_a_puzzle_names_the_players_of_its_match(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """They are named as long as both are members and neither was erased."""
    world.alice = world.guild.add_member(world.env.create_user("alice"), nick="*al*")
    match_id = await played(world)
    await world.carol.slash(world.channel, "play tictactoe")
    await choose(world, mod)
    await give(world, BLOCKS, match_id=match_id)
    await at(world, calendar, 9)
    assert len(posts(world)) == 1
    assert r"From a match here: \*al\* vs bob" in text(world.last)
    await erase(world, world.bob)
    shown = await world.alice.click(world.last, label="Solve")
    assert "From a match on this server." in text(shown) and "bob" not in text(shown)
    assert ids(world.last)


@pytest.mark.parametrize("where", ["hidden channel", "private thread"])
async def test_a_match_that_not_everybody_sees(
    world: World, mod: MemberActor, calendar: Calendar, where: str
) -> None:
    """Its players are only named to members who see the channel, so not in the post.

    For a private thread they are named to nobody, since Discord doesn't tell who is in it.
    """
    friends = world.guild.create_role("friends")
    world.env.backend.add_member_role(world.guild.id, world.alice.id, friends.id)
    secret = world.channel_for(friends)
    if where == "private thread":
        secret = world.thread(world.channel, ChannelType.PRIVATE_THREAD)
    match_id = await played(world)
    await world.sql(f"UPDATE matches SET channel_id = {secret.id}")
    await choose(world, mod)
    await give(world, BLOCKS, match_id=match_id)
    await at(world, calendar, 9)
    unnamed = "From a match on this server."
    assert unnamed in text(world.last)
    to_alice = "alice vs bob" if where == "hidden channel" else unnamed
    for who, told in ((world.alice, to_alice), (world.carol, unnamed)):
        assert told in text(await who.click(world.last, label="Solve"))


async def test_a_player_of_the_match_who_has_left(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """Then neither player is named."""
    await give(world, BLOCKS, match_id=await played(world))
    await choose(world, mod)
    world.guild.remove_member(world.bob)
    await at(world, calendar, 9)
    assert "From a match on this server." in text(world.last)


async def test_a_match_that_cannot_be_read(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """Its players aren't named, and its puzzle is posted."""
    await give(world, BLOCKS, match_id=await played(world))
    await world.sql("UPDATE matches SET moves = 'nonsense'")
    await choose(world, mod)
    await at(world, calendar, 9)
    assert "From a match on this server." in text(world.last)
