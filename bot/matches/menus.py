"""Moves by select, for boards whose squares don't fit on buttons.

Up to 25 legal moves are one menu; more are grouped, by row or by the man that moves, and a second
menu has those of the group that was chosen; what is beyond 25 is on further pages. A choice
completes the menu's custom id, so what arrives is a move as a square's button would send it, or
the group to open (`bot.gateway.codec`).
"""

from collections.abc import Iterable, Sequence
from textwrap import shorten

import discord
from discord import ui

from bot.gateway.codec import encode
from bot.i18n import Texts
from bot.matches.model import StoredMatch
from bot.matches.presses import Group, Play
from bot.matches.squares import page_buttons
from bot.render.moves import MAX_OPTIONS, gain, grouped, on_squares, paged
from core.grid import Move

_MAX_DESCRIPTION = 100

Row = ui.ActionRow[ui.LayoutView]


def move_menus(stored: StoredMatch, opened: Group | None, texts: Texts) -> list[Row]:
    """Return the menus of the legal moves, with the group or page that was `opened`.

    Whatever is opened has to be there: `bot.render.moves.has_page`.
    """
    moves = on_squares(stored.match.position.legal_moves())
    if len(moves) <= MAX_OPTIONS:
        return [_moves(stored, moves, texts("select.move"), texts)]
    found = grouped(moves)
    group, page = (opened.group, opened.page) if opened else ("", 0)
    at = page if not group else list(found).index(group) // MAX_OPTIONS
    keys = paged(list(found))
    rows = [
        _groups(stored, {key: found[key] for key in keys[at]}, group, texts),
        *_pages(stored, "", at, len(keys), texts),
    ]
    if group:
        pages = paged(found[group])
        prompt = texts(f"select.of.{_kind(group)}", group=group)
        rows.append(_moves(stored, pages[page], prompt, texts))
        rows += _pages(stored, group, page, len(pages), texts)
    return rows


def _kind(group: str) -> str:
    """Return what a group is: a row is named by its number, a man by its square."""
    return "row" if group.isdigit() else "man"


def _moves(stored: StoredMatch, moves: Sequence[Move], prompt: str, texts: Texts) -> Row:
    position = stored.match.position
    options = []
    for move in moves:
        points = gain(position, move)
        brings = texts("select.gain", points=points) if points is not None else None
        options.append(discord.SelectOption(label=str(move), description=brings))
    return _select(Play.tag, stored, prompt, options)


def _groups(stored: StoredMatch, groups: dict[str, list[Move]], chosen: str, texts: Texts) -> Row:
    options = [
        discord.SelectOption(
            label=texts(f"select.named.{_kind(key)}", group=key),
            value=f"{key}:0",
            description=_named(moves),
            default=key == chosen,
        )
        for key, moves in groups.items()
    ]
    prompt = texts(f"select.which.{_kind(next(iter(groups)))}")
    return _select(Group.tag, stored, prompt, options)


def _named(moves: Iterable[Move]) -> str:
    """Return where the moves of one group go, as far as there is room for it."""
    return shorten(" ".join(str(move.to) for move in moves), _MAX_DESCRIPTION, placeholder=" …")


def _select(tag: str, stored: StoredMatch, prompt: str, options: list[discord.SelectOption]) -> Row:
    custom_id = f"{tag}:{stored.id}:{stored.match.ply}"
    return Row(ui.Select(custom_id=custom_id, placeholder=prompt, options=options))


def _pages(stored: StoredMatch, group: str, page: int, count: int, texts: Texts) -> list[Row]:
    def turned(number: int) -> str:
        return encode(Group(stored.id, stored.match.ply, group, number))

    return page_buttons(page, count, turned, texts)
