"""The options of `/play`: valid and invalid boards, and who moves first."""

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.builders import UserHandle

from bot.invitations import options as play_options
from core.engine.levels import Level, levels_of
from core.games import GAMES
from core.options import Choice, Flag, Number
from tests.discord.matches.passing import MINUTE
from tests.discord.world import World, refused, text

INTEGER, BOOLEAN = 4, 5

VARIANTS = [
    (game.key, option.name, choice)
    for game in GAMES.values()
    for option in game.declared
    if isinstance(option, Choice)
    for choice in (option.choices[0], option.choices[-1])
]


OUT_OF_RANGE: list[tuple[dict[str, int], str]] = [
    ({"rows": 2}, "`rows` 3 10"),
    ({"rows": 11}, "`rows` 3 10"),
    ({"columns": 0}, "`columns` 3 10"),
    ({"columns": 11}, "`columns` 3 10"),
    ({"rows": 10**15}, "`rows` 3 10"),
    ({"line": 2}, "`line` 3 10"),
    ({"rows": 3, "line": 4}, "`line` 3"),
    ({"rows": 4, "columns": 6, "line": 7}, "`line` 3 6"),
    ({"columns": 10, "line": 11}, "`line` 3 10"),
]


async def test_options_out_of_range(world: World) -> None:
    """They are refused privately with the limits, against the computer and against a member.

    A refusal doesn't occupy the channel.
    """
    for (options, limits), against in product(OUT_OF_RANGE, ({}, {"against": world.bob})):
        result = await world.alice.slash(world.channel, "play tictactoe", **options, **against)
        assert set(limits.split()) <= words(refused(result)), options
        assert not everyone_sees(world)
    await world.alice.slash(world.channel, "play tictactoe", rows=3)
    assert len(world.boards()) == 1


async def test_a_negative_size(world: World) -> None:
    """A minus sign is shown as typed, not as formatting."""
    result = await world.alice.slash(world.channel, "play tictactoe", rows=-1)
    assert r"not \-1" in refused(result)


async def test_defaults_of_omitted_options(world: World) -> None:
    """One option alone makes a square board; the line is the shorter side, up to five."""
    titles: list[tuple[dict[str, int], str]] = [
        ({"columns": 4}, "4×4, 4 in a row"),
        ({"line": 6}, "6×6, 6 in a row"),
        ({"rows": 4, "columns": 6, "line": 6}, "4×6, 6 in a row"),
        ({"rows": 10, "columns": 10}, "10×10, 5 in a row"),
    ]
    for options, title in titles:
        await world.alice.slash(world.channel, "play tictactoe", **options)
        assert title in text(world.last)
        await world.resign(world.alice)
    rules = await world.alice.slash(world.channel, "rules", game="tictactoe")
    assert "With one of these alone you get a square board." in text(rules)


async def test_a_variant_is_named(world: World) -> None:
    """The title of a board names each variant but the standard one."""
    for game, option, choice in VARIANTS:
        await world.alice.slash(world.channel, f"play {game}", level="easy", **{option: choice})
        title = text(world.last).splitlines()[0]
        (declared,) = (o for o in GAMES[game].declared if o.name == option)
        assert isinstance(declared, Choice)
        assert title.startswith("### ") and (" · " in title) == (choice != declared.choices[0])
        await world.resign(world.alice)


LEVELS = [*Level][:3]


BOARDS: list[tuple[str, dict[str, int | str]]] = [
    ("tictactoe", {}),
    ("tictactoe", {"rows": 10}),
    ("nineholes", {}),
]


@pytest.mark.parametrize(("game", "options"), BOARDS)
async def test_levels_of_a_board(world: World, game: str, options: dict[str, int | str]) -> None:
    """Autocomplete suggests the levels of the board, with Perfect only where it is proved.

    Each suggestion can be played; every other level is refused with the list, even if typed.
    """
    levels = levels_of(GAMES[game], GAMES[game].resolve(options))
    assert await suggested(world, f"play {game}", options) == [*levels]
    others = [level for level in Level if level not in levels]
    for wrong in (*others, "genius"):
        result = await world.alice.slash(world.channel, f"play {game}", level=wrong, **options)
        assert f"{', '.join(levels[:-1])} and {levels[-1]}." in refused(result)
    await world.alice.slash(world.channel, f"play {game}", level=levels[-1], **options)
    assert f"Computer ({levels[-1]})" in text(world.last)


async def test_levels_of_invalid_boards(world: World) -> None:
    """While the typed options make no valid board, the levels of every board are suggested."""
    for options in ({"rows": 99}, {"line": 11}, {"rows": 4, "line": 5}):
        assert await suggested(world, "play tictactoe", options) == LEVELS


async def test_levels_are_completed_by_prefix(world: World) -> None:
    """The typed prefix filters the suggestions, whatever its case; nonsense leaves none."""
    for typed, found in (("e", [Level.EASY]), (" Ha", [Level.HARD]), ("?", [])):
        assert await suggested(world, "play tictactoe", {}, typed) == found


async def test_an_invalid_level_is_escaped(world: World) -> None:
    """An unknown level is quoted in the refusal without formatting."""
    result = await world.alice.slash(world.channel, "play tictactoe", level="**x** <@1>")
    assert r"“\*\*x\*\* \<@" in refused(result)


async def test_the_first_mover_against_the_computer(world: World) -> None:
    """If the computer moves first, the first board shows its move."""
    for options, moved in (({"first": "me"}, False), ({"first": "opponent"}, True), ({}, False)):
        await world.alice.slash(world.channel, "play tictactoe", **options)
        assert ("Last move" in text(world.last)) == moved, options
        assert f"{'🔵' if moved else '❌'} **alice**, your move." in text(world.last)
        await world.resign(world.alice)


async def test_the_first_mover_against_a_member(world: World) -> None:
    """The challenge names the first player, and the board agrees."""
    for first, beginner in (("me", "alice"), ("opponent", "bob")):
        await world.alice.slash(world.channel, "play tictactoe", against=world.bob, first=first)
        assert f"**{beginner}** goes first" in text(world.last)
        await world.bob.click(world.last, label="Accept")
        assert f"❌ **{beginner}** vs 🔵" in text(world.last)
        await world.resign(world.alice)


async def test_a_random_first_player_is_either(world: World) -> None:
    """Over several challenges `random` picks both; each board agrees with its challenge."""
    beginners = set()
    for _ in range(8):
        await world.alice.slash(world.channel, "play tictactoe", against=world.bob, first="random")
        beginners.add(beginner_of(world))
        await world.alice.click(world.last, label="Withdraw")
        await world.env.advance_time(2 * MINUTE)  # so that she doesn't have to wait
    assert beginners == {"alice", "bob"}
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob, first="random")
    beginner = beginner_of(world)
    await world.bob.click(world.last, label="Accept")
    assert f"❌ **{beginner}** vs" in text(world.last)


async def test_against_the_bot_itself(world: World) -> None:
    """Naming the bot as the opponent starts a match against the computer at once."""
    bot = UserHandle(world.env, world.env.backend.bot_user)
    await world.alice.slash(
        world.channel, "play tictactoe", against=MemberActor(world.env, world.guild, bot)
    )
    assert "Computer (medium)" in text(world.last)
    assert len(world.boards()) == 1


async def test_the_commands_follow_the_declarations(world: World) -> None:
    """`/play` has one subcommand per game, with the declared options in their order.

    They come before `level`, which depends on them.
    """
    subcommands = {sub["name"]: sub for sub in (await registered(world, "play"))["options"]}
    assert list(subcommands) == list(GAMES)
    for game in GAMES.values():
        options = {option["name"]: option for option in subcommands[game.key]["options"]}
        declared = [option.name for option in game.declared]
        others = play_options.others_of(game)
        first = [] if game.first_by_lot else ["first"]
        assert list(options) == [*others, *declared, "level", *first, "clock", "open"]
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


def test_no_seat_is_without_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with more seats than `/play` can name members for isn't offered as a smaller one."""
    monkeypatch.setattr(play_options, "_OTHERS", ("against",))
    assert play_options.others_of(GAMES["nineholes"]) == ("against",)
    with pytest.raises(AssertionError, match="too few members for tribolo"):
        play_options.others_of(GAMES["tribolo"])


async def test_the_commands_about_games_know_every_game(world: World) -> None:
    """`/rules` and `/leaderboard` offer exactly the registered games."""
    for command in ("rules", "leaderboard"):
        game = (await registered(world, command))["options"][0]
        assert game["name"] == "game"
        assert choices(game) == list(GAMES)


async def registered(world: World, name: str) -> dict[str, Any]:
    """Return a command as it is registered with Discord."""
    await world.tell_commands()
    command = world.env.backend.find_command(name, world.guild.id, type=1)
    assert command is not None, f"/{name} is not registered"
    return dict(command)


async def suggested(
    world: World, command: str, options: Mapping[str, Any], typed: str = ""
) -> list[str]:
    """Return the suggested levels for these options of the command."""
    found = await world.alice.autocomplete(world.channel, command, "level", typed, **options)
    return [choice["value"] for choice in found]


def choices(option: dict[str, Any]) -> list[str]:
    return [choice["value"] for choice in option["choices"]]


def beginner_of(world: World) -> str:
    return "alice" if "**alice** goes first" in text(world.last) else "bob"


def everyone_sees(world: World) -> list[str]:
    """Return the channel's messages as a member without private answers sees them."""
    return [text(message) for message in world.channel.history(viewer=world.carol)]


def words(message: str) -> set[str]:
    return set(re.findall(r"[\w`]+", message))
