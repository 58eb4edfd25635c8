"""The options of /play: what makes a board, what doesn't, and who begins."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.builders import UserHandle

from core.engine.levels import Level, levels_of
from core.games import GAMES
from core.options import Choice, Flag, Number
from tests.discord.world import World, mentioned, refused, text

INTEGER, BOOLEAN = 4, 5

VARIANTS = [
    (game.key, option.name, choice)
    for game in GAMES.values()
    for option in game.declared
    if isinstance(option, Choice)
    for choice in option.choices
]


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ({"rows": 2}, "`rows` 3 10"),
        ({"rows": 11}, "`rows` 3 10"),
        ({"columns": 0}, "`columns` 3 10"),
        ({"columns": 11}, "`columns` 3 10"),
        ({"rows": 10**15}, "`rows` 3 10"),
        ({"line": 2}, "`line` 3"),
        ({"line": 4}, "`line` 3"),
        ({"rows": 4, "columns": 6, "line": 7}, "`line` 3 6"),
        ({"columns": 10, "line": 11}, "`line` 3 10"),
    ],
)
@pytest.mark.parametrize("against_bob", [False, True])
async def test_options_that_make_no_board(
    world: World, options: dict[str, int], limits: str, against_bob: bool
) -> None:
    """They are refused privately with the limits, for the computer and for a member alike."""
    against = {"against": world.bob} if against_bob else {}
    result = await world.alice.slash(world.channel, "play tictactoe", **options, **against)
    assert set(limits.split()) <= words(refused(result))
    assert not everyone_sees(world)


async def test_a_negative_size(world: World) -> None:
    """A minus is shown as it was written, not as formatting."""
    result = await world.alice.slash(world.channel, "play tictactoe", rows=-1)
    assert r"not \-1" in refused(result)


async def test_a_refusal_leaves_the_channel_free(world: World) -> None:
    """After options that make no board, the same channel takes others at once."""
    await world.alice.slash(world.channel, "play tictactoe", rows=2)
    await world.alice.slash(world.channel, "play tictactoe", rows=3)
    assert len(world.boards()) == 1


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({}, "3×3, 3 in a row"),
        ({"rows": 5}, "5×5, 5 in a row"),
        ({"columns": 4}, "4×4, 4 in a row"),
        ({"rows": 4, "columns": 6, "line": 6}, "4×6, 6 in a row"),
        ({"rows": 10, "columns": 10}, "10×10, 5 in a row"),
    ],
)
async def test_what_is_left_out_is_worked_out(
    world: World, options: dict[str, int], title: str
) -> None:
    """One side makes a square; a line is as long as the shorter side, up to five."""
    await world.alice.slash(world.channel, "play tictactoe", **options)
    assert title in text(world.last)


@pytest.mark.parametrize(("game", "option", "choice"), VARIANTS)
async def test_each_variant_is_played(world: World, game: str, option: str, choice: str) -> None:
    """Every variant starts; the title names it, unless it is the usual one."""
    rivals = {"against": world.bob, "third": world.carol} if GAMES[game].seats > 2 else {}
    await world.alice.slash(world.channel, f"play {game}", **rivals, **{option: choice})
    for rival in rivals.values():
        await rival.click(world.last, label="Accept")
    title = text(world.last).splitlines()[1]
    (declared,) = (o for o in GAMES[game].declared if o.name == option)
    assert isinstance(declared, Choice)
    assert title.startswith("### ") and (" · " in title) == (choice != declared.choices[0])
    assert len(world.channel.history()) == 1


LEVELS = [*Level][:3]


@pytest.mark.parametrize("level", [*LEVELS, Level.PERFECT])
async def test_each_level_is_played(world: World, level: Level) -> None:
    """The computer plays at every level of 3×3, and the board says at which."""
    await world.alice.slash(world.channel, "play tictactoe", level=level.value)
    await world.press(world.alice, "b2")
    assert f"Computer ({level})" in text(world.last)
    assert "Last move: ⭕" in text(world.last)


BOARDS: list[tuple[str, dict[str, int | str]]] = [
    ("tictactoe", {}),
    ("tictactoe", {"variant": "misere"}),
    ("tictactoe", {"rows": 4}),
    ("tictactoe", {"rows": 10}),
    ("nineholes", {}),
    ("nineholes", {"variant": "step"}),
]


@pytest.mark.parametrize(("game", "options"), BOARDS)
async def test_what_a_board_offers(world: World, game: str, options: dict[str, int | str]) -> None:
    """Suggested are the levels of the board that the other options make, perfect where it is true.

    Each of them is played; each other level is refused with a list of them, also when it is typed.
    """
    levels = levels_of(GAMES[game], GAMES[game].resolve(options))
    assert await suggested(world, f"play {game}", options) == [*levels]
    others = [level for level in Level if level not in levels]
    for wrong in (*others, "genius"):
        result = await world.alice.slash(world.channel, f"play {game}", level=wrong, **options)
        assert ", ".join(levels) in refused(result)
    await world.alice.slash(world.channel, f"play {game}", level=levels[-1], **options)
    assert f"Computer ({levels[-1]})" in text(world.last)


async def test_levels_of_no_board(world: World) -> None:
    """Where the options typed so far make no board, the levels that are everywhere are offered."""
    for options in ({"rows": 99}, {"line": 7}, {"rows": 4, "line": 5}):
        assert await suggested(world, "play tictactoe", options) == LEVELS


async def test_levels_are_found_by_their_beginning(world: World) -> None:
    """What has been typed narrows the suggestions, capitals and all; nonsense leaves none."""
    for typed, found in (("e", [Level.EASY]), (" Ha", [Level.HARD]), ("?", [])):
        assert await suggested(world, "play tictactoe", {}, typed) == found


async def test_a_level_may_be_written_freely(world: World) -> None:
    """Capitals and blanks around a level don't matter."""
    await world.alice.slash(world.channel, "play tictactoe", level=" Hard ")
    assert "Computer (hard)" in text(world.last)


async def test_a_level_is_no_way_to_format(world: World) -> None:
    """What was typed instead of a level is repeated as text."""
    result = await world.alice.slash(world.channel, "play tictactoe", level="**x** <@1>")
    assert r"“\*\*x\*\* \<@" in refused(result)


@pytest.mark.parametrize(("first", "moved"), [("me", False), ("opponent", True), (None, False)])
async def test_who_begins_against_the_computer(
    world: World, first: str | None, moved: bool
) -> None:
    """The computer that comes first has moved when the board appears."""
    options = {"first": first} if first else {}
    await world.alice.slash(world.channel, "play tictactoe", **options)
    assert ("Last move" in text(world.last)) == moved
    assert f"{'⭕' if moved else '❌'} **alice**, your move." in text(world.last)


@pytest.mark.parametrize(("first", "beginner"), [("me", "alice"), ("opponent", "bob")])
async def test_who_begins_against_a_member(world: World, first: str, beginner: str) -> None:
    """The challenge says who begins, and the board keeps to it."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob, first=first)
    assert f"**{beginner}** begins" in text(world.last)
    await world.bob.click(world.last, label="Accept")
    assert f"❌ **{beginner}** vs ⭕" in text(world.last)


async def test_a_random_beginner_is_either(world: World) -> None:
    """Over some challenges `random` lets both begin; the board keeps what the challenge said."""
    beginners = set()
    for _ in range(8):
        await world.alice.slash(world.channel, "play tictactoe", against=world.bob, first="random")
        beginners.add(beginner_of(world))
        await world.alice.click(world.last, label="Withdraw")
    assert beginners == {"alice", "bob"}
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob, first="random")
    beginner = beginner_of(world)
    await world.bob.click(world.last, label="Accept")
    assert f"❌ **{beginner}** vs" in text(world.last)


async def test_against_the_bot_itself(world: World) -> None:
    """Naming the bot as the opponent is a game against the computer, which starts at once."""
    bot = UserHandle(world.env, world.env.backend.bot_user)
    await world.alice.slash(
        world.channel, "play tictactoe", against=MemberActor(world.env, world.guild, bot)
    )
    assert "Computer (medium)" in text(world.last)
    assert len(world.boards()) == 1


async def test_a_game_against_the_computer_is_silent(world: World) -> None:
    """Neither its start nor its turns notify anybody."""
    await world.alice.slash(world.channel, "play tictactoe", first="opponent")
    assert not mentioned(world.last, world.env)
    await world.press(world.alice, free_square(world))
    assert not mentioned(world.last, world.env)


async def test_a_forced_win_is_told(world: World) -> None:
    """A board that the first player wins by force starts with a line saying so; 3×3 doesn't."""
    await world.alice.slash(world.channel, "play tictactoe", rows=4, line=3)
    assert "whoever begins can force a win" in text(world.last)
    side = world.guild.create_text_channel("side")
    await world.alice.slash(side, "play tictactoe")
    assert "force a win" not in text(side.last_message)


async def test_the_commands_are_what_the_games_declare(world: World) -> None:
    """/play has one subcommand a game, whose options are the declared ones, in their order."""
    subcommands = {sub["name"]: sub for sub in registered(world, "play")["options"]}
    assert list(subcommands) == list(GAMES)
    for game in GAMES.values():
        options = {option["name"]: option for option in subcommands[game.key]["options"]}
        declared = [option.name for option in game.declared]
        others = ["against", "third"][: game.seats - 1]
        first = [] if game.first_by_lot else ["first"]
        assert list(options) == [*others, "level", *declared, *first, "clock", "open"]
        assert options["level"]["autocomplete"]
        for option in game.declared:
            shown = options[option.name]
            if isinstance(option, Flag):
                assert shown["type"] == BOOLEAN
            elif isinstance(option, Number):
                assert shown["type"] == INTEGER
                assert str(option.low) in shown["description"]
            else:
                assert choices(shown) == list(option.choices)


async def test_the_commands_about_games_know_every_game(world: World) -> None:
    """/rules and /leaderboard offer exactly the registered games."""
    for command in ("rules", "leaderboard"):
        game = registered(world, command)["options"][0]
        assert game["name"] == "game"
        assert choices(game) == list(GAMES)


async def test_commands_are_for_servers_only(world: World) -> None:
    """Discord offers none of them in direct messages."""
    assert world.alice.user.available_commands() == ()


def registered(world: World, name: str) -> dict[str, Any]:
    command = world.env.backend.find_command(name, world.guild.id, type=1)
    assert command is not None, f"/{name} is not registered"
    return dict(command)


async def suggested(
    world: World, command: str, options: Mapping[str, Any], typed: str = ""
) -> list[str]:
    """Return the levels that are suggested once these options stand in the command."""
    found = await world.alice.autocomplete(world.channel, command, "level", typed, **options)
    return [choice["value"] for choice in found]


def choices(option: dict[str, Any]) -> list[str]:
    return [choice["value"] for choice in option["choices"]]


def beginner_of(world: World) -> str:
    return "alice" if "**alice** begins" in text(world.last) else "bob"


def everyone_sees(world: World) -> list[str]:
    """Return what stands in the channel for a member who has asked for nothing."""
    return [text(message) for message in world.channel.history(viewer=world.carol)]


def free_square(world: World) -> str:
    """Return a corner or the next, whichever the computer has not taken."""
    return "a1" if " a1." not in text(world.last) else "b1"


def words(message: str) -> set[str]:
    return set(re.findall(r"[\w`]+", message))
