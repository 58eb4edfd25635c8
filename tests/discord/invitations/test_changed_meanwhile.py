"""What has changed between the refusal in a busy channel and the press that opens a thread."""

import discord
from simcord.actors import MemberActor

from tests.discord.invitations.inviting import offer, table
from tests.discord.invitations.test_in_threads import newest, thread_of
from tests.discord.matches.taking import THREAD
from tests.discord.privacy.own_data import erase
from tests.discord.world import World, answer_to, labels, refused, text


async def accepted(world: World) -> discord.Message:
    """Return the refusal of bob, who accepts alice's challenge where carol plays."""
    challenge = await offer(world, world.alice, world.bob)
    await world.carol.slash(world.channel, "play tictactoe")
    return world.now(answer_to(await world.bob.click(challenge, label="Accept")))


async def refused_thread(world: World, who: MemberActor, refusal: discord.Message) -> str:
    """Let a member press the button; return why no thread is opened."""
    told = refused(await who.click(refusal, label=THREAD))
    assert not world.channel.threads
    return told


async def test_where_no_games_are_played_by_now(world: World, mod: MemberActor) -> None:
    """A challenge isn't accepted there, as in the channel itself."""
    refusal = await accepted(world)
    other = world.guild.create_text_channel("other")
    await mod.slash(world.channel, "settings set", channels=other.mention)
    assert "No games are played" in await refused_thread(world, world.bob, refusal)


async def test_a_challenger_who_has_left_by_now(world: World) -> None:
    """They would lose the match."""
    refusal = await accepted(world)
    world.guild.remove_member(world.alice)
    assert "alice has left this server" in await refused_thread(world, world.bob, refusal)


async def test_a_guest_who_has_left_by_now(world: World) -> None:
    """The next to join takes that seat, and the table waits in its channel for another member."""
    opened = await table(world, game="tribolo")
    await world.bob.click(opened, label="Join")
    await world.carol.slash(world.channel, "play tictactoe")
    dave = world.guild.add_member(world.env.create_user("dave"))
    refusal = answer_to(await dave.click(opened, label="Join"))
    world.guild.remove_member(world.bob)
    await dave.click(refusal, label=THREAD)
    assert not world.channel.threads
    assert "🔵 **alice**\n🔺 **dave**\n💚 *free seat*" in text(world.last)


async def test_a_challenge_that_was_withdrawn(world: World) -> None:
    """Nobody waits for its answer any more."""
    refusal = await accepted(world)
    await world.alice.slash(world.channel, "answer", answer="withdraw")
    assert "answered" in await refused_thread(world, world.bob, refusal)


async def test_a_rematch_of_a_member_who_was_erased(world: World) -> None:
    """Nobody knows any more who it was."""
    final = await world.played()
    await world.carol.slash(world.channel, "play tictactoe")
    refusal = world.now(answer_to(await world.bob.click(final, label="Rematch")))
    assert labels(refusal) == [THREAD]
    await erase(world, world.alice)
    assert "deleted" in await refused_thread(world, world.bob, refusal)


async def test_a_rematch_keeps_its_clock(world: World, mod: MemberActor) -> None:
    """The server's clock is for new matches."""
    final = await world.played(clock=0)
    await mod.slash(world.channel, "settings set", clock=3600)
    await world.carol.slash(world.channel, "play tictactoe")
    refusal = answer_to(await world.bob.click(final, label="Rematch"))
    await world.bob.click(refusal, label=THREAD)
    assert "no limit" in text(newest(thread_of(world)))
