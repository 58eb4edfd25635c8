"""Costly requests: one of a kind at a time, a pace for each member, and answers in words."""

import re

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.identity import MemberId
from bot.leaderboard.model import Period, TurnPage
from bot.ratings.model import By
from tests.bot.engines import SlowEngine
from tests.discord.invitations.inviting import offer, table
from tests.discord.world import World, asked_for_members, button, refused, text

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
    for command, times in (("history", 30), ("profile", 5), ("leaderboard", 5), ("hint", 10)):
        for _ in range(times):
            assert TOO_OFTEN not in text(await world.alice.slash(world.channel, command))
    for command in ("achievements", "hint", "history", "leaderboard", "mymatches", "profile"):
        assert TOO_OFTEN in refused(await world.alice.slash(world.channel, command)), command
        assert TOO_OFTEN not in text(await world.bob.slash(world.channel, command)), command


async def test_turning_the_pages_of_a_leaderboard_is_no_new_one(world: World) -> None:
    """Each command posts a message for everybody, and is limited; turning its pages is not."""
    for _ in range(5):
        posted = await world.alice.slash(world.channel, "leaderboard")
    assert TOO_OFTEN in refused(await world.alice.slash(world.channel, "leaderboard"))
    page = TurnPage("tictactoe", Period.ALL, By.RATING, 0, MemberId(world.alice.id))
    for _ in range(30):
        turn = await world.made_up(page.custom_id)
        await world.alice.click(turn, label="?")
        assert text(world.now(turn)) == text(posted)
    turn = await world.made_up(page.custom_id)
    assert TOO_OFTEN in refused(await world.alice.click(turn, label="?"))


async def test_turning_the_pages_of_a_review_by_command_has_the_pace_of_pages(world: World) -> None:
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


# --- asking in vain, which notifies others each time


async def ask(world: World, what: str) -> InteractionResult:
    """Let alice ask bob, and carol too if two are to be asked, for a match or within one."""
    alice, here, bob, carol = world.alice, world.channel, world.bob, world.carol
    match what:
        case "a challenge":
            return await alice.slash(here, "play tictactoe", against=bob)
        case "a table":
            return await alice.slash(here, "play tribolo", open=True, against=bob)
        case "a challenge to two":
            return await alice.slash(here, "play tribolo", against=bob, third=carol)
        case _:
            return await alice.slash(here, what)


async def answer(world: World, who: MemberActor, word: str) -> None:
    """Let a member press a button on the newest message, or use a command."""
    match word.split():
        case ["/answer", verb]:
            await who.slash(world.channel, "answer", answer=verb)
        case ["/mydata"]:
            await who.slash(world.channel, "mydata delete", confirm=True)
        case _:
            await who.click(world.last, label=word)


@pytest.mark.parametrize(
    ("what", "who", "words"),
    [
        ("a challenge", "alice", ["Withdraw"]),
        ("a challenge", "alice", ["/answer withdraw"]),
        ("a challenge", "alice", ["/answer leave"]),
        ("a challenge", "alice", ["/mydata"]),
        ("a challenge", "bob", ["Decline"]),
        ("a challenge to two", "carol", ["Decline"]),
        ("a challenge to two", "carol", ["/answer leave"]),
        ("a challenge to two", "carol", ["Accept", "/answer leave"]),
        ("a table", "alice", ["Leave"]),
        ("unrated", "alice", ["Decline"]),
        ("unrated", "bob", ["Decline"]),
        ("rematch", "bob", ["Decline"]),
    ],
)
async def test_a_member_who_asks_in_vain_again_and_again_has_to_wait(
    world: World, what: str, who: str, words: list[str]
) -> None:
    """Each request notifies others: whatever ended five in five minutes, the sixth is refused.

    Nobody who answers has to wait, and the others may ask.
    """
    if what in ("unrated", "rematch"):
        await (world.challenge() if what == "unrated" else world.played())
    for _ in range(5):
        await ask(world, what)
        for word in words:
            await answer(world, getattr(world, who), word)
    assert not [told for told in world.private() if TOO_OFTEN in text(told)]
    assert TOO_OFTEN in refused(await ask(world, what))
    await world.leap(301)
    assert TOO_OFTEN not in text(await ask(world, what))


async def test_guests_who_come_and_go_cost_nobody_anything(world: World) -> None:
    """They notify nobody, and neither they nor the table's owner have to wait."""
    opened = await table(world, game="tribolo", against=world.carol)
    for _ in range(7):
        for label in ("Join", "Leave", "Join", "Decline"):
            await world.bob.click(opened, label=label)
    await world.alice.click(opened, label="Close")
    await offer(world, world.alice, world.bob)
    assert not world.private()
