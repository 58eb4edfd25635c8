"""The standings of a tournament.

Round robins and Swiss tournaments rank by points, then by the tie-breaks of FIDE's Tie-Break
Regulations (Handbook C.07, 2026). Entrants who are equal in all of them share a rank, and are
listed by the seeding:

- Sonneborn-Berger in a round robin: the points of everybody beaten, and half of those of everybody
  drawn with (article 9). Games forfeited count as played ones (article 15).
- Buchholz in a Swiss tournament: the points of all opponents (article 8). Of opponents who have
  withdrawn, the rounds that they missed at the end count as draws (16.3). Instead of an opponent, a
  bye, a forfeit or a round after withdrawing has the entrant's own points: at most the opponent's
  for a forfeit, at most a draw a round otherwise (16.4).
- The points of games between those who are still equal, if all of these have met (article 6).
- The number of games won on the board (article 7).

A bye is a point (C.04.1). Results of somebody who withdraws from a round robin before half of their
games count for nobody, and stay in the cross-table (General Regulations for Competitions, C.05).

A knockout ranks by the round in which entrants went out; those of one round share the rank. They
have it as soon as they are out, and rise only if nobody wins another tie of that round. Nobody who
is out has the first rank: if nobody wins the final, nobody has it. Nor has anybody in a round robin
or Swiss tournament that ends without a point for anybody.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, groupby
from typing import Any

from bot.tournaments.knockout import bracket
from bot.tournaments.model import Format, How, Stage, Tournament, TournamentGame

_PODIUM = 3


@dataclass(frozen=True)
class Score:
    """A line of the standings.

    `rank` is 1 for the best; equal entrants share it. `points` are the points of games; in a
    knockout, the number of ties won, byes included. `tie_break` is Buchholz or Sonneborn-Berger,
    None in a knockout. `out_in` is the round in which an entrant went out of a knockout.
    """

    entrant: int
    rank: int
    points: float
    tie_break: float | None = None
    out_in: int | None = None


def standings(tournament: Tournament) -> tuple[Score, ...]:
    """Return the lines of all entrants, the best first."""
    if tournament.format is Format.KNOCKOUT:
        return tuple(_by_rounds(tournament))
    return tuple(_by_points(tournament))


def shown_standings(tournament: Tournament) -> Sequence[Score]:
    """Return the standings, without tie-breaks if these decide no place."""
    scores = standings(tournament)
    return _without_idle_ties(scores, scores)


def podium(tournament: Tournament) -> Sequence[Score]:
    """Return the lines of the first three ranks; none if nobody has any points.

    An entrant who has withdrawn without a point, such as one who never showed up, has no line. The
    lines have no tie-breaks if these decide no place.
    """
    scores = standings(tournament)
    won = any(score.points for score in scores)
    first = [
        score
        for score in scores
        if won
        and score.rank <= _PODIUM
        and (score.points or tournament.entrants[score.entrant].here)
    ]
    return _without_idle_ties(first, scores)


def _without_idle_ties(shown: Sequence[Score], scores: Sequence[Score]) -> Sequence[Score]:
    """Return the lines that are `shown` of all `scores`, without tie-breaks that decide no place.

    They decide one if entrants with the same points have different ranks.
    """
    ranks = {score.points: score.rank for score in shown}
    if any(score.rank != ranks.get(score.points, score.rank) for score in scores):
        return shown
    return [replace(score, tie_break=None) for score in shown]


def final_ranks(tournament: Tournament) -> dict[int, int]:
    """Return the rank that each entrant has at the end, by number."""
    ended = replace(tournament, stage=Stage.ENDED)
    return {score.entrant: score.rank for score in standings(ended)}


def uncounted(tournament: Tournament) -> list[int]:
    """Return the entrants whose results count for nobody, by their numbers.

    They have withdrawn from a round robin before half of their games.
    """
    games = tournament.format.cycles * (len(tournament.entrants) - 1)
    return [
        entrant.number
        for entrant in tournament.entrants
        if not entrant.here
        and 2 * len(_on_board(tournament.games_of(entrant.number), entrant.number)) < games
    ]


def _counted(tournament: Tournament) -> tuple[TournamentGame, ...]:
    """Return the pairings with a result that counts for the standings, by rounds."""
    over = sorted((one for one in tournament.games if one.over), key=lambda one: one.pairing.key)
    early = {*uncounted(tournament)}
    return tuple(one for one in over if early.isdisjoint(one.pairing.entrants))


def _on_board(own: Iterable[TournamentGame], entrant: int) -> list[float]:
    """Return the points of those of an entrant's `own` games that were played on the board."""
    return [one.points_of(entrant) for one in own if one.over and one.how.on_board]


class _Table:
    """The results of a round robin or a Swiss tournament, by entrant."""

    def __init__(self, tournament: Tournament):
        self._tournament = tournament
        self._numbers = range(len(tournament.entrants))
        self._is_swiss = tournament.format is Format.SWISS

    @cached_property
    def points(self) -> Sequence[float]:
        return [sum(one.points_of(e) for one in self._results[e]) for e in self._numbers]

    @cached_property
    def tie_breaks(self) -> Sequence[float]:
        break_tie = self._buchholz if self._is_swiss else self._sonneborn_berger
        return [break_tie(entrant) for entrant in self._numbers]

    @cached_property
    def _results(self) -> Sequence[Sequence[TournamentGame]]:
        """The games that count."""
        results: list[list[TournamentGame]] = [[] for _ in self._numbers]
        for one in _counted(self._tournament):
            for entrant in one.pairing.entrants:
                results[entrant].append(one)
        return results

    @cached_property
    def _adjusted(self) -> Sequence[float]:
        """The points that opponents' Buchholz counts."""
        return [self._adjusted_points(entrant) for entrant in self._numbers]

    def ranked(self) -> Iterator[list[int]]:
        """Yield the entrants of each rank by seed, the best first."""
        for equal in _groups(self._numbers, lambda e: (-self.points[e], -self.tie_breaks[e])):
            yield from self._settled(equal)

    def _settled(self, equal: Sequence[int]) -> Iterator[list[int]]:
        """Yield equal entrants by their games with each other, then by wins.

        With equal wins, those who have withdrawn stand below those who are there.
        """
        among = self._points_among(equal)
        entrants = self._tournament.entrants
        if len({*among.values()}) > 1:
            for group in _groups(equal, lambda one: -among[one]):
                yield from self._settled(group)
        else:
            yield from _groups(equal, lambda one: (-self._wins(one), not entrants[one].here))

    def _wins(self, entrant: int) -> int:
        return _on_board(self._results[entrant], entrant).count(1.0)

    def _points_among(self, equal: Sequence[int]) -> dict[int, float]:
        """Return the points of games between these, all 0 if some of them haven't met."""
        among = dict.fromkeys(equal, 0.0)
        met = set[frozenset[int]]()
        for entrant in equal:
            for one in self._results[entrant]:
                counts = one.how.on_board or not self._is_swiss
                if counts and one.opponent(entrant) in among:
                    among[entrant] += one.points_of(entrant)
                    met.add(frozenset(one.pairing.entrants))
        everybody = all(frozenset(pair) in met for pair in combinations(equal, 2))
        return among if everybody else dict.fromkeys(equal, 0.0)

    def _sonneborn_berger(self, entrant: int) -> float:
        return sum(
            one.points_of(entrant) * self.points[opponent]
            for one in self._results[entrant]
            if (opponent := one.opponent(entrant)) is not None
        )

    def _buchholz(self, entrant: int) -> float:
        own = self.points[entrant]
        rounds = self._tournament.round
        total, paired = 0.0, 0
        for one in self._tournament.games_of(entrant):
            opponent = one.opponent(entrant)
            if opponent is not None:
                paired += 1
                score = self._adjusted[opponent]
                total += min(own, score) if one.how is How.FORFEIT else score
        return total + (rounds - paired) * min(own, rounds / 2)

    def _adjusted_points(self, entrant: int) -> float:
        """Return an entrant's points as their opponents' Buchholz counts them."""
        present = [
            one.pairing.round
            for one in self._tournament.games_of(entrant)
            if one.how is not How.FORFEIT or one.points_of(entrant)
        ]
        missed = self._tournament.round - max(present, default=0)
        return self.points[entrant] + missed / 2


def _groups(entrants: Iterable[int], merit: Callable[[int], Any]) -> Iterator[list[int]]:
    """Yield groups of entrants of the same merit, the least merit first, in their given order."""
    for _, group in groupby(sorted(entrants, key=merit), key=merit):
        yield list(group)


def _by_points(tournament: Tournament) -> Iterator[Score]:
    table = _Table(tournament)
    # At the end, nobody is first without a point.
    rank = 2 if tournament.stage is Stage.ENDED and not any(table.points) else 1
    for equal in table.ranked():
        for entrant in equal:
            yield Score(entrant, rank, table.points[entrant], table.tie_breaks[entrant])
        rank += len(equal)


def _by_rounds(tournament: Tournament) -> Iterator[Score]:
    out_in = dict[int, int]()
    won = dict.fromkeys(range(len(tournament.entrants)), 0)
    going_on = dict[int, int]()
    for number, ties in enumerate(bracket(tournament), 1):
        going_on[number] = sum(tie.winner != () for tie in ties)  # with those that aren't decided
        for decider in filter(None, (tie.decider for tie in ties)):
            winner = decider.winner
            out_in |= {e: number for e in decider.pairing.entrants if e != winner}
            if winner is not None:
                won[winner] += 1
    lasted = {entrant: out_in.get(entrant, tournament.rounds + 1) for entrant in won}
    for entrant in sorted(won, key=lambda one: (-lasted[one], -won[one], one)):
        out = out_in.get(entrant)
        rank = 1 if out is None else 1 + max(1, going_on[out])
        yield Score(entrant, rank, won[entrant], out_in=out)
