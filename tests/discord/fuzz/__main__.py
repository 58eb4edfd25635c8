"""The command line of the fuzzer."""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.discord import conftest  # noqa: F401 - makes simcord quicker

from . import __doc__ as described
from .run import running


async def fuzz(seed: int, steps: int, minutes: float, folder: Path, *, loud: bool) -> int:
    """Run a seed, print what is wrong, and return how much that is."""
    began = time.perf_counter()
    async with running(seed, folder) as run:
        if loud:
            run.on_act.append(lambda act: print(act, flush=True))
        try:
            await run.go(steps, 60 * minutes)
        finally:  # whatever ends it, what was found counts
            for line, before in run.violations:
                print(f"\n{line}", *(f"    {act}" for act in before), sep="\n")
            kinds, wrong = (
                {line.partition(":")[0] for line, _ in run.violations},
                len(run.violations),
            )
            took = time.perf_counter() - began
            print(f"seed {seed}: {dict(run.counts)} in {took:.0f} s: {wrong} wrong {kinds}")
    return wrong


def main() -> None:
    """Run the seed of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.discord.fuzz", description=described)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=10.0, help="it rests and stops after them")
    parser.add_argument("--loud", action="store_true", help="print each act as it comes")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rowbot-fuzz-") as folder:
        running_it = fuzz(args.seed, args.steps, args.minutes, Path(folder), loud=args.loud)
        sys.exit(bool(asyncio.run(running_it)))


if __name__ == "__main__":
    main()
