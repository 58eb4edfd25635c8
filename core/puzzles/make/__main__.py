"""Write the puzzles that the shipped file lacks; an argument takes the place of the seed."""

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from core.puzzles.make.generator import KINDS, generate
from core.puzzles.shipped import FILE, shipped

_SEED = 19


def main(seed: int) -> None:
    """Generate the puzzles of each kind that has none, each in its own process, and write all."""
    kept = {
        kind.words: [one.line for one in shipped() if one.board == kind.words] for kind in KINDS
    }
    lacking = [kind for kind in KINDS if not kept[kind.words]]
    with ProcessPoolExecutor() as processes:
        for kind, lines in zip(
            lacking, processes.map(generate, lacking, repeat(seed)), strict=True
        ):
            print(kind.words, len(lines), flush=True)
            kept[kind.words] = lines
    found = [line for lines in kept.values() for line in lines]
    FILE.write_text("\n".join(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else _SEED)
