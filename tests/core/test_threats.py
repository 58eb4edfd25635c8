"""Wins by threats alone, against a search of every threat there is."""

import pytest

from core.engine.attack import Attack
from core.engine.geometry import Geometry, geometry, split
from core.engine.plans import FOREVER
from core.engine.prospects import Prospects
from core.engine.threats import ThreatSearch
from core.games.tictactoe.board import board
from tests.core.test_forcing import sampled

FOUR_ON_FIVE = geometry(board(5, 5, 4, "classic").lines)


def forced(lines: Geometry, attacker: int, defender: int) -> bool:
    """Whether the attacker, to move, wins by threats alone: every square is tried."""
    if lines.completing(attacker, defender):
        return True
    blocks = lines.completing(defender, attacker)
    for bit in split(lines.full & ~(attacker | defender)):
        threats = lines.completing(attacker | bit, defender)
        if blocks & ~bit or not threats:
            continue
        if threats & (threats - 1) or forced(lines, attacker | bit, defender | threats):
            return True
    return False


@pytest.mark.parametrize("marks", [6, 8, 10, 12])
def test_whatever_threats_alone_win_is_found(marks: int) -> None:
    """Four in a row, 5x5, in positions in which nobody completes a set at once."""
    threats, attack, won = ThreatSearch(Prospects(FOUR_ON_FIVE)), Attack(FOUR_ON_FIVE), 0
    for mine, theirs in sampled(25, marks, 300):
        blocks = FOUR_ON_FIVE.completing(theirs, mine)
        if FOUR_ON_FIVE.completing(mine, theirs) or blocks & (blocks - 1):
            continue
        plan = threats.wins(mine, theirs, blocks)
        assert (plan is not None) is forced(FOUR_ON_FIVE, mine, theirs)
        if plan is not None:
            won += 1
            attack.limit = attack.nodes + 100_000
            assert attack.wins_with(mine, theirs, plan.move, FOREVER)
    assert won > 10


def test_the_defender_may_reply_anywhere_outside_of_the_plan() -> None:
    """Whoever moves elsewhere first still loses to threats alone."""
    threats, prospects, tried = ThreatSearch(Prospects(FOUR_ON_FIVE)), Prospects(FOUR_ON_FIVE), 0
    for mine, theirs in sampled(25, 9, 300):
        if FOUR_ON_FIVE.completing(mine, theirs) or FOUR_ON_FIVE.completing(theirs, mine):
            continue
        plan = threats.wins(mine, theirs)
        if plan is None:
            continue
        spoiling = prospects.refuting(mine, theirs, plan)
        for reply in split(FOUR_ON_FIVE.full & ~(mine | theirs | spoiling)):
            tried += 1
            assert threats.wins(mine, theirs | reply) is not None, (mine, theirs, reply)
    assert tried > 100
