"""Hints, reviews and replays as messages."""

from collections.abc import Sequence

import discord
from discord import ui

from bot.analysis.model import Export, ReviewedMove, Verdict, judge
from bot.gateway.components import Display, Row, button, framed, layout
from bot.i18n import Texts
from bot.identity import Escaped
from bot.matches.model import StoredMatch
from bot.matches.presses import Replay, Step
from bot.matches.view import names_of
from bot.render import emoji, words
from bot.render.board import text_board
from core.engine.analysis import Analysis
from core.match import Match

# Discord takes 4,000 characters a message (https://discord.com/developers/docs/components/reference)
# and doesn't say how it counts emoji. They are counted in UTF-16 here, which is the safe side.
_LIMIT = 3900
# The words for a chance of winning, a fifth each.
_CHANCES = ("lost", "bad", "even", "good", "won")


def verdict_words(verdict: Verdict, texts: Texts) -> str:
    """Return a verdict in words: "wins in 3", "draws", "35 %"."""
    if verdict.result is not None:
        if verdict.turns:
            return texts(f"verdict.{verdict.result}.in", count=verdict.turns)
        return texts(f"verdict.{verdict.result}")
    if verdict.outlook is None:
        return texts("verdict.unknown")
    return texts("verdict.estimate", percent=_percent(verdict))


def _percent(verdict: Verdict) -> int:
    return round(100 * (verdict.outlook or 0))


def hint_text(stored: StoredMatch, analysis: Analysis, texts: Texts) -> str:
    """Return the best move of the player to move, with its verdict and on the board."""
    match, move = stored.match, analysis.best[0]
    verdict = judge(analysis, match.to_move or 0)
    if verdict.result is None:
        chance = _CHANCES[min(4, int(5 * (verdict.outlook or 0)))]
        said = texts("hint.estimate", prospect=texts(f"hint.{chance}"))
    else:
        said = verdict_words(verdict, texts)
    lines = [
        texts("hint.best", mark=words.mark(match, match.to_move or 0), move=move, verdict=said),
        text_board(match, hint=move),
        texts("hint.unrated") if match.rated else None,
    ]
    return "\n".join(line for line in lines if line)


def review_text(
    match: Match, steps: Sequence[ReviewedMove], names: words.Names, texts: Texts
) -> str:
    """Return a finished match move by move, and the boards on which it changed hands."""
    head = [
        f"### {texts('review.title', title=words.title(match.game, match.options, texts))}",
        words.players_line(match, names, texts),
        words.result(match, names, texts),
    ]
    moves = [_step_line(match, step, texts) for step in steps] or [texts("review.empty")]
    turns = [step for step in steps if step.turning] + [step for step in steps if step.swing]
    sections = [_turn_section(match, step, names, texts) for step in turns]
    return _fitted([*head, *moves, _certainty(steps, texts)], sections, texts)


def _step_line(match: Match, step: ReviewedMove, texts: Texts) -> str:
    kind = "turning" if step.turning else "swing" if step.swing else "plain"
    return texts(
        f"review.step.{kind}",
        ply=step.ply,
        mark=words.mark(match, step.seat, step.ply - 1),
        move=step.move,
        verdict=verdict_words(step.after, texts),
    )


def _certainty(steps: Sequence[ReviewedMove], texts: Texts) -> str:
    """Return whether the result changed hands, or why that isn't certain."""
    if all(step.before.result and step.after.result for step in steps):
        return texts("review.changed" if any(s.turning for s in steps) else "review.steady")
    if any(step.before == Verdict() for step in steps):
        return texts("review.unfinished")
    return texts("review.estimated")


def _turn_section(match: Match, step: ReviewedMove, names: words.Names, texts: Texts) -> str:
    told = {
        "ply": step.ply,
        "mark": words.mark(match, step.seat, step.ply - 1),
        "move": step.move,
        "player": names[step.seat],
        "better": step.better,
    }
    if step.turning:
        told |= {"before": texts(f"result.{step.before.result}")}
        title = texts("review.turning", after=texts(f"result.{step.after.result}"), **told)
    else:
        told |= {"before": _percent(step.before), "after": _percent(step.after)}
        title = texts("review.swing", **told)
    return f"{title}\n{text_board(match.at(step.ply))}"


def _fitted(lines: Sequence[str], sections: Sequence[str], texts: Texts) -> str:
    """Return the lines, and as many sections as one message has room for."""
    shown: list[str] = []
    for line in lines:
        if _length([*shown, line]) > _LIMIT:
            return "\n".join([*shown, "…"])
        shown.append(line)
    for number, section in enumerate(sections):
        more = texts("review.more", count=len(sections) - number)
        if _length([*shown, section, more]) > _LIMIT:
            return "\n".join([*shown, more])
        shown.append(section)
    return "\n".join(shown)


def _length(lines: Sequence[str]) -> int:
    return len("\n".join(lines).encode("utf-16-le")) // 2


def replay_view(stored: StoredMatch, ply: int, texts: Texts) -> ui.LayoutView:
    """Return the match as it was after `ply` moves, or its end if there are fewer."""
    match = stored.match.at(ply)
    names = names_of(stored, texts)
    lines = [
        f"### {words.title(match.game, match.options, texts)}",
        words.players_line(match, names, texts),
        text_board(match),
        texts("replay.place", ply=match.ply, plies=stored.match.ply),
        words.last_moves(match, texts) or texts("replay.start"),
        words.result(match, names, texts) if match.outcome else None,
    ]
    text = "\n".join(line for line in lines if line)
    return framed(text, [_steps(stored, match.ply, texts)])


def _steps(stored: StoredMatch, ply: int, texts: Texts) -> Row:
    last = stored.match.ply
    targets = {
        Step.FIRST: (0, emoji.FIRST),
        Step.BACK: (max(ply - 1, 0), emoji.BACK),
        Step.NEXT: (min(ply + 1, last), emoji.NEXT),
        Step.LAST: (last, emoji.LAST),
    }
    buttons = [
        button(
            texts(f"replay.{step}"),
            Replay(stored.id, target, step),
            icon=icon,
            disabled=target == ply,
        )
        for step, (target, icon) in targets.items()
    ]
    return Row(*buttons, button(texts("button.export"), Export(stored.id), icon=emoji.EXPORT))


def share_view(stored: StoredMatch, name: str, sharer: Escaped, texts: Texts) -> ui.LayoutView:
    """Return the message by which the member `sharer` shows everybody a match, as `name`.gif."""
    match = stored.match
    title = words.title(match.game, match.options, texts)
    lines = [
        texts("replay.share", player=f"**{sharer}**", title=title),
        words.players_line(match, names_of(stored, texts), texts),
        words.result(match, names_of(stored, texts), texts),
    ]
    opening = Replay(stored.id, 0, Step.OPEN)
    replay = Row(button(texts("button.replay"), opening, icon=emoji.REPLAY))
    return layout(Display("\n".join(lines)), _animation(stored, name, title, texts), replay)


def export_view(stored: StoredMatch, name: str, texts: Texts) -> ui.LayoutView:
    """Return the message with a finished match as the files `name`.gif and `name`.txt."""
    match = stored.match
    title = words.title(match.game, match.options, texts)
    return layout(
        Display(texts("replay.export", title=title)),
        _animation(stored, name, title, texts),
        ui.File(f"attachment://{name}.txt"),
    )


def _animation(
    stored: StoredMatch, name: str, title: str, texts: Texts
) -> ui.MediaGallery[ui.LayoutView]:
    """Return the picture `name`.gif, described in plain text."""
    names = words.plain_names(stored.match, stored.names, texts)
    result = words.result(stored.match, names, texts)
    described = texts("replay.picture", title=title, count=stored.match.ply, result=result)
    return ui.MediaGallery(
        discord.MediaGalleryItem(f"attachment://{name}.gif", description=described[:1024])
    )
