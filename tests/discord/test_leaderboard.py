"""The leaderboard of a server: what counts, for whom, and page by page."""

import re
from collections.abc import Sequence
from itertools import pairwise

import discord
import pytest

from bot.client import Rowbot
from bot.records import Place
from core.games import GAMES
from core.match import Member
from tests.discord.world import World, ids, labels, mentioned, refused, text

ALICE_WINS = "a1 b1 a2 b2 a3"
DRAWN = "a1 b1 c1 b2 a2 a3 b3 c2 c3"
PAGE = 10


async def standings(world: World, **options: str) -> list[str]:
    """Ask for the leaderboard; return its lines."""
    result = await world.alice.slash(world.channel, "leaderboard", **options)
    assert result.response is not None and not result.response.ephemeral
    return lines(world.last)


def lines(message: discord.Message) -> list[str]:
    """Return the standings on a leaderboard."""
    return [line for line in text(message).splitlines() if re.match(r"\d+\. ", line)]


async def beaten(
    bot: Rowbot, winner: tuple[int, str], loser: tuple[int, str], guild_id: int, game: str
) -> None:
    """Let one member win against another in a channel of their own, without Discord."""
    matches = bot.services.matches
    seating = [(Member(player), name) for player, name in (winner, loser)]
    place = Place(guild_id, 1_000_000 + winner[0])
    match = await matches.start(place, GAMES[game], {}, seating)
    await matches.resign(match, loser[0])


async def ranked(
    world: World, bot: Rowbot, count: int, *, guild_id: int = 0, game: str = "tictactoe"
) -> list[str]:
    """Let `count` members have results that rank them in the order of the names returned."""
    players = [(number, f"player {number}") for number in range(1, count + 1)]
    place = guild_id or world.guild.id
    for winner, loser in pairwise(players):
        for _ in range(1 if loser == players[-1] else 2):
            await beaten(bot, winner, loser, place, game)
    return [name for _, name in players]


def who(shown: Sequence[str]) -> list[str]:
    """Return the names on lines of a leaderboard."""
    return [line.split("**")[1] for line in shown]


# --- what counts


@pytest.mark.parametrize("game", [None, *GAMES])
async def test_nobody_yet(world: World, game: str | None) -> None:
    """An empty leaderboard says how to get onto it, and has no buttons."""
    options = {"game": game} if game else {}
    assert await standings(world, **options) == []
    assert "Nobody has finished" in text(world.last) and "`/play`" in text(world.last)
    assert not labels(world.last)


async def test_wins_draws_and_losses(world: World) -> None:
    """A win counts 1, a draw a half; both players are listed, the better one first."""
    for moves in (ALICE_WINS, DRAWN, ALICE_WINS):
        await world.challenge()
        await world.play(moves)
    assert await standings(world) == [
        "1. **alice** – score 2.5 · 2 won · 1 drawn · 0 lost",
        "2. **bob** – score 0.5 · 0 won · 1 drawn · 2 lost",
    ]


async def test_a_resignation_and_an_agreed_draw_count(world: World) -> None:
    """However a match ends, it counts."""
    await world.challenge()
    asked = await world.alice.slash(world.channel, "resign")
    assert asked.response is not None
    await world.alice.click(asked.response, label="Yes, resign")
    await world.challenge()
    for member in (world.alice, world.bob):
        await member.slash(world.channel, "draw")
    assert await standings(world) == [
        "1. **bob** – score 1.5 · 1 won · 1 drawn · 0 lost",
        "2. **alice** – score 0.5 · 0 won · 1 drawn · 1 lost",
    ]


async def test_games_against_the_computer_do_not_count(world: World) -> None:
    """Neither lost nor won: nobody climbs on the computer."""
    await world.alice.slash(world.channel, "play tictactoe")
    asked = await world.alice.slash(world.channel, "resign")
    assert asked.response is not None
    await world.alice.click(asked.response, label="Yes, resign")
    assert await standings(world) == []


async def test_a_match_that_is_played_does_not_count(world: World) -> None:
    """Only results do."""
    await world.challenge()
    await world.press(world.alice, "b2")
    assert await standings(world) == []


async def test_one_game_alone(world: World, simcord_bot: Rowbot) -> None:
    """With a game named, only its results count; without, all of them."""
    one, two = (1, "one"), (2, "two")
    await beaten(simcord_bot, one, two, world.guild.id, "tictactoe")
    await beaten(simcord_bot, two, one, world.guild.id, "nineholes")
    await beaten(simcord_bot, two, one, world.guild.id, "nineholes")
    assert who(await standings(world, game="tictactoe")) == ["one", "two"]
    assert "Leaderboard – Tic-tac-toe" in text(world.last)
    assert who(await standings(world, game="nineholes")) == ["two", "one"]
    assert "score 2 · 2 won · 0 drawn · 1 lost" in (await standings(world))[0]


async def test_other_servers_do_not_show(world: World, simcord_bot: Rowbot) -> None:
    """Results of the same members on another server count there alone."""
    await ranked(world, simcord_bot, 12, guild_id=world.env.create_guild("elsewhere").id)
    assert await standings(world) == []
    await ranked(world, simcord_bot, 2)
    assert [line.split(" – ")[1] for line in await standings(world)] == [
        "score 1 · 1 won · 0 drawn · 0 lost",
        "score 0 · 0 won · 0 drawn · 1 lost",
    ]


async def test_names_on_the_board(world: World, simcord_bot: Rowbot) -> None:
    """The newest name of a member is shown; it neither pings nor formats."""
    await beaten(simcord_bot, (1, "old"), (2, "other"), world.guild.id, "tictactoe")
    await beaten(simcord_bot, (1, "*@everyone*"), (2, "other"), world.guild.id, "tictactoe")
    shown = (await standings(world))[0]
    assert r"\*@" in shown and "@everyone" not in shown and "old" not in shown
    assert not mentioned(world.last, world.env)


# --- pages


async def test_ten_members_fit_one_page(world: World, simcord_bot: Rowbot) -> None:
    """Up to ten there is nothing to turn."""
    names = await ranked(world, simcord_bot, PAGE)
    assert who(await standings(world)) == names
    assert not ids(world.last)


async def test_pages_are_turned_by_button(world: World, simcord_bot: Rowbot) -> None:
    """Forth and back in the same message, by anybody; ranks go on over the pages."""
    names = await ranked(world, simcord_bot, 2 * PAGE + 3)
    assert who(await standings(world)) == names[:PAGE]
    board = world.last
    assert enabled(board) == ["▶"]
    await world.carol.click(board, label="▶")
    assert lines(world.now(board))[0].startswith(f"11. **{names[PAGE]}**")
    assert "Page 2 of 3" in text(world.now(board))
    await world.bob.click(board, label="▶")
    assert who(lines(world.now(board))) == names[2 * PAGE :]
    assert enabled(world.now(board)) == ["◀"]
    for _ in range(2):
        await world.alice.click(board, label="◀")
    assert who(lines(world.now(board))) == names[:PAGE]
    assert len(world.channel.history()) == 1


async def test_pages_of_one_game(world: World, simcord_bot: Rowbot) -> None:
    """Turning a game's leaderboard stays with that game."""
    names = await ranked(world, simcord_bot, PAGE + 1, game="nineholes")
    await ranked(world, simcord_bot, PAGE + 9)
    await standings(world, game="nineholes")
    await world.alice.click(world.last, label="▶")
    assert who(lines(world.last)) == names[PAGE:]
    assert "Leaderboard – Nine Holes" in text(world.last)


async def test_pages_after_a_restart(world: World, simcord_bot: Rowbot) -> None:
    """A leaderboard from before the restart is turned all the same."""
    names = await ranked(world, simcord_bot, PAGE + 2)
    await standings(world)
    await world.env.restart_bot()
    await world.alice.click(world.last, label="▶")
    assert who(lines(world.last)) == names[PAGE:]


@pytest.mark.parametrize("custom_id", ["l::999999", "l:tictactoe:999999", "l:chess:999999"])
async def test_a_page_that_there_is_not(world: World, simcord_bot: Rowbot, custom_id: str) -> None:
    """A made-up page is the last one that there is; a made-up game is all games."""
    names = await ranked(world, simcord_bot, PAGE + 1)
    message = await world.made_up(custom_id)
    await world.alice.click(message, custom_id=custom_id)
    assert who(lines(world.last)) == names[PAGE:]
    assert "Page 2 of 2" in text(world.last)


async def test_a_page_of_an_empty_leaderboard(world: World) -> None:
    """A made-up page where nobody is listed shows the empty one."""
    message = await world.made_up("l::7")
    await world.alice.click(message, custom_id="l::7")
    assert "Nobody has finished" in text(world.last)
    assert not labels(world.last)


@pytest.mark.parametrize(
    "custom_id", ["l", "l::", "l::-1", "l::1234567", "l::٣", "l:TICTACTOE:0", "l::0:0", "l::0\n"]
)
async def test_what_is_no_page(world: World, custom_id: str) -> None:
    """A custom id that isn't a page at all is refused privately."""
    message = await world.made_up(custom_id)
    assert "don't know this button" in refused(
        await world.alice.click(message, custom_id=custom_id)
    )


def enabled(message: discord.Message) -> list[str]:
    """Return the labels of the buttons that can be pressed."""
    rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
    buttons = [b for row in rows for b in row.children if isinstance(b, discord.Button)]
    return [button.label or "" for button in buttons if not button.disabled]
