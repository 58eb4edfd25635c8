"""Challenges and open tables as messages, and what their buttons do."""

from collections.abc import Iterator

from discord import ButtonStyle, ui

from bot.client import Interaction, texts_of
from bot.gateway.codec import encode
from bot.gateway.names import escape
from bot.gateway.permissions import check_here
from bot.gateway.responses import answer_of
from bot.gateway.serving import person, place_of
from bot.i18n import Texts
from bot.invitations.model import Guest, Holder, Invitation, InvitationStatus
from bot.matches.model import Person, StoredMatch
from bot.matches.posting import show_first
from bot.matches.squares import button, layout
from bot.render import terms, words
from bot.render.emoji import MARKS
from bot.servers.presses import Reply, Verb
from core.games import GAMES
from core.players import Computer

_ANSWERS = (Verb.ACCEPT, Verb.DECLINE)
_AT_A_TABLE = (Verb.JOIN, Verb.LEAVE, Verb.START)
# What may begin a match.
_BEGINNING = (Verb.ACCEPT, Verb.JOIN, Verb.START)
_STYLES = {Verb.ACCEPT: ButtonStyle.success, Verb.JOIN: ButtonStyle.success}


def invitation_view(invitation: Invitation, texts: Texts, by: str = "") -> ui.LayoutView:
    """Return a challenge or an open table, with its buttons while it is open.

    Only while it is open it mentions members, those that are asked. `by` is the name of whoever
    closed it, where somebody did.
    """
    title = terms.title(GAMES[invitation.game], invitation.options, texts)
    if invitation.status is not InvitationStatus.OPEN:
        return layout(ui.TextDisplay(_closed(invitation, title, by, texts)))
    lines = [*_headlines(invitation, texts), f"**{title}**", *_details(invitation, texts)]
    rows = [ui.ActionRow(*row) for row in _buttons(invitation, texts)]
    return layout(ui.Container(ui.TextDisplay("\n".join(lines)), *rows))


def _closed(invitation: Invitation, title: str, by: str, texts: Texts) -> str:
    """Return what became of an invitation."""
    owner = _bold(invitation.owner)
    if invitation.is_table:
        return texts(f"table.{invitation.status}", owner=owner, title=title)
    opponents = ", ".join(map(_bold, invitation.opponents))
    values = {"opponents": opponents, "decliner": f"**{escape(by)}**"}
    return texts(f"challenge.{invitation.status}", owner=owner, title=title, **values)


def _bold(somebody: Person) -> str:
    return f"**{escape(somebody.name)}**"


def _headlines(invitation: Invitation, texts: Texts) -> Iterator[str]:
    owner = _bold(invitation.owner)
    if invitation.asked:
        asked = ", ".join(f"<@{member.id}>" for member in invitation.asked)
        yield texts("challenge.open", opponents=asked, owner=owner)
    if invitation.is_table:
        yield texts("table.open", owner=owner)


def _details(invitation: Invitation, texts: Texts) -> Iterator[str]:
    """Yield who sits where, who begins, and until when the invitation stands."""
    game = GAMES[invitation.game]
    if invitation.is_table or game.seats > 2:
        for mark, holder in zip(game.marks, invitation.seats, strict=True):
            yield f"{MARKS[mark.shape].plain} {_holder(holder, texts)}"
    if game.first_by_lot:
        yield texts("invitation.by_lot")
    else:
        yield texts("invitation.first", first=_called(invitation.seats[0], texts))
    yield from terms.flag_rules(game, invitation.options, texts)
    yield texts("invitation.clock", clock=terms.clock_words(invitation.clock, texts))
    if invitation.fill_level is not None:
        level = texts(f"level.{invitation.fill_level}")
        yield texts("table.starts", owner=_bold(invitation.owner), level=level)
    yield texts("invitation.until", expires=invitation.expires_at)


def _holder(holder: Holder, texts: Texts) -> str:
    """Return who has a seat, and whether they still have to agree."""
    called = _called(holder, texts)
    waiting = isinstance(holder, Guest) and not holder.agreed
    return texts("invitation.asked", player=called) if waiting else called


def _called(holder: Holder, texts: Texts) -> str:
    if holder is None:
        return texts("invitation.free")
    if isinstance(holder, Computer):
        return f"**{words.player_name(holder, None, texts)}**"
    return _bold(holder.person)


def _buttons(invitation: Invitation, texts: Texts) -> Iterator[list[ui.Button[ui.LayoutView]]]:
    """Yield rows of buttons: those for who is asked, and those of a table."""
    if not invitation.is_table:
        yield _row(invitation, (*_ANSWERS, Verb.WITHDRAW), texts)
        return
    if invitation.asked:
        yield _row(invitation, _ANSWERS, texts)
    yield _row(invitation, (*_AT_A_TABLE, Verb.WITHDRAW), texts)


def _row(
    invitation: Invitation, verbs: tuple[Verb, ...], texts: Texts
) -> list[ui.Button[ui.LayoutView]]:
    closing = {Verb.WITHDRAW: "button.close"} if invitation.is_table else {}
    return [
        button(
            texts(closing.get(verb, f"button.{verb}")),
            encode(Reply(invitation.id, verb)),
            _STYLES.get(verb, ButtonStyle.secondary),
        )
        for verb in verbs
    ]


async def reply_to_invitation(interaction: Interaction, reply: Reply) -> None:
    """Do what was pressed; the board of a match that begins takes the invitation's place."""
    async with interaction.client.services.matches.turn(place_of(interaction).channel_id):
        if reply.verb in _BEGINNING:
            await check_here(interaction)
        made = await _replied(interaction, reply)
        if isinstance(made, StoredMatch):
            pressed = interaction.message.id if interaction.message else None
            await show_first(interaction, made, [pressed])
            return
        view = invitation_view(made, texts_of(interaction), person(interaction.user).name)
        await answer_of(interaction).edit(view)


async def _replied(interaction: Interaction, reply: Reply) -> Invitation | StoredMatch:
    invitations, me = interaction.client.services.invitations, person(interaction.user)
    match reply.verb:
        case Verb.ACCEPT:
            return await invitations.accept(reply.invitation, me.id)
        case Verb.DECLINE:
            return await invitations.decline(reply.invitation, me.id)
        case Verb.WITHDRAW:
            return await invitations.withdraw(reply.invitation, me.id)
        case Verb.JOIN:
            return await invitations.join(reply.invitation, me)
        case Verb.LEAVE:
            return await invitations.leave(reply.invitation, me.id)
        case Verb.START:
            return await invitations.start(reply.invitation, me.id)
