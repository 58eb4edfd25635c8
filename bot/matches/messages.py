"""Offers, confirmations and lists as messages."""

from collections.abc import Iterable, Sequence

from discord import ButtonStyle, ui

from bot.gateway.codec import encode
from bot.gateway.names import escape
from bot.gateway.paragraphs import displays
from bot.i18n import Texts
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.presses import Answer, Consent, Resign
from bot.matches.squares import button, layout
from bot.offers.service import asked
from bot.render import emoji, terms, words
from bot.render.refusals import board_link
from core.match import Match
from core.outcome import Result


def names_of(stored: StoredMatch, texts: Texts) -> list[str]:
    """Return what each seat's player is called, in bold and made safe."""
    return words.player_names(stored.match, [name and escape(name) for name in stored.names], texts)


def offer_view(
    stored: StoredMatch, kind: OfferKind, wanting: Sequence[int], texts: Texts
) -> ui.LayoutView:
    """Return the question to the others, with buttons for them; `wanting[0]` is who asked."""
    names, asker = names_of(stored, texts), wanting[0]
    missing = sorted(asked(stored.match, kind) - {*wanting})
    lines = [
        texts(f"offer.{kind}", asker=names[asker], others=_joined(names, missing)),
        texts("offer.agreed", players=_joined(names, wanting[1:])) if wanting[1:] else None,
    ]
    buttons = (
        button(
            texts(f"button.{answer}"),
            encode(Consent(stored.id, stored.match.ply, kind, asker, answer)),
            ButtonStyle.success if answer is Answer.AGREE else ButtonStyle.secondary,
        )
        for answer in Answer
    )
    text = "\n".join(line for line in lines if line)
    return layout(ui.Container(ui.TextDisplay(text), ui.ActionRow(*buttons)))


def _joined(names: Sequence[str], seats: Iterable[int]) -> str:
    return ", ".join(names[seat] for seat in seats)


def declined_view(
    stored: StoredMatch, kind: OfferKind, decliner: int, texts: Texts
) -> ui.LayoutView:
    """Return what an offer becomes when it is declined."""
    text = texts(f"offer.{kind}.declined", decliner=names_of(stored, texts)[decliner])
    return layout(ui.TextDisplay(text))


def resign_view(stored: StoredMatch, after: Match, texts: Texts) -> ui.LayoutView:
    """Return the question whether to resign, which would make the match what it is `after`."""
    names = names_of(stored, texts)
    if after.outcome is None:
        text = texts("resign.leave", others=_joined(names, after.staying))
    else:
        results = [after.outcome.result(seat) for seat in range(len(names))]
        winners = [seat for seat, result in enumerate(results) if result is Result.WIN]
        nobody = texts("resign.nobody")
        text = texts("resign.really", winner=_joined(names, winners)) if winners else nobody
    yes = button(
        texts("button.really_resign"),
        encode(Resign(stored.id)),
        ButtonStyle.danger,
        emoji.RESIGN,
    )
    return layout(ui.TextDisplay(text), ui.ActionRow(yes))


def reminder_view(stored: StoredMatch, notify: int | None, texts: Texts) -> ui.LayoutView:
    """Return the reminder of a move, with a link to the board; it mentions `notify`."""
    player = f"<@{notify}>" if notify else names_of(stored, texts)[stored.match.to_move or 0]
    title = terms.title(stored.match.game, stored.match.options, texts)
    text = texts("reminder", player=player, title=title, moment=stored.timing.deadline)
    link = board_link(stored)
    return text_view(f"{text}\n{texts('refusal.link', link=link)}" if link else text)


def put_away_view(stored: StoredMatch, texts: Texts) -> ui.LayoutView:
    """Return what a board becomes when its match is put away."""
    title = terms.title(stored.match.game, stored.match.options, texts)
    players = words.players_line(stored.match, names_of(stored, texts), texts)
    return text_view(texts("board.put_away", title=title, players=players))


def text_view(text: str) -> ui.LayoutView:
    """Return a message of text alone."""
    return layout(*displays(text))
