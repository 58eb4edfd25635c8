"""Offers, and the question whether to resign, as messages with their buttons."""

from collections.abc import Iterable, Sequence

from discord import ButtonStyle

from bot.forms import Form
from bot.gateway.components import Layout, button, button_row, card, question_view, view_of
from bot.i18n import OwnTexts, Texts, channel_texts
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.presses import EndOwn
from bot.matches.service import may_count
from bot.matches.view import draw_note, names_of
from bot.offers.model import Answer, Consent, Offer, ReallyResign, to_ask
from bot.render import emoji, words
from core.match import Match


def offer_view(stored: StoredMatch, offer: Offer) -> Layout:
    """Return the question to the other players, with buttons.

    It mentions the members who have to agree. It names the command that agrees if one of them
    reads boards in words, since some screen readers don't reach buttons.
    """
    texts = channel_texts(stored.language)
    kind, asker, wanting = offer.kind, offer.asker, offer.wanting
    names = names_of(stored, texts)
    asked = to_ask(stored.match, kind, wanting)
    others = texts.joined(f"<@{member}>" for member in asked)
    unrated = kind is OfferKind.UNDO and not may_count(stored)
    key = "offer.undo.unrated" if unrated else f"offer.{kind}"
    lines = [texts(key, asker=names[asker], others=others)]
    if kind is OfferKind.DRAW and (note := draw_note(stored, names, texts)):
        lines.append(note)
    if agreed := wanting[1:]:
        lines.append(texts("offer.agreed", players=_joined(names, agreed, texts)))
    if any(stored.forms.get(member) is Form.WORDS for member in asked):
        lines.append(words.without_buttons(kind, None, texts))
    buttons = (
        button(
            texts(f"button.{answer}"),
            Consent(stored.id, stored.match.ply, kind, asker, answer),
            ButtonStyle.success if answer is Answer.AGREE else ButtonStyle.secondary,
        )
        for answer in Answer
    )
    return card([*lines, button_row(*buttons)])


def declined_view(stored: StoredMatch, kind: OfferKind, decliner: int) -> Layout:
    """Return the message that an offer becomes when it is declined."""
    texts = channel_texts(stored.language)
    return view_of(texts(f"offer.{kind}.declined", decliner=names_of(stored, texts)[decliner]))


def ended_view(stored: StoredMatch, kind: OfferKind, asker: int, how: str) -> Layout:
    """Return the message that an offer becomes when it ends; `how` is the key of that text."""
    texts = channel_texts(stored.language)
    offer = texts(f"offer.{kind}.made", asker=names_of(stored, texts)[asker])
    return view_of(texts(how, offer=offer))


def resign_view(stored: StoredMatch, after: Match, texts: OwnTexts) -> Layout:
    """Return the question whether to resign, which would turn the match into `after`."""
    names = names_of(stored, texts)
    if after.outcome is None:
        text = texts("resign.leave", others=_joined(names, after.staying, texts))
    elif (winner := after.outcome.winner) is None:
        text = texts("resign.nobody")
    else:
        text = texts("resign.really", winner=_joined(names, [winner], texts))
    label = texts("button.really_leave" if after.outcome is None else "button.really_resign")
    yes = button(label, ReallyResign(stored.id), ButtonStyle.danger, emoji.RESIGN)
    return question_view(text, yes, "resign", texts)


def restart_view(stored: StoredMatch, texts: OwnTexts) -> Layout:
    """Return the question whether to restart a match that a member plays alone."""
    press = EndOwn(stored.id, "sure")
    yes = button(texts("button.restart"), press, ButtonStyle.danger, emoji.RESTART)
    return question_view(texts("restart.really"), yes, "restart", texts)


def _joined(names: Sequence[str], seats: Iterable[int], texts: Texts) -> str:
    return texts.joined(names[seat] for seat in seats)
