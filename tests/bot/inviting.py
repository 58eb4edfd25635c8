"""Short ways to offer matches, for tests of the service."""

from bot.invitations import Invitations
from bot.records import Guest, Holder, Invitation, Person
from core.engine.levels import Level
from core.games import GAMES
from core.match import Computer
from tests.bot.playing import HERE

ALICE_IS, BOB_IS, CAROL_IS = Person(1, "Alice"), Person(2, "Bob"), Person(3, "Carol")
EASY = Computer(Level.EASY)


async def offer(
    invitations: Invitations, *seats: Holder, level: Level | None = None, game: str = "tictactoe"
) -> Invitation:
    """Let Alice offer a match with these seats; with a `level`, an open table."""
    return await invitations.offer(
        Invitation(
            id=0,
            place=HERE,
            game=game,
            options=GAMES[game].resolve({}),
            owner=ALICE_IS,
            seats=seats,
            expires_at=0,
            fill_level=level,
        )
    )


async def challenge(invitations: Invitations, opponent: Person = BOB_IS) -> Invitation:
    return await offer(invitations, Guest(ALICE_IS), Guest(opponent, agreed=False))


async def table(invitations: Invitations, *seats: Holder) -> Invitation:
    """Open a table for three."""
    sat = seats or (Guest(ALICE_IS), None, None)
    return await offer(invitations, *sat, level=Level.EASY, game="tribolo")
