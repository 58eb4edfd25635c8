"""Make the files of books, results and tablebases whose names are given, or all."""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from core.engine.books import FOLDER
from core.engine.books.make import drops, generator, held, tablebases
from core.engine.drops.book import packed as packed_drops
from core.engine.lines.book import packed
from core.engine.lines.held import packed as packed_positions


def makers() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield the name of each file and a function that returns its content."""
    for label, recipe in generator.BOOKS.items():
        yield f"{label}.book", partial(_book, recipe)
    for label, held_recipe in held.BOOKS.items():
        yield f"{label}.held", partial(_held, held_recipe)
    for label in tablebases.RULES:
        yield f"{label}.tablebase", partial(tablebases.make, label)
    yield f"{drops.LABEL}.drops", lambda: packed_drops(drops.BOARD, drops.make())
    yield f"{drops.LABEL}.results", drops.make_results


def _book(recipe: generator.Recipe) -> bytes:
    return packed(generator.make(recipe))


def _held(recipe: generator.Recipe) -> bytes:
    return packed_positions(recipe.board, held.make(recipe))


def main(names: Sequence[str]) -> None:
    """Write the files with these names, or all."""
    made = dict(makers())
    for name in names or made:
        print(name, flush=True)
        (FOLDER / name).write_bytes(made[name]())


if __name__ == "__main__":
    main(sys.argv[1:])
