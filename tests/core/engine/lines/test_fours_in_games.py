"""The best level neither misses nor allows wins by continuous fours, in positions from games."""

from collections.abc import Iterator
from random import Random

import pytest

from core.engine.bitboards import split
from core.engine.levels import Level
from core.engine.player import Engine
from core.games.tictactoe.position import MnkPosition
from core.views import LineView
from tests.core.boards import empty

POSITIONS = 500
PLIES = 9
# A third of the usual budget, so that the best level has it harder than in a match.
WORK = 400_000


def completing(view: LineView, own: int, other: int) -> int:
    """Return the squares on which `own` completes a set."""
    found = 0
    for mask in view.board.sets:
        if not mask & other and (lacking := mask & ~own).bit_count() == 1:
            found |= lacking
    return found


def wins_by_fours(view: LineView, own: int, other: int, plies: int) -> bool:
    """Return whether `own`, to move, completes a set within `plies` by making fours alone.

    It tries every four, set by set, and shares no code with the search.
    """
    if completing(view, own, other):
        return True
    blocks = completing(view, other, own)
    if plies < 3 or blocks & (blocks - 1):
        return False
    making = 0
    for mask in view.board.sets:
        if not mask & other and (lacking := mask & ~own).bit_count() == 2:
            making |= lacking
    return any(
        four_wins(view, own | bit, other, plies - 1)
        for bit in split(making & blocks if blocks else making)
    )


def four_wins(view: LineView, own: int, other: int, plies: int) -> bool:
    """Return whether `own`, having just moved, wins within `plies` by the fours it made or makes.

    The other side must not be able to complete a set itself.
    """
    squares = completing(view, own, other)
    if squares & (squares - 1):
        return True
    return bool(squares) and wins_by_fours(view, own, other | squares, plies - 1)


def from_games(count: int) -> Iterator[MnkPosition]:
    """Yield one position of each of `count` seeded games, in which nobody completes a set now."""
    rng = Random(5)
    engine = Engine()
    while count:
        position = empty(*rng.choice([(8, 8, 5), (10, 10, 5)]))
        for _ in range(rng.randrange(8, 40)):
            if position.to_move is None:
                break
            level = rng.choice([Level.EASY, Level.MEDIUM, Level.MEDIUM])
            position = position.play(engine.choose(position, level, rng))
        if position.to_move is None:
            continue
        view = position.view
        sides = (view.mine, view.theirs), (view.theirs, view.mine)
        if not any(completing(view, *pair) for pair in sides):
            count -= 1
            yield position


@pytest.mark.slow
def test_wins_by_fours_are_neither_missed_nor_allowed() -> None:
    """It makes the fours of a win within nine plies, and stops the other's where a move can.

    Only a position that it has proved to be lost may be left to fours.
    """
    engine = Engine(WORK)
    won, threatened, given_up = 0, 0, 0
    for position in from_games(POSITIONS):
        view = position.view
        mine, theirs = view.mine, view.theirs
        best = engine.choose(position, Level.STRONG, Random(1))
        after = position.play(best)
        assert isinstance(after, MnkPosition)
        made = after.view.theirs
        if wins_by_fours(view, mine, theirs, PLIES):
            won += 1
            assert four_wins(view, made, theirs, PLIES), (position.notation, best)
            continue
        threatened += wins_by_fours(view, theirs, mine, PLIES)
        if four_wins(view, made, theirs, PLIES) or not wins_by_fours(view, theirs, made, PLIES):
            continue
        free = split(view.free)
        if any(not wins_by_fours(view, theirs, mine | bit, PLIES) for bit in free):
            given_up += 1
            analysis = engine.analyse(position)
            assert analysis.value is not None, (position.notation, best)
            assert analysis.value.ranks == ((2, 1) if position.to_move == 0 else (1, 2))
    print(f"{won} wins by fours, {threatened} threatened, {given_up} given up as lost")
    assert won > POSITIONS // 20
    assert threatened > POSITIONS // 20
