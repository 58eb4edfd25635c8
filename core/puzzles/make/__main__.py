"""Write the file of the shipped puzzles; an argument takes the place of the seed."""

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from core.puzzles.make.generator import KINDS, generate
from core.puzzles.shipped import FILE

_SEED = 19


def main(seed: int) -> None:
    """Generate the puzzles of all kinds, each in a process of its own, and write them."""
    with ProcessPoolExecutor() as processes:
        found = []
        for kind, lines in zip(KINDS, processes.map(generate, KINDS, repeat(seed)), strict=True):
            print(kind.game, dict(kind.options), len(lines), flush=True)
            found += lines
    FILE.write_text("\n".join(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else _SEED)
