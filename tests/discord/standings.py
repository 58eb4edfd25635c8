"""Short ways to fill a server's leaderboard, and to read it."""

import re
from collections.abc import Sequence
from itertools import count

import discord

from bot.client import Rowbot
from bot.matches.model import Place
from core.games import GAMES
from core.players import Member
from tests.discord.world import World, text

DAY = 86_400
FOUR_PLIES = {"tictactoe": "a1 b1 a2 b2", "nineholes": "a1-a2 a5-a4 b1-b2 b5-b4"}
_numbers = count(1_000_000)


async def standings(world: World, **options: str) -> list[str]:
    """Ask for the leaderboard as alice; return its lines."""
    result = await world.alice.slash(world.channel, "leaderboard", **options)
    assert result.response is not None and not result.response.ephemeral
    return lines(world.last)


def lines(message: discord.Message) -> list[str]:
    """Return the standings on a leaderboard."""
    return [line for line in text(message).splitlines() if re.match(r"#\d+ ", line)]


def own_line(message: discord.Message) -> str:
    """Return what the leaderboard says of the asker."""
    (own,) = [line for line in text(message).splitlines() if line.startswith("➡️")]
    return own


def who(shown: Sequence[str]) -> list[str]:
    """Return the names on lines of a leaderboard."""
    return [line.split("**")[1] for line in shown]


async def beaten(
    bot: Rowbot,
    winner: tuple[int, str],
    loser: tuple[int, str],
    guild_id: int,
    game: str = "tictactoe",
) -> None:
    """Let one member win a rated match in a channel of their own, and let them be members."""
    matches = bot.services.matches
    seating = [(Member(player), name) for player, name in (winner, loser)]
    stored = await bot.services.beginnings.start(
        Place(guild_id, next(_numbers)), GAMES[game], {}, seating
    )
    for ply, move in enumerate(FOUR_PLIES[game].split()):
        stored = await matches.play(stored.id, (winner, loser)[ply % 2][0], move)
    await matches.resign(stored, loser[0])


def joined(world: World, name: str) -> tuple[int, str]:
    """Let somebody join the server; return their id and name."""
    return world.guild.add_member(world.env.create_user(name)).id, name


async def champion(world: World, bot: Rowbot, winner: tuple[int, str], wins: int) -> None:
    """Let a member win that often, each time against somebody new, who leaves."""
    for _ in range(wins):
        number = next(_numbers)
        await beaten(bot, winner, (number, f"loser {number}"), world.guild.id)


async def ranked(world: World, bot: Rowbot, count: int, game: str = "tictactoe") -> list[str]:
    """Let `count` members come to be listed by wins in the order of the names returned."""
    people = [joined(world, f"player {number}") for number in range(1, count + 1)]
    for place, player in enumerate(people[:-1]):
        for _ in range(1 if place == count - 2 else 2):
            await beaten(bot, player, people[place + 1], world.guild.id, game)
    # Of those with as many wins, the one who joined last comes first.
    return [name for _, name in [*people[-3::-1], *people[-2:]]]
