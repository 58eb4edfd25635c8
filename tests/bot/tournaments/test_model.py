"""The values of a tournament."""

import pytest

from bot.identity import MemberId, Person
from bot.tournaments.model import (
    FEWEST,
    MOST,
    Format,
    How,
    Pairing,
    PairingKey,
    TournamentGame,
    seeded,
)
from tests.bot.tournaments.tournaments import started, with_played, without


@pytest.mark.parametrize(
    ("kind", "size", "wanted", "rounds"),
    [
        (Format.ROUND_ROBIN, 3, None, 3),
        (Format.ROUND_ROBIN, 8, None, 7),
        (Format.DOUBLE_ROUND_ROBIN, 8, None, 14),
        (Format.SWISS, 3, None, 2),
        (Format.SWISS, 16, None, 4),
        (Format.SWISS, 17, None, 5),
        (Format.SWISS, 256, None, 8),
        (Format.SWISS, 16, 6, 6),
        (Format.SWISS, 4, 9, 3),  # nobody meets the same opponent twice
        (Format.KNOCKOUT, 5, None, 3),
        (Format.KNOCKOUT, 256, None, 8),
    ],
)
def test_the_number_of_rounds(kind: Format, size: int, wanted: int | None, rounds: int) -> None:
    assert started(kind, size, wanted).rounds == rounds


@pytest.mark.parametrize("kind", Format)
@pytest.mark.parametrize("wanted", [None, 5])
def test_more_entrants_have_no_fewer_rounds(kind: Format, wanted: int | None) -> None:
    """So a full tournament has the most rounds, which members are told before the start."""
    rounds = [started(kind, 3, wanted).rounds_of(size) for size in range(FEWEST, MOST + 1)]
    assert rounds == sorted(rounds)


def test_keys_in_writing() -> None:
    """A key that is written and read again is the same; nothing else is read as one."""
    key = Pairing(12, 128, 3, (0, 1)).key
    assert PairingKey.parse(str(key)) == key
    for text in ("one", "1.2", "1.2.3.4", "1.-2.3", "1.2.³", "12345.1.1"):
        with pytest.raises(ValueError, match=text):
            PairingKey.parse(text)


def test_entrants_are_numbered_by_strength_and_equals_in_the_order_of_joining() -> None:
    names = {"A": 1000.0, "B": 1200.0, "C": 1000.0, "D": 1300.0}
    members = [(Person(MemberId(n), name), names[name]) for n, name in enumerate(names)]
    assert [(one.number, one.person.name) for one in seeded(members)] == [
        *((0, "D"), (1, "B"), (2, "A"), (3, "C"))
    ]


def test_a_drawn_armageddon_is_won_by_the_one_with_draw_odds() -> None:
    pairing = Pairing(1, 1, 3, (4, 7), draw_wins=7)
    played = TournamentGame(pairing, (0.5, 0.5))
    assert (played.winner, played.drawn) == (7, False)
    assert TournamentGame(pairing, (1.0, 0.0)).winner == 4
    ordinary = TournamentGame(Pairing(1, 1, 1, (4, 7)), (0.5, 0.5))
    assert (ordinary.winner, ordinary.drawn) == (None, True)


def test_an_entrant_who_withdraws_stays_in_the_round_and_loses_the_rest_of_it() -> None:
    tournament = started(Format.SWISS, 6)
    first = Pairing(1, 1, 1, (0, 3))
    tournament = without(without(with_played(tournament, TournamentGame(first)), 1), 4)
    assert [one.plays_in(1) for one in tournament.entrants] == [True] * 6
    assert not tournament.entrants[1].plays_in(2)
    assert tournament.walkover(first) is None
    against_her = Pairing(1, 2, 1, (1, 5))
    assert tournament.walkover(against_her) == TournamentGame(against_her, (0.0, 1.0), How.FORFEIT)
    both_gone = Pairing(1, 3, 1, (4, 1))
    assert tournament.walkover(both_gone) == TournamentGame(both_gone, (0.0, 0.0), How.FORFEIT)
    bye = Pairing(1, 3, 1, (2,))
    assert tournament.walkover(bye) == TournamentGame(bye, (1.0,), How.BYE)
