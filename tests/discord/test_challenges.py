"""Challenges: who is asked, who may answer, how long they stand, and what a busy channel does."""

from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeAlias

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.app import create_bot, unix_now
from bot.client import Rowbot
from bot.settings import Settings
from tests.discord.world import World, ids, labels, mentioned, refused, text

MINUTE = 60
FIFTEEN_MINUTES = 15 * MINUTE
ROUND = 6  # seconds in which housekeeping comes by
BUTTONS = ["Accept", "Decline", "Withdraw"]
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

Restart: TypeAlias = Callable[..., Awaitable[None]]


class Clock:
    """The bot's clock, `ahead` of simcord's by seconds: so that time can pass at no cost."""

    ahead = 0

    def __call__(self) -> int:
        return unix_now() + self.ahead


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def simcord_bot(settings: Settings, database: AsyncEngine, clock: Clock) -> Rowbot:
    """Return the real bot, by a clock that tests put forward."""
    return create_bot(settings, database, rng=Random(1), clock=clock)


@pytest.fixture
def restart(world: World, settings: Settings, database: AsyncEngine, clock: Clock) -> Restart:
    """End the bot and start another over the same database, with other settings if told."""

    async def restart_with(changed: Settings = settings) -> None:
        await world.env.restart_bot(create_bot(changed, database, rng=Random(2), clock=clock))

    return restart_with


async def offer(
    world: World,
    who: MemberActor,
    whom: MemberActor,
    channel: ChannelHandle | None = None,
    **options: int | str,
) -> discord.Message:
    """Let one member challenge another; return the challenge."""
    place = channel or world.channel
    await who.slash(place, "play tictactoe", against=whom, **options)
    assert place.last_message is not None
    return place.last_message


# --- what a challenge shows, and to whom


async def test_a_challenge_mentions_the_challenged_member_alone(world: World) -> None:
    """It notifies the opponent and nobody else, and names both."""
    challenge = await offer(world, world.alice, world.bob)
    assert mentioned(challenge, world.env) == [world.bob.id]
    assert f"<@{world.bob.id}>, **alice** challenges you" in text(challenge)


async def test_a_challenge_shows_the_game_and_its_options(world: World) -> None:
    """The opponent sees what they would accept, when it lapses, and three buttons."""
    challenge = await offer(world, world.alice, world.bob, rows=4, columns=5, variant="misere")
    assert "Tic-tac-toe 4×5, 4 in a row · misère" in text(challenge)
    assert f"<t:{int(world.env.now().timestamp()) + FIFTEEN_MINUTES}:R>" in text(challenge)
    assert labels(challenge) == BUTTONS


async def test_nine_holes_can_be_offered_too(world: World) -> None:
    """A challenge to the other game names it, with its variant."""
    await world.challenge(game="nineholes", variant="step")
    assert "Nine Holes · " in text(world.last)
    assert len(world.boards()) == 1


@pytest.mark.parametrize("name", HOSTILE)
async def test_names_have_no_power(world: World, name: str) -> None:
    """However somebody is called, a challenge pings the opponent alone and formats nothing."""
    mallory = world.guild.add_member(world.env.create_user("mallory"), nick=name)
    challenge = await offer(world, mallory, world.bob)
    assert mentioned(challenge, world.env) == [world.bob.id]
    assert_harmless(world, challenge, name)
    await world.bob.click(challenge, label="Decline")
    assert_harmless(world, challenge, name)
    assert not mentioned(challenge, world.env)


@pytest.mark.parametrize("name", HOSTILE)
async def test_names_have_no_power_on_a_board(world: World, name: str) -> None:
    """Nor do they on boards, on questions and on results; a board mentions the one to move."""
    mallory = world.guild.add_member(world.env.create_user("mallory"), nick=name)
    await mallory.slash(world.channel, "play tictactoe", against=world.bob, first="opponent")
    await world.bob.click(world.last, label="Accept")
    board = world.last
    assert_harmless(world, board, name)
    await mallory.slash(world.channel, "draw")
    assert_harmless(world, world.last, name)
    assert not mentioned(world.last, world.env)
    await world.press(world.bob, "b2", board)
    assert_harmless(world, world.last, name)
    assert mentioned(world.last, world.env) == [mallory.id]


async def test_a_refusal_escapes_names(world: World) -> None:
    """A refusal that names somebody doesn't format their name."""
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


# --- who may press what


async def test_accept_starts_the_match(world: World) -> None:
    """The board takes the challenge's place, and mentions whoever begins."""
    challenge = await offer(world, world.alice, world.bob)
    await world.bob.click(challenge, label="Accept")
    assert len(world.boards()) == len(world.channel.history()) == 1
    assert mentioned(world.last, world.env) == [world.alice.id]


async def test_whoever_accepts_is_not_notified(world: World) -> None:
    """Bob begins and has just pressed Accept: he needs no notification."""
    challenge = await offer(world, world.alice, world.bob, first="opponent")
    await world.bob.click(challenge, label="Accept")
    assert not mentioned(world.last, world.env)
    await world.press(world.bob, "b2")
    assert "⭕" in text(world.last)


@pytest.mark.parametrize(
    ("who", "button", "words"),
    [("bob", "Decline", "**bob** has declined"), ("alice", "Withdraw", "**alice** has withdrawn")],
)
async def test_a_challenge_comes_to_nothing(
    world: World, who: str, button: str, words: str
) -> None:
    """Declined or withdrawn, it says so in place, keeps no button and starts no match."""
    challenge = await offer(world, world.alice, world.bob)
    await member(world, who).click(challenge, label=button)
    closed = world.now(challenge)
    assert words in text(closed)
    assert not labels(closed)
    assert not world.boards()


@pytest.mark.parametrize(
    ("who", "button", "words"),
    [
        ("carol", "Accept", "bob"),
        ("carol", "Decline", "bob"),
        ("carol", "Withdraw", "alice"),
        ("alice", "Accept", "bob"),
        ("alice", "Decline", "bob"),
        ("bob", "Withdraw", "Only alice"),
    ],
)
async def test_the_wrong_person_is_told_who_may(
    world: World, who: str, button: str, words: str
) -> None:
    """A press by somebody else is refused privately, and the challenge stays open."""
    challenge = await offer(world, world.alice, world.bob)
    assert words in refused(await member(world, who).click(challenge, label=button))
    assert labels(world.now(challenge)) == BUTTONS
    await world.bob.click(challenge, label="Accept")
    assert len(world.boards()) == 1


@pytest.mark.parametrize("verb", ["accept", "decline", "withdraw"])
async def test_an_answered_challenge_is_answered_once(world: World, verb: str) -> None:
    """A press that comes after the answer is refused with the reason."""
    challenge = await offer(world, world.alice, world.bob)
    await world.bob.click(challenge, label="Decline")
    who = world.alice if verb == "withdraw" else world.bob
    late = await world.late(who, challenge, custom_id(challenge, verb))
    assert "answered already" in refused(late)


async def test_a_doubled_accept_starts_one_match(world: World) -> None:
    """Two presses of Accept in one moment: one board, and a private answer to the other."""
    challenge = await offer(world, world.alice, world.bob)
    accept = custom_id(challenge, "accept")
    _, late = await world.at_once((world.bob, challenge, accept), (world.bob, challenge, accept))
    assert "answered already" in refused(late)
    assert len(world.boards()) == 1


async def test_accept_and_withdraw_in_one_moment(world: World) -> None:
    """Whoever is first is heard, the other is told; never both, never neither."""
    challenge = await offer(world, world.alice, world.bob)
    _, accepted = await world.at_once(
        (world.alice, challenge, custom_id(challenge, "withdraw")),
        (world.bob, challenge, custom_id(challenge, "accept")),
    )
    assert "answered already" in refused(accepted)
    assert not world.boards()


@pytest.mark.parametrize("custom", ["c:999999999:accept", "c:999999999:withdraw"])
async def test_a_challenge_that_nobody_made(world: World, custom: str) -> None:
    """A made-up challenge is refused privately."""
    result = await world.bob.click(await world.made_up(custom), custom_id=custom)
    assert "`/play`" in refused(result)


# --- whom one can't challenge


async def test_oneself(world: World) -> None:
    """Nobody plays against themselves; the refusal says how to play the computer."""
    result = await world.alice.slash(world.channel, "play tictactoe", against=world.alice)
    assert "yourself" in refused(result)


async def test_another_bot(world: World) -> None:
    """A bot can't answer, so it isn't asked: no channel is ever locked by it."""
    robot = world.guild.add_member(world.env.create_user("robot", bot=True))
    result = await world.alice.slash(world.channel, "play tictactoe", against=robot)
    assert "robot is a bot" in refused(result)
    await world.challenge()
    assert len(world.boards()) == 1


async def test_a_member_who_cannot_see_the_channel(world: World) -> None:
    """A permission overwrite hides the channel from bob: he can't be challenged there."""
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = world.guild.create_text_channel("secret", overwrites={world.bob: hidden})
    result = await world.alice.slash(secret, "play tictactoe", against=world.bob)
    assert "bob can't see this channel" in refused(result)
    challenge = await offer(world, world.alice, world.carol, secret)
    assert labels(challenge) == BUTTONS


async def test_a_channel_for_one_role(world: World) -> None:
    """Hidden from everyone but a role: with the role a member can be challenged, without not."""
    role = world.guild.create_role("players")
    secret = world.guild.create_text_channel(
        "secret",
        overwrites={
            world.guild.default_role: discord.PermissionOverwrite(view_channel=False),
            role: discord.PermissionOverwrite(view_channel=True),
        },
    )
    dave, erin = (
        world.guild.add_member(world.env.create_user(name), roles=[role])
        for name in ("dave", "erin")
    )
    assert "can't see" in refused(await dave.slash(secret, "play tictactoe", against=world.bob))
    assert labels(await offer(world, dave, erin, secret)) == BUTTONS


@pytest.mark.parametrize("kind", [ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD])
async def test_a_thread_of_a_hidden_channel(world: World, kind: ChannelType) -> None:
    """A thread is as visible as its parent: who can't see that can't be challenged in it."""
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = world.guild.create_text_channel("secret", overwrites={world.bob: hidden})
    thread = world.thread(secret, kind)
    result = await world.alice.slash(thread, "play tictactoe", against=world.bob)
    assert "bob can't see this channel" in refused(result)


async def test_a_private_thread_of_an_open_channel(world: World) -> None:
    """The mention brings the opponent into the thread, so the challenge stands."""
    thread = world.thread(world.channel, ChannelType.PRIVATE_THREAD)
    challenge = await offer(world, world.alice, world.bob, thread)
    assert mentioned(challenge, world.env) == [world.bob.id]


async def test_somebody_who_is_not_on_the_server(world: World) -> None:
    """A user of another server can be named in a command, but not challenged: it says why."""
    stranger = world.env.create_user("stranger")
    result = await world.alice.slash(world.channel, "play tictactoe", against=stranger)
    assert "stranger can't see this channel" in refused(result)


# --- one open challenge a channel


async def test_a_second_open_challenge(world: World) -> None:
    """It is refused, naming the first, whoever it would be for; the first stays open."""
    challenge = await offer(world, world.alice, world.bob)
    for opponent in (world.bob, world.carol):
        result = await world.alice.slash(world.channel, "play nineholes", against=opponent)
        assert "open challenge to bob" in refused(result)
    assert labels(world.now(challenge)) == BUTTONS


async def test_one_challenge_in_each_channel(world: World) -> None:
    """Another channel, and a thread, take another challenge of the same member."""
    side = world.guild.create_text_channel("side")
    for channel in (world.channel, side, world.thread(side)):
        assert labels(await offer(world, world.alice, world.bob, channel)) == BUTTONS


async def test_others_may_challenge_here_too(world: World) -> None:
    """The limit is one per challenger: bob challenges alice back, carol challenges both."""
    for who, whom in (
        (world.alice, world.bob),
        (world.bob, world.alice),
        (world.carol, world.alice),
    ):
        assert labels(await offer(world, who, whom)) == BUTTONS


@pytest.mark.parametrize(("who", "button"), [("bob", "Decline"), ("alice", "Withdraw")])
async def test_an_answered_challenge_makes_room(world: World, who: str, button: str) -> None:
    """After Decline or Withdraw the challenger may offer another."""
    await member(world, who).click(await offer(world, world.alice, world.bob), label=button)
    assert labels(await offer(world, world.alice, world.carol)) == BUTTONS


# --- lapsing


async def test_a_challenge_lapses_after_fifteen_minutes(world: World, clock: Clock) -> None:
    """It stands for its time; then the message says so, without a button, and mentions nobody."""
    challenge = await offer(world, world.alice, world.bob)
    clock.ahead = FIFTEEN_MINUTES - 10
    await world.env.advance_time(ROUND)
    assert labels(world.now(challenge)) == BUTTONS
    await world.env.advance_time(2 * ROUND)
    lapsed = world.now(challenge)
    assert "**alice** to **bob** has lapsed" in text(lapsed)
    assert not labels(lapsed)
    assert not mentioned(lapsed, world.env)


@pytest.mark.parametrize("verb", ["accept", "decline", "withdraw"])
async def test_a_lapsed_challenge_is_not_answered(world: World, clock: Clock, verb: str) -> None:
    """A press on it, sent just when its buttons went, is refused with the way to a new one."""
    challenge = await offer(world, world.alice, world.bob)
    clock.ahead = FIFTEEN_MINUTES
    await world.env.advance_time(ROUND)
    who = world.alice if verb == "withdraw" else world.bob
    late = await world.late(who, challenge, custom_id(challenge, verb))
    assert "`/play` offers a new one" in refused(late)
    assert not world.boards()


async def test_time_is_up_before_housekeeping_comes(world: World, clock: Clock) -> None:
    """The clock decides, not the loop: a press in between is refused."""
    challenge = await offer(world, world.alice, world.bob)
    clock.ahead = FIFTEEN_MINUTES
    assert "has lapsed" in refused(await world.bob.click(challenge, label="Accept"))
    assert not world.boards()


async def test_a_lapsed_challenge_is_not_in_the_way(world: World, clock: Clock) -> None:
    """In between, the challenger may offer anew; the old message loses its buttons all the same."""
    old = await offer(world, world.alice, world.bob)
    clock.ahead = FIFTEEN_MINUTES
    new = await offer(world, world.alice, world.carol)
    assert labels(new) == BUTTONS
    await world.env.advance_time(ROUND)
    assert "has lapsed" in text(world.now(old))
    assert labels(world.now(new)) == BUTTONS


async def test_an_accepted_challenge_does_not_lapse(world: World, clock: Clock) -> None:
    """Fifteen minutes later the match goes on as if nothing had been."""
    await world.challenge()
    clock.ahead = FIFTEEN_MINUTES
    await world.env.advance_time(ROUND)
    await world.press(world.alice, "b2")
    assert len(world.boards()) == len(world.channel.history()) == 1


async def test_the_time_is_a_setting(world: World, restart: Restart) -> None:
    """With CHALLENGE_MINUTES=1 a challenge lapses after one minute."""
    await restart(Settings.model_construct(challenge_minutes=1))
    challenge = await offer(world, world.alice, world.bob)
    await world.env.advance_time(MINUTE - 10)
    assert labels(world.now(challenge)) == BUTTONS
    await world.env.advance_time(20)
    assert not labels(world.now(challenge))


async def test_a_challenge_keeps_the_time_it_was_given(
    world: World, restart: Restart, clock: Clock
) -> None:
    """A changed setting is for new challenges; what a message promises stays."""
    challenge = await offer(world, world.alice, world.bob)
    await restart(Settings.model_construct(challenge_minutes=1))
    clock.ahead = 5 * MINUTE
    await world.env.advance_time(ROUND)
    await world.bob.click(challenge, label="Accept")
    assert len(world.boards()) == 1


# --- restarts


@pytest.mark.parametrize(("who", "button"), [("bob", "Decline"), ("alice", "Withdraw")])
async def test_a_challenge_is_answered_after_a_restart(
    world: World, restart: Restart, who: str, button: str
) -> None:
    """The buttons of a challenge from before the restart work."""
    challenge = await offer(world, world.alice, world.bob)
    await restart()
    await member(world, who).click(challenge, label=button)
    assert not labels(world.now(challenge))


async def test_a_challenge_is_accepted_after_a_restart(world: World, restart: Restart) -> None:
    """The match begins with the options that were offered before the restart."""
    challenge = await offer(world, world.alice, world.bob, rows=4, first="opponent")
    await restart()
    await world.bob.click(challenge, label="Accept")
    assert "4×4" in text(world.last) and "❌ **bob** vs ⭕ **alice**" in text(world.last)


async def test_a_challenge_lapses_after_a_restart(
    world: World, restart: Restart, clock: Clock
) -> None:
    """Its time goes on over the restart, and its message still changes."""
    challenge = await offer(world, world.alice, world.bob)
    clock.ahead = 10 * MINUTE
    await restart()
    assert labels(world.now(challenge)) == BUTTONS
    clock.ahead = FIFTEEN_MINUTES
    await world.env.advance_time(ROUND)
    assert "has lapsed" in text(world.now(challenge))


async def test_the_limit_holds_after_a_restart(world: World, restart: Restart) -> None:
    """The open challenge is in the database: a second one is refused also then."""
    await offer(world, world.alice, world.bob)
    await restart()
    result = await world.alice.slash(world.channel, "play tictactoe", against=world.carol)
    assert "open challenge to bob" in refused(result)


# --- one match a channel


@pytest.mark.parametrize("against", ["bob", None])
async def test_a_busy_channel(world: World, against: str | None) -> None:
    """/play is refused with the players and a link to the board that is being played."""
    await world.challenge()
    link = link_to(world.last)
    options = {"against": member(world, against)} if against else {}
    answer = refused(await world.carol.slash(world.channel, "play nineholes", **options))
    assert link in answer
    assert "alice" in answer and "bob" in answer
    assert len(world.boards()) == 1


async def test_the_computer_keeps_a_channel_busy_too(world: World) -> None:
    """A game against the computer is a match like any other."""
    await world.alice.slash(world.channel, "play tictactoe")
    link = link_to(world.last)
    assert link in refused(await world.bob.slash(world.channel, "play tictactoe"))
    refusal = await world.bob.slash(world.channel, "play tictactoe", against=world.carol)
    assert link in refused(refusal)


async def test_the_link_follows_the_board(world: World) -> None:
    """After a turn the refusal links to the new board, not to the one that is gone."""
    await world.challenge()
    await world.press(world.alice, "b2")
    link = link_to(world.last)
    assert link in refused(await world.carol.slash(world.channel, "play tictactoe"))


async def test_a_thread_is_a_channel_of_its_own(world: World) -> None:
    """While the channel is busy, its thread takes a match, and then is busy by itself."""
    await world.challenge()
    here = world.last
    thread = world.thread(world.channel)
    challenge = await offer(world, world.alice, world.bob, thread)
    await world.bob.click(challenge, label="Accept")
    board = thread.last_message
    assert board is not None
    assert link_to(board) in refused(await world.carol.slash(thread, "play tictactoe"))
    await world.press(world.alice, "a1", board)
    await world.press(world.alice, "c3", here)
    assert "a1" in text(thread.last_message) and "c3" in text(world.last)


async def test_accepting_when_the_channel_has_got_a_match(world: World) -> None:
    """Accept is refused with a link; the challenge stays, and is accepted after that match."""
    challenge = await offer(world, world.alice, world.bob)
    await world.carol.slash(world.channel, "play tictactoe")
    board = world.last
    assert link_to(board) in refused(await world.bob.click(challenge, label="Accept"))
    assert labels(world.now(challenge)) == BUTTONS
    question = await world.carol.slash(world.channel, "resign")
    assert question.response is not None
    await world.carol.click(question.response, label="Yes, resign")
    await world.bob.click(challenge, label="Accept")
    (board,) = world.boards()
    assert "❌ **alice** vs ⭕ **bob**" in text(board)


async def test_two_challenges_accepted_in_one_moment(world: World) -> None:
    """One match starts; the other accepter gets its link, and their challenge stays open."""
    first = await offer(world, world.alice, world.bob)
    second = await offer(world, world.bob, world.carol)
    started, late = await world.at_once(
        (world.bob, first, custom_id(first, "accept")),
        (world.carol, second, custom_id(second, "accept")),
    )
    assert "❌ **alice** vs ⭕ **bob**" in text(started)
    (board,) = world.boards()
    assert link_to(board) in refused(late)
    assert labels(world.now(second)) == BUTTONS


async def test_challenges_in_two_channels_are_independent(world: World) -> None:
    """Accepted in one moment, both start."""
    side = world.guild.create_text_channel("side")
    here, there = [
        await offer(world, world.alice, world.bob, channel) for channel in (world.channel, side)
    ]
    results = await world.at_once(
        (world.bob, here, custom_id(here, "accept")), (world.bob, there, custom_id(there, "accept"))
    )
    assert all("**alice** vs" in text(result) for result in results)


def member(world: World, name: str) -> MemberActor:
    return {"alice": world.alice, "bob": world.bob, "carol": world.carol}[name]


def custom_id(challenge: discord.Message, verb: str) -> str:
    return next(i for i in ids(challenge) if i.endswith(f":{verb}"))


def link_to(board: discord.Message) -> str:
    assert board.guild is not None
    return f"https://discord.com/channels/{board.guild.id}/{board.channel.id}/{board.id}"
