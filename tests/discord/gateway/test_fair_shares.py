"""Costly requests: one of a kind at a time, a pace for each member, and answers in words."""

import re

import pytest
from simcord.results import InteractionResult

from tests.bot.engines import SlowEngine
from tests.discord.invitations.inviting import offer, table
from tests.discord.matches.three import three
from tests.discord.world import World, asked_for_members, button, labels, refused, text

TOO_OFTEN = "a lot in a short time"


@pytest.mark.parametrize("simcord_bot", [SlowEngine], indirect=True)
async def test_one_hint_at_a_time(world: World) -> None:
    """Of two hints asked for at once, one is answered and the other refused in words."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    hint = button(world.last, "hint")
    asked = [world.begin(world.alice, world.last, hint) for _ in range(2)]
    await world.env.settle()
    hinted, refusal = sorted(map(refused, asked), key=lambda told: "💡" not in told)
    assert "💡" in hinted
    assert "still working" in refusal


async def test_a_cooldown_is_told_in_words(world: World) -> None:
    """A member who exports again and again has to wait, and is told until when."""
    await world.played()
    for command in ("export", "mydata export"):
        for _ in range(3):
            assert await world.files(await world.alice.slash(world.channel, command))
        told = refused(await world.alice.slash(world.channel, command))
        moment = re.search(r"<t:(\d+):R>", told)
        assert moment is not None and int(moment[1]) > world.clock()


async def test_pages_have_a_pace_too(world: World) -> None:
    """A member who asks for lists, profiles or hints without end has to wait; others needn't."""
    await world.alice.slash(world.channel, "play tictactoe")
    for command, times in (("history", 30), ("profile", 5), ("hint", 10)):
        for _ in range(times):
            assert TOO_OFTEN not in text(await world.alice.slash(world.channel, command))
    for command in ("achievements", "hint", "history", "leaderboard", "mymatches", "profile"):
        assert TOO_OFTEN in refused(await world.alice.slash(world.channel, command)), command
        assert TOO_OFTEN not in text(await world.bob.slash(world.channel, command)), command


async def test_turning_the_pages_of_a_review_by_command_has_the_pace_of_pages(
    world: World,
) -> None:
    """As with the buttons, only making a review takes work, and nobody waits after three pages."""
    await world.played()
    for number in range(30):
        shown = await world.alice.slash(world.channel, "analyse", page=1 + number % 2)
        assert TOO_OFTEN not in text(shown), number


async def test_a_server_asks_for_its_members_at_a_pace(world: World) -> None:
    """Endless presses on one server leave room for other servers on the same connection."""
    challenge = await offer(world, world.alice, world.bob)
    await world.carol.slash(world.channel, "play tictactoe")
    for _ in range(40):
        await world.bob.click(challenge, label="Accept")
    assert asked_for_members(world) == 30
    there = World(world.env, world.database, world.clock, world.people)
    elsewhere = await offer(there, there.alice, there.bob)
    there.guild.remove_member(there.alice)
    assert "alice has left" in refused(await there.bob.click(elsewhere, label="Accept"))
    await world.resign(world.carol)
    await world.bob.click(challenge, label="Accept")
    assert (await world.stored()).names == ("alice", "bob")


async def test_a_stranger_has_no_members_asked_for(world: World) -> None:
    """A member who may not accept a challenge is refused before the bot asks for any members."""
    challenge = await offer(world, world.alice, world.bob)
    assert "is for bob" in refused(await world.carol.click(challenge, label="Accept"))
    assert not asked_for_members(world)


# --- taking back questions that have notified somebody, to notify them again


async def take_back(world: World, way: str) -> InteractionResult:
    """Let alice ask bob for something, and let her or her accomplice carol take it back."""
    alice, here = world.alice, world.channel
    match way:
        case "withdraw":
            return await alice.click(await offer(world, alice, world.bob), label="Withdraw")
        case "answer: withdraw" | "answer: leave":
            await offer(world, alice, world.bob)
            return await alice.slash(here, "answer", answer=way.split()[1])
        case "leave a table":
            asked = await table(world, game="tribolo", against=world.bob)
            return await alice.click(asked, label="Leave")
        case "have carol decline":
            named = {"against": world.bob, "third": world.carol}
            asked = await world.command(alice, "play tribolo", **named)
            return await world.carol.click(asked, label="Decline")
        case "have carol leave" | "have carol accept and leave":
            named = {"against": world.bob, "third": world.carol}
            asked = await world.command(alice, "play tribolo", **named)
            if "accept" in way:
                await world.carol.click(asked, label="Accept")
            return await world.carol.slash(here, "answer", answer="leave")
        case "be erased":
            await offer(world, alice, world.bob)
            return await alice.slash(here, "mydata delete", confirm=True)
        case _:
            who = world.carol if "carol" in way else alice
            return await who.click(await world.command(alice, "draw"), label="Decline")


@pytest.mark.parametrize(
    "way",
    [
        *("withdraw", "answer: withdraw", "answer: leave", "leave a table", "have carol decline"),
        *("have carol leave", "have carol accept and leave", "be erased"),
        *("take a draw back", "have carol decline a draw"),
    ],
)
async def test_a_member_who_takes_back_again_and_again_has_to_wait(world: World, way: str) -> None:
    """Each challenge or offer notifies somebody; the sixth in five minutes can't be taken back."""
    if " draw" in way:
        await (three(world) if "carol" in way else world.challenge())
    for _ in range(5):
        await take_back(world, way)
    assert not [told for told in world.private() if TOO_OFTEN in text(told)]
    assert TOO_OFTEN in refused(await take_back(world, way))
    assert labels(world.last)


async def test_a_member_who_deletes_challenges_again_and_again_has_to_wait(world: World) -> None:
    """Deleting its message takes a challenge back, too, as its asker may outside of servers."""
    for _ in range(6):
        deleted = await offer(world, world.alice, world.bob)
        world.env.backend.delete_message(world.channel.id, deleted.id)
    told = refused(await world.alice.slash(world.channel, "play tictactoe", against=world.bob))
    assert TOO_OFTEN in told and not world.channel.history()


async def test_a_member_who_was_asked_may_always_decline(world: World) -> None:
    """They may, since that lets nobody notify anybody again; nor does a leaving guest."""
    opened = await table(world, game="tribolo", against=world.carol)
    for _ in range(7):
        await world.bob.click(await offer(world, world.carol, world.bob), label="Decline")
        for label in ("Join", "Leave", "Join", "Decline"):
            await world.bob.click(opened, label=label)
    await world.alice.click(opened, label="Close")
    await world.challenge()
    for _ in range(7):
        await world.bob.click(await world.command(world.alice, "draw"), label="Decline")
    assert not world.private()
