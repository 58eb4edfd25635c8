"""The legal moves of a position: as menus, for boards that don't fit on buttons, and as a text.

Up to 25 legal moves are one menu. More are grouped, by row or by the man that moves: one menu has
the groups, a second one the moves of the group that was chosen. Entries beyond 25 are on further
pages. A choice completes the menu's custom id, so it arrives as the press of a square's button
would, or as the group to open.
"""

from collections.abc import Iterable, Sequence
from textwrap import shorten
from typing import TypeVar

import discord
from discord import ui

from bot.forms import Form
from bot.gateway.components import MAX_OPTIONS, Row, page_buttons
from bot.i18n import Texts
from bot.identity import Escaped
from bot.matches.model import StoredMatch
from bot.matches.presses import Group, Play
from bot.render import words
from bot.render.emoji import TARGET
from bot.render.spoken import board_text
from core.grid import SWAP, Move
from core.match import Match
from core.position import Position, Scored

_MAX_DESCRIPTION = 100

T = TypeVar("T")


def gain(position: Position, move: Move) -> int | None:
    """Return how many points a legal move brings its player, None in a game without points."""
    seat = position.to_move
    if seat is None or not isinstance(position, Scored):
        return None
    after = position.play(move)
    assert isinstance(after, Scored), "points are counted in all positions of a game"
    return after.scores()[seat] - position.scores()[seat]


def has_page(moves: Sequence[Move], group: str, page: int) -> bool:
    """Return whether a group of `moves` has this page; an empty `group` is the list of groups."""
    groups = grouped(moves)
    entries = groups.get(group, ()) if group else tuple(groups)
    return page < len(paged(entries))


def move_menus(stored: StoredMatch, opened: Group | None, texts: Texts) -> list[Row]:
    """Return the menus of the legal moves, with the group or page that was `opened`.

    `has_page` must hold for `opened`.
    """
    moves = _on_squares(stored.match.position.legal_moves())
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


def grouped(moves: Iterable[Move]) -> dict[str, list[Move]]:
    """Return `moves` by their row, or by the square that they come from, in order."""
    found: dict[str, list[Move]] = {}
    for move in _on_squares(moves):
        key = str(move.origin) if move.origin else str(move.to.row + 1)
        found.setdefault(key, []).append(move)
    return found


def paged(entries: Sequence[T]) -> list[Sequence[T]]:
    """Return `entries` in parts that each fit into a menu."""
    return [entries[at : at + MAX_OPTIONS] for at in range(0, len(entries), MAX_OPTIONS)]


def _on_squares(moves: Iterable[Move]) -> list[Move]:
    """Return the `moves` that go to a square: all but the swap, which has its own button."""
    return [move for move in moves if move != SWAP]


def _kind(group: str) -> str:
    """Return the kind of a group: a row is named by its number, a man by its square."""
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
            description=_targets(moves),
            default=key == chosen,
        )
        for key, moves in groups.items()
    ]
    prompt = texts(f"select.which.{_kind(next(iter(groups)))}")
    return _select(Group.tag, stored, prompt, options)


def _targets(moves: Iterable[Move]) -> str:
    """Return the squares to which the moves of one group go, cut to the room there is."""
    return shorten(" ".join(str(move.to) for move in moves), _MAX_DESCRIPTION, placeholder=" …")


def _select(tag: str, stored: StoredMatch, prompt: str, options: list[discord.SelectOption]) -> Row:
    custom_id = f"{tag}:{stored.id}:{stored.match.ply}"
    return Row(ui.Select(custom_id=custom_id, placeholder=prompt, options=options))


def _pages(stored: StoredMatch, group: str, page: int, count: int, texts: Texts) -> list[Row]:
    def turned(number: int) -> Group:
        return Group(stored.id, stored.match.ply, group, number)

    return page_buttons(page, count, turned, texts)


_MAX_NAMED = 2000


def legal_text(match: Match, names: list[Escaped], texts: Texts, form: Form) -> str:
    """Return the board with the squares marked that the player to move can choose.

    In games with points, the marks tell how many points each move brings. As many moves as there is
    room for are named too, for people who can't see the board. In words nothing is marked.
    """
    if match.to_move is None:
        return texts("legal.none")
    gains = {move: gain(match.position, move) for move in match.position.legal_moves()}
    key = "legal.marked" if None in gains.values() else "legal.counted"
    if form is Form.WORDS:
        key = "legal.named"
    player = f"{words.mark(match, match.to_move)} {names[match.to_move]}"
    named = [f"{move}" if by is None else f"{move} (+{by})" for move, by in gains.items()]
    lines = [
        f"### {words.title(match.game, match.options, texts)}",
        board_text(match, form, texts, gains=gains),
        texts(key, target=TARGET, player=player, count=len(gains)),
        f"-# {shorten(', '.join(named), _MAX_NAMED, placeholder=' …')}",
    ]
    return "\n".join(lines)
