"""Moderators: the settings of a server, the list of live matches, and calling one off."""

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.conftest import Calendar
from tests.discord.passing import HOUR, MINUTE, pass_time
from tests.discord.world import World, ids, labels, mentioned, refused, text


@pytest.fixture
def mod(world: World) -> MemberActor:
    """Somebody who may manage channels."""
    return moderator(world, "mod")


def moderator(world: World, name: str) -> MemberActor:
    may = discord.Permissions(manage_channels=True)
    role = world.guild.create_role("moderators", permissions=may)
    return world.guild.add_member(world.env.create_user(name), roles=[role])


async def change(world: World, mod: MemberActor, **options: Any) -> InteractionResult:
    return await mod.slash(world.channel, "settings set", **options)


def said(result: InteractionResult) -> str:
    """What a command told the asker alone."""
    return refused(result)


# --- settings


async def test_the_settings_of_a_new_server(world: World, mod: MemberActor) -> None:
    """Everywhere, 24 hours, the host's lifetime; final boards stay. Only the asker sees it."""
    words = said(await mod.slash(world.channel, "settings show"))
    for part in ("played: everywhere", "24 hours", "bot's host", "Final boards: stay"):
        assert part in words


async def test_settings_are_changed_one_by_one(world: World, mod: MemberActor) -> None:
    """What isn't given stays as it was; the answer tells all of it."""
    await change(world, mod, clock=HOUR)
    await change(world, mod, challenge_minutes=90)
    words = said(await change(world, mod, final_boards="go", channels=f"<#{world.channel.id}>"))
    for part in (f"<#{world.channel.id}>", "1 hour", "90 minutes", "removed when"):
        assert part in words
    assert said(await mod.slash(world.channel, "settings show")) == words
    assert "everywhere" in said(await change(world, mod, channels="Everywhere", clock=0))
    assert "no clock" in said(await mod.slash(world.channel, "settings show"))


async def test_settings_that_make_no_sense(world: World, mod: MemberActor) -> None:
    """Each is refused with its reason, and changes nothing."""
    before = said(await mod.slash(world.channel, "settings show"))
    voice = world.guild.create_voice_channel("voice")
    category = world.guild.create_category("category")
    thread = world.thread(world.channel)
    foreign = world.env.create_guild("other").create_text_channel("far")
    for options, words in (
        ({}, "Say what to change"),
        ({"channels": f"<#{foreign.id}>"}, "no channel"),
        ({"channels": f"<#{voice.id}>"}, "No board fits"),
        ({"channels": f"<#{world.channel.id}> <#{category.id}>"}, "No board fits"),
        ({"channels": f"<#{thread.id}>"}, "is a thread"),
        ({"channels": "games"}, "can't make sense of “games”"),
        ({"channels": "everywhere <#1>"}, "can't make sense"),
        ({"channels": " , "}, "can't make sense"),
        ({"channels": f"<#{world.channel.id}>" * 26}, "too many"),
        ({"challenge_minutes": 0}, "1 to 43200 minutes"),
        ({"challenge_minutes": 43_201}, "1 to 43200 minutes"),
        ({"challenge_minutes": -5}, "1 to 43200 minutes"),
    ):
        assert words in refused(await change(world, mod, **options)), options
    assert said(await mod.slash(world.channel, "settings show")) == before


@pytest.mark.parametrize("command", ["settings show", "settings set", "games", "endgame"])
async def test_only_moderators(world: World, command: str) -> None:
    """Discord hides the commands; whoever sees them all the same is refused, with the reason."""
    await world.challenge()
    before = world.public()
    name = command.split()[0]
    world.guild.set_command_permissions(await registered(world, name), {world.carol: True})
    words = refused(await world.carol.slash(world.channel, command))
    assert "*Manage Channels*" in words
    assert world.public() == before


async def test_a_channel_of_ones_own_is_not_the_server(world: World) -> None:
    """Who manages one channel alone ends the match there, and decides nothing about the server."""
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


# --- what settings do


async def test_games_are_played_where_the_server_wants_them(world: World, mod: MemberActor) -> None:
    """Elsewhere neither a game nor a challenge begins; the refusal lists where. Threads count."""
    await world.challenge()
    await world.play("a1 a3 b1 b3 c1")
    await world.alice.slash(world.channel, "play tictactoe", against=world.carol)
    challenge = world.last
    games = world.guild.create_text_channel("board-games")
    await change(world, mod, channels=games.mention)
    final = next(m for m in world.channel.history() if "Rematch" in labels(m))
    for result in (
        await world.alice.slash(world.channel, "play tictactoe"),
        await world.bob.slash(world.channel, "play nineholes", against=world.carol),
        await world.carol.click(challenge, label="Accept"),
        await world.alice.click(final, label="Rematch"),
        await world.alice.slash(world.channel, "rematch"),
    ):
        assert games.mention in refused(result)
    assert not world.boards()
    await world.alice.slash(games, "play tictactoe")
    await world.alice.slash(world.thread(games), "play tictactoe")
    await world.carol.click(challenge, label="Decline")
    assert "declined" in text(world.now(challenge))


async def test_a_match_goes_on_where_none_may_begin(world: World, mod: MemberActor) -> None:
    """Settings are about new matches."""
    await world.challenge()
    games = world.guild.create_text_channel("board-games")
    await change(world, mod, channels=games.mention)
    await world.play("a1 a3 b1 b3 c1")
    assert "wins" in text(world.last)


async def test_the_servers_clock(world: World, mod: MemberActor, calendar: Calendar) -> None:
    """It holds where /play doesn't say; a running match keeps its own."""
    await change(world, mod, clock=HOUR)
    await world.challenge()
    assert f"<t:{calendar() + HOUR}:R>" in text(world.last)
    await change(world, mod, clock=0)
    await world.press(world.alice, "b2")
    assert f"<t:{calendar() + HOUR}:R>" in text(world.last)


async def test_the_servers_lifetime_of_challenges(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """A challenge lapses after it."""
    await change(world, mod, challenge_minutes=90)
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    challenge = world.last
    assert f"<t:{calendar() + 90 * MINUTE}:R>" in text(challenge)
    await pass_time(world, calendar, 89 * MINUTE)
    assert labels(world.now(challenge))
    await pass_time(world, calendar, MINUTE)
    assert "lapsed" in text(world.now(challenge))


async def test_final_boards_stay(world: World) -> None:
    """Unless told otherwise, a final board outlives the next match."""
    await world.challenge()
    await world.play("a1 a3 b1 b3 c1")
    await world.alice.slash(world.channel, "play tictactoe")
    assert len(world.channel.history()) == 2


@pytest.mark.parametrize("by", ["command", "button", "play", "challenge"])
async def test_final_boards_go(world: World, mod: MemberActor, by: str) -> None:
    """Where they don't stay, the next match removes the one before, however it begins."""
    await change(world, mod, final_boards="go")
    await world.challenge()
    await world.play("a1 a3 b1 b3 c1")
    assert "wins" in text(world.last)
    if by == "command":
        await world.alice.slash(world.channel, "rematch")
        await world.bob.click(world.last, label="Agree")
    elif by == "button":
        final = world.last
        await world.alice.click(final, label="Rematch")
        await world.bob.click(final, label="Rematch")
    elif by == "play":
        await world.alice.slash(world.channel, "play nineholes")
    else:
        await world.challenge()
    assert len(world.channel.history()) == len(world.boards()) == 1


# --- the list of live matches


async def test_live_matches_are_listed(world: World, mod: MemberActor) -> None:
    """Who plays what, since when, whose turn, and a link to the board; finished ones are not."""
    assert "There are none" in said(await mod.slash(world.channel, "games"))
    await world.challenge()
    other = world.guild.create_text_channel("other")
    await world.carol.slash(other, "play nineholes")
    await world.press(world.alice, "b2")
    words = said(await mod.slash(world.channel, "games"))
    first, second = (line for line in words.splitlines() if line.startswith("•"))
    assert "❌ **alice** vs ⭕ **bob**" in first and "**bob** to move" in first
    assert f"/{world.channel.id}/{world.last.id}" in first and "since <t:" in first
    assert "Nine Holes" in second and f"/{other.id}/" in second
    await mod.slash(other, "endgame")
    assert "Nine Holes" not in said(await mod.slash(world.channel, "games"))


async def test_other_servers_are_not_listed(world: World, mod: MemberActor) -> None:
    """A list is of one server."""
    await world.challenge()
    await world.sql("UPDATE matches SET guild_id = 1")
    assert "There are none" in said(await mod.slash(world.channel, "games"))


async def test_the_list_is_paged(world: World, mod: MemberActor) -> None:
    """Ten a page; the buttons turn it, for moderators alone."""
    for number in range(11):
        channel = world.guild.create_text_channel(f"c{number}")
        await world.alice.slash(channel, "play tictactoe")
    listed = await mod.slash(world.channel, "games")
    assert said(listed).count("•") == 10
    assert "Page 1 of 2" in said(listed)
    assert listed.response is not None
    assert (await mod.click(listed.response, label="▶")).acknowledged
    shown = text(world.now(listed.response))
    assert shown.count("•") == 1 and "Page 2 of 2" in shown
    forged = await world.made_up("n:0", "n:999999")
    for custom_id in ids(forged):
        words = refused(await world.alice.click(forged, custom_id=custom_id))
        assert "Manage Channels" in words


async def test_a_match_that_cannot_be_read_is_listed(world: World, mod: MemberActor) -> None:
    """It doesn't hide the others, and says how its channel is freed."""
    await world.challenge()
    other = world.guild.create_text_channel("other")
    await world.carol.slash(other, "play nineholes")
    await world.sql("UPDATE matches SET moves = 'nonsense' WHERE id = 1")
    words = said(await mod.slash(world.channel, "games"))
    assert "can't read" in words and "`/endgame`" in words and "Nine Holes" in words


# --- calling off


async def test_a_match_is_called_off(world: World, mod: MemberActor) -> None:
    """The channel is told and free; nobody has won or lost, nothing is rated or taken back."""
    await world.challenge()
    await world.play("a1 a2 b2 b1")
    await mod.slash(world.channel, "endgame")
    shown = text(world.last)
    assert "A moderator has called this match off" in shown
    assert "draw" not in shown.lower() and "wins" not in shown
    assert "Rating" not in shown
    assert "**alice** 0 – **bob** 0" in shown
    assert not mentioned(world.last, world.env)
    assert labels(world.last) == ["Rematch", "Replay", "Analyse"]
    assert len(world.channel.history()) == 1
    assert "called this match off" in refused(await world.alice.slash(world.channel, "undo"))
    assert await world.sql("SELECT COUNT(*) FROM standings") == [(0,)]
    assert await world.sql("SELECT rated_as, deadline, due_at FROM matches") == [(None,) * 3]
    await world.carol.slash(world.channel, "play tictactoe")
    assert len(world.boards()) == 1


async def test_a_series_goes_on_after_a_match_that_was_called_off(
    world: World, mod: MemberActor
) -> None:
    """It has added nothing to the score."""
    await world.challenge()
    await world.play("a1 a3 b1 b3 c1")
    await world.challenge()
    await mod.slash(world.channel, "endgame")
    await world.challenge()
    assert "Series: **alice** 1 – **bob** 0" in text(world.last)


async def test_calling_off_elsewhere(world: World, mod: MemberActor) -> None:
    """That channel is told by a message, the moderator privately."""
    await world.challenge()
    other = world.guild.create_text_channel("other")
    answer = said(await mod.slash(other, "endgame", channel=world.channel))
    assert f"<#{world.channel.id}> is free" in answer
    assert "called this match off" in text(world.last)
    assert len(world.channel.history()) == 1
    assert not other.history()


async def test_calling_off_a_thread(world: World, mod: MemberActor) -> None:
    """A thread is a channel of its own."""
    thread = world.thread(world.channel)
    await world.alice.slash(thread, "play tictactoe")
    await mod.slash(world.channel, "endgame", channel=thread)
    assert "called this match off" in text(thread.last_message)


async def test_calling_off_where_the_bot_may_not_post(world: World, mod: MemberActor) -> None:
    """The match is over, its board says so, and the moderator knows that nobody was notified."""
    await world.challenge()
    other = world.guild.create_text_channel("other")
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    answer = said(await mod.slash(other, "endgame", channel=world.channel))
    assert "could not post there" in answer
    assert "called this match off" in text(world.last)


async def test_challenges_are_called_off_too(world: World, mod: MemberActor) -> None:
    """All that are open in the channel; an answer to them comes too late."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    first = world.last
    await world.bob.slash(world.channel, "play nineholes", against=world.carol)
    second = world.last
    await mod.slash(world.channel, "endgame")
    assert "ended the open challenges" in text(world.last)
    for challenge in (first, second):
        assert "A moderator has closed this invitation" in text(world.now(challenge))
        assert not labels(world.now(challenge))
    late = await world.late(world.bob, first, ids(first)[0])
    assert "answered already" in refused(late)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE matches SET moves = 'nonsense'",
        "UPDATE matches SET game = 'chess'",
        "UPDATE matches SET options = '['",
        "UPDATE seats SET user_id = NULL",
        "DELETE FROM seats",
    ],
)
async def test_a_match_that_cannot_be_read_is_called_off(
    world: World, mod: MemberActor, damage: str
) -> None:
    """Whatever is the matter with the row: the channel is told, free, and can be played in."""
    await world.challenge()
    await world.sql(damage)
    await mod.slash(world.channel, "endgame")
    assert "has ended the match in this channel" in text(world.last)
    await world.carol.slash(world.channel, "play tictactoe")
    assert len(world.boards()) == 1
    await world.press(world.carol, "b2")
    assert "Last move: ⭕" in text(world.last)


async def test_nothing_to_call_off(world: World, mod: MemberActor) -> None:
    """A free channel is free; also after the match was called off a moment ago."""
    assert "free already" in refused(await mod.slash(world.channel, "endgame"))
    await world.challenge()
    await mod.slash(world.channel, "endgame")
    assert "free already" in refused(await mod.slash(world.channel, "endgame"))


async def registered(world: World, name: str) -> discord.app_commands.AppCommand:
    tree: discord.app_commands.CommandTree[Any] = world.env.bot.tree  # type: ignore[attr-defined]
    commands = await tree.fetch_commands()
    return next(command for command in commands if command.name == name)
