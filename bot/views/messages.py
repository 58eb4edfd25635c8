"""Challenges, offers, confirmations and lists as messages."""

from discord import ButtonStyle, ui

from bot.i18n import Texts
from bot.names import escape
from bot.records import Challenge, ChallengeStatus, OfferKind, StoredMatch
from bot.render import emoji, words
from bot.render.refusals import board_link
from bot.views.buttons import button, layout
from bot.views.codec import Answer, ChallengeAnswer, Consent, Resign, Verb, encode
from bot.views.paragraphs import displays
from core.games import GAMES

_CHALLENGE_STYLES = {
    Verb.ACCEPT: ButtonStyle.success,
    Verb.DECLINE: ButtonStyle.secondary,
    Verb.WITHDRAW: ButtonStyle.secondary,
}


def challenge_view(challenge: Challenge, texts: Texts) -> ui.LayoutView:
    """Return a challenge, with its buttons while it is open; only then it mentions the opponent."""
    is_open = challenge.status is ChallengeStatus.OPEN
    opponent = f"**{escape(challenge.opponent.name)}**"
    text = texts(
        f"challenge.{challenge.status}",
        challenger=f"**{escape(challenge.challenger.name)}**",
        opponent=f"<@{challenge.opponent.id}>" if is_open else opponent,
        title=words.title(GAMES[challenge.game], challenge.options, texts),
        first=f"**{escape(challenge.players[0].name)}**",
        expires=challenge.expires_at,
        clock=words.clock_words(challenge.clock, texts),
    )
    if not is_open:
        return layout(ui.TextDisplay(text))
    buttons = (
        button(texts(f"button.{verb}"), encode(ChallengeAnswer(challenge.id, verb)), style)
        for verb, style in _CHALLENGE_STYLES.items()
    )
    return layout(ui.Container(ui.TextDisplay(text), ui.ActionRow(*buttons)))


def names_of(stored: StoredMatch, texts: Texts) -> list[str]:
    """Return what each seat's player is called, in bold and made safe."""
    return words.player_names(stored.match, [name and escape(name) for name in stored.names], texts)


def offer_view(stored: StoredMatch, kind: OfferKind, asker: int, texts: Texts) -> ui.LayoutView:
    """Return the question to the others, with buttons for them."""
    names = names_of(stored, texts)
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
    text = texts(f"offer.{kind}.declined", decliner=names_of(stored, texts)[decliner])
    return layout(ui.TextDisplay(text))


def resign_view(stored: StoredMatch, seat: int, texts: Texts) -> ui.LayoutView:
    """Return the question whether to resign."""
    names = names_of(stored, texts)
    winner = ", ".join(name for other, name in enumerate(names) if other != seat)
    yes = button(
        texts("button.really_resign"),
        encode(Resign(stored.id)),
        ButtonStyle.danger,
        emoji.RESIGN,
    )
    return layout(ui.TextDisplay(texts("resign.really", winner=winner)), ui.ActionRow(yes))


def reminder_view(stored: StoredMatch, notify: int | None, texts: Texts) -> ui.LayoutView:
    """Return the reminder of a move, with a link to the board; it mentions `notify`."""
    player = f"<@{notify}>" if notify else names_of(stored, texts)[stored.match.to_move or 0]
    title = words.title(stored.match.game, stored.match.options, texts)
    text = texts("reminder", player=player, title=title, moment=stored.timing.deadline)
    link = board_link(stored)
    return text_view(f"{text}\n{texts('refusal.link', link=link)}" if link else text)


def put_away_view(stored: StoredMatch, texts: Texts) -> ui.LayoutView:
    """Return what a board becomes when its match is put away."""
    title = words.title(stored.match.game, stored.match.options, texts)
    players = words.players_line(stored.match, names_of(stored, texts), texts)
    return text_view(texts("board.put_away", title=title, players=players))


def text_view(text: str) -> ui.LayoutView:
    """Return a message of text alone."""
    return layout(*displays(text))
