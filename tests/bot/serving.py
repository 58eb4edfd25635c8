"""A service with a manual clock, and shortcuts for matches."""

from dataclasses import dataclass

from bot.identity import MemberId
from bot.matches.model import StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from core.games import GAMES
from core.options import Options
from core.players import Member
from tests.bot.playing import HERE, NOW
from tests.core.boards import ALICE, BOB, ROBOT
from tests.services import Seating, new_match

MEMBERS: Seating = [(ALICE, "Alice"), (BOB, "Bob")]
SOLO: Seating = [(ALICE, "Alice"), (ROBOT, None)]
HOT_SEAT: Seating = [(ALICE, "Alice"), (ALICE, "Alice")]
LIFETIME = 900


@dataclass
class Clock:
    """Unix seconds that a test advances by hand."""

    now: int = NOW

    def __call__(self) -> int:
        return self.now


async def start(
    starter: MatchStarter, seating: Seating = MEMBERS, options: Options | None = None
) -> StoredMatch:
    return await starter.start(new_match(HERE, GAMES["tictactoe"], seating, options))


async def answered(matches: MatchService, stored: StoredMatch) -> StoredMatch:
    """Return a match after the computer's answer; `stored` itself if there is none."""
    return await matches.computer_moves(stored) or stored


async def play_all(matches: MatchService, stored: StoredMatch, moves: str) -> StoredMatch:
    """Play `moves`, each by the player to move."""
    for move in moves.split():
        player = stored.match.next_player
        assert isinstance(player, Member)
        stored = await matches.play(stored.id, MemberId(player.id), move)
    return stored
