"""A server's settings, and their effects."""

from itertools import product
from typing import Any

import pytest
from simcord.actors import MemberActor

from bot.forms import Form
from bot.matches.options import MOST_CHANNELS
from tests.conftest import Calendar
from tests.discord.matches.passing import HOUR, MINUTE, begin_outage, clock_begins, pass_time
from tests.discord.servers.moderating import change
from tests.discord.world import BEGIN, World, answer_to, components, labels, refused, text


async def test_the_default_settings_of_a_server(world: World, mod: MemberActor) -> None:
    """They are all channels, 24 hours, the host's lifetime, final boards kept; shown privately."""
    words = refused(await mod.slash(world.channel, "settings show"))
    for part in (
        "games: everywhere",
        "24 hours",
        "expire after: 15 minutes",
        "Boards of finished matches: stay",
        "Boards: emoji",
        "Language: English",
    ):
        assert part in words
    assert "default)" not in words, "all of them are, not just some"


async def test_a_member_who_asks_for_the_settings_hears_of_their_own(world: World) -> None:
    """`/settings` has both, and everybody sees all its subcommands."""
    for command in ("show", "set"):
        told = refused(await world.alice.slash(world.channel, f"settings {command}"))
        assert "permission *Manage Channels*" in told and "`/settings me`" in told


async def test_settings_are_changed_one_by_one(world: World, mod: MemberActor) -> None:
    """Omitted options keep their values, and the answer lists every setting."""
    await change(world, mod, clock=HOUR)
    await change(world, mod, challenge_minutes=150)
    here = world.channel.mention
    words = refused(await change(world, mod, final_boards="go", channels=MOST_CHANNELS * here))
    for part in (here, "1 hour", "2 hours 30 minutes", "removed when"):
        assert words.count(part) == 1
    shown = refused(await mod.slash(world.channel, "settings show"))
    assert words == f"✅ Saved.\n{shown}"
    assert "everywhere" in refused(await change(world, mod, channels="Everywhere", clock=0))
    assert "no limit" in refused(await mod.slash(world.channel, "settings show"))


async def test_a_change_of_settings_is_confirmed(world: World, mod: MemberActor) -> None:
    """The answer of each subcommand begins with that; a look at the settings changes nothing."""
    for subcommand, options in (
        ("set", {"clock": HOUR}),
        ("me", {"boards": "words"}),
        ("puzzle", {"channel": world.channel, "hour": 9}),
        ("puzzle", {"hour": -1}),
        ("honours", {"achievements": "on"}),
    ):
        told = refused(await mod.slash(world.channel, f"settings {subcommand}", **options))
        assert told.startswith("✅ Saved."), subcommand
    for subcommand in ("show", "me", "puzzle", "honours"):
        told = refused(await mod.slash(world.channel, f"settings {subcommand}"))
        assert "Saved" not in told, subcommand


async def test_a_members_own_settings(world: World, mod: MemberActor) -> None:
    """Every member can choose the form of boards; until then it is the server's own setting.

    The choice holds in all matches of the member, even those that are being played.
    """

    async def mine(**options: Any) -> str:
        return refused(await world.carol.slash(world.channel, "settings me", **options))

    await world.carol.slash(world.channel, "play tictactoe")
    assert (await world.stored()).forms == {}
    await change(world, mod, boards="picture")
    assert "as set by each server; here: a picture" in await mine()
    assert (await world.stored()).forms == {world.carol.id: Form.PICTURE}
    assert "Boards: words" in await mine(boards="words")
    assert (await world.stored()).forms == {world.carol.id: Form.WORDS}
    assert "Boards: words" in await mine()
    assert "Boards: a picture" in refused(await mod.slash(world.channel, "settings show"))
    assert "as set by each server" in await mine(boards="server")
    assert (await world.stored()).forms == {world.carol.id: Form.PICTURE}


async def test_a_members_own_settings_by_menus(world: World) -> None:
    """Each has a menu, which changes it in place, and no other; a value of another is refused."""
    shown = answer_to(await world.carol.slash(world.channel, "settings me"))
    for setting, value, told in (
        ("boards", "words", "Boards: words"),
        ("challenges", "nobody", "Challenges: from nobody"),
        ("everywhere", "hidden", "Leaderboard of all servers: not at all"),
        ("boards", "server", "Boards: as set by each server"),
    ):
        before = text(world.now(shown))
        await world.carol.select(shown, [value], custom_id=f"so:{setting}")
        after = text(world.now(shown))
        assert "Saved" in after and told in after and told not in before
    assert "Challenges: from nobody" in text(world.now(shown))
    (menu, *_) = (c for c in components(shown) if c.get("custom_id") == "so:challenges")
    assert menu["placeholder"] == "Who may challenge you"
    forged = await world.made_up("so:challenges:words")
    assert "not words" in refused(await world.carol.click(forged, label="?"))


async def test_invalid_settings_are_refused(world: World, mod: MemberActor) -> None:
    """Each is refused with its reason and changes nothing."""
    before = refused(await mod.slash(world.channel, "settings show"))
    category = world.guild.create_category("category")
    thread = world.thread(world.channel)
    foreign = world.env.create_guild("other").create_text_channel("far")
    for _ in range(2):
        world.guild.create_text_channel("twins")
    for options, words in (
        ({"channels": f"<#{foreign.id}>"}, "don't know a channel"),
        ({"channels": f"<#{category.id}>"}, "is a category. List"),
        ({"channels": f"<#{world.channel.id}> <#{category.id}>"}, "is a category. List"),
        ({"channels": f"<#{thread.id}>"}, "is a thread"),
        ({"channels": "game"}, "don't understand “game”"),
        ({"channels": "#nowhere"}, "don't understand “\\#nowhere”"),
        ({"channels": "#twins"}, "don't understand “\\#twins”"),
        ({"channels": "twins"}, "don't understand “twins”"),
        ({"channels": "#category"}, "is a category. List"),
        ({"channels": "everywhere #general"}, "don't understand “everywhere \\#general”"),
        ({"channels": "everywhere, #general"}, "don't understand “everywhere, \\#general”"),
        ({"channels": " , "}, "don't understand"),
        ({"channels": "," * 6000}, "don't understand “,,,"),
        ({"channels": world.channel.mention * (MOST_CHANNELS + 1)}, "too many"),
    ):
        assert words in refused(await change(world, mod, **options)), options
    assert refused(await mod.slash(world.channel, "settings show")) == before


# --- effects


async def test_matches_start_in_allowed_channels_only(world: World, mod: MemberActor) -> None:
    """Elsewhere the refusal lists the allowed channels. A thread counts as its channel."""
    await world.played("a1 a3 b1 b3 c1")
    challenge = await world.command(world.alice, "play tictactoe", against=world.carol)
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
    for allowed in (games, world.thread(games)):
        await world.alice.slash(allowed, "play tictactoe")
        assert "Tic-tac-toe" in text(allowed.last_message)
    await world.carol.click(challenge, label="Decline")
    assert "declined" in text(world.now(challenge))


async def test_the_chat_of_a_voice_channel_can_be_allowed(world: World, mod: MemberActor) -> None:
    """Boards are shown there, and on a stage, as in a text channel."""
    for create in (world.guild.create_voice_channel, world.guild.create_stage_channel):
        lounge = create("lounge")
        assert lounge.mention in refused(await change(world, mod, channels=lounge.mention))
        told = refused(await world.alice.slash(world.channel, "play tictactoe"))
        assert f"Play in {lounge.mention}." in told
        await world.alice.slash(lounge, "play tictactoe")
        assert "Tic-tac-toe" in text(lounge.last_message)


async def test_nobody_is_sent_to_play_where_no_games_are_played(
    world: World, mod: MemberActor
) -> None:
    """A command that needs a match names the channels; `/board` also lists the asker's matches."""
    await world.alice.slash(world.channel, "play tictactoe")
    await change(world, mod, channels=world.channel.mention)
    other = world.guild.create_text_channel("off-topic")
    for command in ("board", "moves", "hint", "rematch"):
        told = refused(await world.alice.slash(other, command))
        assert world.channel.mention in told and "/play" not in told
        assert ("Your matches elsewhere" in told) is (command == "board")
    in_thread = await world.alice.slash(world.thread(world.channel), "moves")
    assert labels(answer_to(in_thread)) == BEGIN


async def test_empty_lists_say_where_to_play(world: World, mod: MemberActor) -> None:
    """They name the channels, since `/play` and buttons to begin a match would be useless here."""
    games = world.guild.create_text_channel("board-games")
    await change(world, mod, channels=games.mention)
    for channel in (world.channel, games):
        away = channel is world.channel
        for command in ("profile", "history", "mymatches", "leaderboard"):
            answer = await world.alice.slash(channel, command)
            assert (f"Play in {games.mention}." in text(answer)) is away, command
        shown = await world.alice.slash(channel, "mymatches")
        assert ("Play the computer" in labels(answer_to(shown))) is not away


async def test_help_offers_no_match_where_no_games_are_played(
    world: World, mod: MemberActor
) -> None:
    """A newcomer's first press would be refused. The help names the channels instead."""
    games = world.guild.create_text_channel("board-games")
    await change(world, mod, channels=games.mention)
    commands = (("help", "All commands"), ("rules", "Tribolo"))
    for channel, (command, left) in product((world.channel, games), commands):
        away = channel is world.channel
        shown = answer_to(await world.alice.slash(channel, command))
        assert left in labels(shown)
        assert ("Play the computer" in labels(shown)) is not away
        assert (f"Play in {games.mention}." in text(shown)) is (away and command == "help")


async def test_channels_for_games_that_were_deleted(world: World, mod: MemberActor) -> None:
    """Nobody is sent there; if all of them are gone, members are told who can choose others.

    The settings name those that are left, and say if none is.
    """
    games, fun = map(world.guild.create_text_channel, ("board-games", "fun"))
    await change(world, mod, channels=f"{games.mention} {fun.mention}")
    world.env.backend.delete_channel(fun.id)
    told = refused(await world.alice.slash(world.channel, "play tictactoe"))
    assert f"Play in {games.mention}." in told
    await world.alice.slash(games, "play tictactoe")
    told = refused(await world.bob.slash(games, "play tictactoe"))
    assert "`/play` starts another once it's over." in told and fun.mention not in told
    shown = text(await mod.slash(world.channel, "settings show"))
    assert f"Channels for games: {games.mention}\n" in shown
    world.env.backend.delete_channel(games.id)
    told = refused(await world.alice.slash(world.channel, "play tictactoe"))
    assert "The channels for games have been deleted." in told and "`/settings set`" in told
    assert games.mention not in told
    shown = text(await mod.slash(world.channel, "settings show"))
    assert "Channels for games: ⚠️ none, because they were deleted\n" in shown


async def test_channels_for_games_that_are_not_known_yet(world: World, mod: MemberActor) -> None:
    """While Discord hasn't told the server's channels, as at a start, none is called deleted."""
    games = world.guild.create_text_channel("board-games")
    await change(world, mod, channels=games.mention)
    await begin_outage(world)
    world.env.backend.delete_channel(games.id)
    told = refused(await world.alice.slash(world.channel, "play tictactoe"))
    assert f"Play in {games.mention}." in told
    assert games.mention in text(await world.alice.slash(world.channel, "help"))


async def test_refusals_say_where_to_play_instead(world: World, mod: MemberActor) -> None:
    """They keep their reasons, but leave out the commands that begin a match."""
    await world.played("a1 a3 b1 b3 c1")
    other = world.guild.create_text_channel("board-games")
    await change(world, mod, channels=other.mention)
    for result, why in (
        (await world.alice.slash(world.channel, "move", where="a2"), "This match is over."),
        (await world.alice.slash(world.channel, "undo"), "between members stands."),
        (
            await world.carol.context_menu(world.channel, "Challenge", world.carol),
            "can't challenge yourself",
        ),
    ):
        told = refused(result)
        assert why in told and f"Play in {other.mention}." in told
        assert "/play" not in told and "/rematch" not in told


async def test_channels_are_named_as_the_refusal_says(world: World, mod: MemberActor) -> None:
    """A channel may be typed: clients send `#games` as text, unless it was chosen from their list.

    The name without the sign is understood as well.
    """
    fun = world.guild.create_text_channel("board-games")
    shown = refused(await change(world, mod, channels="#games, Board-Games"))
    assert f"Channels for games: {world.channel.mention} and {fun.mention}" in shown


async def test_the_servers_clock(world: World, mod: MemberActor, calendar: Calendar) -> None:
    """It applies if `/play` names no clock; a running match keeps its own, and its channel."""
    await change(world, mod, clock=HOUR)
    await world.challenge()
    assert clock_begins(world.last, calendar, HOUR)
    games = world.guild.create_text_channel("board-games")
    await change(world, mod, clock=0, channels=games.mention)
    await world.press(world.alice, "b2")
    assert "Last move: ❌ b2" in text(world.last)
    assert clock_begins(world.last, calendar, HOUR)


async def test_the_servers_lifetime_of_challenges(
    world: World, mod: MemberActor, calendar: Calendar
) -> None:
    """A challenge lapses after the server's lifetime."""
    await change(world, mod, challenge_minutes=90)
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    assert clock_begins(challenge, calendar, 90 * MINUTE)
    await pass_time(world, calendar, 88 * MINUTE)
    assert labels(world.now(challenge))
    await pass_time(world, calendar, 2 * MINUTE)
    assert "expired" in text(world.now(challenge))


@pytest.mark.parametrize("by", ["command", "button", "play", "challenge"])
async def test_final_boards_are_removed(world: World, mod: MemberActor, by: str) -> None:
    """With the setting off, the next match removes the last final board, however it starts."""
    await change(world, mod, final_boards="go")
    await world.played("a1 a3 b1 b3 c1")
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


async def test_set_without_options_shows_the_settings(world: World, mod: MemberActor) -> None:
    """It shows what `/settings show` does, and doesn't say that anything was saved."""
    shown = refused(await mod.slash(world.channel, "settings show"))
    told = refused(await mod.slash(world.channel, "settings set"))
    assert told == shown and "Saved" not in told
    await change(world, mod, clock=3600)
    assert "1 hour" in refused(await mod.slash(world.channel, "settings set"))
