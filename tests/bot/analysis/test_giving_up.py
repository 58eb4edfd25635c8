"""What players give away by how a match ends, rather than by a move."""

from collections.abc import Callable

import pytest

from bot.analysis.model import GivenUp, given_up, review
from core.engine.player import Engine
from core.match import Match
from core.outcome import Result
from core.players import Member

FIRST, SECOND = Member(0), Member(1)
# The first player, to move, wins in three moves.
WON = Match.start("tictactoe").play("b2").play("a2")
LOSING, TO_A_DRAW = (GivenUp(0, Result.WIN, after) for after in (Result.LOSS, Result.DRAW))


@pytest.mark.parametrize(
    ("end", "lost"),
    [
        (lambda match: match.resign(FIRST), [LOSING]),
        (lambda match: match.time_out(), [LOSING]),
        (lambda match: match.depart(FIRST), [LOSING]),
        (lambda match: match.agree_draw(), [TO_A_DRAW]),
        (lambda match: match.resign(SECOND), []),
        (lambda match: match.drop(FIRST), []),
        (lambda match: match.call_off(), []),
        (lambda match: match, []),
    ],
    ids=["resigned", "timed out", "left", "drawn", "lost anyway", "dropped", "called off", "open"],
)
def test_an_end_away_from_the_board(end: Callable[[Match], Match], lost: list[GivenUp]) -> None:
    """A winner by the last verdict gives that up; what others decide isn't theirs."""
    match, engine = end(WON), Engine()
    steps = review(match, [engine.analyse(position) for position in match.positions])
    assert given_up(match, steps) == lost


def test_an_end_after_an_unknown_value() -> None:
    """Nothing is certain where nothing was proved, nor before the first move."""
    resigned = WON.resign(FIRST)
    assert given_up(resigned, review(resigned, [])) == []
    assert given_up(Match.start("tictactoe").resign(FIRST), ()) == []
