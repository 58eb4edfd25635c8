"""A name may be any text: it never formats or mentions."""

import discord

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


async def test_names_have_no_power(world: World) -> None:
    """No name formats or mentions in a challenge, on a board, in a question or in a result.

    Those messages only mention members who must act.
    """
    for number, name in enumerate(HOSTILE):
        mallory = world.guild.add_member(world.env.create_user(f"mallory{number}"), nick=name)
        challenge = await offer(world, mallory, world.bob)
        assert_harmless(world, challenge, name)
        assert mentioned(challenge, world.env) == [world.bob.id], name
        await world.bob.click(challenge, label="Decline")
        assert_harmless(world, challenge, name)
        assert not mentioned(challenge, world.env), name
        again = await offer(world, mallory, world.bob, first="opponent")
        await world.bob.click(again, label="Accept")
        board = world.last
        assert_harmless(world, board, name)
        await mallory.slash(world.channel, "draw")
        assert_harmless(world, world.last, name)
        assert mentioned(world.last, world.env) == [world.bob.id], name
        await world.press(world.bob, "b2", board)
        assert_harmless(world, world.last, name)
        assert mentioned(world.last, world.env) == [mallory.id], name
        await world.resign(mallory)
        assert "resigned" in text(world.last)
        assert_harmless(world, world.last, name)
        assert mentioned(world.last, world.env) == [], name


async def test_a_name_that_nobody_can_see(world: World) -> None:
    """The username replaces it in challenges, on boards and in refusals."""
    for number, name in enumerate(("\u3164", "\u200b\u200d", "\u2800 \uffa0", "\u0301\u0302")):
        said = f"**mallory{number}**"
        mallory = world.guild.add_member(world.env.create_user(f"mallory{number}"), nick=name)
        challenge = await offer(world, mallory, world.bob)
        assert said in text(challenge)
        await world.bob.click(challenge, label="Accept")
        assert said in text(world.last)
        assert said in refused(await mallory.slash(world.channel, "play tribolo"))
        await world.resign(mallory)


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
