"""A record as a terminal shows it: ``python -m core.match FILE``, or from standard input."""

import sys
from pathlib import Path

from core.errors import RecordError
from core.fields import options_words, result_words, seat_words
from core.match import Match
from core.position import Blank
from core.record import Record, read

_USAGE = "usage: python -m core.match [FILE]"
_BLANKS = {Blank.OPEN: "."}
_OTHER_BLANK = "-"


def show(record: Record) -> str:
    """Return the settings, who played, the board as it stands, the moves, and the result."""
    match = record.match
    lines = [f"{match.game.key} {options_words(match.options)}".strip()]
    for mark, player, name in zip(_marks(match), match.players, record.names, strict=True):
        lines.append(f"{mark}: {seat_words(player, name)}")
    moves = "  ".join(f"{ply}. {move}" for ply, move in enumerate(match.moves, start=1))
    ends = [moves or "no moves", result_words(match.outcome)]
    return "\n".join([*lines, "", *_board(match), "", *ends])


def _marks(match: Match) -> tuple[str, ...]:
    return match.game.marks_in(match.position)


def _board(match: Match) -> list[str]:
    """Return the board's rows with coordinates; each seat has the first letter of its mark."""
    position = match.position
    grid, marks = position.grid, _marks(match)
    rows = [["", *(str(square)[0] for square in grid.squares[: grid.columns])]]
    for start in range(0, len(grid.squares), grid.columns):
        squares = grid.squares[start : start + grid.columns]
        contents = (position.content(square) for square in squares)
        letters = (
            _BLANKS.get(c, _OTHER_BLANK) if isinstance(c, Blank) else marks[c][0] for c in contents
        )
        rows.append([str(squares[0].row + 1), *letters])
    return [" ".join([row[0].rjust(2), *row[1:]]) for row in reversed(rows)]


def main() -> int:
    """Print the record in the file that the command line names; return the exit code.

    What is no record is refused in one line on standard error, with the code 1.
    """
    arguments = sys.argv[1:]
    if len(arguments) > 1:
        return _refused(_USAGE, code=2)
    try:
        raw = Path(arguments[0]).read_bytes() if arguments else sys.stdin.buffer.read()
        printed = show(read(raw.decode("utf-8")))
    except RecordError as error:
        return _refused(f"not a record: {error}")
    except UnicodeDecodeError:
        return _refused("not a record: not text in UTF-8")
    except OSError as error:
        return _refused(f"can't read it: {error}")
    # A terminal may know fewer letters than a name has.
    encoding = sys.stdout.encoding
    sys.stdout.write(printed.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    return 0


def _refused(reason: str, code: int = 1) -> int:
    sys.stderr.write(f"{reason}\n")
    return code
