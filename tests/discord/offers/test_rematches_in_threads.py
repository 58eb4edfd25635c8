"""Rematches that begin in threads, since another match holds the channel."""

import asyncio

import discord
import pytest
from simcord.actors import MemberActor

from tests.discord.calls import THREAD as NEW_THREAD
from tests.discord.calls import on_its_way
from tests.discord.conftest import Restart
from tests.discord.invitations.test_in_threads import newest, thread_of
from tests.discord.matches.taking import THREAD
from tests.discord.matches.three import three
from tests.discord.offers.agreeing import ask
from tests.discord.servers.moderating import change
from tests.discord.world import LOOKING, World, answer_to, ids, labels, mentioned, refused, text


async def asked(world: World) -> tuple[discord.Message, discord.Message]:
    """Let alice ask for a rematch before carol plays here; return the final board, the question."""
    final = await world.played()
    question = await ask(world, world.alice, "Rematch", by_button=True)
    await world.carol.slash(world.channel, "play tictactoe")
    return final, question


async def refusal_of(world: World) -> discord.Message:
    """Return the refusal of bob's agreement."""
    _, question = await asked(world)
    return world.now(answer_to(await world.bob.click(question, label="Agree")))


@pytest.mark.parametrize("by", ["question", "button", "command"])
async def test_both_want_it(world: World, by: str) -> None:
    """The match begins at once, as the next one of its series, and the question is removed."""
    final, question = await asked(world)
    if by == "command":
        refusal = answer_to(await world.bob.slash(world.channel, "rematch"))
    else:
        pressed, label = (question, "Agree") if by == "question" else (final, "Rematch")
        refusal = answer_to(await world.bob.click(pressed, label=label))
    await world.bob.click(refusal, label=THREAD)
    board = newest(thread_of(world))
    assert "❌ **bob** vs 🔵 **alice**" in text(board) and mentioned(board, world.env) == []
    assert f"<#{thread_of(world).id}>" in text(world.now(refusal))
    assert question.id not in [message.id for message in world.channel.history()]
    assert labels(world.now(final)) == LOOKING
    for who, move in zip([world.bob, world.alice] * 3, "b2 a1 b1 a2 b3".split(), strict=False):
        await who.slash(thread_of(world), "move", where=move)
    assert "Series: **bob** 1 – **alice** 1" in text(newest(thread_of(world)))


async def test_a_challenge_after_a_match_without_a_result(world: World, mod: MemberActor) -> None:
    """Everybody keeps their seat there, as in a rematch in the channel."""
    await world.challenge()
    await mod.slash(world.channel, "endgame")
    await world.carol.slash(world.channel, "play tictactoe")
    refusal = answer_to(await world.bob.slash(world.channel, "rematch"))
    await world.bob.click(refusal, label=THREAD)
    await world.alice.click(newest(thread_of(world)), label="Accept")
    assert "❌ **alice** vs 🔵 **bob**" in text(newest(thread_of(world)))


async def test_declined_by_command(world: World) -> None:
    """`/rematch` finds what is asked, although others hold the channel."""
    _, question = await asked(world)
    await world.bob.slash(world.channel, "rematch", decline=True)
    assert "**bob** doesn't want a rematch" in text(world.last)
    assert question.id not in [message.id for message in world.channel.history()]


async def test_agreed_by_a_player_of_the_computer(world: World) -> None:
    """Their match makes way, as for *Agree*; without a question the command means that match."""
    await world.played()
    await world.alice.slash(world.channel, "play tictactoe")
    refused_to = refused(await world.alice.slash(world.channel, "rematch"))
    assert "isn't over" in refused_to
    await world.bob.slash(world.channel, "rematch")
    await world.alice.slash(world.channel, "rematch")
    assert "❌ **bob** vs 🔵 **alice**" in text(world.last)


async def test_whoever_agrees_needs_no_role(world: World, mod: MemberActor) -> None:
    """As in a free channel."""
    refusal = await refusal_of(world)
    role = world.guild.create_role("regulars")
    await change(world, mod, role=role)
    await world.bob.click(refusal, label=THREAD)
    assert "❌ **bob** vs 🔵 **alice**" in text(newest(thread_of(world)))


async def test_taken_back_meanwhile(world: World) -> None:
    """Then the other player is asked again, in the thread."""
    _, question = await asked(world)
    refusal = answer_to(await world.bob.click(question, label="Agree"))
    await world.alice.click(question, label="Decline")
    await world.bob.click(refusal, label=THREAD)
    assert mentioned(newest(thread_of(world)), world.env) == [world.alice.id]


async def test_taken_back_while_the_thread_is_opened(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No match begins in the thread, since only one player wants it."""
    _, question = await asked(world)
    refusal = answer_to(await world.bob.click(question, label="Agree"))
    (decline,) = (one for one in ids(question) if one.endswith(":decline"))

    async def take_back() -> None:
        world.begin(world.alice, question, decline)
        await asyncio.sleep(1)

    on_its_way(monkeypatch, NEW_THREAD, before=take_back)
    assert "no longer stands" in refused(await world.bob.click(refusal, label=THREAD))
    assert len(await world.sql("SELECT id FROM matches")) == 2


async def challenged(world: World) -> tuple[discord.Message, discord.Message]:
    """Let alice and bob want to play a match of three again; return the question, the challenge."""
    await three(world)
    for who in (world.alice, world.bob):
        await world.resign(who)
    await world.alice.slash(world.channel, "rematch")
    question = world.last
    dave = world.guild.add_member(world.env.create_user("dave"))
    await dave.slash(world.channel, "play tictactoe")
    refusal = answer_to(await world.bob.click(question, label="Agree"))
    await world.bob.click(refusal, label=THREAD)
    return question, newest(thread_of(world))


async def test_one_of_three_has_still_to_agree(world: World) -> None:
    """A member who presses challenges both others to it, also the one who asked before."""
    _, challenge = await challenged(world)
    assert {*mentioned(challenge, world.env)} == {world.alice.id, world.carol.id}
    for who in (world.alice, world.carol):
        await who.click(world.now(challenge), label="Accept")
    assert "Tribolo" in text(newest(thread_of(world)))


async def test_what_the_challenge_takes_over_is_no_longer_asked(world: World) -> None:
    """The question loses its buttons, so that no second match begins by it."""
    question, challenge = await challenged(world)
    assert "no longer stands" in text(world.now(question)) and not labels(world.now(question))
    await world.alice.click(challenge, label="Decline")
    assert not labels(world.now(challenge))
    assert len(await world.sql("SELECT id FROM matches")) == 2


async def test_a_doubled_press(world: World) -> None:
    """It begins one match, and both presses are told where."""
    refusal = await refusal_of(world)
    press = (world.bob, refusal, ids(refusal)[0])
    await world.at_once(press, press)
    (told,) = world.private()
    assert f"<#{thread_of(world).id}>" in text(told)
    assert len(await world.sql("SELECT id FROM matches")) == 3


async def test_played_again_meanwhile(world: World) -> None:
    """It isn't played again twice: the refusal links to the newer match."""
    _, question = await asked(world)
    refusal = answer_to(await world.bob.click(question, label="Agree"))
    await world.resign(world.carol)
    await world.bob.click(question, label="Agree")
    assert str(world.last.id) in refused(await world.bob.click(refusal, label=THREAD))
    assert not world.channel.threads


async def test_a_member_who_has_left(world: World, restart: Restart) -> None:
    """No thread is opened for a match with them."""
    refusal = await refusal_of(world)
    world.guild.remove_member(world.alice)
    await restart()  # until then, the bot remembers that it has seen them
    assert "alice" in refused(await world.bob.click(refusal, label=THREAD))
    assert not world.channel.threads
