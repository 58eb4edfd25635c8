"""A season's end: told once, late after an outage, and never for one before the last."""

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from bot.honours import seasons
from bot.identity import MemberId, Person
from bot.times import DAY
from tests.conftest import Calendar
from tests.discord.calls import IN_CHANNEL
from tests.discord.conftest import Restart
from tests.discord.failing import FAULTS, FailingOnce
from tests.discord.leaderboard.standings import beaten
from tests.discord.matches.passing import MINUTE, begin_outage, end_outage
from tests.discord.world import World, components, mentioned, refused, text

ROUND = 11  # seconds in which seasons are looked at


@pytest.fixture(autouse=True)
def quick_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at seasons every ten seconds, since it takes long to simulate the usual minute."""
    monkeypatch.setattr(seasons, "_EVERY_SECONDS", 10.0)


async def pass_days(world: World, calendar: Calendar, days: int) -> None:
    """Set the calendar forward and let a round run. The first day of a test is 1 January 2026."""
    calendar.ahead += days * DAY
    await world.env.advance_time(ROUND)


async def told(world: World) -> list[str]:
    """Return the messages that told of a season's end."""
    return [words for _, words, _ in world.public() if "is over" in words]


async def test_the_end_of_a_season_is_told_once(
    world: World, mod: MemberActor, calendar: Calendar, restart: Restart
) -> None:
    """A card names the first three by wins, and the best rating; no hour or kill brings another.

    Members who have left aren't among them.
    """
    gone = Person(MemberId(1), "gone")
    chosen = await mod.slash(world.channel, "settings honours", seasons="here")
    assert f"The end of a season: announced in <#{world.channel.id}>" in refused(chosen)
    await beaten(world, gone, world.bob, times=4)
    await beaten(world, world.alice, world.bob, times=3)
    await beaten(world, world.bob, world.alice, times=2)
    assert await told(world) == []
    await pass_days(world, calendar, 31)
    (words,) = await told(world)
    assert "🏆 **Season 2026-01 is over**" in words
    assert "#1 **alice** – 3 won · 0 drawn · 2 lost\n#2 **bob** – 2 won" in words
    assert "Best rating in Tic-tac-toe: **alice**" in words and "gone" not in words
    assert not mentioned(world.last, world.env)
    (gallery,) = [c for c in components(world.last) if c.get("items")]
    described = "A podium. #1\u00a0alice, 3 wins. #2\u00a0bob, 2 wins"
    assert gallery["items"][0]["description"] == described
    await world.env.advance_time(ROUND)
    await restart()
    await pass_days(world, calendar, 1)
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
    denied = discord.Permissions(send_messages=True).value
    overwrite = Overwrite(world.me.id, OverwriteType.MEMBER, deny=denied)
    world.env.backend.set_overwrite(channel.id, overwrite)
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
