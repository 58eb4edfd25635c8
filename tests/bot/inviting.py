"""Short ways to offer matches, for tests of the service."""

from dataclasses import replace
from typing import Any

from bot.invitations.model import Guest, Holder, Invitation, InvitationStatus
from bot.invitations.service import Invitations
from bot.invitations.store import InvitationStore
from bot.matches.model import Person, Series, StoredMatch
from core.engine.levels import Level
from core.games import GAMES
from core.players import Computer, Member
from tests.bot.playing import HERE, NOW, begin

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


# --- without the service

LAPSES = NOW + 900
PEOPLE = [Person(number, name) for number, name in enumerate(("", "Alice", "Bob", "Carol", "Dave"))]


def new_challenge(owner: int = 1, opponent: int = 2, **values: Any) -> Invitation:
    """Return a challenge as it is before it is stored."""
    offered = Invitation(
        id=0,
        place=HERE,
        game="tictactoe",
        options=GAMES["tictactoe"].resolve({"rows": 4}),
        owner=PEOPLE[owner],
        seats=(Guest(PEOPLE[owner]), Guest(PEOPLE[opponent], agreed=False)),
        expires_at=LAPSES,
    )
    return replace(offered, **values)


def closed(made: Invitation, status: InvitationStatus) -> Invitation:
    return replace(made, status=status)


async def accept(
    store: InvitationStore, offered: Invitation, series: Series | None = None
) -> StoredMatch:
    """Accept as the service does, the match being that of the challenge."""
    seats = tuple(replace(seat, agreed=True) for seat in offered.seats if isinstance(seat, Guest))
    after = replace(offered, seats=seats, status=InvitationStatus.BEGUN)
    players = [Member(seat.person.id) for seat in seats]
    names = [seat.person.name for seat in seats]
    match = begin(*players, game=offered.game, options=offered.options)
    return await store.begin(offered, after, match, names, series or Series(), NOW)
