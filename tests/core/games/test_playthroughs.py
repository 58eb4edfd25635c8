"""Recorded playings (golden/playthroughs) go as they went when they were recorded."""

import pytest

from core.game import Game
from core.options import Options
from tests.core.boards import after
from tests.core.playthroughs import FOLDER, begin, record, recorded_moves, settings


@pytest.mark.parametrize(("name", "game", "options"), list(settings()))
def test_a_recorded_playing_goes_as_before(name: str, game: Game, options: Options) -> None:
    """The same moves lead to the same positions, numbers of legal moves, and end."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    match = after(begin(game, options), recorded_moves(text))
    assert record(match) == text
    assert match.outcome is not None


def test_there_is_one_recording_for_each_game_and_variant() -> None:
    """No game or variant goes unrecorded, and no recording is left over."""
    assert {path.stem for path in FOLDER.iterdir()} == {name for name, *_ in settings()}
