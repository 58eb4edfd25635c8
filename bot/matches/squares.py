"""The buttons of a board: its squares, where they fit, and the controls below.

Discord's limits (https://discord.com/developers/docs/components/reference): 40 components in a
message with everything counted, 5 buttons in a row.
"""

from collections.abc import Callable, Iterator
from functools import cache

import discord
from discord import ButtonStyle, ui

from bot.gateway.codec import encode
from bot.i18n import Texts
from bot.matches.model import StoredMatch
from bot.matches.presses import (
    Action,
    Analyse,
    Control,
    Legal,
    Pick,
    Play,
    Rematch,
    Replay,
    Step,
)
from bot.render import emoji
from bot.render.cells import Cell, Look, cells, moves_men
from core.grid import SWAP, Grid, Move, Square

MAX_COMPONENTS = 40
MAX_ROW = 5
# Container, text, and a row of up to four controls.
_AROUND_BOARD = 2 + 5

_STYLES = {
    Look.PLAIN: ButtonStyle.secondary,
    Look.LAST: ButtonStyle.primary,
    Look.DECIDING: ButtonStyle.success,
    Look.PICKED: ButtonStyle.success,
    Look.TARGET: ButtonStyle.success,
    Look.HINTED: ButtonStyle.success,
}


def fits_on_buttons(grid: Grid) -> bool:
    """Return whether a board and its controls can be one message of buttons."""
    count = grid.rows * (grid.columns + 1) + _AROUND_BOARD
    return grid.columns <= MAX_ROW and count <= MAX_COMPONENTS


def layout(*items: ui.Item[ui.LayoutView]) -> ui.LayoutView:
    """Return a message of `items` that discord.py won't keep in memory after sending it.

    Every button is answered by its custom id (`bot.router`), so nothing need be kept.
    """
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def square_rows(stored: StoredMatch, pick: Square | None) -> Iterator[ui.ActionRow[ui.LayoutView]]:
    """Yield the rows of squares, the top one first, with the man on `pick` picked up."""
    picking = moves_men(stored.match)
    for row in cells(stored.match, pick):
        yield ui.ActionRow(*(_square(stored, cell, pick, picking=picking) for cell in row))


def _square(
    stored: StoredMatch, cell: Cell, pick: Square | None, *, picking: bool
) -> ui.Button[ui.LayoutView]:
    return ui.Button(
        emoji=_emoji(cell.emoji),
        style=_STYLES[cell.look],
        custom_id=_square_id(stored, cell.square, pick, picking=picking),
    )


@cache
def _emoji(name: str) -> discord.PartialEmoji:
    """Return a board's emoji; there are few, and discord.py would parse each anew."""
    return discord.PartialEmoji(name=name)


def _square_id(stored: StoredMatch, square: Square, pick: Square | None, *, picking: bool) -> str:
    """Return what pressing a square means: a move, or picking up, changing or dropping a man."""
    match, ply = stored.match, stored.match.ply
    if not picking:
        return encode(Play(stored.id, ply, str(square)))
    if square == pick:
        return encode(Pick(stored.id, ply, ""))
    if pick is None or match.position.content(square) == match.to_move:
        return encode(Pick(stored.id, ply, str(square)))
    return encode(Play(stored.id, ply, str(Move(square, pick))))


def button(
    label: str, press_id: str, style: ButtonStyle = ButtonStyle.secondary, icon: str | None = None
) -> ui.Button[ui.LayoutView]:
    """Return a button with a label."""
    return ui.Button(
        label=label, custom_id=press_id, style=style, emoji=_emoji(icon) if icon else None
    )


def running_controls(
    stored: StoredMatch, texts: Texts, *, large: bool = False
) -> ui.ActionRow[ui.LayoutView]:
    """Return the controls below a running match; on a `large` board it takes a look where to go.

    The computer agrees to no draw; and a hint ends a rated match's rating, which no slip of a
    finger should do: there it takes the command.
    """
    members = stored.match.rated
    third = (Action.DRAW, emoji.DRAW) if members else (Action.HINT, emoji.HINT)
    actions = [(Action.UNDO, emoji.UNDO), (Action.RESIGN, emoji.RESIGN), third]
    swap = [_swap(stored, texts)] if SWAP in stored.match.position.legal_moves() else []
    row = ui.ActionRow[ui.LayoutView](
        *swap,
        *(_control(stored, action, texts(f"button.{action}"), icon) for action, icon in actions),
    )
    if large:
        row.add_item(button(texts("button.legal"), encode(Legal(stored.id)), icon=emoji.LEGAL))
    return row


def _swap(stored: StoredMatch, texts: Texts) -> ui.Button[ui.LayoutView]:
    press = Play(stored.id, stored.match.ply, str(SWAP))
    return button(texts("button.swap"), encode(press), ButtonStyle.primary, emoji.SWAP)


def _control(
    stored: StoredMatch, action: Action, label: str, icon: str
) -> ui.Button[ui.LayoutView]:
    return button(label, encode(Control(stored.id, stored.match.ply, action)), icon=icon)


def final_controls(
    stored: StoredMatch, texts: Texts, *, played_again: bool = False
) -> ui.ActionRow[ui.LayoutView]:
    """Return the controls below a finished match; where no result counts, undo is one of them.

    A match that is `played_again` can only be looked at.
    """
    replay = button(
        texts("button.replay"), encode(Replay(stored.id, 0, Step.OPEN)), icon=emoji.REPLAY
    )
    analyse = button(texts("button.analyse"), encode(Analyse(stored.id)), icon=emoji.ANALYSE)
    if played_again:
        return ui.ActionRow(replay, analyse)
    rematch = button(
        texts("button.rematch"),
        encode(Rematch(stored.id)),
        style=ButtonStyle.primary,
        icon=emoji.REMATCH,
    )
    outcome = stored.match.outcome
    called_off = outcome is not None and not outcome.counts
    if stored.changes or called_off:
        return ui.ActionRow(rematch, replay, analyse)
    undo = _control(stored, Action.UNDO, texts(f"button.{Action.UNDO}"), emoji.UNDO)
    return ui.ActionRow(rematch, undo, replay, analyse)


def page_buttons(
    number: int, pages: int, turned: Callable[[int], str], texts: Texts
) -> list[ui.ActionRow[ui.LayoutView]]:
    """Return the row that turns the pages of a list, none where there is one page.

    `turned` gives the custom id of a page.
    """
    if pages <= 1:
        return []

    def turn(key: str, target: int) -> ui.Button[ui.LayoutView]:
        turning = button(texts(key), turned(max(0, target)))
        turning.disabled = not 0 <= target < pages
        return turning

    # On the first page both buttons would say "page 0": custom ids must differ.
    back = [turn("button.previous", number - 1)] if number else []
    return [ui.ActionRow(*back, turn("button.next", number + 1))]
