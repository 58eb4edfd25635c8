"""The games of a tournament that may begin; they follow from the games that have begun alone.

The pairings that `next_pairings` returns may begin all at once, or in part, or after a restart:
called again, it returns the rest, and never a pairing that has begun.
"""

from bot.tournaments import knockout, round_robin, swiss
from bot.tournaments.model import Format, Pairing, Tournament, TournamentGame

_DUE = {
    Format.ROUND_ROBIN: round_robin.due,
    Format.DOUBLE_ROUND_ROBIN: round_robin.due,
    Format.SWISS: swiss.due,
    Format.KNOCKOUT: knockout.due,
}


def next_pairings(tournament: Tournament) -> tuple[Pairing, ...]:
    """Return all pairings of a running tournament that may begin now and haven't begun.

    Some of them nobody has to play (`Tournament.walkover`); once the results of these are entered,
    more pairings may begin. A Swiss round of 256 entrants takes 0.5 s, so don't call this on the
    event loop.
    """
    return tuple(_DUE[tournament.format](tournament))


def without_opponent(tournament: Tournament, round_: int) -> tuple[int, ...]:
    """Return the entrants of a round who have nobody to play in it: a bye, or sitting out.

    In a round robin with an odd number of entrants, one sits out in each round.
    """
    here = [one.number for one in tournament.entrants if one.plays_in(round_)]
    if cycles := tournament.format.cycles:
        games = round_robin.schedule(len(tournament.entrants), cycles)
        paired = {n for game in games if game.round == round_ for n in game.entrants}
        return tuple(number for number in here if number not in paired)
    byes = (one.pairing for one in tournament.by_round.get(round_, ()) if one.pairing.is_bye)
    return tuple(number for bye in byes for number in bye.entrants)


def may_correct(tournament: Tournament, played: TournamentGame) -> bool:
    """Return whether the result of a game may be entered, or replaced by another one.

    It may as long as no pairing has begun that depends on the winner, which only happens in a
    knockout. Rounds of a Swiss tournament that have begun stay as they are.
    """
    if tournament.format is not Format.KNOCKOUT:
        return True
    here = played.pairing
    following = (here.round + 1, (here.table + 1) // 2)
    return not any(
        one.pairing.key[:2] == following
        or (one.pairing.key[:2] == here.key[:2] and one.pairing.game > here.game)
        for one in tournament.games
    )
