"""Challenges and open tables as messages."""

from collections.abc import Iterable, Iterator

from discord import ButtonStyle

from bot.forms import Form
from bot.gateway.components import Component, Layout, button, button_row, card, view_of
from bot.i18n import OwnTexts, Texts, channel_texts
from bot.identity import MemberId, escape
from bot.invitations.model import (
    AT_A_TABLE,
    Guest,
    Holder,
    Invitation,
    InvitationStatus,
    Reply,
    Verb,
)
from bot.matches.ways import rules_button
from bot.render import words
from bot.render.emoji import MARKS
from bot.render.links import where_words
from core.players import Computer

_ANSWERS = (Verb.ACCEPT, Verb.DECLINE)
_STYLES = {Verb.ACCEPT: ButtonStyle.success, Verb.JOIN: ButtonStyle.success}


def invitation_view(invitation: Invitation, by: str = "") -> Layout:
    """Return the message of a challenge or an open table, with buttons while it is open.

    While it is open, it mentions the members who are asked, and names the command that answers if
    one of them reads boards in words. `by` is the name of the member who closed it, if it is known.
    """
    texts = channel_texts(invitation.language)
    title = words.title(invitation.game, invitation.options, texts)
    if not invitation.is_open:
        return view_of(_closed(invitation, title, by, texts))
    lines = [*_headlines(invitation, texts), f"**{title}**", *_details(invitation, texts)]
    if any(invitation.forms.get(member.id) is Form.WORDS for member in invitation.asked):
        lines.append(words.without_buttons("answer", None, texts))
    rows = [button_row(*row) for row in _buttons(invitation, texts)]
    return card([*lines, *rows])


def asked_line(invitation: Invitation, texts: OwnTexts) -> str:
    """Return the line of an invitation for a member who is asked: by whom, and to which game."""
    title = words.title(invitation.game, invitation.options, texts)
    told = texts("mine.asked.line", owner=words.named(invitation.owner, texts), title=title)
    return _open_line(told, invitation, texts)


def offered_line(invitation: Invitation, texts: OwnTexts) -> str:
    """Return the line of an invitation for a member who has agreed: the game, and its seats."""
    title = words.title(invitation.game, invitation.options, texts)
    players = words.versus((_holder(seat, texts) for seat in invitation.seats), texts)
    told = texts("mine.line", title=title, players=players)
    return _open_line(told, invitation, texts)


def seat_lines(
    found: Iterable[Invitation], member_id: MemberId, texts: OwnTexts
) -> tuple[list[str], list[str]]:
    """Return a line for each of these invitations, in which a member has a seat.

    The first list has those that wait for this member's answer, the second those that wait for
    others.
    """
    asking, others = list[str](), list[str]()
    for one in found:
        if member_id in {person.id for person in one.asked}:
            asking.append(asked_line(one, texts))
        else:
            others.append(offered_line(one, texts))
    return asking, others


def _open_line(told: str, invitation: Invitation, texts: OwnTexts) -> str:
    until = texts("invitation.until", expires=invitation.expires_at)
    where = where_words(invitation.place, invitation.message_id, texts)
    return texts.sentences([told, until, where])


def _closed(invitation: Invitation, title: str, by: str, texts: Texts) -> str:
    """Return how an invitation ended."""
    owner = words.named(invitation.owner, texts)
    if invitation.status is InvitationStatus.CALLED_OFF:
        return texts("invitation.called_off")
    if invitation.is_table:
        return texts(f"table.{invitation.status}", owner=owner, title=title)
    opponents = texts.joined(words.named(one, texts) for one in invitation.opponents)
    values = {"owner": owner, "opponents": opponents, "title": title}
    if invitation.status is not InvitationStatus.DECLINED:
        return texts(f"challenge.{invitation.status}", **values)
    if by:
        return texts("challenge.declined", decliner=words.bold(escape(by), texts), **values)
    # Of several opponents, only the answer knows which one declined.
    if len(invitation.opponents) > 1:
        return texts("challenge.declined.unnamed", **values)
    return texts("challenge.declined", decliner=opponents, **values)


def _headlines(invitation: Invitation, texts: Texts) -> Iterator[str]:
    owner = words.named(invitation.owner, texts)
    if invitation.asked:
        asked = texts.joined(f"<@{member.id}>" for member in invitation.asked)
        yield texts("challenge.open", opponents=asked, owner=owner)
    if None in invitation.seats:
        yield texts("table.open", owner=owner)


def _details(invitation: Invitation, texts: Texts) -> Iterator[str]:
    """Yield the lines with the seats, the first player, the clock and the time to lapse.

    Of two players, the line with the first one says all about the seats.
    """
    game = invitation.game
    if game.seats > 2:
        for mark, holder in zip(game.marks, invitation.seats, strict=True):
            yield texts.row(" ", (MARKS[mark.shape].plain, _holder(holder, texts)))
    if game.first_by_lot:
        yield texts("invitation.by_lot")
    elif invitation.seats[0] is None:
        yield texts("invitation.first.joins")
    else:
        yield texts("invitation.first", first=_called(invitation.seats[0], texts))
    yield from words.flag_rules(game, invitation.options, texts)
    yield texts("invitation.clock", clock=words.clock_words(invitation.clock, texts))
    if invitation.clock is not None and not invitation.place.posts:
        yield texts("board.unreminded.elsewhere")
    if invitation.place.server_id is None:
        yield texts("board.unrated.elsewhere")
    if invitation.fill_level is not None:
        level = texts(f"level.{invitation.fill_level}")
        yield texts("table.starts", owner=words.named(invitation.owner, texts), level=level)
    yield texts("invitation.until", expires=invitation.expires_at)


def _holder(holder: Holder, texts: Texts) -> str:
    """Return the holder of a seat, and whether they still have to agree."""
    called = _called(holder, texts)
    waiting = isinstance(holder, Guest) and not holder.agreed
    return texts("invitation.asked", player=called) if waiting else called


def _called(holder: Holder, texts: Texts) -> str:
    if holder is None:
        return texts("invitation.free")
    if isinstance(holder, Computer):
        return f"**{words.player_name(holder, None, texts)}**"
    return words.named(holder.person, texts)


def _buttons(invitation: Invitation, texts: Texts) -> Iterator[list[Component]]:
    """Yield rows of buttons: those for the members who are asked, and those of a table.

    The last one shows the rules, since nobody should have to agree to a game that they don't know.
    """
    rules = rules_button(invitation.game, texts)
    if not invitation.is_table:
        yield [*_row(invitation, (*_ANSWERS, Verb.WITHDRAW), texts), rules]
        return
    if invitation.asked:
        yield _row(invitation, _ANSWERS, texts)
    yield [*_row(invitation, (*AT_A_TABLE, Verb.WITHDRAW), texts), rules]


def button_keys(verb: Verb) -> tuple[str, ...]:
    """Return the keys of the labels for an answer's button: on a challenge, and on a table."""
    return ("button.withdraw", "button.close") if verb is Verb.WITHDRAW else (f"button.{verb}",)


def _row(invitation: Invitation, verbs: tuple[Verb, ...], texts: Texts) -> list[Component]:
    """Return a row of buttons; *Join* is disabled if no seat is free."""
    return [
        button(
            texts(button_keys(verb)[-1 if invitation.is_table else 0]),
            Reply(invitation.id, verb),
            _STYLES.get(verb, ButtonStyle.secondary),
            disabled=verb is Verb.JOIN and None not in invitation.seats,
        )
        for verb in verbs
    ]
