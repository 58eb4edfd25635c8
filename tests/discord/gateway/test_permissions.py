"""Missing permissions: the member is told which, and the match continues."""

import discord
import pytest
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType
from simcord.results import InteractionResult

from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, CHANGE_BY_TOKEN
from tests.discord.failing import FAULTS, FailingOnce
from tests.discord.matches.passing import DEFAULT, HOUR, MINUTE, pass_time
from tests.discord.world import World, text


def told(result: InteractionResult) -> str | None:
    """Return the text of the private followups to a public answer."""
    private = [text(m) for m in result.followups if m.ephemeral]
    assert len(private) <= 1
    return private[0] if private else None


async def test_no_permission_is_missing(world: World) -> None:
    """A bot with every permission it needs mentions none."""
    assert told(await world.alice.slash(world.channel, "play tictactoe", against=world.bob)) is None
    await world.alice.click(world.last, label="Withdraw")
    assert told(await world.alice.slash(world.channel, "play tictactoe")) is None


async def test_reminders_that_cannot_be_posted(world: World) -> None:
    """A challenger is told which permission is missing; a game against the computer needs none."""
    narrow = world.channel_without("send_messages")
    challenge = await world.alice.slash(narrow, "play tictactoe", against=world.bob)
    assert "I need *Send Messages* here to post reminders" in (told(challenge) or "")
    await world.alice.click(newest(narrow), label="Withdraw")
    assert (
        told(await world.alice.slash(narrow, "play tictactoe", against=world.bob, clock=0)) is None
    )
    await world.alice.click(newest(narrow), label="Withdraw")
    assert told(await world.alice.slash(narrow, "play tictactoe")) is None


async def test_reminders_that_cannot_be_posted_by_an_answer_whose_reply_was_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot has found the answer, and the challenger is told after it."""
    narrow = world.channel_without("send_messages")
    lost = FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    challenge = await world.alice.slash(narrow, "play tictactoe", against=world.bob)
    assert lost.failed
    assert "I need *Send Messages* here to post reminders" in (told(challenge) or "")


async def test_an_answer_that_fails_where_nothing_can_be_posted(world: World) -> None:
    """The bot doesn't try other ways that would be in vain."""
    narrow = world.channel_without("send_messages")
    world.env.inject_error(*CALLBACK)
    await world.alice.slash(narrow, "play tictactoe", level="easy")
    own = f"/channels/{narrow.id}/messages"
    assert all(one.path != own for one in world.env.http_requests)


async def test_reminders_that_cannot_be_posted_any_more(world: World, calendar: Calendar) -> None:
    """A permission revoked later is named on each board until it is restored."""
    await world.challenge(clock=HOUR)
    assert "reminder" not in text(world.last)
    await allow_sending(world, allowed=False)
    board = world.last
    await pass_time(world, calendar, HOUR - 15 * MINUTE)
    assert world.last.id == board.id
    await world.press(world.alice, "a1")
    assert "I can't send reminders here: I need *Send Messages*" in text(world.last)
    await world.bob.slash(world.channel, "board")
    assert "here: I need *Send Messages*" in text(world.last)
    await allow_sending(world, allowed=True)
    await world.press(world.bob, "b1")
    assert "reminder" not in text(world.last)


async def test_a_missing_permission_stays_on_the_board_after_a_pick(world: World) -> None:
    """Picking a man redraws the same board with its notice."""
    await world.challenge(game="nineholes")
    await allow_sending(world, allowed=False)
    await world.press(world.alice, "a1")
    assert "here: I need *Send Messages*" in text(world.last)


async def test_a_board_without_a_clock_lacks_nothing(world: World) -> None:
    """A match without a clock sends no reminders, so it shows no notice."""
    await world.challenge(clock=0)
    await allow_sending(world, allowed=False)
    await world.press(world.alice, "a1")
    assert "reminder" not in text(world.last)


async def allow_sending(world: World, *, allowed: bool) -> None:
    """Grant or revoke the bot's permission to send messages in the channel."""
    channel = world.env.bot.get_channel(world.channel.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.set_permissions(world.me, send_messages=allowed)


async def test_a_thread_has_a_permission_of_its_own(world: World) -> None:
    """In a thread the missing permission is Send Messages in Threads."""
    narrow = world.channel_without("send_messages_in_threads")
    thread = world.thread(narrow)
    challenge = await world.alice.slash(thread, "play tictactoe", against=world.bob)
    assert "*Send Messages in Threads*" in (told(challenge) or "")


@pytest.mark.parametrize("clock", [HOUR, 0])
async def test_a_private_thread_without_the_bot(world: World, clock: int) -> None:
    """The bot answers commands there, but can post nothing until somebody mentions it."""
    narrow, backend = world.channel_without("manage_threads"), world.env.backend
    opened = backend.create_thread(
        narrow.id, "duel", world.alice.id, type=ChannelType.PRIVATE_THREAD, broadcast=False
    )
    (thread,) = narrow.threads
    challenge = await world.alice.slash(thread, "play tictactoe", against=world.bob, clock=clock)
    assert "I need *Access to this private thread (mention me)* here" in (told(challenge) or "")
    await world.alice.click(newest(thread), label="Withdraw")
    backend.announce_thread_create(opened)
    await world.env.settle()
    assert told(await world.alice.slash(thread, "play tictactoe", against=world.bob)) is None


async def test_an_archived_private_thread(world: World) -> None:
    """For archived threads Discord doesn't say whether the bot is a member, so it may be one."""
    narrow, backend = world.channel_without("manage_threads"), world.env.backend
    thread = world.thread(narrow, ChannelType.PRIVATE_THREAD)
    backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
    await world.env.settle()
    assert world.env.bot.get_channel(thread.id) is None
    assert told(await world.alice.slash(thread, "play tictactoe", against=world.bob)) is None


async def test_boards_that_cannot_be_removed(world: World) -> None:
    """Without View Channel old boards stay; the notice appears against the computer as well."""
    narrow = world.channel_without("view_channel")
    started = await world.alice.slash(narrow, "play tictactoe")
    assert "I need *View Channel* here to remove old boards" in (told(started) or "")


async def test_a_challenge_accepted_by_asking_for_the_same_match(world: World) -> None:
    """The member who accepts it is told as well; the board says what the clock lacks."""
    narrow = world.channel_without("view_channel")
    await world.alice.slash(narrow, "play tictactoe", against=world.bob)
    accepted = await world.bob.slash(narrow, "play tictactoe", against=world.alice)
    assert "I can't send reminders here: I need *View Channel*" in text(newest(narrow))
    assert "I need *View Channel* here to remove old boards" in (told(accepted) or "")


@pytest.mark.parametrize("permission", ["send_messages", "view_channel"])
async def test_a_match_is_played_by_its_responses(
    world: World, calendar: Calendar, permission: str
) -> None:
    """A match can be finished, or lost on time, where the bot may not post."""
    narrow = world.channel_without(permission)
    await world.alice.slash(narrow, "play tictactoe", against=world.bob)
    challenge = next(m for m in narrow.history() if not m.flags.ephemeral)
    await world.bob.click(challenge, label="Accept")
    for who, square in zip((world.alice, world.bob) * 3, "a1 a2 b1 b2 c1".split(), strict=False):
        await world.press(who, square, newest(narrow))
    assert "**alice** wins with a1 b1 c1" in text(newest(narrow))
    await world.alice.click(newest(narrow), label="Rematch")
    await world.bob.click(newest(narrow), label="Agree")
    board = newest(narrow)
    # The token of its interaction has ended by then.
    world.env.inject_error(*CHANGE_BY_TOKEN, status=401, code=50027, times=None)
    await pass_time(world, calendar, DEFAULT)
    await world.bob.click(board, custom_id="m:2:0:b2") if permission == "view_channel" else None
    assert "ran out of time" in text(newest(narrow))


def newest(channel: ChannelHandle) -> discord.Message:
    return [m for m in channel.history() if not m.flags.ephemeral][-1]
