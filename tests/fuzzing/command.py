"""The command line of a fuzzer."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import postgresql
from tests.conftest import MEMORY
from tests.discord import conftest  # noqa: F401 - makes simcord quicker and stricter

from .fuzzer import Fuzzer, fuzz


def main(kind: type[Fuzzer], described: str, *, steps: int) -> None:
    """Run the seeds of the command line; exit with 1 if any run found something wrong."""
    parser = argparse.ArgumentParser(description=described)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many")
    parser.add_argument("--steps", type=int, default=steps, help="of each seed")
    parser.add_argument("--minutes", type=float, default=10.0, help="a seed stops after them")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--loud", action="store_true", help="print each act as it comes")
    parser.add_argument("--folder", type=Path, help="keeps the acts and logs of seeds that fail")
    args = parser.parse_args()
    failed = 0
    for seed in range(args.seed, args.seed + args.seeds):
        with _empty(args.database) as url:
            running = fuzz(kind, seed, args.steps, args.minutes, url, loud=args.loud)
            report = asyncio.run(running)
        print(*report.lines(), sep="\n", flush=True)
        failed += bool(report.wrong)
        if args.folder and report.wrong:
            args.folder.mkdir(parents=True, exist_ok=True)
            kept = [*report.lines(), *report.acts, "", *report.log]
            (args.folder / f"{seed}.txt").write_text("\n".join(kept))
    print(f"{failed} of {args.seeds} seeds failed")
    sys.exit(bool(failed))


@contextmanager
def _empty(kind: str) -> Iterator[str]:
    """Yield the URL of a new, empty database."""
    if kind == "postgresql":
        with postgresql.running(durable=False) as server:
            yield str(server.get_uri())
        return
    memory = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="rowbot-fuzz-", dir=memory) as folder:
        yield f"sqlite:///{folder}/fuzz.db"
