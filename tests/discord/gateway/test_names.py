"""A name may be any text: it never formats or mentions."""

import discord
import pytest

from tests.discord.invitations.inviting import offer
from tests.discord.world import World, mentioned, refused, text

HOSTILE = [
    "@everyone",
    "@here **loud**",
    "<@&111111111111111111>",
    "<@222222222222222222>",
    "||`[x](https://evil.example)`||",
    "# _big_ ~~gone~~ \\*",
    "<t:0:R> </play:1> <:x:1>",
    "https://evil.example/_a_",
]


@pytest.mark.parametrize("name", HOSTILE)
async def test_names_have_no_power(world: World, name: str) -> None:
    """Whatever the names, a challenge mentions the opponent alone and shows no formatting."""
    mallory = world.guild.add_member(world.env.create_user("mallory"), nick=name)
    challenge = await offer(world, mallory, world.bob)
    assert mentioned(challenge, world.env) == [world.bob.id]
    assert_harmless(world, challenge, name)
    await world.bob.click(challenge, label="Decline")
    assert_harmless(world, challenge, name)
    assert not mentioned(challenge, world.env)


@pytest.mark.parametrize("name", HOSTILE)
async def test_names_have_no_power_on_a_board(world: World, name: str) -> None:
    """The same holds on boards, questions and results, which mention those alone who must act."""
    mallory = world.guild.add_member(world.env.create_user("mallory"), nick=name)
    await mallory.slash(world.channel, "play tictactoe", against=world.bob, first="opponent")
    await world.bob.click(world.last, label="Accept")
    board = world.last
    assert_harmless(world, board, name)
    await mallory.slash(world.channel, "draw")
    assert_harmless(world, world.last, name)
    assert mentioned(world.last, world.env) == [world.bob.id]
    await world.press(world.bob, "b2", board)
    assert_harmless(world, world.last, name)
    assert mentioned(world.last, world.env) == [mallory.id]
    await world.resign(mallory)
    assert "resigned" in text(world.last)
    assert_harmless(world, world.last, name)
    assert mentioned(world.last, world.env) == []


@pytest.mark.parametrize("name", ["\u3164", "\u200b\u200d", "\u2800 \uffa0", "\u0301\u0302"])
async def test_a_name_that_nobody_can_see(world: World, name: str) -> None:
    """The username stands for it, in challenges, on boards and on the leaderboard."""
    mallory = world.guild.add_member(world.env.create_user("mallory"), nick=name)
    challenge = await offer(world, mallory, world.bob)
    assert "**mallory**" in text(challenge)
    await world.bob.click(challenge, label="Accept")
    assert "**mallory**" in text(world.last)
    refusal = refused(await mallory.slash(world.channel, "play tribolo"))
    assert "**mallory**" in refusal


async def test_a_refusal_escapes_names(world: World) -> None:
    """A refusal that names a member escapes the name."""
    mallory = world.guild.add_member(world.env.create_user("mallory"), nick="**@everyone**")
    challenge = await offer(world, world.alice, mallory)
    answer = refused(await world.bob.click(challenge, label="Accept"))
    assert r"\*\*@" in answer and "@everyone" not in answer


def assert_harmless(world: World, message: discord.Message, name: str) -> None:
    stored = world.env.backend.get_message(message.channel.id, message.id)
    assert not stored.mention_everyone
    assert not stored.mention_role_ids
    shown = text(world.now(message))
    assert name not in shown
    for opening in ("**loud", "<t:0", "</play", "<:x", "[x](", "https://", "@everyone", "@here"):
        assert opening not in shown.replace(f"\\{opening}", "")
