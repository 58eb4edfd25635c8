"""Moderation: permissions, the list of live matches, and calling a match off."""

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from tests.discord.archiving import archive
from tests.discord.calls import CALLBACK, IN_CHANNEL
from tests.discord.invitations.inviting import offer
from tests.discord.matches.passing import ROUND
from tests.discord.world import FINAL, World, answer_to, ids, labels, mentioned, refused, text


async def test_only_moderators_may_use_the_commands(world: World) -> None:
    """Discord hides the commands from others; a member who sends one anyway is refused."""
    await world.challenge()
    before = world.public()
    for command in ("settings show", "settings set", "games", "endgame"):
        told = await registered(world, command.split()[0])
        world.guild.set_command_permissions(told, {world.carol: True})
        words = refused(await world.carol.slash(world.channel, command))
        assert "*Manage Channels*" in words, command
    assert world.public() == before


async def test_a_moderator_of_one_channel(world: World) -> None:
    """A member who manages one channel ends matches there, but can't change settings."""
    may = discord.PermissionOverwrite(manage_channels=True)
    theirs = world.guild.create_text_channel("theirs", overwrites={world.carol: may})
    await world.challenge()
    assert "Manage Channels" in refused(await world.carol.slash(theirs, "settings set", clock=0))
    assert "Manage Channels" in refused(await world.carol.slash(theirs, "games"))
    elsewhere = await world.carol.slash(theirs, "endgame", channel=world.channel)
    assert "Manage Channels" in refused(elsewhere)
    await world.alice.slash(theirs, "play tictactoe")
    await world.carol.slash(theirs, "endgame")
    assert "called this match off" in text(theirs.last_message)


async def registered(world: World, name: str) -> discord.app_commands.AppCommand:
    """Return a command as it is registered with Discord."""
    await world.tell_commands()
    tree: discord.app_commands.CommandTree[Any] = world.env.bot.tree  # type: ignore[attr-defined]
    commands = await tree.fetch_commands()
    return next(command for command in commands if command.name == name)


# --- the list of live matches


async def test_live_matches_are_listed(world: World, mod: MemberActor) -> None:
    """The list has players, start, turn and a link to the board.

    Finished matches and those of other servers are omitted.
    """
    assert "No match is being played right now" in refused(await mod.slash(world.channel, "games"))
    await world.challenge()
    other = world.guild.create_text_channel("other")
    await world.carol.slash(other, "play nineholes")
    await world.press(world.alice, "b2")
    words = refused(await mod.slash(world.channel, "games"))
    first, second = (line for line in words.splitlines() if line.startswith("•"))
    assert "❌ **alice** vs 🔵 **bob**" in first and "**bob** to move" in first
    assert f"/{world.channel.id}/{world.last.id}" in first and "started <t:" in first
    assert "Nine Holes" in second and f"/{other.id}/" in second
    await mod.slash(other, "endgame")
    assert "Nine Holes" not in refused(await mod.slash(world.channel, "games"))
    await world.sql("UPDATE matches SET guild_id = 1")
    assert "No match is being played right now" in refused(await mod.slash(world.channel, "games"))


async def test_the_list_is_paged(world: World, mod: MemberActor) -> None:
    """Buttons turn pages of ten matches, for moderators only; a command opens any page."""
    for number in range(11):
        channel = world.guild.create_text_channel(f"c{number}")
        await world.alice.slash(channel, "play tictactoe")
    listed = await mod.slash(world.channel, "games")
    assert refused(listed).count("•") == 10
    assert "Page 1 of 2" in refused(listed)
    assert (await mod.click(answer_to(listed), label="Next")).acknowledged
    shown = text(world.now(answer_to(listed)))
    assert shown.count("•") == 1 and "Page 2 of 2" in shown
    forged = await world.made_up("n:0", "n:999999")
    for custom_id in ids(forged):
        words = refused(await world.alice.click(forged, custom_id=custom_id))
        assert "Manage Channels" in words
    assert "Page 2 of 2" in refused(await mod.click(forged, custom_id="n:999999"))
    assert refused(await mod.slash(world.channel, "games", page=2)) == shown


@pytest.mark.parametrize(
    "damage",
    ["UPDATE matches SET moves = 'x' WHERE id = 1", "DELETE FROM seats WHERE match_id = 1"],
)
async def test_an_unreadable_match_is_listed(world: World, mod: MemberActor, damage: str) -> None:
    """It doesn't hide the others, and its line says how to free the channel."""
    await world.challenge()
    other = world.guild.create_text_channel("other")
    await world.carol.slash(other, "play nineholes")
    await world.sql(damage)
    words = refused(await mod.slash(world.channel, "games"))
    assert "can't read" in words and "`/endgame`" in words and "Nine Holes" in words


# --- calling off


async def test_a_match_is_called_off(world: World, mod: MemberActor) -> None:
    """The channel is notified and free; nobody wins, and nothing is rated or undone.

    Before and after there is nothing to call off.
    """
    told = refused(await mod.slash(world.channel, "endgame"))
    assert "already free" in told and "`/games`" in told
    await world.played("a1 a2 b2 b1")
    await world.env.advance_time(ROUND)
    await mod.slash(world.channel, "endgame")
    shown = text(world.last)
    assert "A moderator called this match off" in shown
    assert "draw" not in shown.lower() and "wins" not in shown
    assert "Rating" not in shown and "rated" not in shown
    assert "Series" not in shown
    assert not mentioned(world.last, world.env)
    assert labels(world.last) == FINAL
    assert len(world.channel.history()) == 1
    assert "already free" in refused(await mod.slash(world.channel, "endgame"))
    assert "called this match off" in refused(await world.alice.slash(world.channel, "undo"))
    assert await world.sql("SELECT COUNT(*) FROM standings") == [(0,)]
    assert await world.sql("SELECT rated_as, deadline, due_at FROM matches") == [(None,) * 3]
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT * FROM old_boards") == [], "a start needn't look for any"
    await world.carol.slash(world.channel, "play tictactoe")
    assert len(world.boards()) == 1


async def test_a_series_continues_after_a_called_off_match(world: World, mod: MemberActor) -> None:
    """The called-off match adds nothing to the score."""
    await world.played("a1 a3 b1 b3 c1")
    await world.challenge()
    await mod.slash(world.channel, "endgame")
    await world.challenge()
    assert "Series: **alice** 1 – **bob** 0" in text(world.last)


async def test_moderators_cannot_call_off_what_they_are_losing(
    world: World, mod: MemberActor
) -> None:
    """A moderator who plays can end a match only if it counts for nobody, or not yet."""
    await mod.slash(world.channel, "play tictactoe", against=world.bob)
    await world.bob.click(world.last, label="Accept")
    await world.press(mod, "a1")
    await mod.slash(world.channel, "endgame")
    assert "called this match off" in text(world.last)
    await mod.slash(world.channel, "play tictactoe", against=world.bob)
    await world.bob.click(world.last, label="Accept")
    await world.press(mod, "a1")
    await world.press(world.bob, "b1")
    told = refused(await mod.slash(world.channel, "endgame"))
    assert "`/resign`, offer a `/draw`, or ask another moderator" in told
    assert len(world.boards()) == 1
    await mod.slash(world.channel, "unrated")
    await world.bob.click(world.last, label="Agree")
    await mod.slash(world.channel, "endgame")
    assert "called this match off" in text(world.last) and "unrated" not in text(world.last)


async def test_calling_off_in_another_channel(world: World, mod: MemberActor) -> None:
    """The channel or thread gets a message, and the moderator a private answer that says whose."""
    await world.challenge()
    other = world.guild.create_text_channel("other")
    answer = refused(await mod.slash(other, "endgame", channel=world.channel))
    assert f"<#{world.channel.id}> is free" in answer
    assert "3 in a row: ❌ **alice** vs 🔵 **bob**" in answer.replace("\u00a0", " ")
    assert "called this match off" in text(world.last)
    assert len(world.channel.history()) == 1
    assert not other.history()
    thread = world.thread(world.channel)
    await world.alice.slash(thread, "play tictactoe")
    await mod.slash(world.channel, "endgame", channel=thread)
    assert "called this match off" in text(thread.last_message)


async def test_calling_off_where_the_bot_may_not_post(world: World, mod: MemberActor) -> None:
    """The match is over, its board says so, and the moderator learns that nobody was notified."""
    await world.challenge()
    other = world.guild.create_text_channel("other")
    world.env.inject_error(*IN_CHANNEL, status=403, code=50013)
    answer = refused(await mod.slash(other, "endgame", channel=world.channel))
    assert "couldn't post there" in answer and "**bob**" in answer
    assert "called this match off" in text(world.last)


async def test_challenges_are_called_off_too(world: World, mod: MemberActor) -> None:
    """All open challenges in the channel are called off; later answers to them are refused."""
    first = await world.command(world.alice, "play tictactoe", against=world.bob)
    second = await world.command(world.bob, "play nineholes", against=world.carol)
    await mod.slash(world.channel, "endgame")
    assert "closed the open challenges" in text(world.last)
    for challenge in (first, second):
        assert "A moderator closed this invitation" in text(world.now(challenge))
        assert not labels(world.now(challenge))
    late = await world.late(world.bob, first, ids(first)[0])
    assert "already answered" in refused(late)


async def test_challenges_in_an_archived_thread_are_called_off_from_elsewhere(
    world: World, mod: MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread is reopened for that, even if Discord refuses the message that would reopen it."""
    thread = world.thread(world.channel)
    challenge = await offer(world, world.alice, world.bob, thread)
    await archive(world, monkeypatch, thread)
    world.env.inject_error(*IN_CHANNEL, status=400, code=50035)
    await mod.slash(world.channel, "endgame", channel=thread)
    assert "A moderator closed this invitation" in text(world.now(challenge))
    assert not labels(world.now(challenge))


async def test_challenges_are_closed_although_the_board_is_lost(
    world: World, mod: MemberActor
) -> None:
    """They are closed even if Discord refuses the board of the match that is called off."""
    challenge = await world.command(world.bob, "play nineholes", against=world.carol)
    await world.challenge()
    world.env.inject_error(*CALLBACK, status=400, code=50035)
    world.env.inject_error(*IN_CHANNEL, status=400, code=50035)
    await mod.slash(world.channel, "endgame")
    assert "A moderator closed this invitation" in text(world.now(challenge))


DAMAGE = (
    "UPDATE matches SET moves = 'nonsense' WHERE id = {}",
    "UPDATE matches SET game = 'chess' WHERE id = {}",
    "UPDATE matches SET options = '[' WHERE id = {}",
    "UPDATE seats SET user_id = NULL WHERE match_id = {}",
    "DELETE FROM seats WHERE match_id = {}",
)


async def test_an_unreadable_match_is_called_off(world: World, mod: MemberActor) -> None:
    """Whatever is wrong with its row, the channel is notified, free, and can be played in."""
    for damage in DAMAGE:
        await world.challenge()
        await world.sql(damage.format((await world.stored()).id))
        await mod.slash(world.channel, "endgame")
        assert "called off the match in this channel" in text(world.last), damage
        await world.carol.slash(world.channel, "play tictactoe")
        await world.press(world.carol, "b2")
        assert "Last move: 🔵" in text(world.last), damage
        await world.resign(world.carol)
