"""A record as a terminal shows it: ``python -m core.match FILE``, or from standard input."""

import argparse
import sys
from pathlib import Path

from core.errors import RecordError
from core.match.record import Record, board_words, read, result_words, seat_words


def show(record: Record) -> str:
    """Return the settings, the players, the current board, the moves, and the result."""
    match = record.match
    lines = [board_words(match.game, match.options)]
    for mark, player, name in zip(match.position.marks, match.players, record.names, strict=True):
        lines.append(f"{mark}: {seat_words(player, name)}")
    moves = "  ".join(f"{ply}. {move}" for ply, move in enumerate(match.moves, start=1))
    ends = [moves or "no moves", result_words(match.outcome)]
    return "\n".join([*lines, "", str(match.position), "", *ends])


def main() -> int:
    """Print the record in the file named on the command line; return the exit code.

    A file that is no record is refused in one line on standard error, with the code 1. Raises
    SystemExit for wrong arguments and for `--help`.
    """
    parser = argparse.ArgumentParser("python -m core.match", description="Print a match.")
    told = "a record of a match; without it, standard input is read"
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help=told)
    file: Path | None = parser.parse_args().file
    try:
        raw = sys.stdin.buffer.read() if file is None else file.read_bytes()
        printed = show(read(raw.decode("utf-8")))
    except RecordError as error:
        return _refused(f"not a record: {error}")
    except UnicodeDecodeError:
        return _refused("not a record: not text in UTF-8")
    except OSError as error:
        return _refused(f"can't read it: {error}")
    # The terminal's encoding may lack letters that a name has.
    encoding = sys.stdout.encoding
    sys.stdout.write(printed.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    return 0


def _refused(reason: str) -> int:
    sys.stderr.write(f"{reason}\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
