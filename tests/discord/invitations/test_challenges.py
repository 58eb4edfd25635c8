"""Challenges: their message, and who may answer them."""

import logging
from typing import Any

import pytest

from tests.conftest import Calendar
from tests.discord.calls import CALLBACK
from tests.discord.failing import PUT_OFF_SECONDS, unchangeable, unreachable
from tests.discord.invitations.inviting import BUTTONS, offer
from tests.discord.matches.passing import clock_begins
from tests.discord.world import (
    World,
    button,
    labels,
    logged,
    mentioned,
    newest,
    notified,
    refused,
    text,
)

FIFTEEN_MINUTES = 15 * 60


async def test_a_challenge_is_offered_and_accepted(world: World, calendar: Calendar) -> None:
    """It only notifies the opponent, and shows the settings; the board replaces it.

    The board notifies the first player.
    """
    challenge = await offer(world, world.alice, world.bob, rows=4, columns=5, variant="misere")
    assert mentioned(challenge, world.env) == [world.bob.id]
    assert f"<@{world.bob.id}>, **alice** challenges you" in text(challenge)
    assert "Tic-tac-toe 4×5, 4 in a row · misère" in text(challenge)
    assert clock_begins(challenge, calendar, FIFTEEN_MINUTES)
    assert labels(challenge) == BUTTONS
    await world.bob.click(challenge, label="Accept")
    assert len(world.boards()) == len(world.channel.history()) == 1
    assert mentioned(world.last, world.env) == [world.alice.id]


async def test_accepting_notifies_no_first_player_who_pressed(world: World) -> None:
    """Bob moves first and has just pressed Accept, so the board doesn't notify him."""
    challenge = await offer(world, world.alice, world.bob, first="opponent")
    await world.bob.click(challenge, label="Accept")
    assert not mentioned(world.last, world.env)
    await world.press(world.bob, "b2")
    assert "🔵" in text(world.last)


async def test_asking_for_the_same_match_accepts_it(world: World) -> None:
    """Of challenges that cross, the first one's match begins, with its first player.

    So a challenge can be accepted by command.
    """
    challenge = await offer(world, world.alice, world.bob, rows=4, clock=3600)
    await world.bob.slash(
        world.channel, "play tictactoe", against=world.alice, columns=4, rows=4, clock=3600
    )
    (board,) = world.channel.history()
    assert challenge.id != board.id and "**alice** vs" in text(board)
    assert notified(board, world.env) == [world.alice.id]
    assert await world.sql("SELECT status FROM invitations") == [("begun",)]


@pytest.mark.parametrize("other", [{"rows": 4}, {"variant": "misere"}, {"clock": 3600}])
async def test_asking_for_another_match_is_a_challenge(world: World, other: dict[str, Any]) -> None:
    """Nobody is led into a match that they didn't ask for."""
    first = await offer(world, world.alice, world.bob)
    second = await offer(world, world.bob, world.alice, **other)
    assert labels(world.now(first)) == labels(second) == BUTTONS
    third = await offer(world, world.carol, world.alice)
    assert labels(third) == BUTTONS, "she has challenged somebody else"


async def test_asking_for_a_match_whose_challenge_is_not_posted_yet(world: World) -> None:
    """This makes a new challenge, since the unposted one would keep its buttons."""
    await offer(world, world.alice, world.bob)
    await world.sql("UPDATE invitations SET message_id = NULL")
    await world.bob.slash(world.channel, "play tictactoe", against=world.alice)
    assert labels(world.last) == BUTTONS and "**bob** challenges you" in text(world.last)


async def test_asking_for_the_same_match_of_three(world: World) -> None:
    """The last member who has to agree can agree by asking for the same match."""
    alice, bob, carol, play = world.alice, world.bob, world.carol, "play tribolo"
    challenge = await world.command(alice, play, against=bob, third=carol)
    await bob.slash(world.channel, play, against=carol, third=alice)
    assert labels(world.last) == BUTTONS, "carol hasn't agreed to either yet"
    assert world.last.id != challenge.id
    await bob.click(world.last, label="Withdraw")
    await bob.click(challenge, label="Accept")
    await carol.slash(world.channel, play, against=bob, third=alice)
    assert "your move" in text(world.last)


async def test_asking_for_the_match_of_a_table(world: World) -> None:
    """A member with the table's last reserved seat takes it in this way, and the match begins."""
    alice, bob, carol, play = world.alice, world.bob, world.carol, "play tribolo"
    opened = await world.command(alice, play, against=bob, open=True)
    challenge = await world.command(bob, play, against=alice, third=carol)
    assert labels(challenge) == BUTTONS, "carol hasn't joined yet"
    await bob.click(challenge, label="Withdraw")
    await carol.click(opened, label="Join")
    await bob.slash(world.channel, play, against=alice, third=carol)
    assert [board.id for board in world.boards()] == [world.last.id]
    assert opened.id not in [message.id for message in world.channel.history()]


async def test_a_challenge_is_declined_before_it_is_known(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if Discord hasn't yet told its id, the message keeps naming who declined."""
    world.before_the_reply(
        world.bob, lambda: (world.last, button(world.last, "decline")), monkeypatch
    )
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    assert "**bob** declined" in text(world.last) and not labels(world.last)


async def test_a_challenge_is_accepted_before_it_is_known(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Even if Discord hasn't yet told its id, the board is the only message left."""
    world.before_the_reply(
        world.bob, lambda: (world.last, button(world.last, "accept")), monkeypatch
    )
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    (board,) = world.channel.history()
    assert [board.id] == [message.id for message in world.boards()]
    assert not logged(caplog, logging.WARNING)


@pytest.mark.parametrize(
    ("who", "button", "words"),
    [("bob", "Decline", "**bob** declined"), ("alice", "Withdraw", "**alice** withdrew")],
)
async def test_a_challenge_ends_without_a_match(
    world: World, who: str, button: str, words: str
) -> None:
    """A declined or withdrawn challenge says so in place, loses its buttons and starts no match."""
    challenge = await offer(world, world.alice, world.bob)
    await getattr(world, who).click(challenge, label=button)
    closed = world.now(challenge)
    assert words in text(closed)
    assert not labels(closed)
    assert not world.boards()


async def test_the_wrong_person_is_told_who_may(world: World) -> None:
    """A press by anyone else is refused privately, and the challenge stays open."""
    challenge = await offer(world, world.alice, world.bob)
    for who, label, words in (
        (world.carol, "Accept", "bob"),
        (world.carol, "Decline", "bob"),
        (world.carol, "Withdraw", "alice"),
        (world.alice, "Accept", "bob"),
        (world.alice, "Decline", "bob"),
        (world.bob, "Withdraw", "Only alice"),
    ):
        assert words in refused(await who.click(challenge, label=label)), (who.name, label)
        assert labels(world.now(challenge)) == BUTTONS
    await world.bob.click(challenge, label="Accept")
    assert len(world.boards()) == 1


async def test_the_same_member_in_every_channel(world: World) -> None:
    """After challenges in three channels, a fourth of the same member is refused; others aren't.

    In one of the three channels, the refusal still names that channel's own challenge.
    """
    channels = [world.guild.create_text_channel(f"room-{number}") for number in range(4)]
    asked = {"against": world.bob}
    for channel in channels[:3]:
        await world.alice.slash(channel, "play tictactoe", **asked)
    first = newest(channels[0])
    told = refused(await world.alice.slash(channels[3], "play tictactoe", **asked))
    assert (
        "open challenge to bob. Withdraw it first with `/answer`" in told and first.jump_url in told
    )
    assert channels[3].last_message is None
    await world.carol.slash(channels[3], "play tictactoe", **asked)
    await world.alice.slash(channels[3], "play tictactoe", against=world.carol)
    assert len(channels[3].history()) == 2
    await world.bob.click(first, label="Decline")
    await offer(world, world.alice, world.bob)
    told = refused(await world.alice.slash(channels[2], "play tictactoe", **asked))
    assert "open challenge to bob" in told and newest(channels[2]).jump_url in told


async def test_an_answered_challenge_is_answered_once(world: World) -> None:
    """A press after the answer is refused with the reason."""
    challenge = await offer(world, world.alice, world.bob)
    await world.bob.click(challenge, label="Decline")
    for who, verb in ((world.bob, "accept"), (world.bob, "decline"), (world.alice, "withdraw")):
        late = await world.late(who, challenge, button(challenge, verb))
        assert "already answered" in refused(late), verb


async def test_a_doubled_accept_starts_one_match(world: World) -> None:
    """Two simultaneous presses of Accept post one board; the second gets a private answer."""
    challenge = await offer(world, world.alice, world.bob)
    accept = button(challenge, "accept")
    _, late = await world.at_once((world.bob, challenge, accept), (world.bob, challenge, accept))
    assert "the match has started. `/board` shows it" in refused(late)
    assert len(world.boards()) == 1


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (500, 0)])
async def test_a_declined_challenge_loses_its_buttons_if_the_answer_fails(
    world: World, status: int, code: int
) -> None:
    """If the press can't be answered, or too late, the message is edited in its channel."""
    challenge = await offer(world, world.alice, world.bob)
    world.env.inject_error(*CALLBACK, status=status, code=code)
    await world.bob.click(challenge, label="Decline")
    assert "**bob** declined" in text(world.now(challenge))
    assert not labels(world.now(challenge))


async def test_a_declined_challenge_loses_its_buttons_after_a_failure(world: World) -> None:
    """It does even if at first neither the answer nor an edit in the channel succeeds."""
    challenge = await offer(world, world.alice, world.bob)
    with unreachable(world), unchangeable(world):
        await world.bob.click(challenge, label="Decline")
    assert labels(world.now(challenge))
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert "**bob** declined" in text(world.now(challenge))
    assert not labels(world.now(challenge))


async def test_a_challenge_that_does_not_exist(world: World) -> None:
    """A forged challenge id is refused privately."""
    for custom in ("c:999999999:accept", "c:999999999:withdraw"):
        result = await world.bob.click(await world.made_up(custom), custom_id=custom)
        assert "`/play`" in refused(result)
