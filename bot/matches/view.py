"""A match as a message: the squares as buttons where they fit, else in text; the result."""

from collections.abc import Collection, Iterable

import discord
from discord import ui

from bot.gateway.names import escape
from bot.gateway.paragraphs import displays
from bot.i18n import Texts
from bot.matches.menus import move_menus
from bot.matches.model import StoredMatch
from bot.matches.presses import Group
from bot.matches.squares import (
    final_controls,
    fits_on_buttons,
    layout,
    running_controls,
    square_rows,
)
from bot.ratings.model import FEWEST_PLIES
from bot.render import points, terms, words
from bot.render.cells import moves_men, text_board
from core.grid import Square
from core.match import Match
from core.players import Member


def to_notify(stored: StoredMatch, presser_id: int | None) -> int | None:
    """Return the id of the member to mention: the one to move, unless they have just pressed.

    A game against the computer is silent, also when its answer comes late, after a restart.
    """
    player = stored.match.next_player
    alone = sum(isinstance(seated, Member) for seated in stored.match.players) == 1
    if alone or not isinstance(player, Member) or player.id == presser_id:
        return None
    return player.id


def mentions(*user_ids: int | None) -> discord.AllowedMentions:
    """Return the permission to notify these members and nobody else, or nobody at all."""
    users = [discord.Object(user_id) for user_id in user_ids if user_id] or False
    return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def board_view(
    stored: StoredMatch,
    texts: Texts,
    notify: int | None = None,
    pick: Square | None = None,
    opened: Group | None = None,
    wanting_rematch: Collection[int] = (),
    missing: Collection[str] = (),
    *,
    played_again: bool = False,
) -> ui.LayoutView:
    """Return the message that shows a match.

    `notify` is the member whom the text mentions; `pick` the man that is picked up, `opened` what
    was opened in the menus of a large board, `missing` which permissions the bot lacks to remind
    anybody. For a finished match `wanting_rematch` are seats, and `played_again` is whether the
    next one has begun.
    """
    match = stored.match
    names = words.player_names(match, [name and escape(name) for name in stored.names], texts)
    if match.outcome:
        text = _finished_text(stored, names, texts, wanting_rematch)
        return _framed(text, [final_controls(stored, texts, played_again=played_again)])
    mention = f"<@{notify}>" if notify else None
    unreminded = _unreminded(stored, missing, texts)
    if not fits_on_buttons(match.position.grid):
        # The computer chooses without menus.
        choosing = isinstance(match.next_player, Member)
        example = texts("board.by_command", example=match.position.legal_moves()[0])
        more = (unreminded, text_board(match), example if choosing else None)
        text = _running_text(stored, names, texts, mention, *more)
        menus = move_menus(stored, opened, texts) if choosing else []
        return _framed(text, [*menus, running_controls(stored, texts, large=True)])
    hint = _pick_hint(match, texts, pick)
    text = _running_text(stored, names, texts, mention, unreminded, hint)
    return _framed(text, [*square_rows(stored, pick), running_controls(stored, texts)])


def gone_view(texts: Texts) -> ui.LayoutView:
    """Return what an old board becomes where it can't be removed."""
    return layout(ui.TextDisplay(texts("board.gone")))


def _framed(text: str, rows: Iterable[ui.ActionRow[ui.LayoutView]]) -> ui.LayoutView:
    return layout(ui.Container[ui.LayoutView](*displays(text), *rows))


def _running_text(
    stored: StoredMatch, names: words.Names, texts: Texts, mention: str | None, *more: str | None
) -> str:
    match = stored.match
    lines = [
        f"### {terms.title(match.game, match.options, texts)}",
        words.players_line(match, names, texts),
        _series_so_far(stored, names, texts),
        *_fairness(match, texts),
        words.last_move(match, texts),
        words.passed_over(match, names, texts),
        words.turn(match, names, texts, mention),
        words.deadline(stored.timing.deadline, texts),
        *more,
        _unrated(stored, texts),
    ]
    return "\n".join(line for line in lines if line)


def _series_so_far(stored: StoredMatch, names: words.Names, texts: Texts) -> str | None:
    """Return the score that the players bring along, None in the first match of a series."""
    if stored.series_id == stored.id:
        return None
    return points.score(stored.match, names, stored.series.points, texts)


def _fairness(match: Match, texts: Texts) -> list[str]:
    """Return what a new game starts with: that the first player wins by force, or what evens it."""
    game, options = match.game, match.options
    if match.ply > 1:
        return []
    if plies := game.forced_win(options):
        return [texts("board.forced_win", plies=plies)]
    rules = terms.flag_rules(game, options, texts)
    plies = game.forced_win(terms.without_flags(game, options)) if rules else None
    return [*rules, texts("board.forced_win.evened", plies=plies)] if plies else rules


def _unrated(stored: StoredMatch, texts: Texts) -> str | None:
    """Return why a match between members doesn't count; None where it does, or still may."""
    if not stored.match.rated or stored.changes:
        return None
    if stored.hinted:
        return texts("board.hinted")
    if stored.undone:
        return texts("board.undone")
    if not stored.match.outcome:
        return None
    short = stored.match.ply < FEWEST_PLIES
    return texts("board.short", plies=FEWEST_PLIES) if short else texts("board.enough")


def _unreminded(stored: StoredMatch, missing: Collection[str], texts: Texts) -> str | None:
    """Return what keeps reminders from coming where a clock runs; None where nothing does."""
    if stored.timing.deadline is None or not missing:
        return None
    return texts("board.unreminded", permissions=terms.permissions_words(missing, texts))


def _pick_hint(match: Match, texts: Texts, pick: Square | None) -> str | None:
    if not moves_men(match):
        return None
    return texts("board.picked", square=pick) if pick else texts("board.pick")


def _finished_text(
    stored: StoredMatch,
    names: words.Names,
    texts: Texts,
    wanting_rematch: Collection[int],
) -> str:
    match = stored.match
    wanting = ", ".join(names[seat] for seat in sorted(wanting_rematch))
    lines = [
        f"### {terms.title(match.game, match.options, texts)}",
        words.ranking(match, names, texts) or words.players_line(match, names, texts),
        text_board(match),
        words.last_move(match, texts),
        words.result(match, names, texts),
        points.ratings(names, stored.changes, texts),
        points.score(match, names, stored.series.points, texts),
        _unrated(stored, texts),
        texts("board.rematch_wanted", players=wanting) if wanting else None,
    ]
    return "\n".join(line for line in lines if line)
