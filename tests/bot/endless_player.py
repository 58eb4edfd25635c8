"""A process that plays random moves until it is killed: `python -m … URL`.

It prints each accepted turn: the match's number and all its moves.
"""

import asyncio
import sys
from itertools import count
from random import Random

from bot.db.database import open_database
from bot.identity import ChannelId, MemberId, Place, ServerId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from core.engine.levels import Level
from core.games import GAMES
from core.players import Computer, Member
from tests.services import new_match, services_over

_OPPONENTS = (Member(2), Computer(Level.EASY))


async def play(url: str) -> None:
    """Play match after match, against a member and the computer alternately."""
    async with open_database(url) as database:
        services = services_over(database, lambda: 1_700_000_000)
        rng = Random(3)
        for number in count():
            place = Place(ServerId(1), ChannelId(number))
            seating = [(Member(1), "Alice"), (_OPPONENTS[number % 2], None)]
            new = new_match(place, GAMES["nineholes"], seating)
            await _play_match(services.matches, await services.starter.start(new), rng)


async def _play_match(matches: MatchService, stored: StoredMatch, rng: Random) -> None:
    while isinstance(player := stored.match.next_player, Member):
        move = rng.choice(stored.match.position.legal_moves())
        stored = await matches.play(stored.id, MemberId(player.id), str(move))
        print(stored.id, *stored.match.moves, flush=True)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1]))
