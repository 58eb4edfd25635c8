"""Swiss rounds: entrants of like score meet, nobody twice.

A round is the best of all ways to pair everybody, by the criteria of FIDE's Dutch system (Handbook
C.04.3). Each criterion comes before all that follow it:

1. Nobody meets the same opponent twice, or has a second round without a game: a bye, or a win by
   forfeit. A round that can't be paired so isn't played, and the tournament is over.
2. Nobody has the same seat three times running, or three times more often than the other.
3. The bye goes to the lowest score, and there to the weakest.
4. Scores differ as little as possible.
5. Nobody meets lower scores, or higher ones, in two rounds running.
6. Everybody has the seat that they have had less often, or else not the last time.
7. Of equal scores, the upper half meets the lower half, both in the order of the seeding.

The Dutch system pairs score groups one after the other, from the top. This module compares all ways
at once, as a maximum weight matching, so it finds a way whenever there is one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, groupby
from operator import attrgetter
from typing import TypeAlias

from bot.tournaments.model import MOST, Pairing, Tournament, TournamentGame

# How much an entrant prefers a seat. FIDE calls these preferences absolute, strong and mild.
_ABSOLUTE, _STRONG, _MILD, _NONE = 3, 2, 1, 0
_FIRST, _SECOND, _ANY = 1, -1, 0
_HIGHER, _LOWER, _EQUAL = 1, -1, 0

# Each pair has a lot, a number that decides between ways to pair everybody that are equal in all
# criteria. So exactly one way is the best, and the rest of a round that has begun is paired as it
# was at first. A lot is a power modulo a prime, which scatters the lots: if they grew evenly with
# the numbers of the entrants, different ways would have the same sum of lots.
_SPREAD, _LOTS, _POWER = 15_485_863, 1_048_573, 5


@dataclass(frozen=True)
class _Record:
    """An entrant before a round.

    `score` is in half points. `seats` are the seats in the games played, oldest first. `met_score`
    says whether the last opponent's score was higher or lower than the own one, both before that
    round; a round without a game counts as lower. `idle` says that there was a bye or a win by
    forfeit in any round. `place` is the place among the `equals` entrants of this score, from 0.
    """

    number: int
    score: int = 0
    met: frozenset[int] = frozenset()
    seats: tuple[int, ...] = ()
    met_score: int = _EQUAL
    idle: bool = False
    place: int = 0
    equals: int = 1

    @cached_property
    def preference(self) -> tuple[int, int]:
        """The seat that is due, and how strongly."""
        balance = sum(self.seats)
        last = self.seats[-1:]
        if not last:
            return _ANY, _NONE
        seat = _SECOND if balance > 0 else _FIRST if balance < 0 else -last[0]
        if abs(balance) > 1 or self.seats[-2:] == last * 2:
            return seat, _ABSOLUTE
        return seat, _STRONG if balance else _MILD

    def after(self, played: TournamentGame, opponent: "_Record | None") -> "_Record":
        """Return the record after a round against `opponent`, None in a bye.

        Both records are from before the round.
        """
        on_board = played.how.on_board
        points = round(2 * played.points_of(self.number))
        seat = _FIRST if played.pairing.entrants[0] == self.number else _SECOND
        other = self.score if opponent is None else opponent.score
        return _Record(  # quicker than `replace`, which shows in large tournaments
            self.number,
            score=self.score + points,
            met=self.met if opponent is None else self.met | {opponent.number},
            seats=(*self.seats, seat) if on_board else self.seats,
            met_score=(other > self.score) - (other < self.score) if on_board else _LOWER,
            idle=self.idle or (not on_board and points > 0),
        )


_Pair: TypeAlias = tuple[_Record, ...]
"""Two entrants, first the one with the better score or else seed; one alone has the bye."""


def due(tournament: Tournament) -> Iterator[Pairing]:
    """Yield the games of the latest round that haven't begun; if there are none, the next round."""
    number = tournament.round
    rest = tuple(_paired(tournament, number)) if number else ()
    yield from rest
    if not rest and number < tournament.rounds and not tournament.being_played:
        yield from _paired(tournament, number + 1)


def _paired(tournament: Tournament, number: int) -> Iterator[Pairing]:
    """Yield the pairings of a round that haven't begun, at the tables that are free."""
    begun = [one.pairing for one in tournament.by_round.get(number, ())]
    placed = {entrant for pairing in begun for entrant in pairing.entrants}
    if all(one.number in placed for one in tournament.entrants if one.plays_in(number)):
        return
    everybody = _records(tournament, number)
    waiting = [record for record in everybody if record.number not in placed]
    pairs = _best_pairs(waiting)
    possible = len(waiting) > 1 and sum(map(len, pairs)) == len(waiting)
    # Once the round has begun, it is paired as far as possible: a corrected result may have made
    # the rest impossible.
    if begun or possible:
        taken = {pairing.table for pairing in begun}
        free = (table for table in range(1, len(everybody) + 1) if table not in taken)
        for table, pair in zip(free, sorted(pairs, key=_order), strict=False):
            yield Pairing(number, table, 1, tuple(one.number for one in _seated(pair)))


def _order(pair: _Pair) -> tuple[bool, int, int, int]:
    """Return the key by which pairs get their tables: the best scores first, the bye last."""
    return len(pair) == 1, -pair[0].score, -pair[-1].score, pair[0].number


def _records(tournament: Tournament, number: int) -> list[_Record]:
    """Return those who are paired in a round, by score and then by seed.

    All games of the rounds before are over by then.
    """
    records = [_Record(entrant.number) for entrant in tournament.entrants]
    for together in (games for at, games in tournament.by_round.items() if at < number):
        before = tuple(records)
        for played in together:
            for one in played.pairing.entrants:
                other = played.opponent(one)
                records[one] = before[one].after(played, None if other is None else before[other])
    paired = [one for one in records if tournament.entrants[one.number].plays_in(number)]
    paired.sort(key=lambda one: (-one.score, one.number))
    groups = (list(group) for _, group in groupby(paired, key=attrgetter("score")))
    return [
        replace(one, place=place, equals=len(group))
        for group in groups
        for place, one in enumerate(group)
    ]


def _best_pairs(waiting: Sequence[_Record]) -> list[_Pair]:
    """Return the best way to pair as many of these as possible, in no order."""
    from rustworkx import PyGraph, max_weight_matching  # imports numpy, so only when needed

    bye = len(waiting)
    costs = {
        (better, worse): _cost(waiting[better], waiting[worse])
        for better, worse in combinations(range(bye), 2)
        if waiting[worse].number not in waiting[better].met
    }
    if bye % 2:
        costs |= {(at, bye): _bye_cost(one) for at, one in enumerate(waiting) if not one.idle}
    graph: PyGraph[int, int] = PyGraph(multigraph=False)
    graph.add_nodes_from(range(bye + 1))
    graph.add_edges_from(_weighted(costs, bye // 2 + 1))
    matched = max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: weight)
    return [tuple(waiting[at] for at in sorted(pair) if at != bye) for pair in matched]


_Cost: TypeAlias = tuple[int, ...]


def _cost(better: _Record, worse: _Record) -> _Cost:
    """Return the objections to a pair: by the criteria 2 to 7 in this order, and then its lot."""
    apart = better.score - worse.score
    (seat, strength), (other_seat, other_strength) = better.preference, worse.preference
    clash = min(strength, other_strength) if seat == other_seat else _NONE
    if apart:
        again = (better.met_score == _LOWER) + (worse.met_score == _HIGHER)
        out_of_order = (better.equals - 1 - better.place) ** 2 + worse.place**2
    else:
        again = 0
        half = better.equals // 2
        out_of_order = (worse.place - better.place - half) ** 2
        if (better.place < half) == (worse.place < half):
            out_of_order += better.equals**2
    lot = pow((better.number + 1) * _SPREAD + worse.number + 1, _POWER, _LOTS)
    return clash == _ABSOLUTE, 0, apart**2, again, min(clash, _STRONG), out_of_order, lot


def _bye_cost(one: _Record) -> _Cost:
    """Return the objections to giving an entrant the bye."""
    return 0, one.score * MOST + one.equals - 1 - one.place, 0, 0, 0, 0, 0


def _weighted(costs: Mapping[tuple[int, int], _Cost], pairs: int) -> Iterator[tuple[int, int, int]]:
    """Yield the edges with weights: the greater the sum over `pairs` of them, the better.

    A weight is a negative number whose digits are the costs; each digit has a base that the sum of
    its costs can't reach. With 256 entrants, weights take at most 117 of the 127 bits available.
    """
    bases = [max(digits) * pairs + 1 for digits in zip(*costs.values(), strict=True)]
    for (better, worse), cost in costs.items():
        weight = 0
        for digit, base in zip(cost, bases, strict=True):
            weight = weight * base + digit
        yield better, worse, -weight


def _seated(pair: _Pair) -> _Pair:
    """Return a pair in the order of moving; in the first round, odd seeds move first."""
    if len(pair) == 1:
        return pair
    better, worse = pair
    (seat, _), (other_seat, _) = better.preference, worse.preference
    if seat == other_seat == _ANY:
        seat = _SECOND if better.number % 2 else _FIRST
    elif seat == _ANY:
        seat = -other_seat
    elif seat == other_seat:
        seat = _seat_of_better(better, worse)
    return pair if seat == _FIRST else pair[::-1]


def _seat_of_better(better: _Record, worse: _Record) -> int:
    """Return the seat of `better` if both prefer the same one.

    The one with the stronger preference gets it. If these are equal, it is the one who didn't have
    it when their seats last differed, or else `better`.
    """
    wanted, strength = better.preference
    wish = strength, abs(sum(better.seats))
    other_wish = worse.preference[1], abs(sum(worse.seats))
    if wish != other_wish:
        return wanted if wish > other_wish else -wanted
    both = zip(reversed(better.seats), reversed(worse.seats), strict=False)
    return next((-own for own, other in both if own != other), wanted)
