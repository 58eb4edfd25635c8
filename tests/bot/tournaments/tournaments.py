"""Tournaments for the tests of their rules, and members who play them in any order."""

from dataclasses import replace
from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from bot.identity import MemberId, Person, TournamentId
from bot.tournaments.model import Format, How, Pairing, Stage, Tournament, TournamentGame, seeded
from bot.tournaments.pairings import next_pairings

# A tournament is long, so few examples are enough, and on a busy machine one may take long.
QUICK = settings(max_examples=25, deadline=None)

# Seeds, since it takes minutes if Hypothesis draws each number of a Random by itself.
SEEDS = st.integers(0, 10**6)

WON, DRAWN, LOST = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)


def started(kind: Format, size: int, swiss_rounds: int | None = None) -> Tournament:
    """Return a tournament of this many members that has just started, with entrant 0 strongest."""
    members = [(Person(MemberId(1000 + n), f"Member {n}"), 2000.0 - n) for n in range(size)]
    return Tournament(
        TournamentId(1),
        kind,
        seeded(members),
        stage=Stage.RUNNING,
        swiss_rounds=swiss_rounds,
    )


def begun(tournament: Tournament, *pairings: Pairing) -> Tournament:
    """Return the tournament with these pairings begun; walkovers are over at once."""
    return with_played(
        tournament, *(tournament.walkover(one) or TournamentGame(one) for one in pairings)
    )


def is_over(tournament: Tournament) -> bool:
    """Return whether everything has been played, or what is left can't be paired."""
    return not tournament.being_played and not next_pairings(tournament)


def played_out(tournament: Tournament, rng: Random, leaving: float = 0) -> Tournament:
    """Return the tournament after its last game. In each step some due games begin, and some end.

    `leaving` is the probability that somebody withdraws in a step and loses their game.
    """
    while True:
        due = list(next_pairings(tournament))
        known = {one.pairing.key for one in tournament.games}
        assert not known & {one.key for one in due}, "begun twice"
        if not due and not tournament.being_played:
            return tournament
        some = rng.sample(due, rng.randint(1, len(due))) if due else []
        tournament = begun(tournament, *some)
        running = tournament.being_played
        if running:
            ended = rng.sample(running, rng.randint(0 if due else 1, len(running)))
            results = [TournamentGame(one.pairing, rng.choice((WON, DRAWN, LOST))) for one in ended]
            tournament = with_played(tournament, *results)
        if rng.random() < leaving:
            tournament = left(tournament, rng.randrange(len(tournament.entrants)))


def left(tournament: Tournament, entrant: int) -> Tournament:
    """Return the tournament after an entrant has withdrawn and lost what they were playing."""
    lost = [
        TournamentGame(
            one.pairing, tuple(float(number != entrant) for number in one.pairing.entrants)
        )
        for one in tournament.being_played
        if entrant in one.pairing.entrants
    ]
    return with_played(without(tournament, entrant), *lost)


def with_played(tournament: Tournament, *changed: TournamentGame) -> Tournament:
    """Return the tournament with pairings begun or, where they had begun, with new results."""
    known = {one.pairing.key: one for one in (*tournament.games, *changed)}
    return replace(tournament, games=tuple(known.values()))


def without(tournament: Tournament, entrant: int) -> Tournament:
    """Return the tournament from which an entrant has withdrawn, as the service writes it.

    They remain paired in the latest round that has begun, so that its other pairings stay as they
    are. The caller has to end the games that they are playing.
    """
    gone = tournament.entrants[entrant]
    if not gone.here:
        return tournament
    entrants = list(tournament.entrants)
    entrants[entrant] = replace(gone, withdrawn_after=tournament.round)
    return replace(tournament, entrants=tuple(entrants))


def boards(tournament: Tournament) -> list[TournamentGame]:
    """Return the pairings that somebody has played."""
    return [one for one in tournament.games if one.how is How.PLAYED]
