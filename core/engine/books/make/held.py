"""Makes the books of positions that the second side holds, by a C program, `holding.c`.

They arise if the second side answers the first mark as `LinePosition.opening` does, and each later
mark as the program says, as long as a search for pairs doesn't find the answer in time.
"""

from pathlib import Path

from core.engine.bitboards import split
from core.engine.books.make.generator import Marks, Recipe, compiled, searched
from core.engine.lines.evaluation import LinePosition
from core.engine.lines.geometry import Geometry, geometry
from core.engine.lines.pairing import PairingSearch

SOURCE = Path(__file__).with_name("holding.c")
# What one search for a reply may cost here: a quarter of what it may in a game.
_NODES = 1_500
_RECIPES = (Recipe(7, 7, line=5, marks=1),)
BOOKS = {recipe.label: recipe for recipe in _RECIPES}


def make(recipe: Recipe) -> set[int]:
    """Return the canonical numbers of the positions."""
    here = geometry(recipe.board)
    found = held = _after_openings(here)
    with compiled(SOURCE) as program:
        while held:
            after = _after_marks(here, held)
            asked = [pair for pair in after if not _answered(here, *pair)]
            replies = searched(recipe.board, asked, program)
            assert min(replies, default=0) >= 0, "the second side doesn't hold this board"
            held = {
                here.symmetry.canonical(attacker, defender | 1 << reply)
                for (attacker, defender), reply in zip(asked, replies, strict=True)
            }
            found = found | held
            print(len(held), "positions, symmetric ones counted once", flush=True)
    return found


def _after_openings(here: Geometry) -> set[int]:
    """Return the canonical positions after each first mark and each best answer to it."""
    firsts = here.symmetry.representatives(0, 0, split(here.full))
    return {
        here.symmetry.canonical(first, reply)
        for first in firsts
        for reply in LinePosition(here, 0, first).opening()
    }


def _after_marks(here: Geometry, held: set[int]) -> list[Marks]:
    """Return the positions after each of the attacker's marks, one of each symmetric group."""
    squares = here.symmetry.squares
    found = dict[int, Marks]()
    for number in sorted(held):
        attacker, defender = number >> squares, number & here.full
        for bit in split(here.full & ~(attacker | defender)):
            found[here.symmetry.canonical(attacker | bit, defender)] = attacker | bit, defender
    return list(found.values())


def _answered(here: Geometry, attacker: int, defender: int) -> bool:
    """Return whether a search for pairs finds a reply, however the board is turned or mirrored."""
    images = zip(here.symmetry.images(attacker), here.symmetry.images(defender), strict=True)
    return all(PairingSearch(here, _NODES).reply(*image) for image in images)
