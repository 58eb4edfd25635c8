"""A match of three: challenge, seats, and board."""

import re

import pytest

from tests.discord.matches.three import move, mover, three
from tests.discord.world import World, labels, mentioned, refused, text


async def test_both_members_of_a_challenge_for_three_must_accept(world: World) -> None:
    """Both are mentioned; one acceptance updates the challenge, the second starts the match."""
    named = {"against": world.bob, "third": world.carol}
    challenge = await world.command(world.alice, "play tribolo", **named)
    assert sorted(mentioned(challenge, world.env)) == sorted([world.bob.id, world.carol.id])
    assert labels(challenge) == ["Accept", "Decline", "Withdraw", "Rules"]
    own = refused(await world.alice.click(challenge, label="Accept"))
    assert "bob" in own and "carol" in own
    await world.carol.click(challenge, label="Accept")
    shown = text(world.now(challenge))
    assert f"<@{world.bob.id}>, **alice** challenges you!" in shown
    assert "🔺 **bob** (asked)\n💚 **carol**" in shown
    again = refused(await world.carol.click(challenge, label="Accept"))
    assert "You have already accepted" in again and "bob" in again
    await world.bob.click(challenge, label="Accept")
    assert "🔵 **alice** 4\n🔺 **bob** 4\n💚 **carol** 4" in text(world.last)
    assert len(world.channel.history()) == 1


async def test_one_refusal_is_enough(world: World) -> None:
    """A member who declines is named, even after accepting, and nothing starts."""
    named = {"against": world.bob, "third": world.carol}
    challenge = await world.command(world.alice, "play tribolo", **named)
    await world.bob.click(challenge, label="Accept")
    await world.bob.click(challenge, label="Decline")
    assert "**bob** declined **alice**'s challenge" in text(world.now(challenge))
    assert not labels(world.now(challenge))


async def test_the_computer_fills_the_rest(world: World) -> None:
    """With one member named, the computer takes the third seat at the chosen level."""
    await world.alice.slash(world.channel, "play tribolo", against=world.bob, level="easy")
    assert "💚 **Computer (easy)**" in text(world.last)
    await world.bob.click(world.last, label="Accept")
    match = (await world.stored()).match
    assert [str(player).partition("(")[0] for player in match.players].count("Computer") == 1


@pytest.mark.parametrize(
    ("against", "third", "words"),
    [
        ("bob", "bob", "chosen bob twice"),
        ("bob", "alice", "can't challenge yourself"),
    ],
)
async def test_members_who_cannot_be_named(
    world: World, against: str, third: str, words: str
) -> None:
    """No member gets two seats in one challenge, and nobody is mentioned."""
    named = {"against": getattr(world, against), "third": getattr(world, third)}
    assert words in refused(await world.alice.slash(world.channel, "play tribolo", **named))
    assert not world.channel.history()


# --- the board


async def test_the_board_counts_squares(world: World) -> None:
    """Each move adds one square to the total; the board names and mentions the player to move."""
    await three(world)
    for made in range(1, 6):
        await move(world)
        counts = re.findall(r"^.+\*\* (\d+)$", text(world.last), re.MULTILINE)
        assert len(counts) == 3 and sum(map(int, counts)) == 12 + made
        who = await mover(world)
        assert mentioned(world.last, world.env) == [who.id]
        assert f"<@{who.id}>, your move." in text(world.last)
