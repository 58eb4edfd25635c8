"""A board in words for screen readers: as text, and as the alt text of a picture."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from textwrap import shorten

from bot.forms import Form
from bot.i18n import Texts
from bot.render import words
from bot.render.board import text_board
from core.grid import Move, Square
from core.match import Match
from core.match.diagram import Gains, diagram
from core.players import Computer
from core.position import Blank, mover_of

# https://discord.com/developers/docs/components/reference: characters of a description
MAX_ALT = 1024
# Unicode's isolates (UAX #9)
_DIRECTIONS = dict.fromkeys(range(0x2066, 0x206A))
# The end of a sentence, which may be in bold, with the blank after it.
_SENTENCE_END = r"[.!?]\**\s"
# At least this many neighbouring columns are told as "a to d", and rows as "10 to 6".
_RUN, _ROWS = 4, 3


@dataclass(frozen=True)
class Telling:
    """How matches are told to a reader of boards in this form: with marks as emoji, or in words."""

    texts: Texts
    form: Form

    def mark(self, match: Match, seat: int, ply: int = -1) -> str:
        """Return a seat's mark after `ply` plies, by default now."""
        if self.form is Form.WORDS:
            return _mark(match, seat, self.texts, ply)
        return words.mark(match, seat, ply)

    def player(self, match: Match, seat: int, name: str) -> str:
        """Return the name of the player at a seat, with their mark."""
        if self.form is Form.WORDS:
            return _named(match, seat, name, self.texts)
        return words.with_mark(match, seat, name, self.texts)

    def players(self, match: Match, names: words.Names) -> str:
        """Return the players with their marks."""
        if self.form is Form.WORDS:
            return players(match, names, self.texts)
        return words.players_line(match, names, self.texts)

    def last_moves(self, match: Match) -> str | None:
        """Return the moves that are news to the player to move; None before the first move."""
        if self.form is Form.WORDS:
            return last_moves(match, self.texts)
        return words.last_moves(match, self.texts)

    def sentence(self, match: Match, said: str) -> str:
        """Return sentences; in words, a mark at the beginning of a sentence gets a capital."""
        return sentence(said, match, self.texts) if self.form is Form.WORDS else said

    def result(self, match: Match, names: words.Names) -> str:
        """Return how a finished match ended."""
        if self.form is Form.WORDS:
            return turn(match, names, self.texts)
        return words.result(match, names, self.texts)

    def line(self, match: Match, moves: Sequence[Move], at: int = 0) -> str:
        """Return moves that could follow in a match; `at` is in bold."""
        return words.line(match, moves, self.texts, at, self.mark)


def alt_text(match: Match, names: Sequence[str], texts: Texts) -> str:
    """Return the picture of a match as plain text; `names` are by seat, unescaped.

    It is read aloud, so it needs no marks of direction, which would take up half of MAX_ALT. If it
    is too long, it leaves out the moves and the turn, since the message has them as well. It never
    says that the computer is thinking: in a replay or a puzzle it isn't.
    """
    told = last_moves(match, texts), turn(match, names, texts, thinks=False)
    board = texts.sentences(row_lines(match, texts)).translate(_DIRECTIONS)
    said = texts.sentences(line for line in (*told, board) if line).translate(_DIRECTIONS)
    return said if len(said) <= MAX_ALT else shorten(board, MAX_ALT, placeholder=" …")


def last_moves(match: Match, texts: Texts) -> str | None:
    """Return the moves that are news to the player to move; None before the first move."""
    return words.last_moves(match, texts, _made)


def _made(match: Match, ply: int, texts: Texts) -> str:
    before, move = match.positions[ply], match.moves[ply]
    # A column alone doesn't say on which row the piece has landed, which a shown board does.
    where = move if move.column is None else before.landing(move)
    made = texts.row(" ", (_mark(match, mover_of(before), texts), str(where)))
    return words.with_gain(made, match, ply, texts)


def turn(
    match: Match,
    names: Sequence[str],
    texts: Texts,
    mention: str | None = None,
    *,
    thinks: bool = True,
) -> str:
    """Return who is to move, or how the match ended.

    `mention` stands for the name of a player to be notified. `thinks` says whether the computer,
    if it is to move, is at work on its move.
    """
    if match.outcome:
        marked = [_named(match, seat, name, texts) for seat, name in enumerate(names)]
        return words.result_of(match, marked, texts)
    seat = mover_of(match.position)
    thinking = thinks and isinstance(match.next_player, Computer)
    key = "spoken.thinking" if thinking else "spoken.turn"
    said = texts(key, mark=_mark(match, seat, texts), player=mention or names[seat])
    return sentence(said, match, texts)


def passed_over(match: Match, names: words.Names, texts: Texts) -> str | None:
    """Return who was passed over since the last turn of the player to move; None if nobody was."""
    return words.passed_over(match, names, texts, _named)


def sentence(said: str, match: Match, texts: Texts) -> str:
    """Return sentences with a capital where they begin with a mark, maybe after an emoji.

    Sentences that begin with anything else, such as a member's name, stay as they are. No mark
    begins with the Turkish i or the Dutch ij, which have capitals of their own.
    """
    marks = "|".join(re.escape(_mark(match, seat, texts)) for seat in range(match.game.seats))
    beginning = re.compile(rf"((?:^|{_SENTENCE_END})\W*)({marks})\b")
    return beginning.sub(lambda found: f"{found[1]}{found[2][0].upper()}{found[2][1:]}", said)


def players(match: Match, names: Sequence[str], texts: Texts) -> str:
    """Return who has which mark; the points, and at the end the ranks, if the game has them."""
    told = [_scored(match, seat, names, texts) for seat in range(match.game.seats)]
    return sentence(texts.listed(words.ranked(match, told, texts) or told), match, texts)


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


def _mark(match: Match, seat: int, texts: Texts, ply: int = -1) -> str:
    return texts(f"spoken.mark.{match.positions[ply].marks[seat].shape}")


def _named(match: Match, seat: int, name: str, texts: Texts) -> str:
    return texts("spoken.named", mark=_mark(match, seat, texts), player=name)


def _scored(match: Match, seat: int, names: Sequence[str], texts: Texts) -> str:
    player = texts("spoken.seat", mark=_mark(match, seat, texts), player=names[seat])
    if seat not in match.staying:
        player = texts("spoken.left", player=player)
    scores = match.position.scores()
    if scores is None:
        return player
    return words.scored(player, scores[seat], texts)
