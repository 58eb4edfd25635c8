"""Reviews as messages: the moves of a finished match with their values, and its mistakes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from discord import ButtonStyle

from bot.analysis.model import BestLine, ReviewedMove, ShowLine, ShowReview, given_up
from bot.analysis.view import is_estimate, percent, value_words
from bot.gateway.components import Component, Layout, Part, button, button_row, card, page_end
from bot.i18n import OwnTexts, Texts
from bot.matches.board_pictures import Seen
from bot.matches.model import StoredMatch
from bot.matches.presses import Replay, Step
from bot.matches.view import names_of
from bot.render import emoji, words
from bot.render.telling import Telling, telling_in
from core.match import Match

# The moves on a page.
_MOVES = 25


@dataclass(frozen=True)
class ReviewPage:
    """A page, from 0, of the review of a finished match; the last page if `number` is too great.

    The pages of moves with their values come first, then a page for each mistake. Chances are the
    chances of the seat `side`. `line` is the best line instead of the page's mistake, None if it
    isn't known.
    """

    stored: StoredMatch
    steps: Sequence[ReviewedMove]
    number: int
    side: int
    line: BestLine | None = None

    @property
    def pages(self) -> int:
        """The number of pages."""
        return self._pages_of_moves + len(self._mistakes)

    @property
    def shown(self) -> int:
        """The number of the page that is shown, from 0."""
        return min(self.number, self.pages - 1)

    @property
    def mistake(self) -> ReviewedMove | None:
        """The mistake that the page shows, None for a page of moves."""
        number = self.shown - self._pages_of_moves
        return self._mistakes[number] if number >= 0 else None

    @property
    def opens_at(self) -> int:
        """The ply at which the replay opens: the page's mistake, else the first one, else 0."""
        mistake = self.mistake or next(iter(self._mistakes), None)
        return mistake.ply - 1 if mistake else 0

    @property
    def _pages_of_moves(self) -> int:
        return max(1, -(-len(self.steps) // _MOVES))

    @property
    def _mistakes(self) -> list[ReviewedMove]:
        return [step for step in self.steps if step.mistake]


def review_view(page: ReviewPage, texts: OwnTexts, board: Seen) -> Layout:
    """Return a page of a review; `board` is the board before the page's mistake, if it has one."""
    stored, mistake = page.stored, page.mistake
    match, names = stored.match, names_of(stored, texts)
    title = texts("review.title", title=words.title(match.game, match.options, texts))
    if mistake is None:
        told = _moves_lines(page, names, telling_in(board.form, texts))
    else:
        told = _mistake_lines(page, mistake, names, texts, board)
    end = page_end(page.shown, page.pages, partial(ShowReview, stored.id), texts)
    below = _to_replay(page, texts) if page.steps else None
    return card([f"### {title}", *told, *end, below])


def _to_replay(page: ReviewPage, texts: Texts) -> Component:
    """Return the button that opens the replay; at a mistake, also one for the best line."""
    replay = Replay(page.stored.id, page.opens_at, Step.OPEN)
    buttons = [button(texts("button.replay"), replay, icon=emoji.REPLAY)]
    if page.mistake:
        line = ShowLine(page.stored.id, page.opens_at, 1, Step.OPEN)
        buttons.append(button(texts("button.line"), line, ButtonStyle.primary, emoji.STAR))
    return button_row(*buttons)


def _moves_lines(page: ReviewPage, names: words.Names, telling: Telling) -> list[Part]:
    """Return a page of moves with their values; the first page also tells who played and won."""
    match = page.stored.match
    steps = page.steps
    side = page.side
    texts = telling.texts
    lines = [telling.players(match, names), telling.result(match, names)]
    if not steps:
        return [*lines, texts("review.empty")]
    mistakes = sum(step.mistake for step in steps)
    said = texts("review.mistakes", count=mistakes) if mistakes else None
    if any(is_estimate(step.values, side) for step in steps):
        whose = texts("review.side", player=telling.named(match, side, names[side]))
    else:
        whose = texts("review.solved")
    moves = steps[page.shown * _MOVES : (page.shown + 1) * _MOVES]
    told = [_step_line(match, step, side, names, telling) for step in moves]
    head = [*lines, said] if page.shown == 0 else []
    end = _end_lines(page, names, texts) if steps[-1] in moves else []
    return [*head, whose, *told, *end, *_notes(page, texts)]


def _step_line(
    match: Match, step: ReviewedMove, side: int, names: words.Names, telling: Telling
) -> str:
    """Return the line of a move, with the position's value, or with who left the match then."""
    kind = "turning" if step.turning else "swing" if step.swing else "plain"
    left = [one.seat for one in match.withdrawals if one.ply == step.ply]
    if left:
        value = telling.texts.listed(telling.seated(match, seat, names[seat]) for seat in left)
    else:
        value = value_words(match.at(step.ply), step.values, side, telling)
    return telling.texts(
        f"review.step.{kind}",
        ply=step.ply,
        mark=telling.mark(match, step.seat, step.ply - 1),
        move=words.notation(step.move),
        value=value,
    )


def _end_lines(page: ReviewPage, names: words.Names, texts: Texts) -> list[str]:
    """Return a line for each player who gave a better result away by how the match ended."""
    return [
        texts(
            "review.ending",
            player=names[lost.seat],
            before=texts(f"result.{lost.before}"),
            after=texts(f"result.{lost.after}"),
        )
        for lost in given_up(page.stored.match, page.steps)
    ]


def _notes(page: ReviewPage, texts: Texts) -> Iterator[str]:
    """Yield how certain the values are, and what the marks beside moves mean, if there are any.

    Moves without mistakes need no note if the match ended away from the board: a resignation or the
    clock may have given away what the moves kept.
    """
    match, steps = page.stored.match, page.steps
    if not all(step.reached for step in steps):
        yield texts("review.unfinished")
    if any(is_estimate(step.values, page.side) for step in steps):
        yield texts("review.estimated")
    if any(step.swing for step in steps):
        yield texts("review.likely")
    elif any(step.turning for step in steps):
        yield texts("review.changed")
    elif match.ending is None and all(step.before.result and step.after.result for step in steps):
        yield texts("review.steady")


def _mistake_lines(
    page: ReviewPage, step: ReviewedMove, names: words.Names, texts: Texts, board: Seen
) -> list[Part]:
    """Return a page's mistake in words, and the board before it with the better square."""
    match, line = page.stored.match, page.line
    telling = telling_in(board.form, texts)
    told = {
        "ply": step.ply,
        "mark": telling.mark(match, step.seat, step.ply - 1),
        "move": words.notation(step.move),
        "player": names[step.seat],
        "better": step.better and words.notation(step.better),
    }
    if step.turning:
        told |= {"before": texts(f"result.{step.before.result}")}
        said = texts("review.turning", after=texts(f"result.{step.after.result}"), **told)
    else:
        told |= {"before": percent(step.before), "after": percent(step.after)}
        said = texts("review.swing", **told)
    before = match.at(step.ply - 1)
    better = texts("review.line", line=telling.line(before, line.moves)) if line else None
    return [said, *board.parts, better]
