"""Members who can't be challenged, and the limit on open challenges."""

import asyncio

import discord
import pytest
from simcord.enums import ChannelType
from simcord.results import InteractionResult

from tests.discord.invitations.inviting import BUTTONS, offer
from tests.discord.world import World, labels, mentioned, refused
from tests.fuzzing.timers import simulate_all_time


async def test_another_bot_cannot_be_challenged(world: World) -> None:
    """Another bot can't answer, so it can't be challenged and can't block a channel."""
    robot = world.guild.add_member(world.env.create_user("robot", bot=True))
    result = await world.alice.slash(world.channel, "play tictactoe", against=robot)
    assert "robot is a bot" in refused(result)
    await world.challenge()
    assert len(world.boards()) == 1


async def test_a_member_who_cannot_see_the_channel(world: World) -> None:
    """A permission overwrite hides the channel from bob, so he can't be challenged there."""
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = world.guild.create_text_channel("secret", overwrites={world.bob: hidden})
    result = await world.alice.slash(secret, "play tictactoe", against=world.bob)
    assert "bob can't see this channel" in refused(result)
    challenge = await offer(world, world.alice, world.carol, secret)
    assert labels(challenge) == BUTTONS


async def test_a_member_who_cannot_read_the_chat_of_a_voice_channel(world: World) -> None:
    """Without Connect its messages are hidden, as Discord documents, so bob can't be challenged."""
    voice = world.guild.create_voice_channel("voice")
    world.deny(voice, world.bob, connect=True)
    result = await world.alice.slash(voice, "play tictactoe", against=world.bob)
    assert "bob can't see this channel" in refused(result)
    assert labels(await offer(world, world.alice, world.carol, voice)) == BUTTONS


async def test_a_member_of_whom_discord_tells_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The challenger is told after ten seconds, which is what the budget of requests allows."""
    simulate_all_time(monkeypatch)

    async def never(*_: object) -> None:
        await asyncio.sleep(3600)

    monkeypatch.setattr(discord.Guild, "fetch_member", never)
    asked = await world.made_up(f"b:challenge:{world.bob.id}")
    pressed = world.begin(world.alice, asked, f"b:challenge:{world.bob.id}")
    await world.env.advance_time(12)
    assert "Something went wrong" in refused(pressed)


async def test_a_channel_for_one_role(world: World) -> None:
    """In a channel hidden from all but one role, only its members can be challenged."""
    role = world.guild.create_role("players")
    secret = world.channel_for(role)
    dave, erin = (
        world.guild.add_member(world.env.create_user(name), roles=[role])
        for name in ("dave", "erin")
    )
    assert "can't see" in refused(await dave.slash(secret, "play tictactoe", against=world.bob))
    assert labels(await offer(world, dave, erin, secret)) == BUTTONS


async def test_a_thread_of_a_hidden_channel(world: World) -> None:
    """A thread is as visible as its parent, and so are its challenges."""
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = world.guild.create_text_channel("secret", overwrites={world.bob: hidden})
    for kind in (ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD):
        thread = world.thread(secret, kind)
        result = await world.alice.slash(thread, "play tictactoe", against=world.bob)
        assert "bob can't see this channel" in refused(result), kind


async def test_a_private_thread_of_an_open_channel(world: World) -> None:
    """The mention adds the opponent to the thread, so the challenge stands."""
    thread = world.thread(world.channel, ChannelType.PRIVATE_THREAD)
    challenge = await offer(world, world.alice, world.bob, thread)
    assert mentioned(challenge, world.env) == [world.bob.id]


async def test_a_user_from_another_server(world: World) -> None:
    """A command can name a user of another server; the refusal says why they can't play."""
    stranger = world.env.create_user("stranger")
    result = await world.alice.slash(world.channel, "play tictactoe", against=stranger)
    assert "stranger can't see this channel" in refused(result)


async def test_a_level_without_the_computer(world: World) -> None:
    """A level is refused where only members play, and counts where the computer fills a seat."""

    async def play(game: str, **options: object) -> InteractionResult:
        return await world.alice.slash(world.channel, f"play {game}", **options)

    for given in ({"game": "tictactoe"}, {"game": "tribolo", "third": world.carol}):
        told = refused(await play(**given, against=world.bob, level="hard"))
        assert "no seat is left for the computer" in told and "Leave `level` out" in told
    assert not world.channel.history()
    await play("tribolo", against=world.bob, level="hard")
    assert labels(world.last) == BUTTONS


# --- one open challenge per channel


async def test_a_second_open_challenge(world: World) -> None:
    """It is refused with the name of the first and a link to it; the first stays open."""
    challenge = await offer(world, world.alice, world.bob)
    for opponent in (world.bob, world.carol):
        told = refused(await world.alice.slash(world.channel, "play nineholes", against=opponent))
        assert "open challenge to bob" in told and challenge.jump_url in told
    assert labels(world.now(challenge)) == BUTTONS
