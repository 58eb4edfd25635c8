"""A match as a message: squares as buttons where they fit, else in text; controls; the result.

Discord's limits (https://discord.com/developers/docs/components/reference): 40 components in a
message with everything counted, 5 buttons in a row, 4,000 characters of text.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import discord
from discord import ButtonStyle, ui

from bot.i18n import Texts
from bot.names import escape
from bot.records import StoredMatch
from bot.render import emoji, words
from bot.render.cells import Cell, Look, cells, moves_men, text_board
from bot.views.codec import Action, Control, Pick, Play, Rematch, encode
from core.grid import Grid, Move, Square
from core.match import Match, Member, Player

MAX_COMPONENTS = 40
MAX_ROW = 5
# Container, text, and a row of up to three controls.
_AROUND_BOARD = 2 + 4

_STYLES = {
    Look.PLAIN: ButtonStyle.secondary,
    Look.LAST: ButtonStyle.primary,
    Look.DECIDING: ButtonStyle.success,
    Look.PICKED: ButtonStyle.success,
    Look.TARGET: ButtonStyle.success,
}


def fits_on_buttons(grid: Grid) -> bool:
    """Return whether a board and its controls can be one message of buttons."""
    count = grid.rows * (grid.columns + 1) + _AROUND_BOARD
    return grid.columns <= MAX_ROW and count <= MAX_COMPONENTS


def to_notify(stored: StoredMatch, presser_id: int | None) -> int | None:
    """Return the id of the member to mention: the one to move, unless they have just pressed."""
    player = stored.match.next_player
    return player.id if isinstance(player, Member) and player.id != presser_id else None


def mentions(user_id: int | None) -> discord.AllowedMentions:
    """Return the permission to notify one member and nobody else, or nobody at all."""
    users = [discord.Object(user_id)] if user_id else False
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def layout(*items: ui.Item[ui.LayoutView]) -> ui.LayoutView:
    """Return a message of `items` that discord.py won't keep in memory after sending it.

    Every button is answered by its custom id (`bot.views.presses`), so nothing need be kept.
    """
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def board_view(
    stored: StoredMatch,
    texts: Texts,
    notify: int | None = None,
    pick: Square | None = None,
    points: Mapping[Player, float] | None = None,
    wanting_rematch: frozenset[int] = frozenset(),
    *,
    controls: bool = True,
) -> ui.LayoutView:
    """Return the message that shows a match.

    `notify` is the member whom the text mentions; `pick` the man that is picked up. For a finished
    match `points` is the score of the series, and `wanting_rematch` are seats; its board can do
    without `controls`.
    """
    match = stored.match
    names = words.player_names(match, [name and escape(name) for name in stored.names], texts)
    if match.outcome:
        text = _finished_text(match, names, texts, points or {}, wanting_rematch)
        return _framed(text, [_final_controls(stored, texts)] if controls else [])
    mention = f"<@{notify}>" if notify else None
    if not fits_on_buttons(match.position.grid):
        example = texts("board.by_command", example=match.position.legal_moves()[0])
        text = _running_text(match, names, texts, mention, text_board(match), example)
        return _framed(text, [_controls(stored, texts)])
    hint = _pick_hint(match, texts, pick)
    text = _running_text(match, names, texts, mention, hint)
    return _framed(text, [*_square_rows(stored, pick), _controls(stored, texts)])


def gone_view(texts: Texts) -> ui.LayoutView:
    """Return what an old board becomes where it can't be removed."""
    return layout(ui.TextDisplay(texts("board.gone")))


def _framed(text: str, rows: Iterable[ui.ActionRow[ui.LayoutView]]) -> ui.LayoutView:
    container: ui.Container[ui.LayoutView] = ui.Container(ui.TextDisplay(text))
    for row in rows:
        container.add_item(row)
    return layout(container)


def _running_text(
    match: Match, names: words.Names, texts: Texts, mention: str | None, *more: str | None
) -> str:
    lines = [
        f"### {words.title(match.game, match.options, texts)}",
        words.players_line(match, names, texts),
        _fairness(match, texts),
        words.last_move(match, texts),
        words.turn(match, names, texts, mention),
        *more,
    ]
    return "\n".join(line for line in lines if line)


def _fairness(match: Match, texts: Texts) -> str | None:
    """Return the warning that a new game starts with where the first player wins by force."""
    plies = match.game.forced_win(match.options)
    return texts("board.forced_win", plies=plies) if plies and match.ply <= 1 else None


def _pick_hint(match: Match, texts: Texts, pick: Square | None) -> str | None:
    if not moves_men(match):
        return None
    return texts("board.picked", square=pick) if pick else texts("board.pick")


def _finished_text(
    match: Match,
    names: words.Names,
    texts: Texts,
    points: Mapping[Player, float],
    wanting_rematch: frozenset[int],
) -> str:
    wanting = ", ".join(names[seat] for seat in sorted(wanting_rematch))
    lines = [
        f"### {words.title(match.game, match.options, texts)}",
        words.players_line(match, names, texts),
        text_board(match),
        words.last_move(match, texts),
        words.result(match, names, texts),
        words.score(match, names, points, texts),
        texts("board.rematch_wanted", players=wanting) if wanting else None,
    ]
    return "\n".join(line for line in lines if line)


def _square_rows(stored: StoredMatch, pick: Square | None) -> Iterator[ui.ActionRow[ui.LayoutView]]:
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


def _controls(stored: StoredMatch, texts: Texts) -> ui.ActionRow[ui.LayoutView]:
    actions = [(Action.UNDO, emoji.UNDO), (Action.RESIGN, emoji.RESIGN)]
    if stored.match.rated:
        actions.append((Action.DRAW, emoji.DRAW))
    return ui.ActionRow(
        *(_control(stored, action, texts(f"button.{action}"), icon) for action, icon in actions)
    )


def _control(
    stored: StoredMatch, action: Action, label: str, icon: str
) -> ui.Button[ui.LayoutView]:
    return button(label, encode(Control(stored.id, stored.match.ply, action)), icon=icon)


def _final_controls(stored: StoredMatch, texts: Texts) -> ui.ActionRow[ui.LayoutView]:
    rematch = button(
        texts("button.rematch"),
        encode(Rematch(stored.id)),
        style=ButtonStyle.primary,
        icon=emoji.REMATCH,
    )
    if stored.match.rated:
        return ui.ActionRow(rematch)
    return ui.ActionRow(
        rematch, _control(stored, Action.UNDO, texts(f"button.{Action.UNDO}"), emoji.UNDO)
    )
