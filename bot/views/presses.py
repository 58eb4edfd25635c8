"""What happens when a button is pressed.

Nothing is registered when a message is sent: a press is read from its custom id alone, so buttons
from before a restart, presses that come with the message's first appearance, and presses on what
the message showed a moment ago are all answered.
"""

from collections.abc import Coroutine
from typing import Any

from bot.answers import answer_of
from bot.checks import check_board, check_turn
from bot.client import Interaction, texts_of
from bot.errors import LaggingView, Refusal
from bot.records import OfferKind, StoredMatch
from bot.render.moves import has_page
from bot.render.refusals import pick_first
from bot.serving import place_of, served
from bot.views import agreements
from bot.views.board import board_view
from bot.views.challenging import press_dare
from bot.views.codec import decode
from bot.views.games import turn_games
from bot.views.insight import show_hint, show_legal, show_review
from bot.views.invitations import reply_to_invitation
from bot.views.leaderboard import turn_page
from bot.views.messages import text_view
from bot.views.mydata import press_erase
from bot.views.posting import show
from bot.views.pressed_match import (
    Action,
    Analyse,
    Consent,
    Control,
    Export,
    Group,
    Legal,
    MatchPress,
    Pick,
    Play,
    Rematch,
    Replay,
    Resign,
)
from bot.views.pressed_server import Dare, Erase, Games, History, Page, Reply, ServerPress
from bot.views.profile import turn_history
from bot.views.replay import press_export, press_replay
from core.grid import Square


@served
async def press(interaction: Interaction, custom_id: str) -> None:
    """Do what the button with this custom id says; raise Refusal."""
    match decode(custom_id):
        case None:
            raise Refusal("refusal.unknown_button")
        case (Play() | Pick() | Group() | Control()) as on_board:
            await _press_board(interaction, on_board)
        case (Reply() | Dare() | Erase() | History() | Page() | Games()) as of_server:
            await _press_server(interaction, of_server)
        case of_match:
            await _press_match(interaction, of_match)


async def _press_match(
    interaction: Interaction,
    press: Resign | Consent | Rematch | Analyse | Legal | Replay | Export,
) -> None:
    match press:
        case Resign():
            await _resign(interaction, press)
        case Consent():
            await agreements.consent(interaction, press)
        case Rematch():
            await agreements.rematch(interaction, press)
        case Analyse():
            await _analyse(interaction, press)
        case Legal():
            await _legal(interaction, press)
        case Replay():
            await press_replay(interaction, press)
        case Export():
            await press_export(interaction, press)


async def _press_server(interaction: Interaction, press: ServerPress) -> None:
    match press:
        case Reply():
            await reply_to_invitation(interaction, press)
        case Dare():
            await press_dare(interaction, press)
        case Erase():
            await press_erase(interaction, press)
        case History():
            await turn_history(interaction, press)
        case Page():
            await turn_page(interaction, press)
        case Games():
            await turn_games(interaction, press.number)


async def _press_board(interaction: Interaction, press: Play | Pick | Group | Control) -> None:
    match press:
        case Play():
            await _on_board(interaction, _play(interaction, press))
        case Pick():
            await _on_board(interaction, _pick(interaction, press))
        case Group():
            await _on_board(interaction, _group(interaction, press))
        case Control(action=Action.HINT):
            await _hint(interaction, press)
        case Control():
            await _on_board(interaction, _control(interaction, press))


async def _on_board(interaction: Interaction, handler: Coroutine[Any, Any, None]) -> None:
    """Run the handler of a board's button in the channel's turn.

    Where the board has been left behind, because the one after it could not be posted, the current
    one is shown instead.
    """
    async with interaction.client.services.matches.turn(place_of(interaction).channel_id):
        try:
            await handler
        except LaggingView as lagging:
            current = lagging.current
            await show(interaction, current, [current.board_id, pressed_id(interaction)])


async def _play(interaction: Interaction, play: Play) -> None:
    matches, pressed = interaction.client.services.matches, pressed_id(interaction)
    stored = await matches.play(
        play.match, interaction.user.id, play.move, play.ply, pressed, interaction.channel_id
    )
    await show(interaction, stored, [stored.board_id, pressed])


async def _pick(interaction: Interaction, pick: Pick) -> None:
    stored = await _stored(interaction, pick)
    check_turn(stored, interaction.user.id, pick.ply, pressed_id(interaction))
    square = Square.parse(pick.square) if pick.square else None
    movable = dict.fromkeys(move.origin for move in stored.match.position.legal_moves())
    if square is not None and square not in movable:
        raise pick_first(stored, [str(origin) for origin in movable])
    view = board_view(stored, texts_of(interaction), pick=square)
    await answer_of(interaction).edit(view)


async def _group(interaction: Interaction, group: Group) -> None:
    stored = await _stored(interaction, group)
    check_turn(stored, interaction.user.id, group.ply, pressed_id(interaction))
    if not has_page(stored.match.position.legal_moves(), group.group, group.page):
        raise Refusal("refusal.unknown_button", stored)
    await answer_of(interaction).edit(board_view(stored, texts_of(interaction), opened=group))


async def _legal(interaction: Interaction, legal: Legal) -> None:
    await show_legal(interaction, await _stored(interaction, legal))


async def _control(interaction: Interaction, control: Control) -> None:
    stored = await _stored(interaction, control)
    check_board(stored, interaction.user.id, control.ply, pressed_id(interaction))
    if control.action is Action.RESIGN:
        await agreements.ask_to_resign(interaction, stored)
    else:
        await agreements.offer(interaction, stored, OfferKind(control.action.value))


async def _resign(interaction: Interaction, resign: Resign) -> None:
    matches = interaction.client.services.matches
    async with matches.turn(place_of(interaction).channel_id):
        before = await _stored(interaction, resign)
        stored = await matches.resign(before, interaction.user.id)
        await answer_of(interaction).edit(text_view(texts_of(interaction)("resign.done")))
        await show(interaction, stored, [before.board_id])


async def _hint(interaction: Interaction, control: Control) -> None:
    """Show a hint, not in the channel's turn: nobody should have to wait for it."""
    stored = await _stored(interaction, control)
    check_board(stored, interaction.user.id, control.ply, pressed_id(interaction))
    await show_hint(interaction, stored)


async def _analyse(interaction: Interaction, analyse: Analyse) -> None:
    await show_review(interaction, await _stored(interaction, analyse))


async def _stored(interaction: Interaction, press: MatchPress) -> StoredMatch:
    """Return the match that was pressed; raise Refusal where this channel has no such match."""
    return await interaction.client.services.matches.get(press.match, interaction.channel_id)


def pressed_id(interaction: Interaction) -> int:
    """Return the id of the message whose button was pressed."""
    assert interaction.message is not None, "a button sits on a message"
    return interaction.message.id
