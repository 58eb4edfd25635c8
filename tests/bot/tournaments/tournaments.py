"""Tournaments for the tests of their rules."""

from bot.identity import MemberId, Person, ServerId, TournamentId
from bot.tournaments.model import Format, Stage, Tournament, seeded


def started(kind: Format, size: int, swiss_rounds: int | None = None) -> Tournament:
    """Return a tournament of this many members that has just started, with entrant 0 strongest."""
    members = [(Person(MemberId(1000 + n), f"Member {n}"), 2000.0 - n) for n in range(size)]
    return Tournament(
        TournamentId(1),
        ServerId(1),
        kind,
        seeded(members),
        stage=Stage.RUNNING,
        swiss_rounds=swiss_rounds,
    )
