"""Matches shown again, as messages: replays, the best line of a position, sharing, files."""

from collections.abc import Callable
from functools import partial

from bot.analysis.model import BestLine, Export, ReviewedMove, ShowLine, judge
from bot.analysis.view import value_words
from bot.forms import Form
from bot.gateway.components import (
    Component,
    Layout,
    Part,
    Press,
    Upload,
    attached,
    button,
    button_row,
    card,
    gallery,
    view_of,
)
from bot.i18n import OwnTexts, Texts, channel_texts
from bot.identity import Escaped, MatchId
from bot.matches.board_pictures import Seen
from bot.matches.model import StoredMatch
from bot.matches.presses import Analyse, Replay, Step
from bot.matches.view import names_of
from bot.render import emoji, words
from bot.render.telling import InEmoji, Telling, telling_in
from core.match import Match
from core.position import mover_of


def replay_view(
    stored: StoredMatch, ply: int, mistake: ReviewedMove | None, texts: OwnTexts, board: Seen
) -> Layout:
    """Return the match as it was after `ply` moves, or its end if there are fewer.

    `board` is its board at that moment. `mistake` is the next move if it is known to be a mistake.
    A match without moves has no buttons to go through it.
    """
    match = stored.match.at(ply)
    telling = telling_in(board.form, texts)
    names = names_of(stored, texts)
    told = [texts("review.empty")]
    rows = list[Component]()
    if stored.match.moves:
        place = texts("replay.place", ply=match.ply, plies=stored.match.ply)
        told = [texts.row(words.DOT, [place, telling.last_moves(match) or texts("replay.start")])]
        rows += [_steps(stored, match.ply, texts), _insights(stored.id, match, texts)]
    if mistake:
        told.append(_next_mistake(match, mistake, telling))
    if match.outcome:
        told.append(telling.result(match, names))
    return card([*_shown(match, names, told, telling, board), *rows])


def _shown(
    match: Match, names: words.Names, told: list[str], telling: Telling, board: Seen
) -> list[Part]:
    """Return a match with its board and the lines `told` of it.

    In words, these lines come first, as on boards that are played on: they are the news of each
    step.
    """
    title = words.title(match.game, match.options, telling.texts)
    players = telling.players(match, names)
    if board.form is Form.WORDS:
        return [*told, *board.parts, players, f"**{title}**"]
    return [f"### {title}", players, *board.parts, *told]


def _next_mistake(match: Match, mistake: ReviewedMove, telling: Telling) -> str:
    mark = telling.mark(match, mistake.seat)
    return telling.texts(
        "replay.mistake",
        mark=mark,
        move=words.notation(mistake.move),
        better=mistake.better and words.notation(mistake.better),
    )


def along(stored: StoredMatch, ply: int, line: BestLine, number: int) -> Match:
    """Return a match `number` moves along the best line from the position after `ply` moves."""
    match = stored.match.at(ply)
    for move in line.moves[:number]:
        match = match.play(move)
    return match


def line_view(
    stored: StoredMatch, ply: int, line: BestLine, match: Match, texts: OwnTexts, board: Seen
) -> Layout:
    """Return the message around the `board` of the match that `along` gives."""
    begun = stored.match.at(ply)
    names = names_of(stored, texts)
    shown, count = match.ply - ply, len(line.moves)
    telling = telling_in(board.form, texts)
    # Valued with the marks of the shown board, which a swap may have changed.
    value = value_words(match, judge(line.analysis), mover_of(begun.position), telling)
    told = [
        texts("line.place", ply=ply, number=shown, length=count),
        telling.sentence(begun, telling.line(begun, line.moves, at=shown)),
        texts("line.value", value=value),
    ]
    steps = _step_buttons(shown, count, partial(ShowLine, stored.id, ply), texts)
    back = Replay(stored.id, ply, Step.BACK)
    to_match = button_row(button(texts("button.to_match"), back, icon=emoji.REPLAY))
    return card([*_shown(match, names, told, telling, board), button_row(*steps), to_match])


def _steps(stored: StoredMatch, ply: int, texts: Texts) -> Component:
    steps = _step_buttons(ply, stored.match.ply, partial(Replay, stored.id), texts)
    export = button(texts("button.export"), Export(stored.id), icon=emoji.EXPORT)
    return button_row(*steps, export)


def _insights(match_id: MatchId, shown: Match, texts: Texts) -> Component:
    """Return the buttons of a replay that ask the computer, about a match as it is `shown`."""
    analyse = button(texts("button.analyse"), Analyse(match_id), icon=emoji.ANALYSE)
    if shown.outcome:
        return button_row(analyse)
    line = ShowLine(match_id, shown.ply, 1, Step.NEXT)
    return button_row(button(texts("button.line"), line, icon=emoji.STAR), analyse)


def _step_buttons(
    shown: int, last: int, stepped: Callable[[int, Step], Press], texts: Texts
) -> list[Component]:
    """Return the buttons that go to the first, previous, next and last of the boards 0 to `last`.

    Buttons that would lead to the board that is `shown` are disabled.
    """
    targets = {
        Step.FIRST: (0, emoji.FIRST),
        Step.BACK: (max(shown - 1, 0), emoji.BACK),
        Step.NEXT: (min(shown + 1, last), emoji.NEXT),
        Step.LAST: (last, emoji.LAST),
    }
    return [
        button(texts(f"replay.{step}"), stepped(target, step), icon=icon, disabled=target == shown)
        for step, (target, icon) in targets.items()
    ]


def share_view(stored: StoredMatch, picture: Upload, sharer: Escaped) -> Layout:
    """Return the message by which the member `sharer` shows everybody a match, as a `picture`."""
    match = stored.match
    texts = channel_texts(stored.language)
    names, telling = names_of(stored, texts), InEmoji(texts)
    title = words.title(match.game, match.options, texts)
    lines = [
        texts("replay.share", player=f"**{sharer}**", title=title),
        telling.players(match, names),
        telling.result(match, names),
    ]
    opening = Replay(stored.id, 0, Step.OPEN)
    replay = button_row(button(texts("button.replay"), opening, icon=emoji.REPLAY))
    return view_of(*lines, _animation(stored, picture, title, texts), replay)


def export_view(stored: StoredMatch, picture: Upload, record: str, texts: OwnTexts) -> Layout:
    """Return the message with a finished match as a `picture` and as the file named `record`."""
    match = stored.match
    title = words.title(match.game, match.options, texts)
    shown = _animation(stored, picture, title, texts)
    return view_of(texts("replay.export", title=title), shown, attached(record))


def _animation(stored: StoredMatch, picture: Upload, title: str, texts: Texts) -> Component:
    """Return the animated `picture` of a match, described in plain text."""
    names = words.plain_names(stored.match, stored.names, texts)
    result = InEmoji(texts).result(stored.match, names)
    described = texts("replay.picture", title=title, count=stored.match.ply, result=result)
    return gallery(picture, described)
