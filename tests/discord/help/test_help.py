"""`/help` and `/rules`: how the bot and its games are played."""

import re

import discord
from discord import app_commands
from PIL import Image
from simcord.actors import MemberActor

from bot.help.model import example
from bot.i18n import texts_for
from bot.settings import Settings
from core.games import GAMES
from tests.discord.conftest import Restart
from tests.discord.world import World, answer_to, components, labels, refused, text


async def test_rules_of_a_game(world: World) -> None:
    """`/rules` explains a game and its variants privately, with a picture described in words."""
    texts = texts_for("en")
    for game in GAMES:
        result = await world.alice.slash(world.channel, "rules", game=game)
        answer = refused(result)
        assert texts(f"game.{game}.rules") in answer and len(answer) <= 4000
        for option in GAMES[game].declared:
            for choice in getattr(option, "choices", ()):
                assert texts(f"game.{game}.variant.{choice}.rule") in answer
        (gallery,) = [c for c in components(answer_to(result)) if c.get("items")]
        described = gallery["items"][0]["description"]
        assert re.match("Last moves?: ", described)
        assert "Row 1: " in described and "*" not in described
        assert f"-# {texts(f'game.{game}.example')}" in answer and described not in answer
        (file,) = (await world.files(result)).values()
        with Image.open(file) as picture:
            assert picture.format == "PNG"


async def test_rules_are_paged_by_game(world: World) -> None:
    """Buttons replace the rules with those of another game, with its own picture."""
    result = await world.alice.slash(world.channel, "rules")
    assert "Tic-tac-toe on any board" in text(result)
    await world.alice.click(answer_to(result), label="Tribolo")
    page = world.now(answer_to(result))
    assert "Tribolo" in text(page) and "Tic-tac-toe" not in text(page)
    assert [file.filename for file in page.attachments] == ["tribolo.png"]
    assert [shown["label"] for shown in components(page) if shown.get("disabled")] == ["Tribolo"]


async def test_playing_the_computer_from_the_rules(world: World) -> None:
    """A press leads to the levels of the game that is shown."""
    result = await world.alice.slash(world.channel, "rules", game="tribolo")
    page = answer_to(result)
    await world.alice.click(page, label="Play the computer")
    assert "**Tribolo**: how strong should the computer be?" in text(world.now(page))
    primary = discord.ButtonStyle.primary.value
    bright = [
        shown["label"] for shown in components(world.now(page)) if shown.get("style") == primary
    ]
    assert bright == ["Medium"], "the level that /play takes by itself"
    assert not world.now(page).attachments


async def test_a_forged_button_for_rules(world: World) -> None:
    """A game that doesn't exist is refused."""
    forged = await world.made_up("i:chess")
    assert "don't know" in refused(await world.alice.click(forged, custom_id="i:chess"))


async def test_rules_in_the_middle_of_a_match(world: World) -> None:
    """Without a game, those of the match that is played in the channel are shown, or of the last.

    This also holds for the button of `/help`, and for a match that can't be read.
    """
    await world.alice.slash(world.channel, "play nineholes")
    assert "**Nine Holes**" in text(await world.bob.slash(world.channel, "rules"))
    await world.resign(world.alice)
    helped = answer_to(await world.bob.slash(world.channel, "help"))
    assert "**Nine Holes**" in text(await world.bob.click(helped, label="Rules"))
    assert "Tic-tac-toe" in text(await world.bob.slash(world.channel, "rules", game="tictactoe"))
    elsewhere = world.guild.create_text_channel("elsewhere")
    assert "Tic-tac-toe on any board" in text(await world.bob.slash(elsewhere, "rules"))
    await world.sql("UPDATE matches SET start = 'nonsense'")
    assert "Tic-tac-toe on any board" in text(await world.bob.slash(world.channel, "rules"))


async def test_every_example_ends_as_it_is_described(world: World) -> None:
    """The moves of the examples lead where their texts say."""
    x_wins, column, captured = (example(GAMES[g]) for g in ("tictactoe", "nineholes", "tribolo"))
    for match in (x_wins, column):
        assert match.outcome is not None and match.outcome.ranks == (1, 2)
        told = texts_for("en")(f"game.{match.game.key}.example")
        assert all(str(square) in told for square in match.outcome.squares)
    before, after = captured.positions
    assert after.outcome() is None
    won = {s for s in after.grid.squares if after.content(s) == 0 != before.content(s)}
    assert {*map(str, won)} == {"b3", "b4", "c4", "d4"}


async def test_help_is_six_lines_with_buttons_that_do_it(world: World) -> None:
    """`/help` is private; its buttons lead to a match, the rules and the commands."""
    result = await world.alice.slash(world.channel, "help")
    assert len(refused(result).splitlines()) == 6 and "`/tournament create`" in refused(result)
    assert labels(answer_to(result)) == [
        "Play the computer",
        "Challenge",
        "Open a table",
        "Rules",
        "All commands",
    ]
    rules = await world.alice.click(answer_to(result), label="Rules")
    assert "Tic-tac-toe on any board" in refused(rules)
    assert "puzzle of the day" in text(world.now(answer_to(result))), "/help stays"


async def test_the_rules_of_a_game_that_is_offered(world: World) -> None:
    """Who is asked to play a game can look it up there; the rules come below, privately."""
    asked = await world.command(world.alice, "play nineholes", against=world.bob)
    rules = await world.bob.click(asked, label="Rules")
    assert "**Nine Holes**" in refused(rules) and "Tic-tac-toe" in labels(answer_to(rules))
    assert "challenges you" in text(world.now(asked)), "the challenge stays"
    opened = await world.command(world.carol, "play tribolo", open=True)
    assert "**Tribolo**" in refused(await world.bob.click(opened, label="Rules"))


async def test_all_commands_are_listed(world: World, mod: MemberActor) -> None:
    """*All commands* names each command once, with its subcommands, and no others.

    Moderators' commands are in a message of their own, which only moderators get. A tournament's
    games aren't listed, as each has the same options.
    """
    told = refused(await world.alice.slash(world.channel, "help", commands=True))
    assert "/move" in told and "/endgame" not in told and len(world.private()) == 1
    result = await mod.slash(world.channel, "help")
    await mod.click(answer_to(result), label="All commands")
    *_, everybody, moderators = map(text, world.private())
    assert everybody == told
    tree = world.env.bot.tree  # type: ignore[attr-defined]
    commands = [c for c in tree.walk_commands() if isinstance(c, app_commands.Command)]
    listed = re.findall(r"^`/(.+)` – .", everybody + moderators, re.MULTILINE)
    names = {re.sub("(?<=^tournament create) .*", "", c.qualified_name) for c in commands}
    assert {*listed} == names and len(listed) == len(names)


async def test_members_who_manage_events_see_the_commands_for_tournaments(world: World) -> None:
    """Discord hides the others from them, or the bot refuses them: they need Manage Channels."""
    role = world.guild.create_role("events", permissions=discord.Permissions(manage_events=True))
    organiser = world.guild.add_member(world.env.create_user("olga"), roles=[role])
    await organiser.slash(world.channel, "help", commands=True)
    *_, listed = map(text, world.private())
    own = re.findall(r"^`/(.+)` – .", listed, re.MULTILINE)
    assert own == [f"tournament {name}" for name in ("create", "start", "drop", "cancel", "result")]


async def test_help_links_nothing_of_its_own(world: World) -> None:
    """Without the host's pages `/help` says what is stored, and links nothing."""
    answer = refused(await world.alice.slash(world.channel, "help"))
    assert "Rowbot stores the moves and results" in answer
    assert "http" not in answer


async def test_help_links_the_pages_of_the_host(
    world: World, settings: Settings, restart: Restart
) -> None:
    """`/help` links the privacy policy and the terms that the host names."""
    pages = {"privacy_url": "https://example.org/privacy", "terms_url": "https://example.org/terms"}
    await restart(settings.model_copy(update=pages))
    answer = refused(await world.alice.slash(world.channel, "help"))
    assert "[Privacy](https://example.org/privacy) · [Terms](https://example.org/terms)" in answer
    assert len(answer) <= 4000
