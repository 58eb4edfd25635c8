"""Knockouts: a bracket seeded by strength, in which a tie is one game, or up to three if drawn.

The bracket has the usual order: the two strongest can meet only in the final, the four strongest
only from the semifinals on, and so on. If the number of entrants is no power of two, the strongest
have a bye in the first round. A drawn game is replayed with the seats changed. The third game is an
armageddon: the seats are those of the first game, and a draw wins for the seat with the worse
chances.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from bot.tournaments.model import Pairing, Tournament, TournamentGame

_ARMAGEDDON = 3

Slot: TypeAlias = tuple[int, ...] | None
"""Who comes into a tie: one entrant, nobody (), or None if that isn't decided yet."""


@dataclass(frozen=True)
class Tie:
    """Who meets in a tie, in the order of the bracket, and its games so far."""

    first: Slot
    second: Slot
    games: tuple[TournamentGame, ...]

    @property
    def entrants(self) -> tuple[int, ...]:
        """The entrants of the tie: none until both sides are decided, one if they have a bye."""
        return () if self.first is None or self.second is None else self.first + self.second

    @property
    def decider(self) -> TournamentGame | None:
        """The game that has decided the tie, None until one has."""
        last = self.games[-1] if self.games else None
        return last if last is not None and last.over and not last.drawn else None

    @property
    def winner(self) -> Slot:
        """The entrant who goes on; nobody if both are gone or have no points."""
        if self.decider is not None:
            return () if self.decider.winner is None else (self.decider.winner,)
        return () if self.first == () and self.second == () else None


def due(tournament: Tournament) -> Iterator[Pairing]:
    """Yield the games that may begin: those of ties whose entrants are known."""
    firsts = Counter(one.pairing.entrants[0] for one in tournament.games if not one.pairing.is_bye)
    for number, ties in enumerate(bracket(tournament), 1):
        for table, tie in enumerate(ties, 1):
            if tie.games and tie.games[-1].drawn:
                yield _replay(tournament, tie.games[-1].pairing)
            elif tie.entrants and not tie.games:
                lot = Random(f"{tournament.id} {number} {table}")
                yield Pairing(number, table, 1, _seats(tie.entrants, firsts, lot))


def bracket(tournament: Tournament) -> list[list[Tie]]:
    """Return the ties of each round, from the first round to the final."""
    games: dict[tuple[int, int], list[TournamentGame]] = {}
    for played in sorted(tournament.games, key=lambda one: one.pairing.game):
        games.setdefault(played.pairing.key[:2], []).append(played)
    size = len(tournament.entrants)
    slots: list[Slot] = [
        (seed,) if seed < size else () for seed in seed_order(1 << (size - 1).bit_length())
    ]
    rounds = list[list[Tie]]()
    while len(slots) > 1:
        number = len(rounds) + 1
        pairs = zip(slots[::2], slots[1::2], strict=True)
        ties = [
            Tie(first, second, tuple(games.get((number, table), ())))
            for table, (first, second) in enumerate(pairs, 1)
        ]
        rounds.append(ties)
        slots = [tie.winner for tie in ties]
    return rounds


def seed_order(size: int) -> list[int]:
    """Return the seeds in the order of the bracket, for a power of two; the best is 0."""
    order = [0]
    while len(order) < size:
        order = [seed for best in order for seed in (best, 2 * len(order) - 1 - best)]
    return order


def _replay(tournament: Tournament, drawn: Pairing) -> Pairing:
    """Return the next game of a tie after a drawn one."""
    game, entrants = drawn.game + 1, drawn.entrants[::-1]
    odds = entrants[tournament.worse_seat] if game == _ARMAGEDDON else None
    return Pairing(drawn.round, drawn.table, game, entrants, odds)


def _seats(entrants: tuple[int, ...], firsts: Counter[int], lot: Random) -> tuple[int, ...]:
    """Return the entrants of a tie; the one who has moved first less often comes first.

    Between equals the lot decides, which gives the same result whenever it is drawn.
    """
    drawn_first = lot.choice(entrants)
    return tuple(sorted(entrants, key=lambda one: (firsts[one], one != drawn_first)))
