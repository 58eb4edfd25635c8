"""Makes the tablebases: the games that go in circles, solved as a whole."""

from core.engine.retrograde import packed, solve
from core.games.nineholes.board import VARIANTS
from core.views import LoopRules

RULES: dict[str, LoopRules] = {variant.label: variant for variant in VARIANTS.values()}


def make(label: str) -> bytes:
    """Return the content of the file of a tablebase."""
    return packed(solve(RULES[label]))
