"""Challenges and open tables lapse after their time, even across a restart, and not earlier."""

from typing import Any

import pytest

from bot.invitations.store import InvitationStore
from bot.settings import Settings
from bot.shards import Shards
from tests.conftest import Calendar
from tests.discord.archiving import archive, reopen
from tests.discord.conftest import Restart
from tests.discord.failing import PUT_OFF_SECONDS, fail_to_note
from tests.discord.invitations.inviting import BUTTONS, offer, table
from tests.discord.matches.passing import MINUTE, ROUND
from tests.discord.program.away import only_reading
from tests.discord.world import World, button, labels, mentioned, refused, text

FIFTEEN_MINUTES = 15 * MINUTE


async def test_a_challenge_lapses_after_fifteen_minutes(world: World, calendar: Calendar) -> None:
    """After fifteen minutes the message says so, loses its buttons and mentions nobody.

    A press just before they were removed is refused with the way to a new challenge.
    """
    challenge = await offer(world, world.alice, world.bob)
    calendar.ahead = FIFTEEN_MINUTES - 10
    await world.env.advance_time(ROUND)
    assert labels(world.now(challenge)) == BUTTONS
    await world.env.advance_time(2 * ROUND)
    lapsed = world.now(challenge)
    assert "**alice**'s challenge to **bob** has expired" in text(lapsed)
    assert not labels(lapsed)
    assert not mentioned(lapsed, world.env)
    late = await world.late(world.bob, challenge, button(challenge, "accept"))
    assert "has expired.\n`/play` offers a new one" in refused(late)
    assert not world.boards()


async def test_an_open_table_lapses_after_fifteen_minutes(world: World, calendar: Calendar) -> None:
    """A table with a joined member lapses too, and its owner may open another."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    calendar.ahead = FIFTEEN_MINUTES - 10
    await world.env.advance_time(ROUND)
    assert labels(world.now(opened)) == ["Join", "Leave", "Start", "Close", "Rules"]
    await world.env.advance_time(2 * ROUND)
    lapsed = world.now(opened)
    assert "**alice**'s table has expired: Tribolo" in text(lapsed)
    assert "`/play` with `open` opens a new one" in text(lapsed)
    assert not labels(lapsed)
    assert not mentioned(lapsed, world.env)
    late = await world.late(world.carol, opened, button(opened, "join"))
    assert "That table has expired.\n`/play` with `open`" in refused(late)
    assert labels(await table(world, game="tribolo")) == [
        "Join",
        "Leave",
        "Start",
        "Close",
        "Rules",
    ]


async def test_a_challenge_whose_message_could_not_be_noted(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database has failed just then; the message is noted later, and so loses its buttons."""
    fail_to_note(world, monkeypatch)
    command = await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    await only_reading(world, "OFF")
    assert "My database isn't answering" in refused(command)
    challenge = world.last
    assert labels(challenge) == BUTTONS
    await world.env.advance_time(PUT_OFF_SECONDS)
    calendar.ahead = FIFTEEN_MINUTES - PUT_OFF_SECONDS - 10
    await world.env.advance_time(3 * ROUND)
    assert "has expired" in text(world.now(challenge)) and not labels(world.now(challenge))


async def test_the_lifetime_is_a_setting(world: World, restart: Restart) -> None:
    """With CHALLENGE_MINUTES=1 a challenge lapses after one minute."""
    await restart(Settings.model_construct(challenge_minutes=1, shards=Shards.ALL))
    challenge = await offer(world, world.alice, world.bob)
    await world.env.advance_time(MINUTE - 10)
    assert labels(world.now(challenge)) == BUTTONS
    await world.env.advance_time(20)
    assert not labels(world.now(challenge))


async def test_a_challenge_keeps_its_lifetime(
    world: World, restart: Restart, calendar: Calendar
) -> None:
    """A changed setting applies to new challenges only; the time in a message stands."""
    challenge = await offer(world, world.alice, world.bob)
    await restart(Settings.model_construct(challenge_minutes=1, shards=Shards.ALL))
    calendar.ahead = 5 * MINUTE
    await world.env.advance_time(ROUND)
    await world.bob.click(challenge, label="Accept")
    assert len(world.boards()) == 1


async def test_a_challenge_lapses_although_the_reply_to_the_commit_is_lost(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its message is shown without buttons, as after any other end."""
    challenge = await offer(world, world.alice, world.bob)
    change = InvitationStore.change

    async def change_unheard(*given: Any) -> None:
        await change(*given)
        raise TimeoutError

    monkeypatch.setattr(InvitationStore, "change", change_unheard)
    calendar.ahead = FIFTEEN_MINUTES
    await world.env.advance_time(2 * ROUND)
    assert not labels(world.now(challenge))


# --- times in which nobody can answer


async def test_a_challenge_is_accepted_after_an_outage(world: World, calendar: Calendar) -> None:
    """A challenge doesn't lapse while its server is down, when nobody can accept it."""
    challenge = await offer(world, world.alice, world.bob)
    world.env.bot.dispatch("shard_disconnect", 0)
    calendar.ahead = 2 * FIFTEEN_MINUTES
    await world.env.advance_time(2 * ROUND)
    world.env.bot.dispatch("shard_resumed", 0)
    await world.bob.click(challenge, label="Accept")
    assert len(world.boards()) == 1
    await world.env.advance_time(2 * ROUND)
    assert len(world.boards()) == 1


async def test_a_challenge_in_a_thread_that_was_archived(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It lapses, but its message can't be changed; the next press takes the buttons off."""
    thread = world.thread(world.channel)
    challenge = await offer(world, world.alice, world.bob, thread)
    await archive(world, monkeypatch, thread)
    calendar.ahead = FIFTEEN_MINUTES
    await world.env.advance_time(2 * ROUND)
    assert labels(world.now(challenge)) == BUTTONS
    reopen(world, thread)
    late = await world.bob.click(challenge, label="Accept")
    assert "has expired" in refused(late)
    assert "has expired" in text(world.now(challenge)) and not labels(world.now(challenge))
