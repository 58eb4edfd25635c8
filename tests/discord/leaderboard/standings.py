"""Steps that fill a server's leaderboard, and readers of its lines."""

import re
from collections.abc import Sequence
from itertools import count

import discord
from simcord.actors import MemberActor

from bot.identity import ChannelId, MemberId, Person, Place, ServerId
from bot.leaderboard.view import OMITTED
from core.games import GAMES
from core.players import Member
from tests.discord.world import World, answer_to, text
from tests.services import new_match

DAY = 86_400
FOUR_PLIES = {"tictactoe": "a1 b1 a2 b2", "nineholes": "a1-a2 a5-a4 b1-b2 b5-b4"}
_numbers = count(1_000_000)


async def standings(world: World, **options: str) -> list[str]:
    """Ask for the leaderboard as alice; return its lines."""
    result = await world.alice.slash(world.channel, "leaderboard", **options)
    assert not answer_to(result).ephemeral
    return lines(world.last)


def lines(message: discord.Message) -> list[str]:
    """Return the standings on a page of a leaderboard, without Markdown."""
    shown, *_ = text(message).split(f"\n{OMITTED}\n")
    unmarked = (line.removeprefix("➡️ ") for line in shown.splitlines())
    return [line for line in unmarked if re.match(r"#\d+ ", line)]


def own_line(message: discord.Message) -> str:
    """Return the leaderboard's line about the asker."""
    (own,) = [line for line in text(message).splitlines() if line.startswith("➡️")]
    return own


def who(shown: Sequence[str]) -> list[str]:
    """Return the names on leaderboard lines."""
    return [line.split("**")[1] for line in shown]


async def beaten(
    world: World,
    winner: Person | MemberActor,
    loser: Person | MemberActor,
    server_id: int | None = None,
    game: str = "tictactoe",
    times: int = 1,
) -> None:
    """Let two members join, and `winner` beat `loser` in rated matches, each in its own channel."""
    services = world.services
    seating = [(Member(player.id), player.name) for player in (winner, loser)]
    for _ in range(times):
        place = Place(ServerId(server_id or world.guild.id), ChannelId(next(_numbers)))
        stored = await services.starter.start(new_match(place, GAMES[game], seating))
        for ply, move in enumerate(FOUR_PLIES[game].split()):
            mover = MemberId((winner, loser)[ply % 2].id)
            stored = await services.matches.play(stored.id, mover, move)
        await services.matches.resign(stored, MemberId(loser.id))


def joined(world: World, name: str) -> Person:
    """Let a member join the server; return them."""
    return Person(MemberId(world.guild.add_member(world.env.create_user(name)).id), name)


async def champion(world: World, winner: Person, wins: int) -> None:
    """Let a member win `wins` matches, each against a new member who then leaves the server."""
    for _ in range(wins):
        number = next(_numbers)
        await beaten(world, winner, Person(MemberId(number), f"loser {number}"))


async def ranked(world: World, count: int, game: str = "tictactoe") -> list[str]:
    """Create `count` members; return their names in leaderboard order."""
    people = [joined(world, f"player {number}") for number in range(1, count + 1)]
    for place, player in enumerate(people[:-1]):
        times = 1 if place == count - 2 else 2
        await beaten(world, player, people[place + 1], game=game, times=times)
    # Of members with equal wins, the latest to join is listed first.
    return [person.name for person in [*people[-3::-1], *people[-2:]]]
