"""The limits of an organiser's choices."""

from typing import Any

import pytest

from bot.refusals import Refusal
from bot.tournaments.model import FEWEST, MOST, Format
from bot.tournaments.service import MOST_ROUND_ROBIN, MOST_SWISS_ROUNDS, check_settings
from tests.bot.tournaments.programs import settings

ROBINS = (Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN)
OTHERS = (Format.SWISS, Format.KNOCKOUT)


@pytest.mark.parametrize(
    "chosen",
    [
        *({"format": kind, "places": MOST_ROUND_ROBIN} for kind in ROBINS),
        *({"format": kind, "places": MOST} for kind in OTHERS),
        *({"format": kind, "places": FEWEST} for kind in Format),
        *({"swiss_rounds": rounds} for rounds in (None, 1, MOST_SWISS_ROUNDS)),
    ],
    ids=str,
)
def test_the_limits_themselves_are_taken(chosen: dict[str, Any]) -> None:
    check_settings(settings(**chosen))


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        *(({"format": kind, "places": MOST_ROUND_ROBIN + 1}, "places") for kind in ROBINS),
        *(({"format": kind, "places": MOST + 1}, "places") for kind in OTHERS),
        *(({"format": kind, "places": FEWEST - 1}, "places") for kind in Format),
        *(({"swiss_rounds": rounds}, "rounds") for rounds in (0, MOST_SWISS_ROUNDS + 1)),
        ({"format": Format.KNOCKOUT, "swiss_rounds": 3}, "rounds"),
        ({"clock": 0}, "clock"),
    ],
    ids=str,
)
def test_settings_beyond_the_limits_are_refused(chosen: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_settings(settings(**chosen))
    assert refused.value.reason == f"refusal.tournament.{reason}"
