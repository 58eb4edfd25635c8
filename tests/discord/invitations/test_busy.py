"""What the refusal in a busy channel tells of the invitations there."""

import re

import discord
import pytest
from simcord.actors import MemberActor

from bot.times import MINUTE
from tests.conftest import Calendar
from tests.discord.invitations.inviting import offer
from tests.discord.servers.moderating import change
from tests.discord.world import World, answer_to, labels, refused, text


@pytest.fixture
async def challenge(world: World) -> discord.Message:
    """A challenge of alice to bob in a channel where carol plays by now."""
    made = await offer(world, world.alice, world.bob)
    await world.carol.slash(world.channel, "play tictactoe")
    return made


async def test_a_challenge_to_the_asker(world: World, challenge: discord.Message) -> None:
    """A member who asks for a match reads that one waits for their answer, and where."""
    told = refused(await world.bob.slash(world.channel, "play nineholes"))
    assert "already being played in this channel" in told
    _, waiting = told.split("**Challenges waiting for your answer**")
    assert "**alice**" in waiting and "Tic-tac-toe" in waiting and str(challenge.id) in waiting


async def test_a_challenge_of_the_asker(world: World, challenge: discord.Message) -> None:
    """A member who has challenged somebody there reads that it waits for the other."""
    told = refused(await world.alice.slash(world.channel, "play nineholes"))
    _, waiting = told.split("**Waiting for other players**")
    assert "**bob**" in waiting and str(challenge.id) in waiting


async def test_challenges_of_others(world: World, challenge: discord.Message) -> None:
    """They aren't named, nor are those of other channels."""
    dave = world.guild.add_member(world.env.create_user("dave"))
    told = refused(await dave.slash(world.channel, "play nineholes"))
    assert "alice" not in told and str(challenge.id) not in told
    other = world.guild.create_text_channel("other")
    await dave.slash(other, "play tictactoe")
    told = refused(await world.bob.slash(other, "play nineholes"))
    assert "already being played" in told and "alice" not in told


async def test_by_buttons(world: World, challenge: discord.Message) -> None:
    """Who asks by a button is told, too, also if they have no way to another match here."""
    world.deny(world.channel, world.bob, create_public_threads=True)
    asked = answer_to(await world.bob.slash(world.channel, "help"))
    refusal = answer_to(await world.bob.click(asked, label="Play the computer"))
    assert str(challenge.id) in text(refusal) and not labels(refusal)


async def test_what_waits_comes_last(world: World, mod: MemberActor, calendar: Calendar) -> None:
    """The offer to take over the channel speaks of "this match", which is none of those."""
    await change(world, mod, challenge_minutes=60)
    await offer(world, world.alice, world.bob)
    await world.carol.slash(world.channel, "play tictactoe")
    calendar.ahead += 31 * MINUTE
    told = refused(await world.bob.slash(world.channel, "play nineholes"))
    _, offered, waiting = re.split("(?=this match|Challenges waiting)", told)
    assert "take over the channel" in offered and "**alice**" in waiting
