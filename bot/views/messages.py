"""Offers, confirmations and lists as messages."""

from discord import ButtonStyle, ui

from bot.i18n import Texts
from bot.names import escape
from bot.records import OfferKind, StoredMatch
from bot.render import emoji, words
from bot.views.buttons import button, layout
from bot.views.codec import Answer, Consent, Resign, encode


def _names(stored: StoredMatch, texts: Texts) -> list[str]:
    return words.player_names(stored.match, [name and escape(name) for name in stored.names], texts)


def offer_view(stored: StoredMatch, kind: OfferKind, asker: int, texts: Texts) -> ui.LayoutView:
    """Return the question to the others, with buttons for them."""
    names = _names(stored, texts)
    others = ", ".join(name for seat, name in enumerate(names) if seat != asker)
    buttons = (
        button(
            texts(f"button.{answer}"),
            encode(Consent(stored.id, stored.match.ply, kind, asker, answer)),
            ButtonStyle.success if answer is Answer.AGREE else ButtonStyle.secondary,
        )
        for answer in Answer
    )
    text = texts(f"offer.{kind}", asker=names[asker], others=others)
    return layout(ui.Container(ui.TextDisplay(text), ui.ActionRow(*buttons)))


def declined_view(
    stored: StoredMatch, kind: OfferKind, decliner: int, texts: Texts
) -> ui.LayoutView:
    """Return what an offer becomes when it is declined."""
    text = texts(f"offer.{kind}.declined", decliner=_names(stored, texts)[decliner])
    return layout(ui.TextDisplay(text))


def resign_view(stored: StoredMatch, seat: int, texts: Texts) -> ui.LayoutView:
    """Return the question whether to resign."""
    names = _names(stored, texts)
    winner = ", ".join(name for other, name in enumerate(names) if other != seat)
    yes = button(
        texts("button.really_resign"),
        encode(Resign(stored.id)),
        ButtonStyle.danger,
        emoji.RESIGN,
    )
    return layout(ui.TextDisplay(texts("resign.really", winner=winner)), ui.ActionRow(yes))


def text_view(text: str) -> ui.LayoutView:
    """Return a message of text alone."""
    return layout(ui.TextDisplay(text))
