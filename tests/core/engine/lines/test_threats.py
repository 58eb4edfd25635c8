"""Wins by threats alone, against a search of every threat there is."""

import pytest

from core.engine.bitboards import split
from core.engine.lines.and_or import AndOrSearch
from core.engine.lines.bounds import bounds
from core.engine.lines.geometry import Geometry, geometry
from core.engine.lines.threats import MOST_NODES, ThreatSearch
from core.engine.lines.zones import UNLIMITED, must_play
from core.engine.stop import Stop
from core.games.tictactoe.position import MnkPosition
from core.views import LineView
from tests.core.boards import TICTACTOE
from tests.core.engine.lines import samples
from tests.core.engine.lines.samples import sampled

FOUR_ON_FIVE = geometry(samples.FOUR_ON_FIVE)


def forced(lines: Geometry, attacker: int, defender: int) -> bool:
    """Return whether the attacker, to move, wins by threats alone, trying every square."""
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
    """On 5x5 with four in a row the search finds exactly the wins that trying all threats finds."""
    threats, and_or = ThreatSearch(FOUR_ON_FIVE), AndOrSearch(bounds(samples.FOUR_ON_FIVE))
    won = 0
    for mine, theirs in sampled(samples.FOUR_ON_FIVE, marks, 300):
        blocks = FOUR_ON_FIVE.completing(theirs, mine)
        if FOUR_ON_FIVE.completing(mine, theirs) or blocks & (blocks - 1):
            continue
        win = threats.wins(mine, theirs, blocks)
        assert (win is not None) is forced(FOUR_ON_FIVE, mine, theirs)
        if win is not None:
            won += 1
            assert and_or.move_wins(mine, theirs, win.move, UNLIMITED, nodes=100_000)
    assert won > 10


def test_the_defender_may_reply_anywhere_outside_of_the_plan() -> None:
    """A defender that moves elsewhere first still loses to threats alone."""
    threats = ThreatSearch(FOUR_ON_FIVE)
    tried = 0
    for mine, theirs in sampled(samples.FOUR_ON_FIVE, 9, 300):
        if FOUR_ON_FIVE.completing(mine, theirs) or FOUR_ON_FIVE.completing(theirs, mine):
            continue
        win = threats.wins(mine, theirs)
        if win is None:
            continue
        defending = must_play(FOUR_ON_FIVE, mine, theirs, win)
        for reply in split(FOUR_ON_FIVE.full & ~(mine | theirs | defending)):
            tried += 1
            assert threats.wins(mine, theirs | reply) is not None, (mine, theirs, reply)
    assert tried > 100


def many_pairs() -> LineView:
    """Return a position with threats that don't depend on each other, so many orders of them."""
    rows = (
        ".X.XXO...X/O.O..O.XOX/OO.XXXOOOO/X..OO..XX./X..OXO.XX."
        "/..O.X..OXO/X...O....O/.O.XX..X../.X.XXOO.X./..OXOOOX.O"
    )
    position = TICTACTOE.parse(f"classic 5 {rows}")
    assert isinstance(position, MnkPosition)
    return position.view


def test_pairs_that_are_many_end_the_search() -> None:
    """Threats that don't depend on each other can be made in any order: 300,000 positions here."""
    view = many_pairs()
    search = ThreatSearch(geometry(view.board))
    assert search.wins(view.mine, view.theirs) is None
    assert search.nodes == MOST_NODES
    assert search.wins(view.theirs, view.mine) is None
    assert search.nodes == MOST_NODES


def test_a_stop_ends_the_search() -> None:
    """Otherwise an engine could take half a second to end."""

    class Later(Stop):
        """A stop that somebody asks for while the search is going on."""

        asked = 0

        @property
        def wanted(self) -> bool:
            self.asked += 1
            return self.asked > 100

    view = many_pairs()
    search = ThreatSearch(geometry(view.board), Later())
    assert search.wins(view.mine, view.theirs) is None
    assert search.nodes == 100
