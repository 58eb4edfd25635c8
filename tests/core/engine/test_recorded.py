"""The computer still makes the moves that were recorded, whatever it has searched before."""

from collections import defaultdict
from random import Random

import pytest

from core.engine.levels import levels_of
from core.engine.player import Engine
from tests.core.engine.recorded import QUICK, SETTINGS, SLOW, Case, cases, written

OPTIONS = {str(setting): setting.full for setting in SETTINGS}


def by_board(recorded: list[Case]) -> dict[str, list[Case]]:
    """Return the cases of each board."""
    boards = defaultdict[str, list[Case]](list)
    for case in recorded:
        boards[case.board].append(case)
    return boards


QUICK_CASES, SLOW_CASES = by_board(cases(QUICK)), by_board(cases(SLOW))


def replay(recorded: list[Case]) -> None:
    """Compare every move and analysis of one engine, which meets the cases in random order."""
    engine = Engine()
    for case in Random(1).sample(recorded, len(recorded)):
        history = case.history
        for level, move in zip(
            levels_of(case.game, OPTIONS[case.board]), case.chosen.split(), strict=True
        ):
            chosen = engine.choose(history[-1], level, Random(case.seed), history)
            assert str(chosen) == move, f"{level} in {case}"
        if case.analysed:
            assert written(engine.analyse(history[-1])) == case.analysis, str(case)


@pytest.mark.parametrize("one_in", [8, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("board", QUICK_CASES)
def test_moves_are_the_recorded_ones(board: str, one_in: int) -> None:
    """Every level makes the recorded move, and the analysis is the recorded one.

    They depend on the position, the level and the seed alone. CI replays one case in eight.
    """
    replay(QUICK_CASES[board][::one_in])


@pytest.mark.parametrize("one_in", [60, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("board", SLOW_CASES)
def test_moves_that_take_long_are_the_recorded_ones(board: str, one_in: int) -> None:
    """The same holds for the cases that take long; CI replays one of each board."""
    replay(SLOW_CASES[board][::one_in])


def test_two_thousand_moves_are_recorded() -> None:
    """The files cover every setting."""
    recorded = [*cases(QUICK), *cases(SLOW)]
    assert len(recorded) >= 2_000
    assert {case.board for case in recorded} == set(OPTIONS)
