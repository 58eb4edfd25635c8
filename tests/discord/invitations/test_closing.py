"""A closed challenge or table loses its buttons, whatever happens after its end."""

from functools import partial

import pytest

from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, IN_CHANNEL, on_its_way
from tests.discord.failing import meanwhile
from tests.discord.invitations.inviting import offer, table
from tests.discord.killing import Killer
from tests.discord.matches.passing import MINUTE, ROUND
from tests.discord.world import World, labels, refused, text

LAPSED = 15 * MINUTE


async def test_a_table_that_closes_before_a_join_is_shown(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its end was shown and noted by then, but the message that shows who has joined came later."""
    opened = await table(world, game="tribolo")
    meanwhile(monkeypatch, lambda: world.begin(world.alice, opened, "c:1:withdraw"))
    await world.bob.click(opened, label="Join")
    await world.env.settle()
    assert not labels(world.now(opened))


async def test_accepted_at_a_kill(world: World, killer: Killer) -> None:
    """The next start shows the match, and another press removes the challenge."""
    challenge = await offer(world, world.alice, world.bob)
    world.env.inject_error(*CALLBACK)
    async with killer.killing(IN_CHANNEL):
        await world.bob.click(challenge, label="Accept")
    assert world.channel.history() == [world.now(challenge), *world.boards()]
    assert "has started" in refused(await world.bob.click(challenge, label="Accept"))
    await world.env.settle()
    assert world.channel.history() == world.boards()


async def test_accepted_while_discord_fails(world: World) -> None:
    """The board comes later, and then the challenge is removed."""
    challenge = await offer(world, world.alice, world.bob)
    world.env.inject_error(*CALLBACK, status=404, code=10062)
    world.env.inject_error(*IN_CHANNEL, status=500, times=None)
    await world.bob.click(challenge, label="Accept")
    assert len(world.channel.history()) == 1
    world.env.backend.faults.clear()
    await world.env.advance_time(MINUTE)
    (board,) = world.channel.history()
    assert [board.id] == [message.id for message in world.boards()] != [challenge.id]
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_a_challenge_called_off_while_it_was_posted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its message wasn't known when a moderator closed it, and is edited as soon as it is."""
    closing = "UPDATE invitations SET status = 'called_off', revision = revision + 1"
    on_its_way(monkeypatch, CALLBACK, after=partial(world.sql, closing))
    challenge = await offer(world, world.alice, world.bob)
    assert "moderator closed this invitation" in text(world.now(challenge))


async def test_a_message_that_nobody_knew(world: World, calendar: Calendar) -> None:
    """If the bot was killed just after the message arrived, the first press edits it."""
    challenge = await offer(world, world.alice, world.bob)
    await world.sql("UPDATE invitations SET message_id = NULL")
    calendar.ahead = LAPSED
    await world.env.advance_time(ROUND)
    assert labels(world.now(challenge))
    assert "has expired" in refused(await world.bob.click(challenge, label="Accept"))
    assert "has expired" in text(world.now(challenge)) and not labels(world.now(challenge))
