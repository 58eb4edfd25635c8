"""Round robins by Berger tables, which FIDE prescribes (Handbook C.05, annex 1).

Entrants play one game at a time. A game may begin once both entrants have finished their games of
all earlier rounds, however far the others are.
"""

from collections.abc import Iterator
from functools import lru_cache

from bot.tournaments.model import Pairing, Tournament


def due(tournament: Tournament) -> Iterator[Pairing]:
    """Yield the games that may begin, and those that nobody has to play any more."""
    here = [entrant.here for entrant in tournament.entrants]
    # Their games may be of any round: somebody may play in a later round because an opponent was
    # gone.
    busy = {number for played in tournament.being_played for number in played.pairing.entrants}
    for pairing in schedule(len(here), tournament.format.cycles):
        if pairing.key in tournament.by_key:
            continue
        if not all(here[number] for number in pairing.entrants):
            yield pairing
        else:
            if busy.isdisjoint(pairing.entrants):
                yield pairing
            busy.update(pairing.entrants)


@lru_cache(maxsize=16)
def schedule(size: int, cycles: int) -> tuple[Pairing, ...]:
    """Return all games of `size` entrants by rounds; if their number is odd, one sits out in each.

    The second of two `cycles` has the same games with the seats changed. The last two rounds of the
    first cycle then change places, as FIDE recommends: otherwise somebody would have the same seat
    three times running.
    """
    rounds = list(_cycle(size + size % 2))
    if cycles == 2:
        again = [[pair[::-1] for pair in pairs] for pairs in rounds]
        rounds[-2:] = rounds[-2:][::-1]
        rounds += again
    tables = ([pair for pair in pairs if max(pair) < size] for pairs in rounds)
    return tuple(
        Pairing(number, table, 1, pair)
        for number, pairs in enumerate(tables, 1)
        for table, pair in enumerate(pairs, 1)
    )


def _cycle(size: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairs of each round for an even number of entrants.

    The last entrant meets one of the others, who sit in a circle. In this circle, the two entrants
    at the same distance to either side of that one play each other.
    """
    last = size - 1
    opponent = 0
    for number in range(last):
        pairs = [(opponent, last) if number % 2 == 0 else (last, opponent)]
        yield pairs + [
            ((opponent + step) % last, (opponent - step) % last) for step in range(1, size // 2)
        ]
        opponent = (opponent + size // 2) % last
