"""Playthroughs (golden/playthroughs) are reproduced exactly."""

import pytest

from core.game import Game
from core.options import Options
from tests.core.boards import after
from tests.core.playthroughs import FOLDER, begin, record, recorded_moves, settings


@pytest.mark.parametrize(("name", "game", "options"), list(settings()))
def test_a_playthrough_is_reproduced(name: str, game: Game, options: Options) -> None:
    """The same moves lead to the same positions, numbers of legal moves, and outcome."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    match = after(begin(game, options), recorded_moves(text))
    assert record(match) == text
    assert match.outcome is not None


def test_every_game_and_variant_has_a_playthrough() -> None:
    """Each game, variant and flag has one that `tests.core.playthroughs` wrote; no others exist."""
    assert {path.stem for path in FOLDER.iterdir()} == {name for name, *_ in settings()}
