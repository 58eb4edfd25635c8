"""Hints and reviews in words. Names come in escaped."""

from collections.abc import Sequence
from dataclasses import replace

from bot.analysis.model import Step, Verdict, judge
from bot.i18n import Texts
from bot.matches.model import StoredMatch
from bot.render import terms, words
from bot.render.cells import text_board
from core.engine.analysis import Analysis
from core.match import Match

# Discord takes 4,000 characters a message (https://discord.com/developers/docs/components/reference)
# and doesn't say how it counts emoji; in UTF-16 they count most.
_LIMIT = 3900
# From which chance on it looks like that: a fifth each.
_PROSPECTS = ("lost", "bad", "even", "good", "won")


def verdict_words(verdict: Verdict, texts: Texts) -> str:
    """Return what a position leads to, as said of a move: "wins in 3", "draws", "35 %"."""
    if verdict.result is not None:
        if verdict.turns:
            return texts(f"verdict.{verdict.result}.in", turns=verdict.turns)
        return texts(f"verdict.{verdict.result}")
    if verdict.outlook is None:
        return texts("verdict.unknown")
    return texts("verdict.estimate", percent=_percent(verdict))


def _percent(verdict: Verdict) -> int:
    return round(100 * (verdict.outlook or 0))


def hint_text(stored: StoredMatch, analysis: Analysis, texts: Texts) -> str:
    """Return the best move for whoever is to move: what it leads to, and where it goes."""
    match, move = stored.match, analysis.best[0]
    verdict = judge(analysis, match.to_move or 0)
    if verdict.result is None:
        prospect = _PROSPECTS[min(4, int(5 * (verdict.outlook or 0)))]
        said = texts("hint.estimate", prospect=texts(f"hint.{prospect}"))
    else:
        said = verdict_words(verdict, texts)
    lines = [
        texts("hint.best", mark=words.mark(match, match.to_move or 0), move=move, verdict=said),
        text_board(match, hint=move),
        texts("hint.unrated") if match.rated else None,
    ]
    return "\n".join(line for line in lines if line)


def review_text(match: Match, steps: Sequence[Step], names: words.Names, texts: Texts) -> str:
    """Return a finished match move by move, and the boards on which it changed hands."""
    head = [
        f"### {texts('review.title', title=terms.title(match.game, match.options, texts))}",
        words.players_line(match, names, texts),
        words.result(match, names, texts),
    ]
    moves = [_step_line(match, step, texts) for step in steps] or [texts("review.empty")]
    turns = [step for step in steps if step.turning] + [step for step in steps if step.swing]
    sections = [_turn_section(match, step, names, texts) for step in turns]
    return _fitted([*head, *moves, _certainty(steps, texts)], sections, texts)


def _step_line(match: Match, step: Step, texts: Texts) -> str:
    kind = "turning" if step.turning else "swing" if step.swing else "plain"
    return texts(
        f"review.step.{kind}",
        ply=step.ply,
        mark=words.mark(match, step.seat, step.ply - 1),
        move=step.move,
        verdict=verdict_words(step.after, texts),
    )


def _certainty(steps: Sequence[Step], texts: Texts) -> str:
    """Return how far the review can be believed, and whether the result changed hands."""
    if all(step.before.result and step.after.result for step in steps):
        return texts("review.changed" if any(s.turning for s in steps) else "review.steady")
    return texts("review.estimated")


def _turn_section(match: Match, step: Step, names: words.Names, texts: Texts) -> str:
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
    then = replace(match, moves=match.moves[: step.ply], ending=None)
    return f"{title}\n{text_board(then)}"


def _fitted(lines: Sequence[str], sections: Sequence[str], texts: Texts) -> str:
    """Return what fits into one message: the lines, then as many sections as there is room for."""
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
