"""Starting a match of Tribolo from any board."""

from bot.identity import ChannelId, Place, ServerId
from core.engine.levels import Level
from core.games import GAMES
from core.players import Computer, Member, Player
from tests.discord.world import World
from tests.services import new_match

TRIBOLO = GAMES["tribolo"]
# Blue captures on 30 squares: above and below the two red rows, and diagonally past them.
WIDE = "................/RRRRRRRRRRRRRR../BBBBBBBBBBBBBB../RRRRRRRRRRRRRR../...............G B"


async def seated(world: World, board: str | None = None, *, computers: int = 0, size: str) -> None:
    """Start a match of alice, bob and carol, some replaced by computers; alice is Blue."""
    people = (world.alice, world.bob, world.carol)[: 3 - computers]
    seating: list[tuple[Player, str | None]] = [(Member(p.id), p.name) for p in people]
    seating += [(Computer(Level.EASY), None)] * computers
    starter = world.services.starter
    place = Place(ServerId(world.guild.id), ChannelId(world.channel.id))
    stored = await starter.start(new_match(place, TRIBOLO, seating, {"size": size}))
    if board is not None:
        await world.sql(f"UPDATE matches SET start = '{board}', moves = '' WHERE id = {stored.id}")
    await world.alice.slash(world.channel, "board")
