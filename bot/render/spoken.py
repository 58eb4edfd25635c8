"""A board in words for screen readers: as text, and as the alt text of a picture."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from textwrap import shorten

from bot.forms import Form
from bot.i18n import Texts
from bot.render.board import text_board
from bot.render.telling import InWords
from core.grid import Move, Square
from core.match import Match
from core.match.diagram import Gains, diagram
from core.position import Blank

# https://discord.com/developers/docs/components/reference: characters of a description
MAX_ALT = 1024
# Unicode's isolates (UAX #9), and the joiner in moves
_UNHEARD = dict.fromkeys([0x2060, *range(0x2066, 0x206A)])
# At least this many neighbouring columns are told as "a to d", and rows as "10 to 6".
_RUN, _ROWS = 4, 3


def alt_text(match: Match, names: Sequence[str], texts: Texts) -> str:
    """Return the picture of a match as plain text; `names` are by seat, unescaped.

    It is read aloud, so it needs no marks of direction, which would take up half of MAX_ALT, and
    no joiners. If it is too long, it leaves out the moves and the turn, since the message has them
    as well. It never says that the computer is thinking: in a replay or a puzzle it isn't.
    """
    telling = InWords(texts)
    told = telling.last_moves(match), telling.turn(match, names, thinks=False)
    board = texts.sentences(row_lines(match, texts)).translate(_UNHEARD)
    said = texts.sentences(line for line in (*told, board) if line).translate(_UNHEARD)
    return said if len(said) <= MAX_ALT else shorten(board, MAX_ALT, placeholder=" …")


def board_text(
    match: Match, form: Form, texts: Texts, hint: Move | None = None, gains: Gains | None = None
) -> str:
    """Return the board of a match in words or in emoji; `hint` and `gains` are marked in emoji."""
    if form is Form.WORDS:
        return "\n".join(row_lines(match, texts))
    return text_board(diagram(match, hint=hint, gains=gains), texts)


def row_lines(match: Match, texts: Texts) -> list[str]:
    """Return the rows, the top one first: the squares of each mark, and the blank ones.

    Successive rows with the same content in all squares are told together.
    """
    squares, columns = match.position.grid.squares, match.position.grid.columns
    starts = reversed(range(0, len(squares), columns))
    rows = [_Row.of(match, squares[start : start + columns], texts) for start in starts]
    return [line for sole, run in groupby(rows, _Row.sole) for line in _told(sole, [*run], texts)]


@dataclass(frozen=True)
class _Row:
    """A row of a board: its number, and the columns of each content, in words."""

    number: int
    columns: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, match: Match, squares: Sequence[Square], texts: Texts) -> "_Row":
        columns: dict[str, list[int]] = {}
        for square in squares:
            columns.setdefault(_content(match, square, texts), []).append(square.column)
        return cls(squares[0].row + 1, columns)

    def sole(self) -> str | None:
        """Return the content of all squares of the row, None if they differ."""
        return next(iter(self.columns)) if len(self.columns) == 1 else None


def _told(sole: str | None, rows: Sequence[_Row], texts: Texts) -> Iterator[str]:
    """Yield rows in words; several rows that have only the `sole` content are one sentence."""
    if sole is not None and len(rows) >= _ROWS:
        first, last = rows[0].number, rows[-1].number
        yield texts("spoken.rows.all", first=first, last=last, content=sole)
        return
    for row in rows:
        if sole is not None:
            yield texts("spoken.row.all", row=row.number, content=sole)
            continue
        told = (
            texts("spoken.squares", content=content, columns=texts.listed(_runs(columns, texts)))
            for content, columns in row.columns.items()
        )
        yield texts("spoken.row", row=row.number, squares=texts.listed(told))


def _content(match: Match, square: Square, texts: Texts) -> str:
    content = match.position.content(square)
    if isinstance(content, Blank):
        return texts(f"spoken.blank.{content.name.lower()}")
    mark = match.position.marks[content] if isinstance(content, int) else content
    return texts(f"spoken.mark.{mark.shape}")


def _runs(columns: Sequence[int], texts: Texts) -> Iterator[str]:
    """Yield the letters of columns in order: of short runs all, of long runs the first and last."""
    numbered = groupby(enumerate(columns), lambda pair: pair[1] - pair[0])
    runs = ([str(Square(column, 0))[0] for _, column in run] for _, run in numbered)
    for are_short, some in groupby(runs, lambda run: len(run) < _RUN):
        if are_short:
            yield " ".join(chain.from_iterable(some))
        else:
            yield from (texts("spoken.run", first=run[0], last=run[-1]) for run in some)
