"""Moves by select, for boards whose squares don't fit on buttons.

Up to 25 legal moves are one menu; more are grouped, by row or by the man that moves, and a second
menu has those of the group that was chosen. A choice completes the menu's custom id, so what
arrives is a move as a square's button would send it (`bot.views.codec`).
"""

from collections.abc import Iterable, Sequence

import discord
from discord import ui

from bot.i18n import Texts
from bot.records import StoredMatch
from bot.views.codec import Group, Play
from core.grid import Move

# https://discord.com/developers/docs/components/reference#string-select
MAX_OPTIONS = 25

Row = ui.ActionRow[ui.LayoutView]


def move_menus(stored: StoredMatch, chosen: str | None, texts: Texts) -> list[Row]:
    """Return the menus of the legal moves, with the group that was `chosen` opened."""
    moves = stored.match.position.legal_moves()
    if len(moves) <= MAX_OPTIONS:
        return [_moves(stored, moves, texts("select.move"))]
    found = grouped(moves)
    rows = [_groups(stored, found, chosen, texts)]
    if chosen in found:
        rows.append(_moves(stored, found[chosen], texts("select.move_of", group=chosen)))
    return rows


def grouped(moves: Iterable[Move]) -> dict[str, list[Move]]:
    """Return `moves` by their row, or by the square that they come from, in order."""
    found: dict[str, list[Move]] = {}
    for move in moves:
        key = str(move.origin) if move.origin else str(move.to.row + 1)
        found.setdefault(key, []).append(move)
    return found


def _moves(stored: StoredMatch, moves: Sequence[Move], placeholder: str) -> Row:
    return Row(
        ui.Select(
            custom_id=f"{Play.tag}:{stored.id}:{stored.match.ply}",
            placeholder=placeholder,
            options=[discord.SelectOption(label=str(move)) for move in moves],
        )
    )


def _groups(
    stored: StoredMatch, groups: dict[str, list[Move]], chosen: str | None, texts: Texts
) -> Row:
    return Row(
        ui.Select(
            custom_id=f"{Group.tag}:{stored.id}:{stored.match.ply}",
            placeholder=texts("select.group"),
            options=[
                discord.SelectOption(
                    label=texts("select.row" if key.isdigit() else "select.man", group=key),
                    value=key,
                    description=" ".join(map(str, moves)),
                    default=key == chosen,
                )
                for key, moves in groups.items()
            ],
        )
    )
