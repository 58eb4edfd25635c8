"""Make the books and tablebases whose labels are given, or all."""

import sys
from collections.abc import Sequence

from core.engine.books.make import drops, generator, held, tablebases
from core.engine.drops.book import packed as packed_drops
from core.engine.lines.book import packed
from core.engine.lines.held import packed as packed_positions


def main(labels: Sequence[str]) -> None:
    """Write the files with these labels, or all."""
    for label in labels or (*generator.BOOKS, *held.BOOKS, *tablebases.RULES, drops.LABEL):
        print(label, flush=True)
        if label in tablebases.RULES:
            (generator.FOLDER / f"{label}.tablebase").write_bytes(tablebases.make(label))
        elif label == drops.LABEL:
            book_of_drops = packed_drops(drops.BOARD, drops.make())
            (generator.FOLDER / f"{label}.drops").write_bytes(book_of_drops)
        elif label in held.BOOKS:
            recipe = held.BOOKS[label]
            positions = packed_positions(recipe.board, held.make(recipe))
            (generator.FOLDER / f"{label}.held").write_bytes(positions)
        else:
            book = generator.make(generator.BOOKS[label])
            (generator.FOLDER / f"{label}.book").write_bytes(packed(book))


main(sys.argv[1:])
