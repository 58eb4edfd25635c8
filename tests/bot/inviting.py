"""Shortcuts for offering matches in tests of the service."""

from dataclasses import replace
from functools import partial
from typing import Any

from bot.identity import InvitationId, MemberId, Person, ServerId
from bot.invitations.model import Guest, Holder, Invitation, InvitationStatus, NewInvitation
from bot.invitations.service import InvitationService
from bot.invitations.store import InvitationStore
from bot.matches.model import Series, StoredMatch
from bot.matches.store import MatchStore
from core.engine.levels import Level
from core.games import GAMES
from core.match import Match
from core.players import Computer
from tests.bot.playing import ALICE_ID, BOB_ID, CAROL_ID, HERE, NOW

ALICE_IS, BOB_IS, CAROL_IS = (
    Person(ALICE_ID, "Alice"),
    Person(BOB_ID, "Bob"),
    Person(CAROL_ID, "Carol"),
)
EASY = Computer(Level.EASY)


async def offer(
    invitations: InvitationService,
    *seats: Holder,
    level: Level | None = None,
    game: str = "tictactoe",
) -> Invitation:
    """Let Alice offer a match with these seats; `level` makes it an open table."""
    return await invitations.offer(
        NewInvitation(
            place=HERE,
            game=GAMES[game],
            options=GAMES[game].resolve({}),
            owner=ALICE_IS,
            seats=seats,
            fill_level=level,
        ),
    )


async def challenge(invitations: InvitationService, opponent: Person = BOB_IS) -> Invitation:
    return await offer(invitations, Guest(ALICE_IS), Guest(opponent, agreed=False))


async def table(invitations: InvitationService, *seats: Holder) -> Invitation:
    """Open a table for three."""
    sat = seats or (Guest(ALICE_IS), None, None)
    return await offer(invitations, *sat, level=Level.EASY, game="tribolo")


# --- without the service

LAPSES = NOW + 900
_NAMES = ("", "Alice", "Bob", "Carol", "Dave")
PEOPLE = [Person(MemberId(number), name) for number, name in enumerate(_NAMES)]


def new_challenge(owner: int = 1, opponent: int = 2, **values: Any) -> NewInvitation:
    """Return a challenge that isn't stored yet."""
    offered = NewInvitation(
        place=HERE,
        game=GAMES["tictactoe"],
        options=GAMES["tictactoe"].resolve({"rows": 4}),
        owner=PEOPLE[owner],
        seats=(Guest(PEOPLE[owner]), Guest(PEOPLE[opponent], agreed=False)),
    )
    return replace(offered, **values)


def stored(new: NewInvitation) -> Invitation:
    """Return a new invitation as a database would."""
    return Invitation(**vars(new), id=InvitationId(1), created_at=NOW, expires_at=LAPSES)


def hears(server_id: ServerId) -> bool:
    """Return True: presses in every server reach the bot."""
    return True


def closed(made: Invitation, status: InvitationStatus) -> Invitation:
    return replace(made, status=status)


async def accept(
    store: MatchStore, offered: Invitation, series: Series | None = None
) -> StoredMatch:
    """Accept as the service does, and start the challenge's match."""
    seats = tuple(replace(seat, agreed=True) for seat in offered.seats if isinstance(seat, Guest))
    after = replace(offered, seats=seats, status=InvitationStatus.BEGUN)
    match = Match.start(after.game, after.options, players=after.players)
    new = replace(after.new_match(match), series=series or Series())
    insert = partial(InvitationStore.insert_match, before=offered, begun=after)
    return await store.create(new, NOW, insert)
