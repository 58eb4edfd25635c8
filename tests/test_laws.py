"""The laws of boards find what is shown wrongly, and nothing else."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from tests import laws
from tests.laws import Known
from tests.load.reading import Reading

LIVE = Known(match=1, ply=2, over=False, archived=False)
ARCHIVED = Known(match=1, ply=2, over=False, archived=True)
OVER = Known(match=1, ply=2, over=True, archived=False)
BOARD = Reading({"id": "10"}, "", (), match=1, ply=2, running=True)
OLD = Reading({"id": "9"}, "", (), match=1, ply=1, running=True)
END = Reading({"id": "11"}, "", (), match=1, over=True)


@pytest.mark.parametrize(
    ("known", "shown", "kinds"),
    [
        (LIVE, [BOARD], []),
        (LIVE, [], ["in the dark"]),
        (LIVE, [OLD], ["stale", "in the dark"]),
        (LIVE, [OLD, BOARD], ["stale", "doubled"]),
        (LIVE, [BOARD, BOARD], ["doubled"]),
        (ARCHIVED, [], []),
        (ARCHIVED, [BOARD], ["stale"]),
        (OVER, [], []),
        (OVER, [END], []),
        (OVER, [BOARD, END], ["stale"]),
        (OVER, [END, END], ["doubled"]),
    ],
)
def test_what_is_shown_of_a_match(known: Known, shown: Sequence[Reading], kinds: list[str]) -> None:
    """A live match has its current board alone, any other has none, and an end is shown once."""
    found = [*laws.broken("here", shown, known)]
    assert [line.partition(":")[0] for line in found] == kinds
    assert all(": here: " in line and "match 1" in line for line in found)


def test_a_board_of_a_match_that_is_not_stored() -> None:
    """It has to go; a message that is no board is left alone."""
    (line,) = laws.stale("here", BOARD, None)
    assert line == "stale: here: message 10 is a board of match 1, which isn't stored"
    assert not [*laws.stale("here", END, None)]


@pytest.mark.parametrize(("seconds", "unnoted"), [(-1, False), (0, True), (7, True), (8, False)])
def test_what_a_kill_may_have_kept_from_being_noted(seconds: int, unnoted: bool) -> None:
    """A kill some seconds after it may have; an earlier kill, or a much later one, hasn't."""
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    assert laws.may_be_unnoted(moment, [moment + timedelta(seconds=seconds)]) is unnoted
