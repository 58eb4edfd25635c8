"""Invitations and offers that end where no token reaches them: a press removes their buttons."""

from functools import partial

import pytest
from discord import Message

from tests.conftest import Calendar
from tests.discord.calls import CHANGE_BY_TOKEN
from tests.discord.elsewhere import Elsewhere, direct, group
from tests.discord.failing import PUT_OFF_SECONDS, meanwhile
from tests.discord.matches.passing import MINUTE, pass_time
from tests.discord.privacy.own_data import erase
from tests.discord.world import World, ids, labels, refused, text


async def expired_challenge(world: World, elsewhere: Elsewhere, calendar: Calendar) -> Message:
    """Return the message of an expired challenge that no token reaches."""
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    elsewhere.end_tokens()
    await pass_time(world, calendar, 13 * MINUTE)
    return challenge


@direct
async def test_a_challenge_that_expires_without_a_token(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """The first press on it takes its buttons away."""
    challenge = await expired_challenge(world, elsewhere, calendar)
    assert "Not rated" in text(challenge)
    assert "Accept" in labels(world.now(challenge))
    assert "has expired" in refused(await world.bob.click(challenge, label="Accept"))
    assert "has expired" in text(world.now(challenge)) and not labels(world.now(challenge))


@direct
async def test_an_expired_challenge_whose_change_fails_for_a_moment(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """The change is tried again: the buttons go half a minute after the press."""
    challenge = await expired_challenge(world, elsewhere, calendar)
    world.env.inject_error(*CHANGE_BY_TOKEN, status=503)
    refused(await world.bob.click(challenge, label="Accept"))
    assert "Accept" in labels(world.now(challenge))
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert "has expired" in text(world.now(challenge)) and not labels(world.now(challenge))


@direct
async def test_an_invitation_of_somebody_erased(world: World, elsewhere: Elsewhere) -> None:
    """The first press removes its message, which names them and which nothing else reaches."""
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    elsewhere.end_tokens()
    await erase(world)
    assert "alice" in text(world.now(challenge))
    refused(await world.bob.click(challenge, label="Accept"))
    assert challenge.id not in [message.id for message in world.channel.history()]


@direct
async def test_a_challenge_that_becomes_a_board(world: World, elsewhere: Elsewhere) -> None:
    """After a doubled press on *Accept* the board stays, although the second press is refused."""
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    elsewhere.secretly.add(world.bob.id)
    (accept, *_) = ids(challenge)
    for _ in range(2):
        world.begin(world.bob, challenge, accept)
    await world.env.settle()
    assert [board.id for board in elsewhere.live()] == [challenge.id]


@direct
async def test_a_challenge_that_is_pressed_while_it_becomes_a_board(
    world: World, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its message becomes the board, so it isn't removed as if it were left beside the board."""
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    elsewhere.secretly.add(world.bob.id)
    (accept, *_) = ids(challenge)
    again = partial(world.begin, world.bob, challenge, accept)
    meanwhile(monkeypatch, again, call=CHANGE_BY_TOKEN)
    await world.bob.click(challenge, label="Accept")
    assert [board.id for board in elsewhere.live()] == [challenge.id]


@direct
async def test_an_offer_that_ends_without_a_token(world: World, elsewhere: Elsewhere) -> None:
    """The first press on its question takes the buttons away."""
    board = await world.challenge()
    question = await world.command(world.bob, "draw")
    elsewhere.end_tokens()
    await world.press(world.alice, "b2", board)
    assert "Agree" in labels(world.now(question))
    assert "no longer stands" in refused(await world.alice.click(question, label="Agree"))
    assert not labels(world.now(question)) and "no longer stands" in text(world.now(question))


@direct
@pytest.mark.parametrize(
    ("asker", "kind"), [("bob", "undo"), ("bob", "rematch"), ("alice", "rematch")]
)
async def test_an_offer_to_or_of_somebody_erased(
    world: World, elsewhere: Elsewhere, asker: str, kind: str
) -> None:
    """The first press of the other player on its question takes the buttons and the name away."""
    await world.played("a1 b1 a2 b2 a3")
    question = await world.command(getattr(world, asker), kind)
    elsewhere.end_tokens()
    await erase(world, world.bob)
    assert labels(world.now(question))
    assert "no longer stands" in refused(await world.alice.click(question, label="Agree"))
    assert not labels(world.now(question)) and "bob" not in text(world.now(question))


@group
async def test_an_offer_while_others_play(world: World, elsewhere: Elsewhere) -> None:
    """Its question keeps its buttons, even if its asker presses: the channel will be free again."""
    await world.played("a1 b1 a2 b2 a3")
    question = await world.command(world.alice, "rematch")
    challenge = await world.command(world.carol, "play tictactoe", against=world.bob)
    await world.bob.click(challenge, label="Accept")
    assert "your own offer" in refused(await world.alice.click(question, label="Agree"))
    assert "Agree" in labels(world.now(question))


@direct
async def test_an_offer_of_a_seat_that_the_match_has_not(
    world: World, elsewhere: Elsewhere
) -> None:
    """After a restored backup, a question of another match with the same id counts as unknown."""
    await world.challenge()
    (told,) = await world.at_once((world.alice, world.last, "o:1:0:draw:2:agree"))
    assert "I don't know this button" in refused(told)


@direct
async def test_a_challenge_that_is_accepted_without_a_token(
    world: World, elsewhere: Elsewhere
) -> None:
    """The press that accepts it brings the board, and removes the challenge."""
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    elsewhere.end_tokens()
    await world.bob.click(challenge, label="Accept")
    (board,) = elsewhere.live()
    assert [message.id for message in world.channel.history()] == [board.id]
