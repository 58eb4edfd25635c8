"""Every core error has words."""

from collections.abc import Iterator
from itertools import chain

import pytest

from bot.i18n import Texts, texts_for
from bot.identity import MatchId, MessageId
from bot.matches.model import StoredMatch
from bot.refusals import Refusal
from bot.render.refusals import refusal_text
from core.errors import (
    BadNotation,
    GameError,
    HasLeft,
    Illegal,
    IllegalMove,
    MatchOver,
    NotAPlayer,
    NothingToUndo,
    NotYourTurn,
    OptionError,
    StalePly,
)
from core.grid import Move
from tests.bot.i18n.catalogue import own_reasons
from tests.bot.playing import HERE, begin
from tests.core.boards import ALICE, ROBOT


@pytest.fixture
def texts() -> Texts:
    return texts_for("en-GB")


REFUSED: list[GameError] = [
    BadNotation("castle"),
    NotYourTurn(),
    StalePly(1, 2),
    MatchOver(),
    NotAPlayer(),
    HasLeft(),
    NothingToUndo(),
    OptionError("rows", 99, (3, 10)),
    OptionError("line", 5, (3, 3)),
    OptionError("variant", "giant", ("classic", "torus")),
    *(IllegalMove(Move.parse("a1-b2"), reason) for reason in (*Illegal, *own_reasons())),
]


@pytest.mark.parametrize("error", REFUSED, ids=repr)
def test_every_error_of_the_core_has_words(texts: Texts, error: GameError) -> None:
    """Each refusal by the core becomes a sentence, with the board's link if there is a board."""
    names = ("Alice", None)
    board = StoredMatch(
        MatchId(1), HERE, begin(ALICE, ROBOT), names, MatchId(1), (0, 0), board_id=MessageId(30)
    )
    told = refusal_text(Refusal(error, board), texts)
    assert "{" not in told
    assert told.partition("\n")[0][-1] in ".!"
    assert "https://discord.com/channels/10/20/30" in told


def test_the_errors_of_the_core_are_all_tested() -> None:
    """Each error that a player can cause is in the list above."""

    def leaves(kind: type[GameError]) -> Iterator[type[GameError]]:
        below = kind.__subclasses__()
        yield from chain.from_iterable(map(leaves, below)) if below else [kind]

    unsaid = {kind.__name__ for kind in leaves(GameError)} - {type(e).__name__ for e in REFUSED}
    # Players never cause these: they concern stored texts (shown as CorruptRowError) and records.
    assert unsaid == {"PositionError", "RecordError"}
