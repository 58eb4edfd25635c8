"""The legal moves of a position: as buttons, for boards that don't fit on buttons, and as a text.

Where pieces fall, the board has a button for each column, and full columns are disabled. A few
legal moves are a button each. If there are more, the board has a button for each group of moves: a
row, or a man that can move. The button shows the moves of its group to the presser alone, so a move
takes two presses. Groups and moves that don't fit are on further pages.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil

from discord.utils import as_chunks

from bot.forms import Form
from bot.gateway.components import (
    MAX_ROW,
    Component,
    Layout,
    Part,
    button,
    button_row,
    display,
    page_buttons,
    view_of,
)
from bot.i18n import OwnTexts, Texts
from bot.identity import Escaped
from bot.matches.board_pictures import Marked, Seen
from bot.matches.presses import MovePresses
from bot.refusals import Board, Refusal
from bot.render import words
from bot.render.emoji import TARGET
from bot.render.telling import telling_in
from core.grid import Move, Square
from core.match import Match
from core.position import Blank, Position, falls

# A message holds 40 components, of which up to 14 surround the moves.
MAX_SINGLE = 20
_MAX_GROUPS = 15
_MAX_MOVES = 25
# The most buttons in a row that name points: a wider row would wrap on a phone.
_ROW_WITH_POINTS = 4


@dataclass(frozen=True)
class Chosen:
    """The chosen part of a move: a man, or a page of a group of moves.

    With an empty `group` it is a page of the groups.
    """

    man: Square | None = None
    group: str = ""
    page: int = 0


NOTHING = Chosen()


def gain(position: Position, move: Move) -> int | None:
    """Return how many points a legal move brings its player, None in a game without points."""
    seat, had = position.to_move, position.scores()
    if seat is None or had is None:
        return None
    has = position.play(move).scores()
    assert has is not None, "points are counted in all positions of a game"
    return has[seat] - had[seat]


def says_more(position: Position) -> bool:
    """Return whether the legal squares tell more than the empty squares, which everybody sees.

    False for columns, whose buttons show which are legal.
    """
    if falls(position):
        return False
    moves = words.on_squares(position.legal_moves())
    empty = {s for s in position.grid.squares if position.content(s) is Blank.OPEN}
    plain = position.scores() is None and all(move.origin is None for move in moves)
    return not plain or {move.to for move in moves} != empty


def has_page(moves: Sequence[Move], group: str, page: int) -> bool:
    """Return whether a group of `moves` has this page; an empty `group` is the list of groups."""
    groups = grouped(moves)
    if group:
        return page * _MAX_MOVES < len(groups.get(group, ()))
    return page * _MAX_GROUPS < len(groups)


def check_pick(position: Position, square: Square, board: Board | None = None) -> None:
    """Raise Refusal, with a link to `board`, unless the man on a square can move."""
    movable = dict.fromkeys(move.origin for move in position.legal_moves() if move.origin)
    if square in movable:
        return
    if not movable:
        raise Refusal("refusal.unknown_button", board)
    squares = " ".join(str(origin) for origin in movable)
    own = square in position.grid and position.content(square) == position.to_move
    key = "refusal.pick_stuck" if own else "refusal.pick_first"
    raise Refusal(key, board, square=str(square), squares=squares)


def move_buttons(
    position: Position, presses: MovePresses, page: int, typed: str, texts: Texts
) -> list[Part]:
    """Return the buttons of the legal moves, or of their groups, and how to use them.

    `page` is the page of groups to show; `has_page` must hold for it. `typed` is the command for
    those who type the move instead.
    """
    moves = words.on_squares(position.legal_moves())
    command = f"`{typed}{words.notation(moves[0])}`"
    if falls(position):
        return [texts("board.by.column", command=command), *_columns(position, presses)]
    if len(moves) <= MAX_SINGLE:
        said = texts("board.by.move", command=command)
        return [said, *_moves(position, presses, moves, texts)]
    keys = list(grouped(moves))
    kind = _kind(keys[0])
    if kind == "row":
        keys.reverse()  # the top row first, as on the board
    pages = list(as_chunks(keys, _MAX_GROUPS))
    return [
        texts(f"board.by.{kind}", command=command),
        *_in_rows([button(key, presses.group(key, 0)) for key in pages[page]], MAX_ROW),
        *page_buttons(page, len(pages), partial(presses.group, ""), texts),
    ]


def group_items(
    position: Position, presses: MovePresses, group: str, page: int, texts: OwnTexts
) -> list[Component]:
    """Return a page of the moves of a group as buttons, for the player to move.

    `has_page` must hold for it.
    """
    pages = list(as_chunks(grouped(position.legal_moves())[group], _MAX_MOVES))
    return [
        display(texts(f"select.of.{_kind(group)}", group=group)),
        *_moves(position, presses, pages[page], texts),
        *page_buttons(page, len(pages), partial(presses.group, group), texts),
    ]


def grouped(moves: Iterable[Move]) -> dict[str, list[Move]]:
    """Return `moves` by their row, or by the square that they come from, in order."""
    found: dict[str, list[Move]] = {}
    for move in words.on_squares(moves):
        key = str(move.origin) if move.origin else str(move.to.row + 1)
        found.setdefault(key, []).append(move)
    return found


def _kind(group: str) -> str:
    """Return the kind of a group: a row is named by its number, a man by its square."""
    return "row" if group.isdigit() else "man"


def _moves(
    position: Position, presses: MovePresses, moves: Sequence[Move], texts: Texts
) -> list[Component]:
    """Return a button for each move, with the points that it brings if the game has points."""
    buttons = []
    widest = MAX_ROW
    for move in moves:
        label = str(move)
        gained = gain(position, move)
        if gained is not None:
            label = f"{label} {texts('select.gain', points=gained)}"
            widest = _ROW_WITH_POINTS
        buttons.append(button(label, presses.play(str(move))))
    return _in_rows(buttons, widest)


def _columns(position: Position, presses: MovePresses) -> list[Component]:
    """Return a button for each column; full ones are disabled."""
    legal = position.legal_moves()
    columns = position.grid.columns
    buttons = [
        button(str(move), presses.play(str(move)), disabled=move not in legal)
        for move in map(Move.into, range(columns))
    ]
    return _in_rows(buttons, MAX_ROW)


def _in_rows(buttons: Sequence[Component], widest: int) -> list[Component]:
    """Return at least one button in as few rows as `widest` allows, all of about one length."""
    rows = ceil(len(buttons) / widest)
    return [button_row(*row) for row in as_chunks(buttons, ceil(len(buttons) / rows))]


def legal_moves(match: Match, names: Sequence[str | None]) -> Marked:
    """Return the board with marks on the squares that the player to move can choose.

    In games with points, the marks tell how many points each move brings.
    """
    gains = {move: gain(match.position, move) for move in match.position.legal_moves()}
    return Marked(match, names, gains=gains)


def legal_view(shown: Marked, names: list[Escaped], texts: OwnTexts, board: Seen) -> Layout:
    """Return the message around the `board` of legal moves that is `shown`.

    The moves are named too, for people who can't see the board. A board in words has no marks, so
    there the moves come first.
    """
    match, gains = shown.match, shown.gains or {}
    if match.to_move is None:
        return view_of(texts("legal.none"))
    # A swap has no mark.
    key, count = "legal.counted", len(words.on_squares(gains))
    if board.form is Form.WORDS:
        key, count = "legal.named", len(gains)
    elif None in gains.values():
        key = "legal.marked"
    # Only emoji need the note on ten points or more: a picture shows all digits.
    in_emoji = board.form is not Form.WORDS and isinstance(board.parts[0], str)
    has_ten = any(by is not None and by > 9 for by in gains.values())
    telling = telling_in(board.form, texts)
    player = telling.named(match, match.to_move, names[match.to_move])
    named = [
        move if by is None else texts("board.last.gain", move=move, points=by)
        for move, by in ((words.notation(move), by) for move, by in gains.items())
    ]
    title = words.title(match.game, match.options, texts)
    told = [
        texts(key, target=TARGET, player=player, count=count),
        *([texts("legal.ten")] if in_emoji and has_ten else []),
        f"-# {texts.listed(named)}",
    ]
    if board.form is Form.WORDS:
        return view_of(*told, *board.parts, f"**{title}**")
    return view_of(f"### {title}", *board.parts, *told)
