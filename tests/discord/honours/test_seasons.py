"""A season's end: told once, late after an outage, and never for one before the last."""

import discord
import pytest
from simcord.actors import MemberActor

from bot.honours import seasons
from bot.identity import MemberId, Person
from bot.times import DAY
from tests.conftest import Calendar
from tests.discord.calls import IN_CHANNEL
from tests.discord.conftest import Restart
from tests.discord.failing import FAULTS, FailingOnce, failing
from tests.discord.leaderboard.standings import beaten, joined
from tests.discord.matches.passing import HOUR, MINUTE, begin_outage, end_outage
from tests.discord.world import World, components, mentioned, refused, text

ROUND = 11  # seconds in which seasons are looked at


@pytest.fixture(autouse=True)
def quick_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at seasons every ten seconds, since it takes long to simulate the usual minute."""
    monkeypatch.setattr(seasons, "_EVERY_SECONDS", 10.0)


@pytest.fixture
def one_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a round tell one server."""
    monkeypatch.setattr(seasons, "_SERVERS_A_ROUND", 1)


async def pass_days(world: World, calendar: Calendar, days: int) -> None:
    """Set the calendar forward and let a round run. The first day of a test is 1 January 2026."""
    calendar.ahead += days * DAY
    await world.env.advance_time(ROUND)


def left(number: int) -> Person:
    """Return a member who has left the server."""
    return Person(MemberId(number), f"gone {number}")


async def told(world: World) -> list[str]:
    """Return the messages that told of a season's end."""
    return [words for _, words, _ in world.public() if "is over" in words]


async def test_the_end_of_a_season_is_told_once(
    world: World, mod: MemberActor, calendar: Calendar, restart: Restart
) -> None:
    """A card names the first three by wins, and the best rating; no hour or kill brings another."""
    chosen = await mod.slash(world.channel, "settings honours", seasons="here")
    assert f"The end of a season: announced in <#{world.channel.id}>" in refused(chosen)
    await beaten(world, world.bob, world.alice, times=2)
    await beaten(world, world.alice, world.bob, times=3)
    assert await told(world) == []
    await pass_days(world, calendar, 31)
    (words,) = await told(world)
    assert "🏆 **Season 2026-01 is over**" in words
    assert "#1 **alice** – 3 won · 0 drawn · 2 lost\n#2 **bob** – 2 won" in words
    assert "Best rating in Tic-tac-toe: **alice**" in words
    assert not mentioned(world.last, world.env)
    (gallery,) = [c for c in components(world.last) if c.get("items")]
    described = "A podium. #1\u00a0alice, 3 wins. #2\u00a0bob, 2 wins"
    assert gallery["items"][0]["description"] == described
    await world.env.advance_time(ROUND)
    await restart()
    await pass_days(world, calendar, 1)
    assert len(await told(world)) == 1


async def test_members_who_have_left_are_not_named(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """Neither are those who come after them, nor the best by rating; only the first were asked for.

    A server on which everybody has left hears nothing.
    """
    await mod.slash(world.channel, "settings honours", seasons="here")
    for number in range(1, 6):
        await beaten(world, left(number), world.bob, times=9 - number)
    await beaten(world, left(9), world.bob, game="nineholes")
    await beaten(world, joined(world, "dora"), world.bob, times=2)
    await beaten(world, world.carol, world.bob, times=3)
    await beaten(world, world.alice, world.bob, times=4)
    await pass_days(world, calendar, 31)
    (words,) = await told(world)
    assert "#1 **alice** – 4 won" in words and "#3 **dora** – 2 won" in words
    assert "Tic-tac-toe: **alice**" in words and "gone" not in words and "Nine Holes" not in words
    await beaten(world, left(1), left(2))
    await pass_days(world, calendar, 28)
    assert len(await told(world)) == 1


async def test_equal_members_are_all_named(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """The first three by their ids were named, while all of them had the winner's role.

    Of many, ten are named, and the number of the others is told. A place that doesn't fit on the
    podium isn't on it.
    """
    await mod.slash(world.channel, "settings honours", seasons="here")
    people = [joined(world, f"player {number}") for number in range(1, 13)]
    for one in people[:5]:
        await beaten(world, one, world.bob)
    await pass_days(world, calendar, 31)
    (words,) = await told(world)
    assert words.count("#1 **player") == 5 and "more" not in words
    assert not [c for c in components(world.last) if c.get("items")], "no podium has five winners"
    await beaten(world, world.alice, world.bob, times=2)
    for one in people:
        await beaten(world, one, world.bob)
    await pass_days(world, calendar, 28)
    _, words = await told(world)
    assert "#1 **alice** – 2 won" in words and words.count("#2 **player") == 9
    assert "\n… and 3 more\n" in words
    (gallery,) = [c for c in components(world.last) if c.get("items")]
    assert gallery["items"][0]["description"] == "A podium. #1\u00a0alice, 2 wins"


async def test_the_best_by_rating(world: World, mod: MemberActor, calendar: Calendar) -> None:
    """Equal members are named together, and nobody who has lost as many points as they won."""
    await mod.slash(world.channel, "settings honours", seasons="here")
    for one in (world.alice, world.carol):
        await beaten(world, one, joined(world, "loser"))
    await beaten(world, left(1), world.bob, game="nineholes", times=5)
    await pass_days(world, calendar, 31)
    (words,) = await told(world)
    assert "Best rating in Tic-tac-toe: **carol and alice** – 1078?" in words
    assert "Nine Holes" not in words, "bob has lost every match"


async def test_a_month_without_a_win(world: World, mod: MemberActor, calendar: Calendar) -> None:
    """Nothing is told of it."""
    await mod.slash(world.channel, "settings honours", seasons="here")
    await pass_days(world, calendar, 31)
    assert not world.public()
    assert await world.sql("SELECT season_told FROM guild_settings") == [("2026-01",)]


async def test_a_season_while_discord_does_not_say_who_has_left(
    world: World, mod: MemberActor, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The season isn't told until Discord does: members who had left were told as winners.

    All seasons end at once, so the connection has often sent all that it may.
    """
    await mod.slash(world.channel, "settings honours", seasons="here")
    await beaten(world, left(1), world.bob, times=2)
    await beaten(world, world.alice, world.bob)
    with monkeypatch.context() as full:
        full.setattr(discord.ShardInfo, "is_ws_ratelimited", lambda _: True)
        await pass_days(world, calendar, 31)
        assert await told(world) == []
    await world.env.advance_time(ROUND)
    (words,) = await told(world)
    assert "#1 **alice**" in words and "gone" not in words


@pytest.mark.usefixtures("one_a_round")
async def test_many_servers_take_several_rounds(
    world: World, mod: MemberActor, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round tells a few, so that presses can still ask for members.

    Servers that can't be told now don't count.
    """
    away = ",".join(f"({number}, 1, '2025-12')" for number in range(1, 9))
    insert = "INSERT INTO guild_settings (guild_id, season_channel, season_told) VALUES "
    await world.sql(insert + away)
    await mod.slash(world.channel, "settings honours", seasons="here")
    channels = [world.channel]
    for name in ("second", "third"):
        other = world.env.create_guild(name)
        channels.append(other.create_text_channel("there"))
        await world.sql(f"{insert} ({other.id}, {channels[-1].id}, '2025-12')")
        added = [other.add_member(world.env.create_user(f"{name} {one}")) for one in "ab"]
        await beaten(world, added[0], added[1], other.id)
    await beaten(world, world.alice, world.bob)
    FailingOnce(monkeypatch, IN_CHANNEL, FAULTS["503"])
    await pass_days(world, calendar, 31)
    for ends in (1, 2, 3):
        await world.env.advance_time(ROUND)
        told_in = [
            one for one in channels if one.last_message and "is over" in text(one.last_message)
        ]
        assert len(told_in) == ends


async def test_a_permission_that_comes_back(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """The season is told as soon as the bot may; it was lost."""
    await mod.slash(world.channel, "settings honours", seasons="here")
    await beaten(world, world.alice, world.bob)
    world.deny(world.channel, send_messages=True)
    await pass_days(world, calendar, 31)
    await world.env.advance_time(ROUND)
    assert await told(world) == []
    world.env.backend.delete_overwrite(world.channel.id, world.me.id)
    await world.env.advance_time(ROUND)
    assert len(await told(world)) == 1


async def test_a_channel_in_which_the_bot_may_not_post(world: World, mod: MemberActor) -> None:
    """It is refused with the permissions that the bot lacks there; seasons would end in silence."""
    channel = world.channel_without("send_messages")
    said = refused(await mod.slash(channel, "settings honours", seasons="here"))
    assert said == f"I can't post in <#{channel.id}>: I need *Send Messages* there."
    assert await world.sql("SELECT season_channel FROM guild_settings") == []


async def test_a_channel_in_which_the_bot_may_post_no_more(world: World, mod: MemberActor) -> None:
    """The settings say so; they only had the channel, and the season would end in silence."""
    channel = world.guild.create_text_channel("news")
    chosen = refused(await mod.slash(channel, "settings honours", seasons="here"))
    assert "⚠️" not in chosen
    world.deny(channel, send_messages=True)
    warning = f"⚠️ I can't post in <#{channel.id}>: I need *Send Messages* there."
    for command in ("settings honours", "settings show"):
        assert warning in refused(await mod.slash(world.channel, command))


async def test_a_channel_that_was_deleted(world: World, mod: MemberActor) -> None:
    """The settings don't name it any more; an archived thread, as little known, they do."""
    channel = world.guild.create_text_channel("news")
    await mod.slash(channel, "settings honours", seasons="here")
    world.env.backend.delete_channel(channel.id)
    for command in ("settings honours", "settings show"):
        told = refused(await mod.slash(world.channel, command))
        assert "The end of a season: not announced" in told
    thread = world.thread(world.channel)
    await mod.slash(thread, "settings honours", seasons="here")
    world.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
    await world.env.settle()
    assert world.env.bot.get_channel(thread.id) is None
    told = refused(await mod.slash(world.channel, "settings show"))
    assert f"The end of a season: announced in <#{thread.id}>" in told


@pytest.mark.parametrize(("days", "messages"), [(37, 1), (38, 0)])
async def test_an_end_that_was_missed(
    world: World, mod: MemberActor, calendar: Calendar, days: int, messages: int
) -> None:
    """It is announced a few days late, but not weeks late; an end before the last one never is."""
    await mod.slash(world.channel, "settings honours", seasons="here")
    await beaten(world, world.alice, world.bob)
    await pass_days(world, calendar, days)
    ends = await told(world)
    assert len(ends) == messages
    assert not any("#2" in words for words in ends), "bob hasn't won"


async def test_a_season_that_can_not_be_noted(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """It is announced once, although Discord forgets nonces, as are the other servers' seasons."""
    await mod.slash(world.channel, "settings honours", seasons="here")
    other = world.env.create_guild("other")
    channel = other.create_text_channel("there")
    await world.sql(
        "INSERT INTO guild_settings (guild_id, season_channel, season_told)"
        f" VALUES ({other.id}, {channel.id}, '2025-12')"
    )
    await world.sql(
        "CREATE TRIGGER refusing BEFORE UPDATE OF season_told ON guild_settings"
        f" WHEN NEW.guild_id = {world.guild.id} BEGIN SELECT RAISE(ABORT, 'refused'); END"
    )
    added = [other.add_member(world.env.create_user(name)) for name in ("dora", "emil")]
    dora, emil = (Person(MemberId(who.id), who.name) for who in added)
    await beaten(world, dora, emil, other.id)
    await beaten(world, world.alice, world.bob)
    await pass_days(world, calendar, 31)
    assert "is over" in text(channel.last_message)
    await world.env.advance_time(10 * MINUTE)
    assert len(await told(world)) == 1
    await world.sql("DROP TRIGGER refusing")
    await world.env.advance_time(ROUND)
    assert len(await told(world)) == 1
    assert await world.sql("SELECT DISTINCT season_told FROM guild_settings") == [("2026-01",)]


async def test_a_season_that_ends_in_an_outage(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """It is announced when the server is available again."""
    await mod.slash(world.channel, "settings honours", seasons="here")
    await beaten(world, world.alice, world.bob)
    await begin_outage(world)
    await pass_days(world, calendar, 31)
    assert await told(world) == []
    await end_outage(world)
    await world.env.advance_time(ROUND)
    assert len(await told(world)) == 1


async def test_servers_that_hear_of_no_season(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """A server hears nothing if it has set no channel, set one later, or stopped it."""
    await beaten(world, world.alice, world.bob)
    await pass_days(world, calendar, 31)
    await mod.slash(world.channel, "settings honours", seasons="here")
    await world.env.advance_time(ROUND)
    await beaten(world, world.alice, world.bob)
    stopped = await mod.slash(world.channel, "settings honours", seasons="off")
    assert "The end of a season: not announced" in refused(stopped)
    await pass_days(world, calendar, 28)
    assert await told(world) == []
    answer = await world.alice.slash(world.channel, "settings honours", seasons="here")
    assert "Manage Channels" in refused(answer)


@pytest.mark.parametrize("killed", [True, False])
async def test_a_message_whose_reply_is_lost_before_an_outage(
    world: World,
    mod: MemberActor,
    calendar: Calendar,
    monkeypatch: pytest.MonkeyPatch,
    restart: Restart,
    killed: bool,
) -> None:
    """The channel has it, although Discord has forgotten its nonce: it was told twice."""
    await mod.slash(world.channel, "settings honours", seasons="here")
    await beaten(world, world.alice, world.bob)
    FailingOnce(monkeypatch, IN_CHANNEL, FAULTS["lost"])
    await pass_days(world, calendar, 31)
    with failing(world):
        for method in ("GET", "POST"):
            world.env.inject_error(method, IN_CHANNEL[1], status=503, times=None)
        calendar.ahead += HOUR
        await world.env.advance_time(ROUND)
        assert await world.sql("SELECT season_told FROM guild_settings") == [("2025-12",)]
    if killed:
        await restart()
    await world.env.advance_time(MINUTE)
    assert await world.sql("SELECT season_told FROM guild_settings") == [("2026-01",)]
    assert len(await told(world)) == 1


async def test_a_message_that_fails(
    world: World, mod: MemberActor, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it may have arrived it is sent again, as one message; if it never can, it isn't."""
    await mod.slash(world.channel, "settings honours", seasons="here")
    await beaten(world, world.alice, world.bob)
    FailingOnce(monkeypatch, IN_CHANNEL, FAULTS["lost"])
    await pass_days(world, calendar, 31)
    assert await world.sql("SELECT season_told FROM guild_settings") == [("2025-12",)]
    await world.env.advance_time(ROUND)
    assert len(await told(world)) == 1
    assert await world.sql("SELECT season_told FROM guild_settings") == [("2026-01",)]
    await beaten(world, world.alice, world.bob)
    world.env.inject_error(*IN_CHANNEL, status=403, code=50013, times=1)
    await pass_days(world, calendar, 28)
    await world.env.advance_time(ROUND)
    assert len(await told(world)) == 1
