"""Matches in threads of their own, for members who find the channel busy."""

import asyncio
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.invitations.service import InvitationService
from bot.settings import Settings
from tests.conftest import Calendar
from tests.discord.calls import IN_CHANNEL, on_its_way
from tests.discord.calls import THREAD as NEW_THREAD
from tests.discord.conftest import Restart
from tests.discord.elsewhere import Elsewhere, everywhere
from tests.discord.failing import failing
from tests.discord.invitations.inviting import offer
from tests.discord.matches.passing import MINUTE
from tests.discord.matches.taking import TAKE, THREAD
from tests.discord.world import World, answer_to, ids, labels, mentioned, refused, text

# Within this time the bot looks for threads to archive.
_LOOKS = 60


async def busy(world: World, who: MemberActor, **options: Any) -> discord.Message:
    """Return the refusal of a member's `/play` in a channel where carol plays."""
    await world.carol.slash(world.channel, "play tictactoe")
    return await refusal_of(world, who, **options)


async def refusal_of(world: World, who: MemberActor, **options: Any) -> discord.Message:
    """Return the refusal of a member's `/play` in a busy channel."""
    game = options.pop("game", "tictactoe")
    result = await who.slash(world.channel, f"play {game}", **options)
    assert "already being played in this channel" in refused(result)
    return world.now(answer_to(result))


def in_thread(message: discord.Message) -> str:
    """Return the custom id of the button that opens a thread."""
    return next(one for one in ids(message) if one.startswith("f:"))


def thread_of(world: World) -> ChannelHandle:
    """Return the channel's only thread."""
    (thread,) = world.channel.threads
    return thread


def newest(thread: ChannelHandle) -> discord.Message:
    """Return the newest message of a thread."""
    assert thread.last_message is not None
    return thread.last_message


def is_archived(world: World, thread: ChannelHandle) -> bool:
    """Return whether a thread is archived."""
    metadata = world.env.backend.get_channel(thread.id).thread_metadata
    return metadata is not None and metadata.archived


async def test_against_the_computer(world: World) -> None:
    """The match that was refused begins in a thread, with its options; the other goes on."""
    refusal = await busy(world, world.alice, game="connectfour", rows=5, level="hard")
    await world.alice.click(refusal, label=THREAD)
    thread = thread_of(world)
    board = newest(thread)
    assert "Connect four 5×7" in text(board) and "Computer (hard)" in text(board)
    assert str(thread.name).startswith("Connect four") and str(thread.name).endswith("alice")
    told = world.now(refusal)
    assert f"<#{thread.id}>" in text(told) and not labels(told)
    assert world.alice.id in world.env.backend.get_channel(thread.id).thread_members
    await world.alice.slash(thread, "move", where="d")
    assert text(newest(thread)) != text(board)
    (other,) = world.boards()
    await world.press(world.carol, "b2", other)
    assert "Computer (medium)" in text(world.last)


async def test_a_challenge(world: World) -> None:
    """It is posted in the thread, mentions whom it asks, and leads to the match asked for."""
    options = {"against": world.bob, "rows": 4, "columns": 4, "first": "opponent", "clock": 3600}
    await world.alice.click(await busy(world, world.alice, **options), label=THREAD)
    thread = thread_of(world)
    challenge = newest(thread)
    assert "4×4" in text(challenge) and mentioned(challenge, world.env) == [world.bob.id]
    assert "alice" in str(thread.name) and "bob" in str(thread.name)
    metadata = world.env.backend.get_channel(thread.id).thread_metadata
    assert metadata is not None and metadata.auto_archive_duration == 60, "as long as the clock"
    await world.bob.click(challenge, label="Accept")
    board = newest(thread)
    assert "❌ **bob** vs 🔵 **alice**" in text(board) and "4×4" in text(board)
    await world.press(world.bob, "b2", board)
    assert mentioned(newest(thread), world.env) == [world.alice.id]


async def test_names_of_threads(world: World) -> None:
    """They fit, and are on one line in the direction of the rest."""
    names = (f"\u202e{letter * 30}\n" for letter in "efg")
    who, *others = (world.guild.add_member(world.env.create_user(name)) for name in names)
    options = dict(zip(("against", "third"), others, strict=True))
    await who.click(await busy(world, who, game="tribolo", **options), label=THREAD)
    name = str(thread_of(world).name)
    assert len(name) <= 100 and not {*name} & {"\u202e", "\n"}
    assert name.startswith("Tribolo\u00a0· eee")


async def test_an_open_table(world: World) -> None:
    """Anybody who sees the channel may join it in the thread."""
    await world.alice.click(await busy(world, world.alice, open=True), label=THREAD)
    table = newest(thread_of(world))
    await world.bob.click(table, label="Join")
    assert "❌ **alice** vs 🔵 **bob**" in text(newest(thread_of(world)))


async def test_by_buttons(world: World) -> None:
    """A member who asks by buttons chooses first, and is then offered the thread."""
    await world.carol.slash(world.channel, "play tictactoe")
    asked = answer_to(await world.alice.slash(world.channel, "help"))
    question = answer_to(await world.alice.click(asked, label="Open a table"))
    await world.alice.select(question, ["nineholes"])
    await world.alice.click(world.now(question), label=THREAD)
    assert "Nine Holes" in text(newest(thread_of(world)))


async def test_accepting(world: World) -> None:
    """A challenge that is accepted in a busy channel becomes a match in a thread."""
    challenge = await offer(world, world.alice, world.bob, rows=4, columns=4)
    await world.carol.slash(world.channel, "play tictactoe")
    refusal = answer_to(await world.bob.click(challenge, label="Accept"))
    assert labels(refusal) == [THREAD]
    await world.bob.click(refusal, label=THREAD)
    board = newest(thread_of(world))
    assert "❌ **alice** vs 🔵 **bob**" in text(board) and "4×4" in text(board)
    assert mentioned(board, world.env) == [world.alice.id]
    assert challenge.id not in [message.id for message in world.channel.history()]
    await world.press(world.alice, "b2", board)


async def test_accepting_while_the_reply_to_the_commit_is_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match has begun in the thread, and no message asks for an answer any more."""
    challenge = await offer(world, world.alice, world.bob)
    await world.carol.slash(world.channel, "play tictactoe")
    refusal = answer_to(await world.bob.click(challenge, label="Accept"))
    answer = InvitationService.answer

    async def answer_unheard(*given: Any) -> None:
        await answer(*given)
        raise TimeoutError

    monkeypatch.setattr(InvitationService, "answer", answer_unheard)
    await world.bob.click(refusal, label=THREAD)
    assert await world.sql("SELECT status FROM invitations") == [("moved",)]
    assert challenge.id not in [message.id for message in world.channel.history()]


async def test_accepting_to_move_first(world: World) -> None:
    """A member who has just pressed isn't notified of their own turn."""
    challenge = await offer(world, world.alice, world.bob, first="opponent")
    await world.carol.slash(world.channel, "play tictactoe")
    refusal = answer_to(await world.bob.click(challenge, label="Accept"))
    await world.bob.click(refusal, label=THREAD)
    board = newest(thread_of(world))
    assert "**bob**, your move" in text(board) and mentioned(board, world.env) == []
    assert world.bob.id in world.env.backend.get_channel(board.channel.id).thread_members


async def test_starting_a_table(world: World) -> None:
    """Its owner may start it in a thread while the channel is busy, with those who have joined."""
    table = await world.command(world.alice, "play tribolo", open=True)
    await world.bob.click(table, label="Join")
    await world.carol.slash(world.channel, "play tictactoe")
    refusal = answer_to(await world.alice.click(table, label="Start"))
    await world.alice.click(refusal, label=THREAD)
    assert "Tribolo" in text(newest(thread_of(world)))
    assert "bob" in text(newest(thread_of(world)))


async def test_asking_for_the_same(world: World) -> None:
    """A member who asks for the match to which they were challenged accepts it there."""
    await offer(world, world.alice, world.bob)
    await world.bob.click(await busy(world, world.bob, against=world.alice), label=THREAD)
    assert "❌ **alice** vs 🔵 **bob**" in text(newest(thread_of(world)))


async def test_a_rematch(world: World) -> None:
    """It is a challenge in the thread: the same board and clock, and the other player first."""
    final = await world.played(rows=4, columns=4, line=3, clock=3600)
    await world.carol.slash(world.channel, "play tictactoe")
    refusal = answer_to(await world.bob.click(final, label="Rematch"))
    assert labels(refusal) == [THREAD]
    await world.bob.click(refusal, label=THREAD)
    challenge = newest(thread_of(world))
    assert mentioned(challenge, world.env) == [world.alice.id]
    await world.alice.click(challenge, label="Accept")
    board = newest(thread_of(world))
    assert "❌ **bob** vs 🔵 **alice**" in text(board) and "4×4" in text(board)


async def test_a_doubled_press(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It opens one thread with one match, and both are told where."""
    refusal = await busy(world, world.alice)
    press = (world.alice, refusal, in_thread(refusal))
    await world.at_once(press, press, press)
    thread = thread_of(world)
    assert len(thread.history()) == 1 and f"<#{thread.id}>" in text(world.now(refusal))
    assert len(await world.sql("SELECT id FROM matches")) == 2


async def test_a_doubled_press_that_accepts(world: World) -> None:
    """Both are told where the match is, although the challenge is closed by the second."""
    challenge = await offer(world, world.alice, world.bob)
    await world.carol.slash(world.channel, "play tictactoe")
    refusal = world.now(answer_to(await world.bob.click(challenge, label="Accept")))
    press = (world.bob, refusal, ids(refusal)[0])
    await world.at_once(press, press)
    (told,) = world.private()
    assert f"<#{thread_of(world).id}>" in text(told)


async def test_two_matches_of_one_name(world: World) -> None:
    """Each has a thread of its own, also at the same moment."""
    first = await busy(world, world.alice)
    second = await refusal_of(world, world.alice)
    await world.at_once(
        (world.alice, first, in_thread(first)), (world.alice, second, in_thread(second))
    )
    names = {str(thread.name) for thread in world.channel.threads}
    assert len(world.channel.threads) == 2 and len(names) == 1
    assert all(thread.history() for thread in world.channel.threads)


async def test_a_thread_whose_opening_took_too_long(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The asker is told that none could be opened."""
    refusal = await busy(world, world.alice)
    monkeypatch.setattr("bot.gateway.requests._SECONDS", 0.2)
    with failing(world):
        on_its_way(monkeypatch, NEW_THREAD, after=lambda: asyncio.sleep(0.5), times=1)
        assert "open a thread here" in refused(await world.alice.click(refusal, label=THREAD))


async def test_after_a_restart(world: World, restart: Restart) -> None:
    """The button carries all that was asked for."""
    refusal = await busy(world, world.alice, against=world.bob, rows=4, columns=4)
    await restart()
    await world.alice.click(refusal, label=THREAD)
    assert "4×4" in text(newest(thread_of(world)))


async def test_a_rematch_of_the_computer(world: World) -> None:
    """It begins at once, at the same level."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.resign(world.alice)
    final = world.last
    await world.carol.slash(world.channel, "play tictactoe")
    refusal = answer_to(await world.alice.click(final, label="Rematch"))
    await world.alice.click(refusal, label=THREAD)
    assert "Computer (easy)** vs 🔵 **alice**" in text(newest(thread_of(world)))


async def test_a_takeover_is_offered_beside(world: World, calendar: Calendar) -> None:
    """A member who could take the channel over may also leave it to the match that rests."""
    await world.carol.slash(world.channel, "play tictactoe")
    calendar.ahead += 30 * MINUTE
    refusal = await refusal_of(world, world.alice)
    assert labels(refusal) == [TAKE, THREAD]
    await world.alice.click(refusal, label=THREAD)
    assert "alice" in text(newest(thread_of(world)))
    assert not (await world.stored()).archived


async def test_the_thread_in_the_end(world: World, calendar: Calendar) -> None:
    """It is archived an hour after the match, or after the invitation there has lapsed."""
    for who, options in ((world.alice, {}), (world.bob, {"open": True})):
        await world.carol.slash(world.channel, "play tictactoe")
        await who.click(await refusal_of(world, who, **options), label=THREAD)
    played, waiting = world.channel.threads
    calendar.ahead += 10 * MINUTE
    await world.resign(world.alice, played)
    calendar.ahead += 55 * MINUTE
    await world.env.advance_time(_LOOKS)
    assert not is_archived(world, played)
    calendar.ahead += 10 * MINUTE
    await world.env.advance_time(_LOOKS)
    assert is_archived(world, played) and is_archived(world, waiting)


@pytest.mark.parametrize("who", ["bot", "asker"])
@pytest.mark.parametrize("permission", ["create_public_threads", "send_messages_in_threads"])
async def test_without_a_permission(world: World, who: str, permission: str) -> None:
    """There is no button unless the asker and the bot may open threads and post in them."""
    world.deny(world.channel, world.alice if who == "asker" else None, **{permission: True})
    assert not labels(await busy(world, world.alice))
    assert labels(await refusal_of(world, world.bob)) == ([THREAD] if who == "asker" else [])


async def test_in_a_thread(world: World) -> None:
    """A thread can't have another one."""
    thread = world.thread(world.channel)
    await world.challenge(thread)
    assert not labels(answer_to(await world.carol.slash(thread, "play tictactoe")))


@everywhere
async def test_where_the_bot_is_no_member(world: World, elsewhere: Elsewhere) -> None:
    """It opens no threads there."""
    await world.challenge()
    refusal = answer_to(await world.alice.slash(world.channel, "play nineholes"))
    assert THREAD not in labels(refusal)


async def test_the_permission_is_checked_again(world: World) -> None:
    """At the press both still need the permissions."""
    refusal = await busy(world, world.alice)
    world.deny(world.channel, world.alice, create_public_threads=True)
    assert "open a thread here" in refused(await world.alice.click(refusal, label=THREAD))
    assert not world.channel.threads


async def test_the_settings_are_checked_again(world: World, mod: MemberActor) -> None:
    """Where no games are played by now, no thread is opened."""
    refusal = await busy(world, world.alice)
    other = world.guild.create_text_channel("other")
    await mod.slash(world.channel, "settings set", channels=other.mention)
    assert "No games are played" in refused(await world.alice.click(refusal, label=THREAD))
    assert not world.channel.threads


async def test_a_member_who_takes_no_challenges_by_now(world: World) -> None:
    """No thread is opened."""
    refusal = await busy(world, world.alice, against=world.bob)
    await world.bob.slash(world.channel, "settings me", challenges="nobody")
    assert "bob" in refused(await world.alice.click(refusal, label=THREAD))
    assert not world.channel.threads


async def test_a_member_who_is_blocked_by_now(
    world: World, restart: Restart, settings: Settings
) -> None:
    """No thread is opened for a challenge of a member whom the host has blocked."""
    refusal = await busy(world, world.alice, against=world.bob)
    await restart(settings.model_copy(update={"blocked": frozenset({world.bob.id})}))
    assert "bob" in refused(await world.alice.click(refusal, label=THREAD))
    assert not world.channel.threads


async def test_a_member_who_has_asked_elsewhere(world: World) -> None:
    """No thread is opened for a fourth challenge to the same member."""
    refusal = await busy(world, world.alice, against=world.bob)
    for name in ("one", "two", "three"):
        other = world.guild.create_text_channel(name)
        await world.alice.slash(other, "play tictactoe", against=world.bob)
    assert "open challenge to bob" in refused(await world.alice.click(refusal, label=THREAD))
    assert not world.channel.threads


async def test_many_threads(world: World) -> None:
    """After five threads in five minutes, a member has to wait."""
    refusal = await busy(world, world.alice)
    for _ in range(5):
        await world.alice.click(refusal, label=THREAD)
        refusal = await refusal_of(world, world.alice)
    assert "a lot in a short time" in refused(await world.alice.click(refusal, label=THREAD))
    assert len(world.channel.threads) == 5


async def test_a_challenge_that_discord_refuses(world: World) -> None:
    """The asker is told, and may try again; the challenge is then sent in another thread."""
    refusal = await busy(world, world.alice, against=world.bob)
    with failing(world):
        world.env.inject_error(*IN_CHANNEL, status=400, code=200000, message="Blocked", times=1)
        refused(await world.alice.click(refusal, label=THREAD))
    assert thread_of(world).last_message is None
    await world.alice.click(refusal, label=THREAD)
    *_, thread = world.channel.threads
    assert mentioned(newest(thread), world.env) == [world.bob.id]
    assert await world.sql("SELECT status FROM invitations") == [("withdrawn",), ("open",)]


async def test_a_thread_that_discord_refuses(world: World) -> None:
    """The asker is told, and may try again later by the same button."""
    refusal = await busy(world, world.alice)
    with failing(world):
        world.env.inject_error(*NEW_THREAD, status=400, code=160006, message="Maximum", times=1)
        assert "open a thread here" in refused(await world.alice.click(refusal, label=THREAD))
    await world.alice.click(refusal, label=THREAD)
    assert newest(thread_of(world))
