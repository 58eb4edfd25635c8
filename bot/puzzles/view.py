"""Puzzles as messages: a puzzle for the member who solves it, and the puzzle of the day."""

from collections.abc import Sequence

from discord import ButtonStyle

from bot.forms import Form
from bot.gateway.components import Layout, Part, button, button_row, card, separator
from bot.i18n import ChannelTexts, OwnTexts, Texts
from bot.matches.board_pictures import Seen
from bot.matches.moves import Chosen, group_items, move_buttons
from bot.matches.view import accent_of, fits_on_buttons, pick_hint, square_rows
from bot.matches.ways import rules_button
from bot.puzzles.model import (
    Attempt,
    Daily,
    Given,
    NextPuzzle,
    OpenPuzzle,
    ShowSolution,
    Solved,
    on_puzzle,
)
from bot.render import emoji, words
from bot.render.board import text_board
from bot.render.links import message_link
from bot.render.telling import InEmoji, Telling, telling_in
from core.grid import Move
from core.match import Match
from core.match.diagram import diagram
from core.position import mover_of
from core.puzzles import GamePuzzle
from core.puzzles.finding import Goal


def puzzle_view(
    attempt: Attempt, match: Match, chosen: Chosen, source: str | None, texts: OwnTexts, board: Seen
) -> Layout:
    """Return a puzzle that waits for a move: `match` is its board as it stands."""
    given, own = attempt.given, attempt.own
    telling = telling_in(board.form, texts)
    lines = [_title(given, texts), _goal(given.found, telling)]
    if own.steps:
        lines.append(_reply(match, telling))
    if source:
        lines.append(f"-# {source}")
    solution = button(texts("button.puzzle.solution"), ShowSolution(given.id))
    more = button_row(solution, rules_button(given.found.game, texts))
    return card([*lines, *_choosing(attempt, match, chosen, texts, board), separator(), more])


def _choosing(
    attempt: Attempt, match: Match, chosen: Chosen, texts: OwnTexts, board: Seen
) -> list[Part]:
    """Return the board and the buttons for moves: its squares, or buttons below it."""
    presses = on_puzzle(attempt.given.id, attempt.own.steps)
    position = match.position
    if board.form is Form.EMOJI and fits_on_buttons(position):
        hint = pick_hint(match, texts, chosen.man)
        return [hint, *square_rows(match, presses, chosen.man)]
    page = 0 if chosen.group else chosen.page
    typed = f"/{texts('name.puzzle')} {texts('name.move')}:"
    parts: list[Part] = [*board.parts, *move_buttons(position, presses, page, typed, texts)]
    if chosen.group:
        parts += group_items(position, presses, chosen.group, chosen.page, texts)
    return parts


def wrong_view(
    attempt: Attempt, move: Move, texts: OwnTexts, board: Seen, *, spent: bool
) -> Layout:
    """Return why a `move` is wrong, with the board after its refutation.

    `spent` says that the try counted for a streak until this move.
    """
    given = attempt.given
    step = given.steps[attempt.own.steps]
    puzzle = given.found
    before = puzzle.match(attempt.own.steps)
    line = step.refutations[move]
    after = before.play(move)
    draws = puzzle.puzzle.goal is Goal.WIN and not _loses(after, line)
    kind = "draws" if draws else "loses"
    key = f"puzzle.wrong.{kind}" if line else f"puzzle.wrong.{kind}.now"
    telling = telling_in(board.form, texts)
    mark = telling.mark(before, mover_of(before.position))
    told = texts(key, mark=mark, move=words.notation(move), line=telling.line(after, line))
    again = button(
        texts("button.puzzle.again"), OpenPuzzle(given.id, "here"), ButtonStyle.primary, emoji.UNDO
    )
    solution = button(texts("button.puzzle.solution"), ShowSolution(given.id))
    return card(
        [
            _title(given, texts),
            telling.sentence(before, told),
            *board.parts,
            texts("puzzle.spent" if spent else "puzzle.again"),
            button_row(again, solution),
        ]
    )


def ended_view(attempt: Attempt, solved: Solved, day: int, texts: OwnTexts, board: Seen) -> Layout:
    """Return a puzzle that the member has solved or given up, with its main line."""
    given, own = attempt.given, attempt.own
    telling = telling_in(board.form, texts)
    line = _main_line(given.found, telling)
    said = texts("puzzle.solved" if own.solved else "puzzle.solution", line=line)
    lines = [_title(given, texts), telling.sentence(given.found.match(), said)]
    told = list[str]()
    if own.day is not None and solved.streak:
        told.append(texts("puzzle.streak", count=solved.streak, best=solved.longest))
    elif own.solved and not own.missed and given.day is not None and given.day < day:
        told.append(texts("puzzle.late"))
    following = NextPuzzle(given.found.puzzle.difficulty)
    more = button(texts("button.puzzle.next"), following, ButtonStyle.primary)
    return card([*lines, *board.parts, *told, button_row(more)])


def post_view(
    given: Given, solvers: int, source: str | None, before: Given | None, texts: ChannelTexts
) -> Layout:
    """Return the puzzle of the day for a channel, with the solution of the one `before`."""
    found = given.found
    match = found.match()
    lines = [_title(given, texts), _goal(found, InEmoji(texts))]
    if source:
        lines.append(f"-# {source}")
    said = texts("puzzle.day.solved", count=solvers) if solvers else texts("puzzle.day.unsolved")
    solve = button(
        texts("button.puzzle.solve"), OpenPuzzle(given.id, "new"), ButtonStyle.primary, emoji.HINT
    )
    board = text_board(diagram(match), texts)
    told = _told(before, texts) if before else None
    return card([*lines, board, said, told, button_row(solve)], accent_of(match))


def daily_text(daily: Daily, texts: OwnTexts) -> str:
    """Return a server's settings for the puzzle of the day, in one line."""
    if daily.channel_id is None or daily.hour is None:
        return texts("settings.puzzle.none")
    channel = words.channels_words([daily.channel_id], texts)
    if daily.due_at is None:
        return texts("settings.puzzle.failed", channel=channel)
    if daily.failures:
        return texts("settings.puzzle.failing", channel=channel)
    return texts("settings.puzzle", channel=channel, hour=hour_words(daily.hour, texts))


def hour_words(hour: int, texts: Texts) -> str:
    """Return an hour of the day."""
    return texts("settings.puzzle.hour", hour=f"{hour:02}")


def _told(before: Given, texts: Texts) -> str:
    """Return the solution of an earlier puzzle of the day, with a link to it."""
    title = words.title(before.found.game, before.found.options, texts)
    if before.posted is not None:
        title = f"[{title}]({message_link(before.posted)})"
    line = _main_line(before.found, InEmoji(texts))
    return f"-# {texts('puzzle.day.before', title=title, line=line)}"


def _title(given: Given, texts: Texts) -> str:
    found = given.found
    key = "puzzle.title" if given.day is None else "puzzle.title.day"
    title = words.title(found.game, found.options, texts)
    difficulty = texts(f"puzzle.difficulty.{found.puzzle.difficulty}")
    return f"### {texts(key, title=title, difficulty=difficulty)}"


def _goal(found: GamePuzzle, telling: Telling) -> str:
    match = found.match()
    mark = telling.mark(match, mover_of(match.position))
    goal = telling.texts(f"puzzle.goal.{found.puzzle.goal}", mark=mark)
    return f"**{telling.sentence(match, goal)}**"


def _reply(match: Match, telling: Telling) -> str:
    """Return the last move that the member has found, and the answer to it."""
    move, reply = match.moves[-2:]
    seat = mover_of(match.position)
    said = telling.texts(
        "puzzle.next",
        mark=telling.mark(match, seat),
        move=words.notation(move),
        other=telling.mark(match, 1 - seat),
        reply=words.notation(reply),
    )
    return telling.sentence(match, said)


def _main_line(found: GamePuzzle, telling: Telling) -> str:
    return telling.line(found.match(), found.puzzle.line)


def _loses(match: Match, line: Sequence[Move]) -> bool:
    """Return whether a wrong move loses: one that only draws is refuted by one move at most."""
    for move in line:
        match = match.play(move)
    return len(line) > 1 or (match.outcome is not None and len(set(match.outcome.ranks)) > 1)
