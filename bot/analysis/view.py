"""Hints as messages, and the values of positions in words."""

from collections.abc import Sequence

from discord import ButtonStyle

from bot.analysis.model import BestLine, Verdict, judge
from bot.gateway.components import Layout, button, button_row, view_of
from bot.i18n import OwnTexts, Texts
from bot.matches.board_pictures import Seen
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.presses import AskOffer
from bot.render import words
from bot.render.telling import Telling, telling_in
from core.match import Match
from core.outcome import Result
from core.position import mover_of

# The words for a chance of winning, a fifth each.
_CHANCES = ("lost", "bad", "even", "good", "won")


def percent(verdict: Verdict) -> int:
    """Return the chance of winning in percent, 0 if it isn't known."""
    return round(100 * (verdict.outlook or 0))


def hint_view(stored: StoredMatch, hint: BestLine, texts: OwnTexts, board: Seen) -> Layout:
    """Return the best move of the player to move, with its verdict, the line after it, the board.

    No line follows a move that draws, since there are many ways to go on.
    """
    match = stored.match
    move = hint.moves[0]
    seat = mover_of(match.position)
    telling = telling_in(board.form, texts)
    verdict = judge(hint.analysis)[seat]
    if verdict.result is None:
        chance = _CHANCES[min(4, int(5 * (verdict.outlook or 0)))]
        said = texts("hint.estimate", prospect=texts(f"hint.{chance}"))
    else:
        said = _verdict_words(verdict, texts)
    then = telling.line(match.play(move), hint.moves[1:])
    told = then and verdict.result is not Result.DRAW
    mark = telling.mark(match, seat)
    best = texts("hint.best", mark=mark, move=words.notation(move), verdict=said)
    return view_of(
        telling.sentence(match, best),
        texts("hint.line", line=then) if told else None,
        *board.parts,
    )


def play_on_unrated_view(told: str, stored: StoredMatch, texts: OwnTexts) -> Layout:
    """Return the refusal `told` of a hint, with a button that asks to play on unrated."""
    press = AskOffer(stored.id, stored.match.ply, OfferKind.UNRATED)
    ask = button(texts("button.unrated"), press, ButtonStyle.primary)
    return view_of(told, button_row(ask))


def value_words(match: Match, values: Sequence[Verdict], side: int, telling: Telling) -> str:
    """Return the value of a position: who wins, a draw, or the chances of the seat `side`."""
    texts = telling.texts
    whose = _whose(values, side)
    verdict = values[whose]
    if verdict.outlook is None:
        return texts("verdict.unknown")
    if verdict.result is Result.DRAW:
        return texts("review.draw")
    return texts.row(" ", (telling.mark(match, whose), _verdict_words(verdict, texts)))


def is_estimate(values: Sequence[Verdict], side: int) -> bool:
    """Return whether `value_words` tells the value of a position as a percentage."""
    verdict = values[_whose(values, side)]
    return verdict.result is None and verdict.outlook is not None


def _whose(values: Sequence[Verdict], side: int) -> int:
    """Return the seat whose verdict is told: that of a winner, else `side`."""
    winners = (seat for seat, value in enumerate(values) if value.result is Result.WIN)
    return next(winners, side)


def _verdict_words(verdict: Verdict, texts: Texts) -> str:
    """Return a known verdict in words: "wins in 3", "draws", "35%"."""
    if verdict.result is None:
        return texts("verdict.estimate", percent=percent(verdict))
    if verdict.turns:
        return texts(f"verdict.{verdict.result}.in", count=verdict.turns)
    return texts(f"verdict.{verdict.result}")
