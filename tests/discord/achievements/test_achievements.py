"""Achievements as members see them: earned once, and announced if a server wants that."""

import asyncio

import pytest
from simcord.actors import MemberActor

from bot.achievements.rules import Achievement
from bot.gateway import loops
from tests.conftest import Calendar
from tests.discord.calls import IN_CHANNEL
from tests.discord.conftest import Restart
from tests.discord.failing import FAULTS, PUT_OFF_SECONDS, FailingOnce, unreachable
from tests.discord.matches.passing import pass_time
from tests.discord.privacy.own_data import erase
from tests.discord.world import World, mentioned, refused, text

ROUND = 11  # seconds in which ended matches are looked at
FORK = "a1 b1 b2 c3 a3 c1 a2"


async def looked(world: World) -> None:
    """Wait until ended matches have been looked at, which may take a search in a process."""
    await world.env.advance_time(ROUND)
    async with asyncio.timeout(20):
        while await world.sql("SELECT 1 FROM matches WHERE ended_at > 0 AND NOT honoured"):  # noqa: ASYNC110 - of the database
            await asyncio.sleep(0.02)
    await world.env.settle()


async def test_an_achievement_is_earned_once(world: World, restart: Restart) -> None:
    """It stands in /profile and /achievements, and neither a second fork nor a restart adds one.

    A server that sets nothing hears nothing.
    """
    for again in (False, True):
        await world.played(FORK)
        before = world.public()
        if again:
            await restart()
        await looked(world)
        assert world.public() == before
    assert await world.sql("SELECT user_id, achievement, match_id FROM achievements") == [
        (world.alice.id, "fork", 1)
    ]
    assert "🏅 Achievements: Fork" in text(await world.alice.slash(world.channel, "profile"))
    shown = refused(await world.bob.slash(world.channel, "achievements", member=world.alice))
    assert (
        f"of alice** – 1 of {len(Achievement)}" in shown
        and "✅ **Fork** – Win with one move" in shown
    )
    assert "▫️ Comeback" in shown and "· Computer (perfect) – Win against" in shown
    own = refused(await world.bob.slash(world.channel, "achievements"))
    assert f"of bob** – 0 of {len(Achievement)}" in own
    assert "🏅" not in text(await world.bob.slash(world.channel, "profile"))


async def test_a_channel_is_told_if_its_server_wants_that(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """It gets one line for new achievements, which notifies nobody; none for old matches."""
    chosen = await mod.slash(world.channel, "settings honours", achievements="on")
    told = "Achievements: announced in the channel of the match"
    assert told in refused(chosen)
    assert told in refused(await mod.slash(world.channel, "settings show"))
    await world.played(FORK)
    await looked(world)
    assert text(world.last) == (
        "🏅 **alice** has earned an achievement: **Fork**"
        " – Win with one move that makes two threats at once"
    )
    assert not mentioned(world.last, world.env)
    await world.sql("DELETE FROM achievements")
    await world.sql("UPDATE matches SET honoured = false")
    before = world.public()
    await pass_time(world, calendar, 2 * 3600)
    await looked(world)
    assert world.public() == before
    assert len(await world.sql("SELECT * FROM achievements")) == 1


async def test_a_message_that_may_have_arrived(
    world: World, mod: MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is sent again as one message."""
    await mod.slash(world.channel, "settings honours", achievements="on")
    await world.played(FORK)
    FailingOnce(monkeypatch, IN_CHANNEL, FAULTS["lost"])
    await looked(world)
    told = world.public()
    assert "has earned an achievement" in text(world.last)
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert world.public() == told


async def test_moves_that_were_taken_back_bring_nothing(world: World) -> None:
    """A match in which a move was taken back doesn't count."""
    await world.played("c3")
    await world.alice.click(world.last, label="Undo")
    await world.bob.click(world.last, label="Agree")
    await world.play(FORK)
    await looked(world)
    assert await world.sql("SELECT * FROM achievements") == []


async def test_erased_members_earn_nothing(world: World) -> None:
    """If its winner was erased before a match is looked at, nothing is stored."""
    await world.played(FORK)
    await erase(world)
    await looked(world)
    assert await world.sql("SELECT * FROM achievements") == []


async def test_an_erased_member_is_not_told_of(world: World, mod: MemberActor) -> None:
    """A member who erases their data before the message arrives isn't named by it."""
    await mod.slash(world.channel, "settings honours", achievements="on")
    await world.played(FORK)
    with unreachable(world):
        await looked(world)
    await erase(world)
    before = world.public()
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert world.public() == before


async def test_a_comeback_is_found_by_searching(world: World) -> None:
    """It is a match that the winner had lost once, as the engine proves; the loser gets nothing."""
    await world.played("b1 a1 b3 b2 a3 c1 c3")
    await looked(world)
    assert await world.sql("SELECT user_id, achievement FROM achievements") == [
        (world.alice.id, "comeback")
    ]


async def test_a_round_that_takes_long(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves the remaining matches to the next round."""
    for _ in range(3):
        await world.played(FORK)
    left = "SELECT count(*) FROM matches WHERE NOT honoured"
    with monkeypatch.context() as without_time:
        without_time.setattr(loops, "LONGEST_WORK_SECONDS", -1)
        await world.env.advance_time(10)
        assert await world.sql(left) == [(3,)]
    await world.env.advance_time(10)
    assert await world.sql(left) == [(0,)]


async def test_matches_whose_achievements_fail(world: World, mod: MemberActor) -> None:
    """They don't hold up others; here a later version has written a row of the server."""
    await mod.slash(world.channel, "settings honours", achievements="on")
    for _ in range(2):
        await world.played(FORK)
    await world.sql(
        "INSERT INTO honour_roles (guild_id, role_id, rating, trouble)"
        f" VALUES ({world.guild.id}, 1, NULL, 'unheard of')"
    )
    await looked(world)
    assert await world.sql("SELECT user_id, match_id FROM achievements") == [(world.alice.id, 1)]


async def test_a_match_that_cannot_be_marked(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says so without the names of its players."""
    await world.played(FORK)
    await world.sql(
        "CREATE TRIGGER broken BEFORE UPDATE OF honoured ON matches"
        " BEGIN SELECT RAISE(ABORT, 'broken'); END"
    )
    await world.env.advance_time(ROUND)
    assert "looking for achievements failed at" in caplog.text
    assert "alice" not in caplog.text


async def test_a_win_by_a_hint_brings_no_achievements(world: World) -> None:
    """The match is looked at once, and not again."""
    await world.played(FORK.removesuffix(" a2"))
    await world.sql("UPDATE matches SET hinted = true")
    await world.press(world.alice, "a2")
    await looked(world)
    assert await world.sql("SELECT honoured FROM matches") == [(1,)]
    assert await world.sql("SELECT * FROM achievements") == []
