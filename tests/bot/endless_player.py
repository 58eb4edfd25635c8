"""A process that plays random moves until somebody kills it: `python -m … URL SEED`.

It prints each turn once it is accepted: the match's number and all its moves.
"""

import asyncio
import sys
from itertools import count
from random import Random

from bot.db.database import open_database
from bot.matches.computer import ComputerPlayer
from bot.matches.model import Place, StoredMatch
from bot.matches.service import Matches
from bot.matches.start import Beginnings
from bot.matches.store import MatchStore
from bot.workers.search_client import SearchClient
from core.engine.levels import Level
from core.engine.player import Engine
from core.games import GAMES
from core.players import Computer, Member

_OPPONENTS = (Member(2), Computer(Level.EASY))


async def play(url: str, seed: int) -> None:
    """Play one match after the other, against a member and the computer in turn."""
    rng = Random(seed)
    async with open_database(url) as database:
        computer = ComputerPlayer(Engine(), SearchClient(Engine), rng)
        matches = Matches(MatchStore(database), computer, rng, lambda: 1_700_000_000)
        for number in count():
            # Each run in a channel of its own: the one before may have left a match in its.
            place = Place(1, seed * 1_000_000 + number)
            seating = [(Member(1), "Alice"), (_OPPONENTS[number % 2], None)]
            await _play_match(
                matches, await Beginnings(matches).start(place, GAMES["nineholes"], {}, seating)
            )


async def _play_match(matches: Matches, stored: StoredMatch) -> None:
    while isinstance(player := stored.match.next_player, Member):
        move = matches.rng.choice(stored.match.position.legal_moves())
        stored = await matches.play(stored.id, player.id, str(move), stored.match.ply)
        print(stored.id, *stored.match.moves, flush=True)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], int(sys.argv[2])))
