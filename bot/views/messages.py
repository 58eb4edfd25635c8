"""Challenges, offers, confirmations and lists as messages."""

from collections.abc import Sequence

from discord import ButtonStyle, ui

from bot.i18n import Texts
from bot.names import escape
from bot.records import Challenge, ChallengeStatus, OfferKind, Standing, StoredMatch
from bot.render import emoji, words
from bot.views.buttons import button, layout
from bot.views.codec import Answer, ChallengeAnswer, Consent, Page, Resign, Verb, encode
from core.games import GAMES

PAGE_SIZE = 10
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
    )
    if not is_open:
        return layout(ui.TextDisplay(text))
    buttons = (
        button(texts(f"button.{verb}"), encode(ChallengeAnswer(challenge.id, verb)), style)
        for verb, style in _CHALLENGE_STYLES.items()
    )
    return layout(ui.Container(ui.TextDisplay(text), ui.ActionRow(*buttons)))


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


def leaderboard_view(
    standings: Sequence[Standing], count: int, page: Page, texts: Texts
) -> ui.LayoutView:
    """Return one page of a server's leaderboard, `count` members long in all."""
    pages = max(1, -(-count // PAGE_SIZE))
    name = texts(f"game.{page.game}") if page.game else texts("leaderboard.all_games")
    lines = [
        _standing_line(page.number * PAGE_SIZE + i, standing, texts)
        for i, standing in enumerate(standings, start=1)
    ]
    title = texts("leaderboard.title", game=name)
    shown = lines or [texts("leaderboard.empty")]
    text = "\n".join([title, *shown, texts("leaderboard.counting")])
    if pages == 1:
        return text_view(text)
    place = texts("leaderboard.page", page=page.number + 1, pages=pages)
    return layout(ui.TextDisplay(f"{text}\n{place}"), _page_buttons(page, pages, texts))


def _standing_line(rank: int, standing: Standing, texts: Texts) -> str:
    return texts(
        "leaderboard.line",
        rank=rank,
        name=escape(standing.name),
        score=words.points_words(standing.score),
        wins=standing.wins,
        draws=standing.draws,
        losses=standing.losses,
    )


def _page_buttons(page: Page, pages: int, texts: Texts) -> ui.ActionRow[ui.LayoutView]:
    def turn(key: str, number: int) -> ui.Button[ui.LayoutView]:
        turned = button(texts(key), encode(Page(page.game, max(0, number))))
        turned.disabled = not 0 <= number < pages
        return turned

    if page.number == 0:
        # Both buttons would say "page 0" on the first page: custom ids must differ.
        return ui.ActionRow(turn("button.next", 1))
    return ui.ActionRow(
        turn("button.previous", page.number - 1), turn("button.next", page.number + 1)
    )
